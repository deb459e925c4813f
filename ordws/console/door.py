"""What the pages about accounts share: their settings, the session's cookie, and how they refuse."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from flask import current_app, g, redirect, render_template, request
from werkzeug.exceptions import BadRequest, TooManyRequests
from werkzeug.wrappers import Response

from ordws.console.access import COOKIE, Member, is_for_script
from ordws.console.accounts import SESSION, Accounts
from ordws.console.floods import Floods
from ordws.console.passkeys import Challenges, Site
from ordws.console.room import room

_LARGEST: Final = 64 * 1024
"""A passkey's answer is smaller, and so is any form here."""


@dataclass(frozen=True)
class Door:
    """What a running console keeps in memory of those who are not in yet."""

    challenges: Challenges = field(default_factory=Challenges)
    floods: Floods = field(default_factory=Floods)


def door() -> Door:
    found: Door = current_app.extensions["door"]
    return found


def accounts() -> Accounts:
    return room().accounts


def now() -> int:
    return room().clock()


def site() -> Site:
    return Site(current_app.config["ORIGIN"])


def home(member: Member) -> str:
    """Where a member's work begins."""
    return "/keeping" if member.role == "keeper" else "/queue"


def hear() -> None:
    """Refuse a large body before it is read, and an address that was refused too often, whatever it sends now."""
    request.max_content_length = _LARGEST
    wait = door().floods.seconds_to_wait(_address(), now())
    if wait:
        raise TooManyRequests(retry_after=wait)


def refuse(incident: str, detail: str, status: int = 403) -> Response:
    """Record that something lets nobody in, count it against the address it came from, and say so."""
    accounts().record(incident, g.session.member.name if g.session else None, now())
    return turn_away(incident, detail, status)


def turn_away(code: str, detail: str, status: int = 403) -> Response:
    """Say that something lets nobody in, which is recorded already."""
    count_refusal()
    if is_for_script():
        return current_app.make_response(({"code": code, "detail": detail}, status))
    return current_app.make_response((render_template("refused.html", detail=detail), status))


def count_refusal() -> None:
    door().floods.count(_address(), now())


def read_json() -> dict[str, Any]:
    """The object that a script sent."""
    request.max_content_length = _LARGEST
    try:
        body = msgspec.json.decode(request.get_data())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest from error
    if not isinstance(body, dict):
        raise BadRequest
    return body


def go(to: str) -> Response:
    """Send a browser to a page; a script is told where."""
    return current_app.make_response({"to": to}) if is_for_script() else redirect(to, 303)


def welcome(name: str) -> Response:
    """Sign a member in and send him to his work; the browser's earlier session ends."""
    if earlier := request.cookies.get(COOKIE):
        accounts().end_session(earlier)
    cookie, session = accounts().begin_session(name, now())
    response = go(home(session.member))
    set_cookie(response, COOKIE, cookie, SESSION)
    return response


def farewell() -> Response:
    """Sign a browser out and send it to the first page."""
    accounts().end_session(request.cookies.get(COOKIE, ""))
    response = redirect("/", 303)
    response.delete_cookie(COOKIE, secure=site().is_secure, httponly=True, samesite="Strict")
    return response


def set_cookie(response: Response, name: str, value: str, seconds: int) -> None:
    """No script reads it, and no other site's page sends it along."""
    response.set_cookie(name, value, max_age=seconds, secure=site().is_secure, httponly=True, samesite="Strict")


def day(moment: int | None) -> str | None:
    """A time as pages show it, 2026-11-21, in UTC."""
    return None if moment is None else datetime.fromtimestamp(moment, UTC).date().isoformat()


def _address() -> str:
    return request.remote_addr or ""
