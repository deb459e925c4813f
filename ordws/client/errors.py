"""The exceptions of the client.

OrdwsClientError                base class, never raised itself
├── ConnectionFailed            no answer came
├── UnexpectedResponse          an answer came that is not of the service, but of a proxy, say
├── StreamReplaced              another program, or a newer stream of this one, watches the seat
└── ProblemError                the service says why it does not answer (RFC 9457)
    ├── BadRequest              the request cannot be answered: correct the program
    ├── Unauthorized            the key is missing, unknown, expired or revoked
    ├── Forbidden               this key does not allow it
    │   └── BadSeat             this seat token does not allow it
    ├── NotFound                no such thing exists
    ├── Conflict                the present state does not allow it
    │   ├── TurnAlreadyTaken    the turn is past, or another move was made for it
    │   └── RequestUnderWay     the same request is still being answered
    ├── IllFormedPlay           a play does not fit, or not now; `code` says why, and nothing was charged
    ├── TooManyRequests         too much was asked
    │   └── BudgetSpent         a budget does not hold the question; `budget` names it
    ├── ServiceUnavailable      the service cannot answer now
    │   ├── ServiceBusy         too many requests are under way
    │   └── ServiceStoreDown    a store does not answer, so nothing was looked up
    └── ServiceFailed           the service made a mistake
"""

from __future__ import annotations

from typing import Final

from ordws.client.replies import ProblemDetails


class OrdwsClientError(Exception):
    """The base class of everything that the client raises."""


class ConnectionFailed(OrdwsClientError):
    """No answer came; `was_sent` is false if the request cannot have reached the service."""

    def __init__(self, reason: str, was_sent: bool) -> None:
        # All arguments go to the base class, so that errors can be pickled for another process.
        super().__init__(reason, was_sent)
        self.reason, self.was_sent = reason, was_sent

    def __str__(self) -> str:
        return self.reason + (": the request may have been carried out" if self.was_sent else "")


class UnexpectedResponse(OrdwsClientError):
    """An answer came that is not of the service; its text is dropped, since it may repeat what was sent."""

    def __init__(self, status: int, content_type: str, reason: str) -> None:
        super().__init__(status, content_type, reason)
        self.status, self.content_type, self.reason = status, content_type, reason

    def __str__(self) -> str:
        return f'status {self.status}, "{self.content_type}": {self.reason}; is there an ORDWS at this address?'


class StreamReplaced(OrdwsClientError):
    """A newer stream of the same seat has replaced the one that was waited on, which does not come back."""

    def __str__(self) -> str:
        return "this seat is watched elsewhere: by another program, in a browser, or by a newer stream of this program"


class ProblemError(OrdwsClientError):
    """The service's reason not to answer; `code` is from a published list, `instance` names the request in its log."""

    def __init__(self, details: ProblemDetails, retry_after: int | None = None) -> None:
        super().__init__(details, retry_after)
        self.status, self.code, self.title = details.status, details.code, details.title
        self.detail, self.instance, self.budget = details.detail, details.instance, details.budget
        self.retry_after: Final = retry_after
        """The seconds after which another attempt may succeed, or None."""

    def __str__(self) -> str:
        again = "" if self.retry_after is None else f", again in {self.retry_after} s"
        return f"{self.code}: {self.detail} ({self.status}{again}, {self.instance})"


class BadRequest(ProblemError):
    """The request cannot be answered as it is."""


class Unauthorized(ProblemError):
    """The key is missing, unknown, expired or revoked."""


class Forbidden(ProblemError):
    """The key does not allow the request."""


class BadSeat(Forbidden):
    """The seat token does not allow the request, the seat was taken over, or the game has expired."""


class NotFound(ProblemError):
    """The resource does not exist."""


class Conflict(ProblemError):
    """The present state does not allow the request."""


class TurnAlreadyTaken(Conflict):
    """The turn is past, or another move was made for it."""


class RequestUnderWay(Conflict):
    """The same request is still being answered."""


class IllFormedPlay(ProblemError):
    """A play does not fit, or a move is not allowed now; nothing was charged, and no turn is spent."""


class TooManyRequests(ProblemError):
    """Too much was asked."""


class BudgetSpent(TooManyRequests):
    """A budget does not hold the question; `budget` names it, and `retry_after` says when it begins anew."""


class ServiceUnavailable(ProblemError):
    """The service cannot answer now."""


class ServiceBusy(ServiceUnavailable):
    """Too many requests are under way."""


class ServiceStoreDown(ServiceUnavailable):
    """A store of the service does not answer, so nothing was looked up."""


class ServiceFailed(ProblemError):
    """The service made a mistake."""


_BY_CODE: Final[dict[str, type[ProblemError]]] = {
    "bad-seat": BadSeat,
    "seat-moved": BadSeat,
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
    """Return the exception for a problem, by its code, or by its status for codes of later versions."""
    kind = _BY_CODE.get(details.code) or _BY_STATUS.get(details.status, ProblemError)
    return kind(details, retry_after)
