"""Access control: each view says who may use it, and `enforce_access` holds every request to them."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, abort, current_app, g, redirect, request, url_for
from msgspec.structs import replace
from werkzeug.wrappers import Response

from ordws.desk.context import desk, event_or_404
from ordws.desk.sessions import LIFETIME, Holder
from ordws.errors import BadInput
from ordws.frame.application import is_forged, require_marks, set_cookie, wants_json
from ordws.frame.turns import begin_turn

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


def sign_in_director(response: Response, name: str, now: int, sealed_key: str, operator: str) -> Response:
    """Sign a director in under the name by which the log will call them, for as long as their key is the operator's."""
    # The token is new with each sign-in: one that somebody planted in the browser is worthless.
    holder = replace(_holder(), director=name, director_since=now, operator=sealed_key, client=operator)
    return _change_holder(response, holder)


def sign_in_player(response: Response, event: str, entrant: int, digest: str) -> Response:
    """Sign a player in to one event; `digest` is that of the entry code, so that a new code ends the session."""
    players = {**_holder().players, event: (entrant, digest)}
    # Pages of a director in other tabs go on with their token.
    return _change_holder(response, replace(_holder(), players=players), csrf=csrf_token())


def sign_out_director(response: Response) -> Response:
    """Sign the director out; what else the browser is signed in to goes on."""
    return _change_holder(response, Holder(players=_holder().players))


def sign_out_player(response: Response, event: str) -> Response:
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
