"""Access control: each view names the roles that may use it, and `enforce_access` holds every request to them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from ordws.errors import BadInput
from ordws.frame.application import begin_turn, is_forged, require_marks, wants_json

if TYPE_CHECKING:
    from ordws.console.accounts import Accounts

Role: TypeAlias = Literal["keeper", "chair", "curator", "reviewer"]
"""The roles of all applications with accounts; each has some of them (`AccountSite`)."""

VOTERS: Final[tuple[Role, ...]] = ("chair", "curator")
ALL_ROLES: Final[tuple[Role, ...]] = ("keeper", "chair", "curator", "reviewer")
DECLARING: Final[tuple[Role, ...]] = ("chair", "curator", "reviewer")

LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "::1")

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


def enforce_access(app: Flask, accounts: Accounts, clock: Callable[[], int]) -> None:
    """Check before each request the roles of its view and, for a change, its origin and its session's token.

    Raises TypeError where a view names no roles, so that a forgotten mark stops the console from starting.
    """
    require_marks(app)

    @app.before_request
    def admit() -> AnyResponse | None:
        if (elsewhere := _lead_to_own_name()) is not None:
            return elsewhere
        now = clock()
        view = app.view_functions.get(request.endpoint or "")
        cookie = request.cookies.get(app.config["SITE"].cookie, "")
        g.session = accounts.find_session(cookie, now, refresh=not hasattr(view, "idle")) if cookie else None
        roles: tuple[Role, ...] = () if view is None else vars(view)["allowed"]
        may_use = not roles or (g.session is not None and g.session.member.role in roles)
        begin_turn(
            g.session.member.name if g.session else "",
            view,
            may_use=may_use,
            find_device=lambda: accounts.find_device(request.cookies.get(app.config["SITE"].device_cookie, "")),
        )
        if view is None:  # no such route: Flask answers 404
            return None
        # Before the roles, so that the forms of pages without roles, such as signing in, are protected too.
        csrf = g.session.csrf if g.session else ""
        if request.method not in ("GET", "HEAD") and is_forged(csrf, lambda origin: origin == app.config["ORIGIN"]):
            accounts.record_incident("forged", g.session.member.name if g.session else None, now)
            abort(403)
        if not roles:
            return None
        if g.session is None:
            return _refer("sign_in.page", 401, "signed-out", "sign in again")
        member = g.session.member
        if member.role not in roles:
            accounts.record_incident("not-allowed", member.name, now)
            abort(403)
        if not hasattr(view, "undeclared") and not has_valid_declaration(member, now):
            return _refer("sign_in.declaration", 403, "undeclared", "the yearly declaration is due")
        return None


def _lead_to_own_name() -> AnyResponse | None:
    """Lead a browser on this machine to the name under which the console has its passkeys.

    To a browser 127.0.0.1 is another origin than localhost: neither passkeys nor votes are taken from it. Other hosts
    may differ, since a proxy or a tunnel can stand between.
    """
    here, there = urlsplit(request.host_url), urlsplit(current_app.config["ORIGIN"])
    is_loopback = here.hostname in LOOPBACK_NAMES and there.hostname in LOOPBACK_NAMES
    if not is_loopback or here.hostname == there.hostname or (here.scheme, here.port) != (there.scheme, there.port):
        return None
    if request.method in ("GET", "HEAD"):
        return redirect(there.geturl() + request.full_path.removesuffix("?"), 307)
    raise BadInput(f"this console is at {there.geturl()}", hint="open it there")


def _refer(endpoint: str, status: int, code: str, detail: str) -> AnyResponse:
    """Redirect a browser to the page that has to come first; tell a script why it was refused."""
    if wants_json():
        return Response(json.dumps({"code": code, "detail": detail}), status, content_type="application/json")
    return redirect(url_for(endpoint), 303)


VALID_SECONDS: Final = 365 * 86_400
STATEMENTS: Final = (
    "I play in no rated or club tournament of a crossword game, and have not for two years.",
    "I do not study the word lists of such games.",
    "I sell no word list, and nobody pays me for a decision here.",
    "I hold no key of a game client of this word set.",
    "On a word in which I have an interest I recuse myself.",
)
"""The sentences that a curator declares once a year: who plays, sells or studies word lists has an interest in them."""


def has_valid_declaration(member: Member, now: int) -> bool:
    """Return whether a member has declared within a year; keepers, who do not vote, need not."""
    end = valid_until(member)
    return member.role == "keeper" or (end is not None and now < end)


def valid_until(member: Member) -> int | None:
    """Return the time at which a member's declaration expires; None where there is none, or none is needed."""
    return None if member.role == "keeper" or member.declared_at is None else member.declared_at + VALID_SECONDS
