"""The desk as a Flask application: its groups of pages, the headers of every reply, and its errors."""

from __future__ import annotations

import mimetypes
from collections.abc import Collection, Mapping
from datetime import timedelta
from importlib.resources import files
from pathlib import Path
from typing import Final

from flask import Flask, Response, abort, g, json, render_template, request, session
from werkzeug.exceptions import HTTPException, TooManyRequests
from werkzeug.security import safe_join

from ordws.desk import (
    access,
    director_commands,
    director_pages,
    entry_cards,
    exchange,
    player_pages,
    prints,
    sign_in,
)
from ordws.desk.context import Desk
from ordws.desk.deeds import Doubtful
from ordws.desk.events import NotTheirs
from ordws.errors import BadInput, Missing, OrdwsError
from ordws.tournament.commands import EventConflict
from ordws.tournament.history import history_in_words

MAX_BODY_BYTES: Final = 4 * 1024 * 1024
"""The limit for a file of entrants; every other form is small."""

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
    # Without any referrer a form on the plain http of a hall would come without an origin, and be refused as forged.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_STATUS_TEXTS: Final = {
    403: "This page was opened elsewhere, or too long ago: load it again.",
    404: "There is no such page.",
    413: "The file or form is too large.",
    429: "Too many wrong keys or codes from this address: wait a few minutes.",
}
MORE_PLAYER_PAGES: Final[tuple[tuple[str, str], ...]] = (("prints.player_pictures", "Pictures"),)
"""The same for the players' menu."""
PAGE_GROUPS: Final = (
    sign_in.pages,
    director_pages.pages,
    director_commands.pages,
    entry_cards.pages,
    player_pages.pages,
    prints.pages,
    exchange.pages,
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
    app.secret_key = desk.key.cookie_key
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES,
        MAX_FORM_MEMORY_SIZE=MAX_BODY_BYTES,
        SESSION_COOKIE_NAME="ordws-desk",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_SECURE=is_secure,
        PERMANENT_SESSION_LIFETIME=timedelta(days=10),
        # A slow answer to a page of the session before would put that session's cookie back.
        SESSION_REFRESH_EACH_REQUEST=False,
    )
    app.extensions["desk"] = desk
    app.view_functions["static"] = _static_file
    for group in PAGE_GROUPS:
        app.register_blueprint(group)
    access.enforce_access(app, desk.clock, hosts)
    app.after_request(_add_security_headers)
    app.register_error_handler(HTTPException, _handle_http_error)
    app.register_error_handler(OrdwsError, _handle_ordws_error)
    app.context_processor(_template_context)
    return app


@access.allow("anyone")
def _static_file(filename: str) -> Response:
    """Send a static file of the desk; theme.css is the style that all pages of ours share."""
    folder = files("ordws.pictures") if filename == "theme.css" else files("ordws.desk") / "static"
    path = safe_join(str(folder), filename)
    if path is None or not Path(path).is_file():
        abort(404)
    # The files are small, and an open one would be left behind where a browser goes away in the middle.
    response = Response(Path(path).read_bytes(), mimetype=mimetypes.guess_type(filename)[0])
    response.add_etag()
    response.headers["Cache-Control"] = "no-cache"
    response.make_conditional(request)
    return response


def _template_context() -> dict[str, object]:
    pages = {"more_pages": MORE_PAGES, "player_pages": MORE_PLAYER_PAGES, "import_endpoint": "exchange.page"}
    return {"csrf": session.get("csrf", ""), **pages}


def _add_security_headers(response: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        # A view may set a stricter policy of its own, as the pictures do.
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers["Cache-Control"] = "no-store"
    return response


def _handle_http_error(error: HTTPException) -> Response:
    """Answer an error of Flask's as a page or, for a script, as JSON; the reply repeats nothing of the request."""
    code = error.code or 500
    body = {"code": error.name.lower().replace(" ", "-"), "detail": _STATUS_TEXTS.get(code, f"{error.name}.")}
    response = _error_response(code, body)
    if isinstance(error, TooManyRequests) and error.retry_after:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _handle_ordws_error(error: OrdwsError) -> Response:
    """Answer a refusal with its message and hint, a conflict also with what happened in between."""
    body: dict[str, object] = {"code": "refused", "detail": f"{str(error)[:1].upper()}{str(error)[1:]}."}
    body |= {"hint": error.hint} if error.hint else {}
    match error:
        case EventConflict():
            snapshot = g.event.snapshot()
            between = history_in_words(error.facts, snapshot.facts)
            body |= {"code": "conflict", "between": between, "version": snapshot.state.version}
            body |= {
                "detail": "Somebody else was faster.",
                "hint": "Look at it as it is now; then send this again, or not.",
            }
            return _error_response(409, body)
        case Doubtful():
            return _error_response(409, {**body, "code": "doubtful"})
        case BadInput():
            return _error_response(422, body)
        case Missing():
            return _error_response(404, body)
        case NotTheirs():
            return _error_response(403, {**body, "code": "forbidden"})
        case _:
            return _error_response(503, body)


def _error_response(status: int, body: Mapping[str, object]) -> Response:
    if access.wants_json():
        return Response(json.dumps(body), status, content_type="application/json")
    detail = f"{body['detail']} {body.get('hint', '')}".strip()
    page = render_template("refused.html", detail=detail, back=request.referrer)
    return Response(page, status, content_type="text/html; charset=utf-8")
