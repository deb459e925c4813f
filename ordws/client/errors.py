"""What the client raises.

OrdwsError               never raised itself
├── ConnectionFailed     no answer came
├── NotUnderstood        an answer came that is none of the service's: of a proxy, say
└── Problem              the service says why it does not answer (RFC 9457)
    ├── BadRequest       the request is not one that can be answered: mend the program
    ├── Unauthorized     the key is missing, unknown, expired or revoked
    ├── Forbidden        not with this key
    │   └── BadSeat      not with this seat token
    ├── NotFound         no such thing
    ├── Conflict         not as things stand
    │   ├── TurnTaken    the turn is past, or another move was made for it
    │   └── UnderWay     the same request is still being answered
    ├── IllFormed        a play that does not fit, or not now; `code` says why, and nothing was charged
    ├── Limited          too much was asked
    │   └── BudgetSpent  a budget does not hold the question; `budget` names it
    ├── Unavailable      the service cannot answer now
    │   ├── Busy         too many requests are under way
    │   └── StoreDown    its store does not answer, so that nothing was looked up
    └── ServiceFailed    the service made a mistake
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class OrdwsError(Exception):
    """Base of all that the client raises."""


class ConnectionFailed(OrdwsError):
    """No answer came. `was_sent` is false where the request cannot have reached the service."""

    def __init__(self, reason: str, was_sent: bool) -> None:
        super().__init__(reason, was_sent)
        self.reason, self.was_sent = reason, was_sent

    def __str__(self) -> str:
        return self.reason + (": the request may have been carried out" if self.was_sent else "")


class NotUnderstood(OrdwsError):
    """An answer that is none of the service's; what it says is not kept, for it may repeat what was sent."""

    def __init__(self, status: int, content_type: str, reason: str) -> None:
        super().__init__(status, content_type, reason)
        self.status, self.content_type, self.reason = status, content_type, reason

    def __str__(self) -> str:
        return f'status {self.status}, "{self.content_type}": {self.reason}; is there an ORDWS at this address?'


class Details(Struct, frozen=True):
    """A problem as it was sent."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    budget: str | None = None


class Problem(OrdwsError):
    """Why the service did not answer. `code` is of a published list, `instance` names the request in its log."""

    def __init__(self, details: Details, retry_after: int | None = None) -> None:
        super().__init__(details, retry_after)
        self.status, self.code, self.title = details.status, details.code, details.title
        self.detail, self.instance, self.budget = details.detail, details.instance, details.budget
        self.retry_after: Final = retry_after
        """In how many seconds it may be worth another try."""

    def __str__(self) -> str:
        again = "" if self.retry_after is None else f", again in {self.retry_after} s"
        return f"{self.code}: {self.detail} ({self.status}{again}, {self.instance})"


class BadRequest(Problem):
    """The request is not one that can be answered."""


class Unauthorized(Problem):
    """The key is missing, unknown, expired or revoked."""


class Forbidden(Problem):
    """Not with this key."""


class BadSeat(Forbidden):
    """Not with this seat token, or the game is over for more than its time."""


class NotFound(Problem):
    """No such thing."""


class Conflict(Problem):
    """Not as things stand."""


class TurnTaken(Conflict):
    """The turn is past, or another move was made for it."""


class UnderWay(Conflict):
    """The same request is still being answered."""


class IllFormed(Problem):
    """A play that does not fit, or a move that is not to be made now. Nothing was charged, and no turn is spent."""


class Limited(Problem):
    """Too much was asked."""


class BudgetSpent(Limited):
    """A budget does not hold the question; `budget` names it, `retry_after` tells when it begins anew."""


class Unavailable(Problem):
    """The service cannot answer now."""


class Busy(Unavailable):
    """Too many requests are under way."""


class StoreDown(Unavailable):
    """A store of the service does not answer, so that nothing was looked up."""


class ServiceFailed(Problem):
    """The service made a mistake."""


_BY_CODE: Final[dict[str, type[Problem]]] = {
    "bad-seat": BadSeat,
    "turn-taken": TurnTaken,
    "under-way": UnderWay,
    "player-required": BadRequest,
    "too-many-players": BadRequest,
    "idempotency-key-reused": BadRequest,
    "budget-spent": BudgetSpent,
    "too-busy": Busy,
    "store-down": StoreDown,
}
_BY_STATUS: Final[dict[int, type[Problem]]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    405: BadRequest,
    409: Conflict,
    411: BadRequest,
    413: BadRequest,
    415: BadRequest,
    422: IllFormed,
    429: Limited,
    500: ServiceFailed,
    503: Unavailable,
}


def problem_of(details: Details, retry_after: int | None) -> Problem:
    """The exception for a problem; codes of later versions are told by their status."""
    kind = _BY_CODE.get(details.code) or _BY_STATUS.get(details.status, Problem)
    return kind(details, retry_after)
