"""Which requests are sent again, and when: by what the service says, with patience that ends. No network here."""

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
"""Of the system, so that processes that were forked from one do not make the same keys."""

_STORED_REPLIES_BUDGET: Final = "replies"
_RETRYABLE_STATUSES: Final = (409, 429, 503)


class Pause(NamedTuple):
    """To be sent again after so many seconds."""

    seconds: float


def retry_delay(
    attempt: int,
    status: int | None,
    headers: Headers,
    *,
    seconds_left: float = PATIENCE_SECONDS,
    rng: Random = SYSTEM_RANDOM,
) -> float | None:
    """The seconds after which a request is sent again, or None: not to be, or only after more seconds than are left.

    `attempt` counts from 1. A status of None is an answer that did not come; it, 502 and 504 say nothing of what became
    of the request, so that it is for the caller to know whether it may be repeated. A 409 is where it says when.
    """
    told = retry_after_seconds(headers)
    if status not in (None, 429, 502, 503, 504) and (status != 409 or told is None):
        return None
    backoff = min(FIRST_PAUSE_SECONDS * 2 ** min(attempt - 1, 10), MAX_PAUSE_SECONDS)
    least = backoff / 2 if told is None else told
    pause = least + rng.random() * backoff / 2
    return pause if pause < seconds_left else None


def new_key(rng: Random) -> str:
    """A random UUID (version 4) as an idempotency key."""
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


class RetryState(Generic[T]):
    """One request until it is answered or given up."""

    def __init__(self, request: Request[T], now: float, patience_seconds: float, rng: Random) -> None:
        needs_key = request.needs_idempotency_key and request.key is None
        self.request: Request[T] = request.with_key(new_key(rng)) if needs_key else request
        self._attempt = 0
        self._started_at, self._deadline = now, now + patience_seconds
        self._rng = rng

    def on_response(self, status: int, headers: Headers, body: bytes, now: float) -> T | Pause:
        """The answer that came, or a pause; raises what the service said where it is not to be asked again."""
        self._attempt += 1
        try:
            return read_response(self.request, status, headers, body)
        except BudgetSpent as spent:
            if spent.budget != _STORED_REPLIES_BUDGET or self.request.is_callers_key or self.request.key is None:
                return self._retry_or_raise(spent, status, headers, now)
            self.request = self.request.with_key(None)
            return Pause(0.0)
        except (ProblemError, UnexpectedResponse) as err:
            if status not in _RETRYABLE_STATUSES and not self.request.is_repeatable:
                raise
            return self._retry_or_raise(err, status, headers, now)

    def on_connection_failure(self, failed: ConnectionFailed, now: float) -> Pause:
        """A pause after which no answer is asked for again; raises where it is not to be."""
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
