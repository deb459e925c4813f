"""Events to and from other programs, on the desk."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, abort, g, redirect, request, url_for
from werkzeug.wrappers import Response

from ordws.desk.context import actor, desk
from ordws.desk.director_pages import open_snapshot, render_page
from ordws.errors import BadInput
from ordws.frame.application import allow
from ordws.frame.turns import takes_body
from ordws.tournament.commands import Enter
from ordws.tournament.exchange.entry import enter_players, enter_rounds, turn_names
from ordws.tournament.exchange.event_sheet import first_day, sheet_of
from ordws.tournament.exchange.formats import FORMATS, format_of, read_text

pages: Final = Blueprint("exchange", __name__)
MAX_FILE_BYTES: Final = 4 * 1024 * 1024


@pages.get("/desk/<event>/import")
@allow("director")
def page(event: str) -> str:
    """Show the form by which a file of another program is taken in."""
    snapshot = open_snapshot(event)
    return render_page("import.html", snapshot, formats=list(FORMATS), is_empty=not snapshot.state.entrants)


@pages.post("/desk/<event>/import")
@allow("director")
@takes_body(MAX_FILE_BYTES)
def take_in(event: str) -> Response:
    """Enter the players of a file, as `ordws tournament import` does: all of them, or none where a line is wrong."""
    snapshot = open_snapshot(event)
    sent = request.files.get("file")
    if sent is None or not sent.filename:
        raise BadInput("no file was chosen")
    name = request.form.get("format") or format_of(sent.filename)
    if name not in FORMATS:
        raise BadInput(f'there is no format "{name}"')
    shown = f'the file "{sent.filename}"'
    sheet = FORMATS[name].read(read_text(sent.read()), file=shown)
    if request.form.get("turn"):
        sheet = turn_names(sheet)
    enter = enter_rounds if request.form.get("results") else enter_players
    commands = enter(snapshot.state, sheet, file=shown).commands
    if commands:
        g.event.apply(*commands, actor=actor(), now=desk().clock())
    entered = sum(isinstance(each, Enter) for each in commands)
    return redirect(url_for("desk.people", event=event, imported=entered), 303)


@pages.get("/desk/<event>/export/<format_name>")
@allow("director")
def export(event: str, format_name: str) -> Response:
    """Return the event as a file of another program, as `ordws tournament export` writes it."""
    if format_name not in FORMATS:
        abort(404)
    snapshot = open_snapshot(event)
    return Response(
        FORMATS[format_name].write(sheet_of(snapshot.state, date=first_day(snapshot.facts))),
        content_type=FORMATS[format_name].content_type,
        headers={"Content-Disposition": f'attachment; filename="{g.event.id}.{format_name}"'},
    )
