"""Every JSON shape that leaves, and every refusal there is."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ordws.guard.gate import Allowance, Refused

Header: TypeAlias = tuple[str, str]
Code: TypeAlias = Literal[
    "bad-request", "bad-word", "short-body", "unauthorized", "not-found", "method-not-allowed", "length-required",
    "too-large", "not-json", "unknown-rules", "player-required", "budget-spent", "internal-error", "too-busy",
    "store-down",
]  # fmt: skip

PROBLEMS: Final[dict[Code, tuple[int, str]]] = {
    "bad-request": (400, "The request cannot be read"),
    "bad-word": (400, "Not a word"),
    "short-body": (400, "The body ended early"),
    "unauthorized": (401, "A client key is needed"),
    "not-found": (404, "Nothing is here"),
    "method-not-allowed": (405, "Not by this method"),
    "length-required": (411, "The body has no length"),
    "too-large": (413, "The body is too large"),
    "not-json": (415, "The body is not JSON"),
    "unknown-rules": (422, "No such rule set"),
    "player-required": (422, "A player is needed"),
    "budget-spent": (429, "The budget is spent"),
    "internal-error": (500, "The service made a mistake"),
    "too-busy": (503, "Too many requests are under way"),
    "store-down": (503, "A store does not answer"),
}
_MEANING: Final = {
    "outside": "units a day outside a game",
    "units": "units a day in all",
    "game": "units in this game",
    "games": "games a day",
    "core": "core words a day",
    "closed": "today's budgets count as spent since a restore",
}
RETRY_SOON_SECONDS: Final = 2
_JSON: Final = ("Content-Type", "application/json")
_PROBLEM: Final = ("Content-Type", "application/problem+json")
_PRIVATE: Final = ("Cache-Control", "no-store")
_PUBLIC: Final = ("Cache-Control", "public, max-age=86400")


class Reply(NamedTuple):
    """What a door sends."""

    status: int
    headers: tuple[Header, ...]
    body: bytes


class Verdict(Struct, frozen=True):
    """The one bit that leaves: whether all the words asked together are acceptable."""

    valid: bool


class TwoLetterWords(Struct, frozen=True):
    """The two-letter words of a rule set, which are published."""

    rules: str
    words: list[str]


class Budget(Struct, frozen=True):
    """What is left of one budget, in public-cost units, and when it begins anew."""

    budget: str
    limit: int
    left: int
    resets: Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class Quota(Struct, frozen=True):
    """What the caller has left."""

    budgets: list[Budget]


class State(Struct, frozen=True):
    """That the service is up, or ready to answer."""

    status: Literal["up", "ready"]


class Entrance(Struct, frozen=True):
    """What this is, and where it is explained."""

    service: str
    edition: str
    reference: str
    openapi: str


class ProblemDetails(Struct, frozen=True, omit_defaults=True):
    """Why a request was not answered. (RFC 9457)"""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: Annotated[str, Meta(extra_json_schema={"enum": [*PROBLEMS]})]
    budget: Annotated[str | None, Meta(description="Of budget-spent alone: which one.")] = None


class Problem(Exception):
    """A request is not answered, for one of the published reasons; no detail repeats what was sent."""

    def __init__(self, code: Code, detail: str, *headers: Header, budget: str | None = None) -> None:
        super().__init__(code)
        self.code: Final = code
        self.detail = detail
        self.headers = headers
        self.budget = budget


# Both have the same length, so that the length of what is sent tells nothing.
_VERDICTS: Final = {
    True: Reply(200, (_JSON, _PRIVATE), b'{"valid":true }'),
    False: Reply(200, (_JSON, _PRIVATE), b'{"valid":false}'),
}


def verdict(valid: bool) -> Reply:
    return _VERDICTS[valid]


def public(shape: Struct) -> Reply:
    """An answer that everybody may have and keep for a day."""
    return Reply(200, (_JSON, _PUBLIC), msgspec.json.encode(shape))


def private(shape: Struct) -> Reply:
    """An answer for this caller at this moment."""
    return Reply(200, (_JSON, _PRIVATE), msgspec.json.encode(shape))


def quota(allowances: Iterable[Allowance]) -> Reply:
    return private(Quota([Budget(a.budget, a.limit, a.left, _utc(a.ends)) for a in allowances]))


def problem(problem: Problem, request_id: str) -> Reply:
    status, title = PROBLEMS[problem.code]
    details = ProblemDetails(
        type=f"urn:ordws:problem:{problem.code}", title=title, status=status, detail=problem.detail,
        instance=f"urn:ordws:request:{request_id}", code=problem.code, budget=problem.budget,
    )  # fmt: skip
    return Reply(status, (_PROBLEM, _PRIVATE, *problem.headers), msgspec.json.encode(details))


def unauthorized() -> Problem:
    """One and the same for a key that is missing, malformed, unknown or revoked."""
    return Problem("unauthorized", "send Authorization: Bearer with a client key", ("WWW-Authenticate", "Bearer"))


def budget_spent(refused: Refused) -> Problem:
    return Problem(
        "budget-spent", f'"{refused.budget}" ({_MEANING[refused.budget]}) does not hold this question; see /v1/quota',
        ("Retry-After", str(refused.retry_after_seconds)), budget=refused.budget,
    )  # fmt: skip


def store_down() -> Problem:
    """Without its stores nothing is looked up. (GUARD, decision 9)"""
    return Problem("store-down", "nothing was looked up", ("Retry-After", str(RETRY_SOON_SECONDS)))


def too_busy() -> Problem:
    return Problem("too-busy", "nothing was looked up", ("Retry-After", str(RETRY_SOON_SECONDS)))


def _utc(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat().replace("+00:00", "Z")
