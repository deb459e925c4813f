"""The prints, pictures and prizes of an event, as pages and images of the desk."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from flask import Blueprint, Response, abort, g, request, url_for

from ordws.desk.director_pages import open_snapshot, render_page
from ordws.desk.events import Snapshot
from ordws.desk.player_pages import entrant_of, open_event, render_event
from ordws.desk.print_sheets import PAPERS, PICTURES, SHEETS, PrintJob, chart_style_digest, render_sheet
from ordws.desk.views import describe_prizes
from ordws.errors import OrdwsError
from ordws.frame.application import allow
from ordws.listeners import is_loopback
from ordws.pictures.charts import NARROW, WIDE
from ordws.tournament.exchange.formats import FORMATS
from ordws.tournament.prizes import format_money, prizes
from ordws.tournament.season import find_seasons, invitations, open_quarter

pages: Final = Blueprint("prints", __name__)

_POLICY: Final = "default-src 'none'; script-src 'self'; style-src {}; frame-ancestors 'none'; base-uri 'none'"


@pages.get("/desk/<event>/print")
@allow("director")
def index(event: str) -> str:
    """Show what can be printed, and the formats in which the event can be taken away."""
    return render_page("prints.html", open_snapshot(event), sheets=SHEETS, papers=PAPERS, formats=list(FORMATS))


@pages.get("/desk/<event>/print/<what>")
@allow("director")
def sheet(event: str, what: str) -> Response:
    """Return a page to print; `paper` is a4 or letter, `round` the number of a round."""
    snapshot = open_snapshot(event)
    paper = request.args.get("paper", "a4")
    if what not in SHEETS or paper not in PAPERS:
        abort(404)
    number = request.args.get("round", type=int)
    players = request.host_url.rstrip("/") + url_for("players.event", event=event)
    menu = {
        "script": url_for("static", filename="print.js"),
        "back": url_for(".index", event=event),
        "papers": [
            (name, url_for(".sheet", event=event, what=what, paper=id, round=number)) for id, name in PAPERS.items()
        ],
    }
    job = PrintJob(
        state=snapshot.state,
        paper=paper,
        round=number,
        # A phone cannot reach a desk that only this machine sees.
        address="" if is_loopback(players) else players,
        certificate=snapshot.certificate if what == "certificate" else None,
        menu=menu,
    )
    page = render_sheet(what, job)
    styles = " ".join([f"'sha256-{digest}'" for digest in page.style_digests])
    return Response(page.html, headers={"Content-Security-Policy": _POLICY.format(styles)})


@pages.get("/desk/<event>/pictures")
@allow("director")
def desk_pictures(event: str) -> str:
    """Show the pictures of the event with all that they show in words."""
    snapshot = open_snapshot(event)
    return render_page("desk_pictures.html", snapshot, pictures=_list_pictures(snapshot, None))


@pages.get("/tournament/<event>/pictures")
@allow()
def player_pictures(event: str) -> str:
    """Show the pictures of the event, in which the player who is signed in stands out."""
    opened, snapshot = open_event(event)
    me = entrant_of(snapshot)
    marked = me.number if me else None
    return render_event("player_pictures.html", opened, snapshot, me=me, pictures=_list_pictures(snapshot, marked))


@pages.get("/tournament/<event>/picture/<name>.svg")
@allow()
def picture(event: str, name: str) -> Response:
    """Draw a picture of the event; `narrow` asks for the drawing for a phone."""
    if name not in PICTURES:
        abort(404)
    _, snapshot = open_event(event)
    me = entrant_of(snapshot)
    layout = NARROW if "narrow" in request.args else WIDE
    job = _picture_job(snapshot, me.number if me else None, name)
    svg = snapshot.render_once((name, job.marked, layout), lambda: PICTURES[name].draw(job, f"event-{name}", layout))
    policy = f"default-src 'none'; style-src 'sha256-{chart_style_digest()}'; sandbox"
    headers = {"Content-Security-Policy": policy}
    return Response(svg, content_type="image/svg+xml; charset=utf-8", headers=headers)


@pages.get("/desk/<event>/prizes")
@allow("director")
def money(event: str) -> str:
    """Show fees and prizes, and for an event of a season who is invited to its final."""
    snapshot = open_snapshot(event)
    table = prizes(snapshot.state)
    seasons = []
    for path, season, number in find_seasons(g.event.file.path):
        quarter = season.get_quarter(number)
        here: dict[str, Any] = {"season": season, "number": number, "final": quarter.final, "fault": "", "invited": []}
        try:
            events = open_quarter(path, season, number)
            if g.operator and g.operator not in events[quarter.event].operators:
                continue
            here["invited"] = invitations(season, number, events)
        except OrdwsError as error:
            here["fault"] = str(error)
        seasons.append(here)
    return render_page(
        "prizes.html",
        snapshot,
        table=table,
        sentences=describe_prizes(table, snapshot.state.settings),
        format_money=format_money,
        seasons=seasons,
    )


def _list_pictures(snapshot: Snapshot, marked: int | None) -> list[dict[str, str]]:
    """Return the pictures that there is something for, each with its title and its words."""
    if not any(each.status == "closed" for each in snapshot.state.rounds):
        return []
    shown = []
    for name, each in PICTURES.items():
        job = _picture_job(snapshot, marked, name)
        words = snapshot.render_once(("words", name, marked), partial(each.describe, job))
        shown.append({"name": name, "title": each.title, "words": words})
    return shown


def _picture_job(snapshot: Snapshot, marked: int | None, name: str) -> PrintJob:
    certificate = snapshot.certificate if name == "schedules" else None
    if name == "schedules" and certificate is None:
        abort(404)
    return PrintJob(state=snapshot.state, marked=marked, certificate=certificate)
