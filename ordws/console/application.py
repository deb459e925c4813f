"""The parts that applications with accounts share: access, security headers, errors, and what their pages are called.

The curators' console is one such application; the reviewers' pages of fair play are another, with accounts of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final, Protocol

from flask import Blueprint, Flask, Response, current_app, g, json, render_template, request, send_from_directory
from werkzeug.exceptions import HTTPException, TooManyRequests

from ordws.console import access, declarations
from ordws.console.access import Role
from ordws.console.accounts import Accounts
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


@dataclass(frozen=True)
class AccountSite:
    """The differences between applications with accounts."""

    title: str
    """The title of a page that has none of its own."""

    home: Mapping[Role, str]
    """The path of the page at which each role's work begins; nobody of another role can be invited."""

    navigation: Mapping[Role, tuple[tuple[str, str], ...]]
    """The paths and names of the pages that each role finds at the head of every page."""

    declaration: Sequence[str]
    """The introduction of the yearly declaration, and the sentences that everybody but a keeper declares."""

    statements: Sequence[str]
    name_hint: str
    """The label of the name with which somebody is invited."""

    add_command: str
    """The command that makes the first account."""

    @property
    def roles(self) -> tuple[Role, ...]:
        return tuple(self.home)


class ApplicationState(Protocol):
    """The state that every application with accounts has: the accounts, and the clock in seconds since 1970."""

    accounts: Accounts

    @property
    def clock(self) -> Callable[[], int]: ...


def make_application(
    state: ApplicationState, site: AccountSite, groups: Sequence[Blueprint], *, origin: str, **settings: object
) -> Flask:
    """Return an application with accounts; `origin` is how browsers reach it, `settings` are its own."""
    app = Flask("ordws.console", static_folder="static", template_folder="templates")
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES, MAX_FORM_MEMORY_SIZE=1024 * 1024, STATE=state, SITE=site, ORIGIN=origin
    )
    app.config.update(settings)
    # Style sheets and scripts belong to the sign-in page too, so that everybody may load them.
    app.view_functions["static"] = _static_file
    for group in groups:
        app.register_blueprint(group)
    access.enforce_access(app, state.accounts, state.clock, declarations.has_valid_declaration)
    app.after_request(_add_security_headers)
    app.register_error_handler(HTTPException, _handle_http_error)
    app.register_error_handler(OrdwsError, _handle_ordws_error)
    app.context_processor(_template_context)
    return app


def account_site() -> AccountSite:
    """Return the application that answers this request."""
    site: AccountSite = current_app.config["SITE"]
    return site


@access.allow()
def _static_file(filename: str) -> Response:
    """Send a static file of the console; theme.css is the style that it shares with the pages of the service."""
    if filename == "theme.css":
        return send_from_directory(str(files("ordws.pictures")), filename)
    return current_app.send_static_file(filename)


def _template_context() -> dict[str, object]:
    """Return what every template may name: the application, its address, the member, and the session's token."""
    session, origin = g.get("session"), current_app.config["ORIGIN"]
    member, csrf = (session.member, session.csrf) if session else (None, "")
    return {"origin": origin, "site": account_site(), "current_member": member, "csrf": csrf}


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
