"""Access to the desk: each view says who may use it, `enforce_access` holds requests to that, and people sign in.

Directors sign in by the desk's key or an operator's, players by the entry code on their card.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from flask import Blueprint, Flask, abort, current_app, g, redirect, render_template, request, url_for
from msgspec.structs import replace
from werkzeug.wrappers import Response

from ordws.desk.context import desk, event_or_404
from ordws.desk.sessions import LIFETIME, Holder
from ordws.errors import BadInput
from ordws.frame.application import (
    allow,
    begin_turn,
    checks_password,
    costly_check,
    count_attempt,
    is_forged,
    require_marks,
    set_cookie,
    wants_json,
)
from ordws.retention import BROWSERS

DIRECTOR_HOURS: Final = 18
"""A director signs in once a day of play."""


def enforce_access(app: Flask, clock: Callable[[], int], hosts: Collection[str] = ()) -> None:
    """Check before each request the audience of its view and, for a change, its origin and its session's token.

    Raises TypeError where a view names no audience, so that a forgotten mark stops the desk from starting.
    """
    require_marks(app)

    @app.before_request
    def admit() -> Response | None:
        # The name of another site may lead to this machine, and its pages would then read ours.
        if hosts and urlsplit(request.host_url).hostname not in hosts:
            raise BadInput("this desk is not reached under this name", hint="open the address that it printed")
        running, now = desk(), clock()
        cookie = request.cookies.get(running.sessions.cookie, "")
        g.session = running.sessions.find(cookie, now) if cookie else None
        holder = g.session.holder if g.session else Holder()
        is_today = now - holder.director_since < DIRECTOR_HOURS * 3600
        # The operator whose key signed the director in; empty on a laptop, where all events are the director's.
        g.operator = holder.client
        may_direct = bool(holder.director) and is_today and running.may_still_direct(holder.operator, holder.client)
        g.director = holder.director if may_direct else None
        # The entrant who is signed in to the event of the address, and the digest of the code that signed them in.
        g.entrant = holder.players.get((request.view_args or {}).get("event", ""))
        view = app.view_functions.get(request.endpoint or "")
        audience: tuple[str, ...] = () if view is None else vars(view)["allowed"]
        may_use = not audience or (g.director if audience == ("director",) else g.entrant) is not None
        begin_turn(holder.name if g.session else "", view, may_use=may_use, find_device=_find_device)
        if view is None:  # no such route: Flask answers 404
            return None
        if request.method not in ("GET", "HEAD") and is_forged(csrf_token(), _is_own_host):
            abort(403)
        if audience == ("director",) and g.director is None:
            return _refer(url_for("sign_in.director", next=request.path))
        if audience == ("director",) and (event := (request.view_args or {}).get("event")):
            event_or_404(event).admit(g.operator, now)
        if audience == ("player",) and g.entrant is None:
            return _refer(url_for("players.event", event=request.view_args["event"]))  # type: ignore[index]
        return None


def begin_director_session(response: Response, name: str, now: int, sealed_key: str, operator: str) -> Response:
    """Sign a director in under the name by which the log will call them, for as long as their key is the operator's."""
    # The token is new with each sign-in: one that somebody planted in the browser is worthless.
    holder = replace(_holder(), director=name, director_since=now, operator=sealed_key, client=operator)
    return _change_holder(response, holder)


def begin_player_session(response: Response, event: str, entrant: int, digest: str) -> Response:
    """Sign a player in to one event; `digest` is that of the entry code, so that a new code ends the session."""
    players = {**_holder().players, event: (entrant, digest)}
    # Pages of a director in other tabs go on with their token.
    return _change_holder(response, replace(_holder(), players=players), csrf=csrf_token())


def end_director_session(response: Response) -> Response:
    """Sign the director out; what else the browser is signed in to goes on."""
    return _change_holder(response, Holder(players=_holder().players))


def end_player_session(response: Response, event: str) -> Response:
    players = {name: entry for name, entry in _holder().players.items() if name != event}
    return _change_holder(response, replace(_holder(), players=players))


def csrf_token() -> str:
    """Return the token that changes of this session must repeat; empty where nobody is signed in."""
    return g.session.csrf if g.get("session") else ""


def _holder() -> Holder:
    holder: Holder = g.session.holder if g.session else Holder()
    return holder


def _change_holder(response: Response, holder: Holder, *, csrf: str = "") -> Response:
    """Give the browser the cookie of a new session; all copies of the earlier one are good for nothing."""
    running = desk()
    cookie = running.sessions.replace(g.session, holder, running.clock(), csrf=csrf)
    if cookie:
        put_cookie(response, running.sessions.cookie, cookie, LIFETIME.most)
    else:
        response.delete_cookie(running.sessions.cookie)
    return response


def put_cookie(response: Response, name: str, value: str, seconds: int) -> None:
    set_cookie(response, name, value, seconds, is_secure=current_app.config["IS_SECURE"])


def _find_device() -> str:
    """Return the token of the browser's device, empty where nobody has signed in from it."""
    token = request.cookies.get(desk().sessions.device_cookie, "")
    return token if desk().sessions.find_device_holder("", token) else ""


def _is_own_host(origin: str) -> bool:
    return urlsplit(origin).netloc == request.host


def _refer(path: str) -> Response:
    """Redirect a browser to the page where one signs in; tell a script that it has to."""
    if wants_json():
        body = json.dumps({"code": "signed-out", "detail": "sign in again, in another tab: what you typed stays here"})
        return Response(body, 401, content_type="application/json")
    return redirect(path, 303)


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
    response = begin_director_session(redirect(_next_path(), 303), name, running.clock(), sealed_key, operator or "")
    return _remember_device(response, _DIRECTORS, name)


@pages.post("/desk/sign-out")
@allow("director")
def sign_out() -> Response:
    """End the session of a director."""
    return end_director_session(redirect(url_for("sign_in.director"), 303))


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
    return _remember_device(begin_player_session(response, event, entrant, code_digest), kind, f"{entrant}")


@pages.post("/tournament/<event>/sign-out")
@allow()
def sign_out_player(event: str) -> Response:
    """End the session of a player."""
    return end_player_session(redirect(url_for("players.event", event=event), 303), event)


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
    put_cookie(response, sessions.device_cookie, token, BROWSERS.seconds)
    return response


def _director_page(name: str, fault: str) -> str:
    is_local = desk().find_operator is None
    return render_template("sign_in.html", name=name, fault=fault, next=_next_path(), is_local=is_local)


def _next_path() -> str:
    """Return the page of the desk that was asked for before signing in; never one of another site."""
    path = request.values.get("next", "")
    is_own = path.startswith("/desk/") and "\\" not in path and path.isprintable()
    return path if is_own else url_for("desk.events")
