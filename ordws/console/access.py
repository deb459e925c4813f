"""Who may do what: every view says which roles it is for, and one place holds them to it."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar

from flask import Flask, Response, abort, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

Role: TypeAlias = Literal["keeper", "chair", "curator"]
VOTERS: Final[tuple[Role, ...]] = ("chair", "curator")
ALL_ROLES: Final[tuple[Role, ...]] = ("keeper", "chair", "curator")

COOKIE: Final = "ordws-console"
CSRF_HEADER: Final = "X-CSRF-Token"
CSRF_FIELD: Final = "csrf"

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Member:
    """Somebody who has an account."""

    name: str
    role: Role
    declared_at: int | None
    """When the yearly declaration of disinterest was last made, in seconds since 1970."""


@dataclass(frozen=True)
class Session:
    """A signed-in browser."""

    member: Member
    csrf: str
    """What every request of it that changes something has to repeat."""
    since: int = 0


class SessionStore(Protocol):
    """Who knows sessions, and writes down what was refused."""

    def find_session(self, cookie: str, now: int, *, refresh: bool = True) -> Session | None: ...
    def record_incident(self, incident: str, member: str | None, now: int) -> None: ...


def allow(*roles: Role) -> Callable[[F], F]:
    """Mark a view as meant for members of these roles; for everybody, signed in or not, where none is named."""

    def mark(view: F) -> F:
        view.roles = roles  # type: ignore[attr-defined]
        return view

    return mark


def needs_no_declaration(view: F) -> F:
    """Mark a view as one that a member reaches without a declaration of this year."""
    view.undeclared = True  # type: ignore[attr-defined]
    return view


def does_not_extend_session(view: F) -> F:
    """Mark a view that pages ask while nobody is there: it keeps no session from ending."""
    view.idle = True  # type: ignore[attr-defined]
    return view


def current_member() -> Member:
    """Who asks; only in views that name roles."""
    member: Member = g.session.member
    return member


def enforce_access(
    app: Flask, session_store: SessionStore, clock: Callable[[], int], is_declared: Callable[[Member, int], bool]
) -> None:
    """Hold every request to the roles of its view, and every change to its session's token and to our own pages."""
    unmarked = [name for name, view in app.view_functions.items() if not hasattr(view, "roles")]
    if unmarked:
        raise TypeError(f"views that name no roles: {', '.join(unmarked)}")

    @app.before_request
    def admit() -> AnyResponse | None:
        now = clock()
        view = app.view_functions.get(request.endpoint or "")
        cookie = request.cookies.get(COOKIE, "")
        g.session = session_store.find_session(cookie, now, refresh=not hasattr(view, "idle")) if cookie else None
        if view is None:
            return None
        roles: tuple[Role, ...] = vars(view)["roles"]
        if request.method not in ("GET", "HEAD") and not _passes_csrf_check(app.config["ORIGIN"], g.session):
            session_store.record_incident("forged", g.session.member.name if g.session else None, now)
            abort(403)
        if not roles:
            return None
        if g.session is None:
            return _require_sign_in()
        member = g.session.member
        if member.role not in roles:
            session_store.record_incident("not-allowed", member.name, now)
            abort(403)
        if not hasattr(view, "undeclared") and not is_declared(member, now):
            return _require_declaration()
        return None


def _passes_csrf_check(ours: str, session: Session | None) -> bool:
    """Whether a change comes from a page of ours: by what its browser says, and in a session by its token too."""
    if not _is_same_origin(ours, request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")):
        return False
    if session is None:
        return True
    given = request.headers.get(CSRF_HEADER) or request.form.get(CSRF_FIELD, "")
    return hmac.compare_digest(given.encode(), session.csrf.encode())


def _is_same_origin(ours: str, origin: str | None, site: str | None) -> bool:
    """Browsers hide the origin of a form whose page sends no referrer, and say then that it is of the same site."""
    if site not in (None, "same-origin", "none"):
        return False
    return origin in (None, ours) or (origin == "null" and site == "same-origin")


def _require_sign_in() -> AnyResponse:
    if wants_json():
        return Response('{"code":"signed-out","detail":"sign in again"}', 401, content_type="application/json")
    return redirect(url_for("sign_in.page"), 303)


def _require_declaration() -> AnyResponse:
    if wants_json():
        body = '{"code":"undeclared","detail":"the yearly declaration is due"}'
        return Response(body, 403, content_type="application/json")
    return redirect(url_for("sign_in.declaration"), 303)


def wants_json() -> bool:
    """Whether a request is answered in JSON."""
    return request.path.startswith("/api/")
