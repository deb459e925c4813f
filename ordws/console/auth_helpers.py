"""What the pages about accounts share: their settings, the session's cookie, and how they refuse."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from flask import current_app, g, redirect, render_template, request
from werkzeug.exceptions import BadRequest, TooManyRequests
from werkzeug.wrappers import Response

from ordws.console.access import COOKIE, Member, wants_json
from ordws.console.accounts import SESSION_SECONDS, Accounts
from ordws.console.passkeys import Site, WebauthnChallenges
from ordws.console.rate_limit import RateLimiter
from ordws.console.state import console_state

_MAX_BODY_BYTES: Final = 64 * 1024
"""A passkey's answer is smaller, and so is any form here."""


@dataclass(frozen=True)
class AuthState:
    """What a running console keeps in memory of those who are not in yet."""

    challenges: WebauthnChallenges = field(default_factory=WebauthnChallenges)
    floods: RateLimiter = field(default_factory=RateLimiter)


def auth_state() -> AuthState:
    found: AuthState = current_app.extensions["door"]
    return found


def accounts() -> Accounts:
    return console_state().accounts


def now() -> int:
    return console_state().clock()


def site() -> Site:
    return Site(current_app.config["ORIGIN"])


def home_path(member: Member) -> str:
    """Where a member's work begins."""
    return "/keeping" if member.role == "keeper" else "/queue"


def throttle() -> None:
    """Refuse a large body before it is read, and an address that was refused too often, whatever it sends now."""
    request.max_content_length = _MAX_BODY_BYTES
    wait = auth_state().floods.seconds_to_wait(_address(), now())
    if wait:
        raise TooManyRequests(retry_after=wait)


def record_and_deny(incident: str, detail: str, status: int = 403) -> Response:
    """Record that something lets nobody in, count it against the address it came from, and say so."""
    accounts().record_incident(incident, g.session.member.name if g.session else None, now())
    return deny(incident, detail, status)


def deny(code: str, detail: str, status: int = 403) -> Response:
    """Say that something lets nobody in, which is recorded already."""
    count_refusal()
    if wants_json():
        return current_app.make_response(({"code": code, "detail": detail}, status))
    return current_app.make_response((render_template("refused.html", detail=detail), status))


def count_refusal() -> None:
    auth_state().floods.count(_address(), now())


def read_json() -> dict[str, Any]:
    """The object that a script sent."""
    request.max_content_length = _MAX_BODY_BYTES
    try:
        body = msgspec.json.decode(request.get_data())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest from error
    if not isinstance(body, dict):
        raise BadRequest
    return body


def redirect_to(path: str) -> Response:
    """Send a browser to a page; a script is told where."""
    return current_app.make_response({"to": path}) if wants_json() else redirect(path, 303)


def sign_in(name: str) -> Response:
    """Sign a member in and send him to his work; the browser's earlier session ends."""
    if earlier := request.cookies.get(COOKIE):
        accounts().end_session(earlier)
    cookie, session = accounts().begin_session(name, now())
    response = redirect_to(home_path(session.member))
    set_cookie(response, COOKIE, cookie, SESSION_SECONDS)
    return response


def sign_out() -> Response:
    """Sign a browser out and send it to the first page."""
    accounts().end_session(request.cookies.get(COOKIE, ""))
    response = redirect("/", 303)
    response.delete_cookie(COOKIE, secure=site().is_secure, httponly=True, samesite="Strict")
    return response


def set_cookie(response: Response, name: str, value: str, seconds: int) -> None:
    """No script reads it, and no other site's page sends it along."""
    response.set_cookie(name, value, max_age=seconds, secure=site().is_secure, httponly=True, samesite="Strict")


def iso_date(timestamp: int | None) -> str | None:
    """A time as pages show it, 2026-11-21, in UTC."""
    return None if timestamp is None else datetime.fromtimestamp(timestamp, UTC).date().isoformat()


def _address() -> str:
    return request.remote_addr or ""
