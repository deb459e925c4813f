"""The parts that applications with accounts share: accounts, access, and what their pages are called.

The curators' console is one such application; the reviewers' pages of fair play are another, with accounts of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final, NoReturn, Protocol, TypeVar

import msgspec
from flask import Blueprint, Flask, Response, abort, current_app, g, request

from ordws.console import access
from ordws.console.access import Role
from ordws.console.accounts import Accounts
from ordws.errors import OrdwsError
from ordws.frame.application import ErrorReply, PageTurns, make_frame

Schema = TypeVar("Schema")
_first_use: Final = Lock()
"""msgspec derives what it knows of a type at its first use, and two threads that begin at once crash the process."""


@dataclass(frozen=True)
class AccountSite:
    """The differences between applications with accounts."""

    title: str
    """The title of a page that has none of its own."""

    cookie: str
    """The name of the session's cookie: browsers send a host's cookies to all its ports, and applications differ."""

    home: Mapping[Role, str]
    """The path of the page at which each role's work begins; nobody of another role can be invited."""

    navigation: Mapping[Role, tuple[tuple[str, str], ...]]
    """The paths and names of the pages that each role finds at the head of every page."""

    declaration: Sequence[str]
    """The introduction of the yearly declaration, and the sentences that everybody but a keeper declares."""

    statements: Sequence[str]
    name_hint: str
    """The label of the name with which somebody is invited."""

    add_command: str
    """The command that makes the first account."""

    note: str = ""
    """A sentence at the head of every page; empty for none."""

    @property
    def device_cookie(self) -> str:
        return f"{self.cookie}-device"

    @property
    def roles(self) -> tuple[Role, ...]:
        return tuple(self.home)


class ApplicationState(Protocol):
    """The state that every application with accounts has: the accounts, and the clock in seconds since 1970."""

    accounts: Accounts

    @property
    def clock(self) -> Callable[[], int]: ...


def make_application(
    state: ApplicationState, site: AccountSite, groups: Sequence[Blueprint], *, origin: str, **settings: object
) -> Flask:
    """Return an application with accounts; `origin` is how browsers reach it, `settings` are its own."""
    app = Flask("ordws.console", static_folder="static", template_folder="templates")
    app.config.update(STATE=state, SITE=site, ORIGIN=origin, **settings)
    make_frame(
        app,
        PageTurns(state.clock),
        forbidden="This account may not do that.",
        explain=_explain,
    )
    for group in groups:
        app.register_blueprint(group)
    access.enforce_access(app, state.accounts, state.clock)
    app.context_processor(_template_context)
    return app


def read_body(schema: type[Schema]) -> Schema:
    """Return the body of this request as `schema`; answer 400 where it is not one."""
    with _first_use:
        decoder = msgspec.json.Decoder(schema)
    try:
        return decoder.decode(request.get_data())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        abort_json(400, "bad-request", str(error))


def abort_json(status: int, code: str, detail: str) -> NoReturn:
    """Stop handling this request and answer its script with a refusal."""
    abort(Response(json.dumps({"code": code, "detail": detail}), status, content_type="application/json"))


def account_site() -> AccountSite:
    """Return the application that answers this request."""
    site: AccountSite = current_app.config["SITE"]
    return site


def _template_context() -> dict[str, object]:
    """Return what every template may name: the application, its address, the member, and the session's token."""
    session, origin = g.get("session"), current_app.config["ORIGIN"]
    member, csrf = (session.member, session.csrf) if session else (None, "")
    return {"origin": origin, "site": account_site(), "current_member": member, "csrf": csrf}


def _explain(error: OrdwsError) -> ErrorReply:
    text = str(error) if error.hint is None else f"{error}; {error.hint}"
    return ErrorReply(409, {"code": "not-done", "detail": text})
