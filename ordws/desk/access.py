"""Access control: each view says who may use it, and `enforce_access` holds every request to it."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable, Collection
from typing import Any, Final, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, g, redirect, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from ordws.desk.context import desk, event_or_404
from ordws.errors import BadInput

Audience: TypeAlias = Literal["director", "player", "anyone"]

CSRF_HEADER: Final = "X-CSRF-Token"
CSRF_FIELD: Final = "csrf"
DIRECTOR_HOURS: Final = 18
"""A director signs in once a day of play."""

F = TypeVar("F", bound=Callable[..., Any])


def allow(audience: Audience) -> Callable[[F], F]:
    """Mark a view as open to directors, to a player of its event (a director is none), or to anyone."""

    def mark(view: F) -> F:
        view.audience = audience  # type: ignore[attr-defined]
        return view

    return mark


def enforce_access(app: Flask, clock: Callable[[], int], hosts: Collection[str] = ()) -> None:
    """Check before each request the audience of its view and, for a change, its origin and its session's token.

    Raises TypeError where a view names no audience, so that a forgotten mark stops the desk from starting.
    """
    unmarked = [name for name, view in app.view_functions.items() if not hasattr(view, "audience")]
    if unmarked:
        raise TypeError(f"views that name no audience: {', '.join(unmarked)}")

    @app.before_request
    def admit() -> AnyResponse | None:
        # The name of another site may lead to this machine, and its pages would then read ours.
        if hosts and urlsplit(request.host_url).hostname not in hosts:
            raise BadInput("this desk is not reached under this name", hint="open the address that it printed")
        g.is_over = session.get("csrf") in _ended_sessions()
        is_today = clock() - int(session.get("since", 0)) < DIRECTOR_HOURS * 3600
        # The operator whose key signed the director in; empty on a laptop, where all events are the director's.
        g.operator = session.get("client", "")
        may_direct = is_today and not g.is_over and desk().may_still_direct(session.get("operator", ""), g.operator)
        g.director = session.get("director") if may_direct else None
        # The entrant who is signed in to the event of the address, and the digest of the code that signed them in.
        entry = session.get("players", {}).get((request.view_args or {}).get("event", ""))
        g.entrant = (int(entry[0]), str(entry[1])) if entry and not g.is_over else None
        view = app.view_functions.get(request.endpoint or "")
        if view is None:  # no such route: Flask answers 404
            return None
        if request.method not in ("GET", "HEAD") and not _passes_csrf_check():
            abort(403)
        audience: Audience = vars(view)["audience"]
        if audience == "director" and g.director is None:
            return _refer(url_for("sign_in.director", next=request.path))
        if audience == "director" and (event := (request.view_args or {}).get("event")):
            event_or_404(event).admit(g.operator, clock())
        if audience == "player" and g.entrant is None:
            return _refer(url_for("players.event", event=request.view_args["event"]))  # type: ignore[index]
        return None


def begin_director_session(name: str, now: int, sealed_key: str, operator: str) -> None:
    """Sign a director in under the name by which the log will call them, for as long as their key is the operator's."""
    _forget_ended_session()
    session.permanent = True
    session.update(director=name, since=now, operator=sealed_key, client=operator)
    # Anew with each sign-in: a token that somebody planted in the browser is worthless.
    session["csrf"] = secrets.token_urlsafe(24)


def begin_player_session(event: str, entrant: int, digest: str) -> None:
    """Sign a player in to one event; `digest` is that of the entry code, so that a new code ends the session."""
    _forget_ended_session()
    session.permanent = True
    session["players"] = {**session.get("players", {}), event: [entrant, digest]}
    session.setdefault("csrf", secrets.token_urlsafe(24))


def end_director_session() -> None:
    _renew_session()
    for name in ("director", "since", "operator", "client"):
        session.pop(name, None)


def end_player_session(event: str) -> None:
    _renew_session()
    session["players"] = {name: value for name, value in session.get("players", {}).items() if name != event}


def _renew_session() -> None:
    """End all copies of the session's cookie; what else the browser is signed in to goes on under another token."""
    _forget_ended_session()
    if "csrf" in session:
        _ended_sessions().add(session["csrf"])
        session["csrf"] = secrets.token_urlsafe(24)


def _forget_ended_session() -> None:
    if g.is_over:
        session.clear()


def _ended_sessions() -> set[str]:
    """Return the tokens of the sessions that were ended since the desk was started."""
    ended: set[str] = current_app.extensions.setdefault("ended-sessions", set())
    return ended


def wants_json() -> bool:
    """Return whether this request came from a script of ours, which reads JSON."""
    return request.accept_mimetypes.best == "application/json"


def _passes_csrf_check() -> bool:
    """Return whether a page of ours sent this change: judge by its headers and, in a session, by its token."""
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    # A browser that sends no referrer at all hides the origin of a form, too; by https it still names its site.
    is_own_form = origin == "null" and site == "same-origin"
    is_own_host = origin is not None and urlsplit(origin).netloc == request.host
    if site not in (None, "same-origin", "none") or not (origin is None or is_own_host or is_own_form):
        return False
    if "csrf" not in session:
        return True
    token = request.headers.get(CSRF_HEADER) or request.form.get(CSRF_FIELD, "")
    return hmac.compare_digest(token.encode(), session["csrf"].encode())


def _refer(path: str) -> AnyResponse:
    """Redirect a browser to the page where one signs in; tell a script that it has to."""
    if wants_json():
        body = json.dumps({"code": "signed-out", "detail": "sign in again, in another tab: what you typed stays here"})
        return Response(body, 401, content_type="application/json")
    return redirect(path, 303)
