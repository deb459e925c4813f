"""The view for a projector, which shows pairings and standings page by page."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, request

from ordws.desk.access import allow
from ordws.desk.player_pages import open_event, render_event
from ordws.desk.player_views import describe_round, view_pairings

pages: Final = Blueprint("projector", __name__)
SECONDS_A_PAGE: Final = 12
_FEWEST_SECONDS, _MOST_SECONDS = 2, 120


@pages.get("/tournament/<event>/projector")
@allow("anyone")
def view(event: str) -> str:
    """Show the pairings by name and the standings; `seconds` is the time for which a page stands."""
    opened, snapshot = open_event(event)
    seconds = request.args.get("seconds", SECONDS_A_PAGE, type=int)
    return render_event(
        "projector.html",
        opened,
        snapshot,
        rows=view_pairings(snapshot.state),
        lines=snapshot.lines if snapshot.state.live_rounds else [],
        round_text=describe_round(snapshot.state),
        seconds=min(max(seconds, _FEWEST_SECONDS), _MOST_SECONDS),
    )
