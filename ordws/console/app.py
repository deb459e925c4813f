"""The console as a Flask application: its groups of pages, and what every answer bears."""

from __future__ import annotations

from typing import Any, Final

from flask import Flask, Response, g, json, render_template, request
from werkzeug.exceptions import HTTPException, TooManyRequests

from ordws.console import (
    access,
    cards,
    class_pages,
    declarations,
    discussions,
    history,
    keeper_home,
    nominations,
    progress,
    sign_in,
)
from ordws.console.state import ConsoleState
from ordws.errors import OrdwsError

MAX_BODY_BYTES: Final = 32 * 1024 * 1024
"""Ballots of a panel in one file; every other body is small and checked where it is read."""

SECURITY_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), publickey-credentials-get=(self), "
    "publickey-credentials-create=(self)",
}
_STATUS_TEXTS: Final = {
    403: "That is not for this account.",
    404: "There is no such page.",
    413: "That is too large.",
    429: "Too many tries from here: wait some minutes.",
}
PAGE_GROUPS: Final = (sign_in, cards, discussions, history, class_pages, progress, nominations, keeper_home)


def create_app(state: ConsoleState, *, origin: str = "http://localhost:8010", sources: str | None = None) -> Flask:
    """The console, as a WSGI application.

    `origin` is how browsers reach it, `sources` the folder of the dictionaries that it seals from.
    """
    app = Flask("ordws.console", static_folder="static", template_folder="templates")
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES, MAX_FORM_MEMORY_SIZE=1024 * 1024, ROOM=state, ORIGIN=origin, SOURCES=sources
    )
    static: Any = app.view_functions["static"]
    access.allow()(static)
    for group in PAGE_GROUPS:
        app.register_blueprint(group.pages)
    access.enforce_access(app, state.accounts, state.clock, declarations.has_valid_declaration)
    app.after_request(_add_security_headers)
    app.register_error_handler(HTTPException, _handle_http_error)
    app.register_error_handler(OrdwsError, _handle_ordws_error)
    app.context_processor(lambda: {"me": g.session.member if g.get("session") else None, "csrf": _csrf()})
    return app


def _csrf() -> str:
    return g.session.csrf if g.get("session") else ""


def _add_security_headers(response: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers["Cache-Control"] = "no-store"
    return response


def _handle_http_error(error: HTTPException) -> Response:
    """Flask's own refusals, as a page or, for a script, as JSON; none repeats what was asked."""
    code = error.code or 500
    answer = _error_response(code, error.name.lower().replace(" ", "-"), _STATUS_TEXTS.get(code, f"{error.name}."))
    if isinstance(error, TooManyRequests) and error.retry_after:
        answer.headers["Retry-After"] = str(error.retry_after)
    return answer


def _handle_ordws_error(error: OrdwsError) -> Response:
    """What could not be done, in our own words."""
    text = str(error) if error.hint is None else f"{error}; {error.hint}"
    return _error_response(409, "not-done", text)


def _error_response(status: int, code: str, detail: str) -> Response:
    if access.wants_json():
        return Response(json.dumps({"code": code, "detail": detail}), status, content_type="application/json")
    return Response(render_template("refused.html", detail=detail), status, content_type="text/html; charset=utf-8")
