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


class OrdwsClientError(Exception):
    """Base of all that the client raises."""


class ConnectionFailed(OrdwsClientError):
    """No answer came. `was_sent` is false where the request cannot have reached the service."""

    def __init__(self, reason: str, was_sent: bool) -> None:
        super().__init__(reason, was_sent)
        self.reason, self.was_sent = reason, was_sent

    def __str__(self) -> str:
        return self.reason + (": the request may have been carried out" if self.was_sent else "")


class UnexpectedResponse(OrdwsClientError):
    """An answer that is none of the service's; what it says is not kept, for it may repeat what was sent."""

    def __init__(self, status: int, content_type: str, reason: str) -> None:
        super().__init__(status, content_type, reason)
        self.status, self.content_type, self.reason = status, content_type, reason

    def __str__(self) -> str:
        return f'status {self.status}, "{self.content_type}": {self.reason}; is there an ORDWS at this address?'


class ProblemDetails(Struct, frozen=True):
    """A problem as it was sent."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    budget: str | None = None


class ProblemError(OrdwsClientError):
    """Why the service did not answer. `code` is of a published list, `instance` names the request in its log."""

    def __init__(self, details: ProblemDetails, retry_after: int | None = None) -> None:
        super().__init__(details, retry_after)
        self.status, self.code, self.title = details.status, details.code, details.title
        self.detail, self.instance, self.budget = details.detail, details.instance, details.budget
        self.retry_after: Final = retry_after
        """In how many seconds it may be worth another try."""

    def __str__(self) -> str:
        again = "" if self.retry_after is None else f", again in {self.retry_after} s"
        return f"{self.code}: {self.detail} ({self.status}{again}, {self.instance})"


class BadRequest(ProblemError):
    """The request is not one that can be answered."""


class Unauthorized(ProblemError):
    """The key is missing, unknown, expired or revoked."""


class Forbidden(ProblemError):
    """Not with this key."""


class BadSeat(Forbidden):
    """Not with this seat token, or the game is over for more than its time."""


class NotFound(ProblemError):
    """No such thing."""


class Conflict(ProblemError):
    """Not as things stand."""


class TurnAlreadyTaken(Conflict):
    """The turn is past, or another move was made for it."""


class RequestUnderWay(Conflict):
    """The same request is still being answered."""


class IllFormedPlay(ProblemError):
    """A play that does not fit, or a move that is not to be made now. Nothing was charged, and no turn is spent."""


class TooManyRequests(ProblemError):
    """Too much was asked."""


class BudgetSpent(TooManyRequests):
    """A budget does not hold the question; `budget` names it, `retry_after` tells when it begins anew."""


class ServiceUnavailable(ProblemError):
    """The service cannot answer now."""


class ServiceBusy(ServiceUnavailable):
    """Too many requests are under way."""


class ServiceStoreDown(ServiceUnavailable):
    """A store of the service does not answer, so that nothing was looked up."""


class ServiceFailed(ProblemError):
    """The service made a mistake."""


_BY_CODE: Final[dict[str, type[ProblemError]]] = {
    "bad-seat": BadSeat,
    "turn-taken": TurnAlreadyTaken,
    "under-way": RequestUnderWay,
    "player-required": BadRequest,
    "too-many-players": BadRequest,
    "idempotency-key-reused": BadRequest,
    "budget-spent": BudgetSpent,
    "too-busy": ServiceBusy,
    "store-down": ServiceStoreDown,
}
_BY_STATUS: Final[dict[int, type[ProblemError]]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    405: BadRequest,
    409: Conflict,
    411: BadRequest,
    413: BadRequest,
    415: BadRequest,
    422: IllFormedPlay,
    429: TooManyRequests,
    500: ServiceFailed,
    503: ServiceUnavailable,
}


def error_from_problem(details: ProblemDetails, retry_after: int | None) -> ProblemError:
    """The exception for a problem; codes of later versions are told by their status."""
    kind = _BY_CODE.get(details.code) or _BY_STATUS.get(details.status, ProblemError)
    return kind(details, retry_after)
