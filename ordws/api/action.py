"""An action: the handler of a route, who may ask for it, what it takes, and what it replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from msgspec import Struct

from ordws.api.problems import Problem, ProblemCode
from ordws.identity.register import OPERATORS_SCOPE, RegisteredClient, Scope

if TYPE_CHECKING:
    from ordws.api.replies import Reply
    from ordws.api.services import Services

MAX_BODY_BYTES: Final = 16 * 1024
"""The largest body of all requests but those whose action says otherwise."""

HttpMethod: TypeAlias = str
PathTemplate: TypeAlias = str
AuthMethod: TypeAlias = Literal["key", "device", "either", "seat"]
"""The credential of an action: a client's key, the cookie of a paired device, either of them, or a seat of a game.

A seat is a client's key with the seat's token, or the cookie of the browser that took the seat.
"""


@dataclass(frozen=True, kw_only=True)
class PublicAction:
    """An action that needs no key."""

    handler: Callable[[Services, Any, int], Reply]
    request_type: type[Struct]
    reply_type: type[Struct]
    problem_codes: tuple[ProblemCode, ...] = ()
    same_site_only: bool = False
    """True where pages of other sites must not call the action, because it sets a cookie."""
    with_own_reference: AuthenticatedAction | None = None
    """The action in place of this one where the installation's players' reference is its own, and no public list."""
    status: int = 200
    takes_address: bool = False
    """True where the handler gets the body with the address and the seat that it comes from, as `Sent`."""


@dataclass(frozen=True, kw_only=True)
class AuthenticatedAction:
    """An action that needs the key of a client, or the cookie of one of its devices."""

    handler: Callable[[Services, Any, Any, int], Reply]
    """Called with the client; where a seat is needed, with a `SeatCaller`."""
    request_type: type[Struct]
    reply_type: type[Struct]
    problem_codes: tuple[ProblemCode, ...] = ()
    scope: Scope = "judge"
    auth: AuthMethod = "key"
    commits: bool = False
    """True where the action spends or writes something, so that it takes an Idempotency-Key."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    """The fields of a GET's request type that follow from a header, each with the header's name."""
    max_body_bytes: int = MAX_BODY_BYTES
    other_media_type: str | None = None
    """The media type of a reply that the Accept header may ask for in place of JSON."""

    def check_scope(self, client: RegisteredClient) -> None:
        """Raise a Problem where a key does not allow this action, or no keeper has verified its client."""
        if self.scope not in client.scopes:
            raise Problem("out-of-scope", "this client's scopes, which its keeper sets, do not include this request")
        if self.scope == OPERATORS_SCOPE and client.verified is None:
            raise Problem("out-of-scope", "the games of events are for operators whom a keeper has verified")


Action: TypeAlias = PublicAction | AuthenticatedAction
