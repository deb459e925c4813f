"""Signing in: directors by the desk's key or an operator's, players by the entry code on their card."""

from __future__ import annotations

import re
from typing import Final

from flask import Blueprint, g, redirect, render_template, request, url_for
from werkzeug.exceptions import TooManyRequests
from werkzeug.wrappers import Response

from ordws.desk import access
from ordws.desk.context import desk, event_or_404, sender_address

pages: Final = Blueprint("sign_in", __name__)
_LONGEST_NAME: Final = 60
_OTHER_ACTORS: Final = re.compile(r"(?i:service|entrant \d+)")
"""The names by which the log means the on-line rounds and players: no director acts under one of these."""


@pages.get("/")
@access.allow("anyone")
def start() -> Response:
    """Lead a director to the desk, and anybody else to the one event or to the sign-in page."""
    if g.director is None and not desk().events.is_folder:
        return redirect(url_for("players.event", event=desk().events.only().id), 303)
    return redirect(url_for("desk.events"), 303)


@pages.get("/desk/sign-in")
@access.allow("anyone")
def director() -> str:
    return _director_page("", "")


@pages.post("/desk/sign-in")
@access.allow("anyone")
def sign_in_director() -> Response | tuple[str, int]:
    """Check the key, under which alone a browser becomes a director's."""
    _throttle()
    name = " ".join(request.form.get("name", "").split())[:_LONGEST_NAME] or "director"
    if _OTHER_ACTORS.fullmatch(name):
        return _director_page(name, "The log calls somebody else so: sign in under another name."), 422
    key = request.form.get("key", "")
    running = desk()
    operator = running.find_operator(key) if running.find_operator else None
    if operator is None and (running.find_operator or not running.key.is_director_key(key)):
        running.rate_limiter.count(sender_address(), running.clock())
        return _director_page(name, "This key does not open the desk."), 403
    sealed_key = running.key.seal(key) if operator else ""
    access.begin_director_session(name, running.clock(), sealed_key, operator or "")
    return redirect(_next_path(), 303)


@pages.post("/desk/sign-out")
@access.allow("director")
def sign_out() -> Response:
    access.end_director_session()
    return redirect(url_for("sign_in.director"), 303)


@pages.post("/tournament/<event>/sign-in")
@access.allow("anyone")
def sign_in_player(event: str) -> Response | tuple[str, int]:
    """Check an entry code; a wrong one counts against the address it came from."""
    _throttle()
    running, opened = desk(), event_or_404(event)
    state = opened.snapshot().state
    entrant = running.key.find_entrant(state, request.form.get("code", ""))
    if entrant is None:
        running.rate_limiter.count(sender_address(), running.clock())
        fault = "No player here has this code. It is on your entry card; a newer card ends the older one's."
        return render_template("player_sign_in.html", event=opened, state=state, fault=fault), 403
    access.begin_player_session(event, entrant, state.entrants[entrant].code_digest)
    return redirect(url_for("players.event", event=event), 303)


@pages.post("/tournament/<event>/sign-out")
@access.allow("anyone")
def sign_out_player(event: str) -> Response:
    access.end_player_session(event)
    return redirect(url_for("players.event", event=event), 303)


def _throttle() -> None:
    """Refuse an address from which too many wrong keys and codes came; raises TooManyRequests."""
    if wait := desk().rate_limiter.seconds_to_wait(sender_address(), desk().clock()):
        raise TooManyRequests(retry_after=wait)


def _director_page(name: str, fault: str) -> str:
    is_local = desk().find_operator is None
    return render_template("sign_in.html", name=name, fault=fault, next=_next_path(), is_local=is_local)


def _next_path() -> str:
    """Return the page of the desk that was asked for before signing in; never one of another site."""
    path = request.values.get("next", "")
    is_own = path.startswith("/desk/") and "\\" not in path and path.isprintable()
    return path if is_own else url_for("desk.events")
