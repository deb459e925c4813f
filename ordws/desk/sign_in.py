"""Signing in: directors by the desk's key or an operator's, players by the entry code on their card."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from ordws.desk import access
from ordws.desk.context import desk, event_or_404
from ordws.frame.application import allow
from ordws.frame.turns import checks_password, costly_check, count_attempt
from ordws.retention import BROWSERS

pages: Final = Blueprint("sign_in", __name__)
_LONGEST_NAME: Final = 60
_OTHER_ACTORS: Final = re.compile(r"(?i:service|fair play|entrant \d+)")
"""The names by which the log means the on-line rounds, fair play and players: no director acts under one of these."""
_DIRECTORS: Final = "directors"


@pages.get("/")
@allow()
def start() -> Response:
    """Lead a director to the desk, and anybody else to the one event or to the sign-in page."""
    if g.director is None and not desk().events.is_folder:
        return redirect(url_for("players.event", event=desk().events.only().id), 303)
    return redirect(url_for("desk.events"), 303)


@pages.get("/desk/sign-in")
@allow()
def director() -> str:
    """Show the form; a browser from which a director has signed in is asked for no name again."""
    sessions = desk().sessions
    holder = sessions.find_device_holder(_DIRECTORS, request.cookies.get(sessions.device_cookie, ""))
    return _director_page(holder.rpartition("\0")[2] if holder else "", "")


@pages.post("/desk/sign-in")
@allow()
@checks_password
def sign_in_director() -> Response | tuple[str, int]:
    """Check `key`, under which alone a browser becomes that of the director `name`."""
    running = desk()
    operator = None
    with _attempt(_DIRECTORS) as attempt:
        name, key = request.form.get("name", ""), request.form.get("key", "")
        name = " ".join(name.split())[:_LONGEST_NAME] or "director"
        if running.find_operator is None:
            attempt.is_right = running.key.is_director_key(key)
        else:
            # The word judge is asked, which may take seconds while it is away.
            with costly_check(is_known=attempt.holder is not None):
                operator = running.find_operator(key, request.remote_addr or "")
            attempt.is_right = operator is not None
    if not attempt.is_right:
        return _director_page(name, "This key does not open the desk."), 403
    if _OTHER_ACTORS.fullmatch(name):
        return _director_page(name, "The log calls somebody else so: sign in under another name."), 422
    sealed_key = running.key.seal(key) if operator else ""
    response = access.sign_in_director(redirect(_next_path(), 303), name, running.clock(), sealed_key, operator or "")
    return _remember_device(response, _DIRECTORS, name)


@pages.post("/desk/sign-out")
@allow("director")
def sign_out() -> Response:
    """End the session of a director."""
    return access.sign_out_director(redirect(url_for("sign_in.director"), 303))


@pages.post("/tournament/<event>/sign-in")
@allow()
def sign_in_player(event: str) -> Response | tuple[str, int]:
    """Check an entry code, `code`; a wrong one counts against the address it came from."""
    running, opened = desk(), event_or_404(event)
    state, kind = opened.snapshot().state, f"entrants of {event}"
    # A right code is never refused for the wrong ones of others: it has 60 random bits, and its check costs little.
    entrant = running.key.find_entrant(state, request.form.get("code", ""))
    if entrant is None:
        with _attempt(kind):
            fault = "No player here has this code. It is on your entry card; a newer card ends the older one's."
            return render_template("player_sign_in.html", event=opened, state=state, fault=fault), 403
    code_digest, response = state.entrants[entrant].code_digest, redirect(url_for("players.event", event=event), 303)
    return _remember_device(access.sign_in_player(response, event, entrant, code_digest), kind, f"{entrant}")


@pages.post("/tournament/<event>/sign-out")
@allow()
def sign_out_player(event: str) -> Response:
    """End the session of a player."""
    return access.sign_out_player(redirect(url_for("players.event", event=event), 303), event)


@dataclass
class _Attempt:
    """An attempt to sign in: who had signed in from its device, if anybody, and whether its secret is right."""

    holder: str | None
    is_right: bool = False


@contextmanager
def _attempt(kind: str) -> Iterator[_Attempt]:
    """Count an attempt before its check, against its device where somebody of this kind has signed in from it."""
    sessions, token = desk().sessions, request.cookies.get(desk().sessions.device_cookie, "")
    attempt = _Attempt(sessions.find_device_holder(kind, token))
    count_attempt(kind, is_known=attempt.holder is not None)
    yield attempt
    if attempt.holder is not None and not attempt.is_right:
        sessions.record_failure(attempt.holder, token, desk().clock())


def _remember_device(response: Response, kind: str, who: str) -> Response:
    sessions = desk().sessions
    token = sessions.remember_device(kind, who, request.cookies.get(sessions.device_cookie, ""), desk().clock())
    access.put_cookie(response, sessions.device_cookie, token, BROWSERS.seconds)
    return response


def _director_page(name: str, fault: str) -> str:
    is_local = desk().find_operator is None
    return render_template("sign_in.html", name=name, fault=fault, next=_next_path(), is_local=is_local)


def _next_path() -> str:
    """Return the page of the desk that was asked for before signing in; never one of another site."""
    path = request.values.get("next", "")
    is_own = path.startswith("/desk/") and "\\" not in path and path.isprintable()
    return path if is_own else url_for("desk.events")
