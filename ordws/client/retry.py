"""The decision whether and when a request is sent again; no network is used here."""

from __future__ import annotations

import uuid
from random import Random, SystemRandom
from typing import Final, Generic, NamedTuple, TypeVar

from ordws.client.errors import BudgetSpent, ConnectionFailed, OrdwsClientError, ProblemError, UnexpectedResponse
from ordws.client.wire import Headers, Request, read_response, retry_after_seconds

T = TypeVar("T")

PATIENCE_SECONDS: Final = 20.0
FIRST_PAUSE_SECONDS: Final = 0.25
MAX_PAUSE_SECONDS: Final = 4.0
SYSTEM_RANDOM: Final = SystemRandom()
"""The system's source of randomness: processes forked from one do not make the same keys."""

_STORED_REPLIES_BUDGET: Final = "replies"
_RETRYABLE_STATUSES: Final = (409, 429, 503)


class Pause(NamedTuple):
    """A request is to be sent again after so many seconds."""

    seconds: float


def retry_delay(
    attempt: int,
    status: int | None,
    headers: Headers,
    *,
    seconds_left: float = PATIENCE_SECONDS,
    rng: Random = SYSTEM_RANDOM,
) -> float | None:
    """Return the seconds after which a request is sent again, or None if it is not, or not within the seconds left.

    `attempt` counts from 1. A status of None means that no answer came. After that, 502 and 504 nobody knows whether
    the request was carried out, so the caller has to know whether it may be repeated. A 409 is sent again only with a
    Retry-After.
    """
    retry_after = retry_after_seconds(headers)
    if status not in (None, 429, 502, 503, 504) and (status != 409 or retry_after is None):
        return None
    # The exponent is bounded, since a large power would be slow, and overflow a float.
    backoff = min(FIRST_PAUSE_SECONDS * 2 ** min(attempt - 1, 10), MAX_PAUSE_SECONDS)
    # Chance is added, so that clients that were refused in one moment do not come back in one.
    pause = (backoff / 2 if retry_after is None else retry_after) + rng.random() * backoff / 2
    return pause if pause < seconds_left else None


class RetryState(Generic[T]):
    """The state of one request until it is answered or given up."""

    def __init__(self, request: Request[T], now: float, patience_seconds: float, rng: Random) -> None:
        self.request: Request[T] = request
        if request.needs_idempotency_key and request.key is None:
            self.request = request.with_key(str(uuid.UUID(int=rng.getrandbits(128), version=4)))
        self._attempt = 0
        self._started_at, self._deadline = now, now + patience_seconds
        self._rng = rng

    def on_response(self, status: int, headers: Headers, body: bytes, now: float) -> T | Pause:
        """Return the answer, or a pause; raise the service's problem if the request is not to be sent again."""
        self._attempt += 1
        try:
            return read_response(self.request, status, headers, body)
        except BudgetSpent as spent:
            if spent.budget != _STORED_REPLIES_BUDGET or self.request.is_callers_key or self.request.key is None:
                return self._retry_or_raise(spent, status, headers, now)
            # The service stores so many answers a day for repeats; without a key it needs to store none.
            self.request = self.request.with_key(None)
            return Pause(0.0)
        except (ProblemError, UnexpectedResponse) as err:
            # Only after these statuses is it certain that the request was not carried out.
            if status not in _RETRYABLE_STATUSES and not self.request.is_repeatable:
                raise
            return self._retry_or_raise(err, status, headers, now)

    def on_connection_failure(self, failed: ConnectionFailed, now: float) -> Pause:
        """Return a pause; raise the failure if the request is not to be sent again."""
        self._attempt += 1
        if failed.was_sent and not self.request.is_repeatable:
            raise failed
        return self._retry_or_raise(failed, None, {}, now)

    def _retry_or_raise(self, err: OrdwsClientError, status: int | None, headers: Headers, now: float) -> Pause:
        pause = retry_delay(self._attempt, status, headers, seconds_left=self._deadline - now, rng=self._rng)
        if pause is not None:
            return Pause(pause)
        if self._attempt > 1:
            err.add_note(f"sent {self._attempt} times in {now - self._started_at:.1f} seconds")
        raise err
