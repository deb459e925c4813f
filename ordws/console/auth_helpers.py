"""Helpers of the pages about accounts: settings, the session's cookie, rate limiting and refusals."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import current_app, g, redirect, request
from werkzeug.wrappers import Response

from ordws.console.access import Member
from ordws.console.accounts import LIFETIME, Accounts
from ordws.console.application import ApplicationState, account_site
from ordws.console.passkeys import Site, WebauthnChallenges
from ordws.frame.application import refusal_page, set_cookie, wants_json
from ordws.retention import BROWSERS


def challenges() -> WebauthnChallenges:
    """Return the challenges of the application that answers this request."""
    issued: WebauthnChallenges = current_app.extensions["challenges"]
    return issued


def accounts() -> Accounts:
    return _state().accounts


def _state() -> ApplicationState:
    state: ApplicationState = current_app.config["STATE"]
    return state


def now() -> int:
    return _state().clock()


def site() -> Site:
    return Site(current_app.config["ORIGIN"])


def home_path(member: Member) -> str:
    """Return the path of the page at which a member's work begins."""
    return account_site().home[member.role]


def device_token() -> str:
    """Return the token of the device that sent this request; empty where none has signed in with it."""
    return request.cookies.get(account_site().device_cookie, "")


def record_and_deny(incident: str, detail: str, status: int = 403) -> Response:
    """Record a refused sign-in as an incident, and return the refusal."""
    accounts().record_incident(incident, g.session.member.name if g.session else None, now())
    return deny(incident, detail, status)


def deny(code: str, detail: str, status: int = 403) -> Response:
    """Return the refusal of a sign-in that is recorded already."""
    if wants_json():
        return current_app.make_response(({"code": code, "detail": detail}, status))
    return refusal_page(detail, status)


def redirect_to(path: str) -> Response:
    """Redirect a browser to a page; tell a script where to go."""
    return current_app.make_response({"to": path}) if wants_json() else redirect(path, 303)


def sign_in(name: str) -> Response:
    """Begin a session and redirect the member to their work; the browser's earlier session ends."""
    # The cookie changes with each sign-in, so that one that somebody planted in the browser is worthless.
    site_cookie, device_cookie = account_site().cookie, account_site().device_cookie
    if earlier := request.cookies.get(site_cookie):
        accounts().end_session(earlier)
    cookie, session = accounts().begin_session(name, now())
    response = redirect_to(home_path(session.member))
    put_cookie(response, site_cookie, cookie, LIFETIME.most)
    put_cookie(response, device_cookie, accounts().remember_device(name, device_token(), now()), BROWSERS.seconds)
    return response


def sign_out() -> Response:
    """End the session of this browser and redirect it to the sign-in page."""
    name = account_site().cookie
    accounts().end_session(request.cookies.get(name, ""))
    response = redirect("/", 303)
    response.delete_cookie(name, secure=site().is_secure, httponly=True, samesite="Strict")
    return response


def put_cookie(response: Response, name: str, value: str, seconds: int) -> None:
    set_cookie(response, name, value, seconds, is_secure=site().is_secure)


def iso_date(timestamp: int | None) -> str | None:
    """Return the UTC date of a time in seconds since 1970, as pages show it: 2026-11-21."""
    return None if timestamp is None else datetime.fromtimestamp(timestamp, UTC).date().isoformat()
