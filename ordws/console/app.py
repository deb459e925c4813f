"""The console as a Flask application: its groups of pages, the headers of every reply, and its errors."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from flask import Flask, Response, current_app, g, json, render_template, request, send_from_directory
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
"""The limit for a panel's ballots in one file; every other body is small and checked where it is read."""

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
    403: "This account may not do that.",
    404: "Page not found.",
    413: "The file or form is too large.",
    429: "Too many attempts from this address: wait a few minutes.",
}
PAGE_GROUPS: Final = (sign_in, cards, discussions, history, class_pages, progress, nominations, keeper_home)


def create_app(state: ConsoleState, *, origin: str = "http://localhost:8010", sources: str | None = None) -> Flask:
    """Return the console as a WSGI application.

    `origin` is how browsers reach it, `sources` the folder of the dictionaries that editions are built from.
    """
    app = Flask("ordws.console", static_folder="static", template_folder="templates")
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES, MAX_FORM_MEMORY_SIZE=1024 * 1024, STATE=state, ORIGIN=origin, SOURCES=sources
    )
    # Style sheets and scripts belong to the sign-in page too, so that everybody may load them.
    app.view_functions["static"] = _static_file
    for group in PAGE_GROUPS:
        app.register_blueprint(group.pages)
    access.enforce_access(app, state.accounts, state.clock, declarations.has_valid_declaration)
    app.after_request(_add_security_headers)
    app.register_error_handler(HTTPException, _handle_http_error)
    app.register_error_handler(OrdwsError, _handle_ordws_error)
    app.context_processor(_template_context)
    return app


@access.allow()
def _static_file(filename: str) -> Response:
    """Send a static file of the console; theme.css is the style that it shares with the pages of the service."""
    if filename == "theme.css":
        return send_from_directory(str(files("ordws.pictures")), filename)
    return current_app.send_static_file(filename)


def _template_context() -> dict[str, object]:
    """Return what every template may name: the console's address, the member, and the session's token."""
    session, origin = g.get("session"), current_app.config["ORIGIN"]
    member, csrf = (session.member, session.csrf) if session else (None, "")
    return {"origin": origin, "current_member": member, "csrf": csrf}


def _add_security_headers(response: Response) -> Response:
    for name, value in SECURITY_HEADERS.items():
        # A view may set a stricter policy of its own, as the charts do.
        response.headers.setdefault(name, value)
    # Pages show words and votes, which no cache may keep.
    if request.endpoint != "static":
        response.headers["Cache-Control"] = "no-store"
    return response


def _handle_http_error(error: HTTPException) -> Response:
    """Answer an error of Flask's as a page or, for a script, as JSON; the reply repeats nothing of the request."""
    code = error.code or 500
    response = _error_response(code, error.name.lower().replace(" ", "-"), _STATUS_TEXTS.get(code, f"{error.name}."))
    if isinstance(error, TooManyRequests) and error.retry_after:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _handle_ordws_error(error: OrdwsError) -> Response:
    """Answer an error of ours with its message and hint."""
    text = str(error) if error.hint is None else f"{error}; {error.hint}"
    return _error_response(409, "not-done", text)


def _error_response(status: int, code: str, detail: str) -> Response:
    if access.wants_json():
        return Response(json.dumps({"code": code, "detail": detail}), status, content_type="application/json")
    return Response(render_template("refused.html", detail=detail), status, content_type="text/html; charset=utf-8")
