"""Access control: each view names the roles that may use it, and `enforce_access` holds every request to them."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, abort, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ordws.errors import BadInput

Role: TypeAlias = Literal["keeper", "chair", "curator", "reviewer"]
"""The roles of all applications with accounts; each has some of them (`AccountSite`)."""

VOTERS: Final[tuple[Role, ...]] = ("chair", "curator")
ALL_ROLES: Final[tuple[Role, ...]] = ("keeper", "chair", "curator", "reviewer")
DECLARING: Final[tuple[Role, ...]] = ("chair", "curator", "reviewer")

LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "::1")
COOKIE: Final = "ordws-console"
CSRF_HEADER: Final = "X-CSRF-Token"
CSRF_FIELD: Final = "csrf"

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Member:
    """A person with an account."""

    name: str
    role: Role
    declared_at: int | None
    """The time of the latest yearly declaration of disinterest, in seconds since 1970; None before the first."""


@dataclass(frozen=True)
class Session:
    """A signed-in browser."""

    member: Member
    csrf: str
    """The token that every request of the session that changes something must repeat."""
    since: int = 0
    """The time of signing in, in seconds since 1970."""


class SessionStore(Protocol):
    """The storage of sessions and of refused requests."""

    def find_session(self, cookie: str, now: int, *, refresh: bool = True) -> Session | None: ...
    def record_incident(self, incident: str, member: str | None, now: int) -> None: ...


def allow(*roles: Role) -> Callable[[F], F]:
    """Mark a view as open to members of these roles; without roles, to everybody, signed in or not."""

    def mark(view: F) -> F:
        view.roles = roles  # type: ignore[attr-defined]
        return view

    return mark


def needs_no_declaration(view: F) -> F:
    """Mark a view that members may use without a current declaration of disinterest."""
    view.undeclared = True  # type: ignore[attr-defined]
    return view


def does_not_extend_session(view: F) -> F:
    """Mark a view that pages call by themselves, so that an abandoned page does not keep its session alive."""
    view.idle = True  # type: ignore[attr-defined]
    return view


def current_member() -> Member:
    """Return the member who sent this request; only for views that name roles."""
    member: Member = g.session.member
    return member


def enforce_access(
    app: Flask, session_store: SessionStore, clock: Callable[[], int], is_declared: Callable[[Member, int], bool]
) -> None:
    """Check before each request the roles of its view and, for a change, its origin and its session's token.

    Raises TypeError where a view names no roles, so that a forgotten mark stops the console from starting.
    """
    unmarked = [name for name, view in app.view_functions.items() if not hasattr(view, "roles")]
    if unmarked:
        raise TypeError(f"views that name no roles: {', '.join(unmarked)}")

    @app.before_request
    def admit() -> AnyResponse | None:
        # To a browser 127.0.0.1 is another origin than localhost: neither passkeys nor votes are taken from it. Other
        # hosts may differ, since a proxy or a tunnel can stand between.
        here, there = urlsplit(request.host_url), urlsplit(app.config["ORIGIN"])
        is_loopback = here.hostname in LOOPBACK_NAMES and there.hostname in LOOPBACK_NAMES
        if is_loopback and here.hostname != there.hostname and (here.scheme, here.port) == (there.scheme, there.port):
            if request.method in ("GET", "HEAD"):
                return redirect(there.geturl() + request.full_path.removesuffix("?"), 307)
            raise BadInput(f"this console is at {there.geturl()}", hint="open it there")
        now = clock()
        view = app.view_functions.get(request.endpoint or "")
        cookie = request.cookies.get(COOKIE, "")
        g.session = session_store.find_session(cookie, now, refresh=not hasattr(view, "idle")) if cookie else None
        if view is None:  # no such route: Flask answers 404
            return None
        roles: tuple[Role, ...] = vars(view)["roles"]
        # Before the roles, so that the forms of pages without roles, such as signing in, are protected too.
        if request.method not in ("GET", "HEAD") and not _passes_csrf_check(app.config["ORIGIN"], g.session):
            session_store.record_incident("forged", g.session.member.name if g.session else None, now)
            abort(403)
        if not roles:
            return None
        if g.session is None:
            return _refer("sign_in.page", 401, "signed-out", "sign in again")
        member = g.session.member
        if member.role not in roles:
            session_store.record_incident("not-allowed", member.name, now)
            abort(403)
        if not hasattr(view, "undeclared") and not is_declared(member, now):
            return _refer("sign_in.declaration", 403, "undeclared", "the yearly declaration is due")
        return None


def _passes_csrf_check(our_origin: str, session: Session | None) -> bool:
    """Return whether a page of ours sent this change: judge by its headers and, in a session, by its token."""
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    # Our pages send no referrer, for which browsers hide the origin of a form but still name its site.
    is_own_form = origin == "null" and site == "same-origin"
    if site not in (None, "same-origin", "none") or not (origin in (None, our_origin) or is_own_form):
        return False
    if session is None:
        return True
    token = request.headers.get(CSRF_HEADER) or request.form.get(CSRF_FIELD, "")
    return hmac.compare_digest(token.encode(), session.csrf.encode())


def _refer(endpoint: str, status: int, code: str, detail: str) -> AnyResponse:
    """Redirect a browser to the page that has to come first; tell a script why it was refused."""
    if wants_json():
        return Response(json.dumps({"code": code, "detail": detail}), status, content_type="application/json")
    return redirect(url_for(endpoint), 303)


def wants_json() -> bool:
    """Return whether this request is answered in JSON."""
    return request.path.startswith("/api/")
