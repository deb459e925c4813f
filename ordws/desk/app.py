"""The desk as a Flask application: its groups of pages, the headers of every reply, and its errors."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from flask import Flask, g, request

from ordws.desk import access, director_commands, director_pages, player_pages, prints
from ordws.desk.context import Desk
from ordws.desk.deeds import Doubtful
from ordws.desk.events import NotTheirs, shown_to_players
from ordws.errors import BadInput, Missing, OrdwsError
from ordws.frame.application import ErrorReply, PageTurns, make_frame
from ordws.tournament.commands import EventConflict
from ordws.tournament.history import history_in_words

MAX_ATTEMPTS: Final = 30
"""The wrong keys, and the wrong codes of an event, of one address in ten minutes: a hall shares one address."""
MORE_PLAYER_PAGES: Final[tuple[tuple[str, str], ...]] = (("prints.player_pictures", "Pictures"),)
"""The same for the players' menu."""
PAGE_GROUPS: Final = (
    access.pages,
    director_pages.pages,
    director_commands.pages,
    director_commands.card_pages,
    player_pages.pages,
    prints.pages,
    director_commands.file_pages,
)
MORE_PAGES: Final[tuple[tuple[str, str], ...]] = (
    ("prints.index", "Prints"),
    ("prints.desk_pictures", "Pictures"),
    ("prints.money", "Prizes"),
)
"""Further pages of an event in the directors' menu: the endpoint, which takes `event`, and its name."""


def create_app(desk: Desk, *, is_secure: bool = False, hosts: Collection[str] = ()) -> Flask:
    """Return the desk as a WSGI application; `is_secure` where browsers reach it by https.

    Where `hosts` are given, it answers under these names alone.
    """
    app = Flask("ordws.desk", static_folder="static", static_url_path="/desk-files", template_folder="templates")
    app.config.update(IS_SECURE=is_secure)
    app.extensions["desk"] = desk
    make_frame(
        app,
        PageTurns(desk.clock, MAX_ATTEMPTS),
        forbidden="This page was opened elsewhere, or too long ago: load it again.",
        explain=_explain,
    )
    for group in PAGE_GROUPS:
        app.register_blueprint(group)
    access.enforce_access(app, desk.clock, hosts)
    app.context_processor(_template_context)
    return app


def _template_context() -> dict[str, object]:
    pages = {"more_pages": MORE_PAGES, "player_pages": MORE_PLAYER_PAGES, "import_endpoint": "exchange.show_import"}
    return {"csrf": access.csrf_token(), **pages}


def _explain(error: OrdwsError) -> ErrorReply:
    """Tell a refusal with its message and hint, a conflict also with what happened in between."""
    body: dict[str, object] = {"code": "refused", "detail": f"{str(error)[:1].upper()}{str(error)[1:]}."}
    body |= {"hint": error.hint} if error.hint else {}
    match error:
        case EventConflict():
            snapshot = g.event.snapshot()
            facts, version = error.facts, snapshot.state.version
            if request.blueprint == player_pages.pages.name:  # a director may be a player of this event
                facts, version = shown_to_players(facts), snapshot.players_version
            body |= {"code": "conflict", "between": history_in_words(facts, snapshot.facts), "version": version}
            body |= {
                "detail": "Somebody else was faster.",
                "hint": "Look at it as it is now; then send this again, or not.",
            }
            return ErrorReply(409, body)
        case Doubtful():
            return ErrorReply(409, {**body, "code": "doubtful"})
        case BadInput():
            return ErrorReply(422, body)
        case Missing():
            return ErrorReply(404, body)
        case NotTheirs():
            return ErrorReply(403, {**body, "code": "forbidden"})
        case _:
            return ErrorReply(503, body)
