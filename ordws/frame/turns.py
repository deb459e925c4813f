"""Turns of the requests to an application with pages, and the counts of attempts to sign in there.

A page waits in one queue, where senders take turns. A costly check of a password waits in another, where few may wait,
so that no flood of attempts keeps a page waiting. An attempt is counted before its check, and taken back where the
reply shows that it was right or was not checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

from ordws.admission import Kind, SlotQueue
from ordws.frame.rate_limit import MAX_REFUSALS, RateLimiter
from ordws.sender_address import network_of

MAX_PAGES: Final = 8
"""The pages that are made at once; their threads compete for one interpreter."""
MAX_WAITING_PAGES: Final = 96
"""The pages that wait; half of them of one sender."""
PATIENCE_SECONDS: Final = 10.0
MAX_WAITING_CHECKS: Final = 4
"""The checks of passwords that wait; half of them of one address. One takes a tenth of a second and 64 MiB."""
RETRY_SECONDS: Final = 2
_WRONG: Final = (HTTPStatus.FORBIDDEN, HTTPStatus.GONE)
"""The statuses of a wrong password, key, code or link."""

F = TypeVar("F", bound=Callable[..., Any])


class PageSender(NamedTuple):
    """The sender of a page's request: whoever is signed in, or else an address."""

    name: str
    kind: Kind = Kind.STRANGER


class PageTurns:
    """The queues of one application, and its counts of attempts by kind and address."""

    def __init__(self, clock: Callable[[], int], max_attempts: int = MAX_REFUSALS) -> None:
        """Allow `max_attempts` wrong attempts of each kind from one address in ten minutes."""
        self.clock, self.max_attempts = clock, max_attempts
        self.pages = SlotQueue(MAX_PAGES, MAX_WAITING_PAGES, PATIENCE_SECONDS)
        # Known devices wait apart, so that no flood of strangers takes their places. Each queue checks one at a time.
        self.checks = {is_known: SlotQueue(1, MAX_WAITING_CHECKS, PATIENCE_SECONDS) for is_known in (False, True)}
        self._attempts: dict[str, RateLimiter] = {}

    def count(self, kind: str, address: str) -> Callable[[], None]:
        """Count an attempt of a kind, and return how it is taken back; raises TooManyRequests beyond the limit."""
        limiter, now = self._attempts.setdefault(kind, RateLimiter(self.max_attempts)), self.clock()
        if wait := limiter.acquire(address, now):
            raise TooManyRequests(retry_after=wait)
        return lambda: limiter.forgive(address, now)


def enforce_turns(app: Flask, turns: PageTurns) -> None:
    """Give back the turn of each request when it has been answered, and take back an attempt that was not wrong."""
    app.extensions["turns"] = turns
    app.after_request(_take_back_attempt)
    app.teardown_request(lambda _: end_turn())


def checks_password(view: F) -> F:
    """Mark a view that makes a costly check: a flood of its requests takes no place of its address's other pages."""
    view.is_costly = True  # type: ignore[attr-defined]
    return view


def begin_turn(holder: str, view: object) -> None:
    """Wait until it is this request's turn; raises ServiceUnavailable where too many wait."""
    kind = "checks of" if hasattr(view, "is_costly") else "address"
    sender = PageSender(holder or f"{kind} {sender_address()}")
    if not _turns().pages.acquire(sender):
        raise ServiceUnavailable(retry_after=RETRY_SECONDS)
    g.turn = sender


def end_turn() -> None:
    """Let the next page have its turn, where this request still has one."""
    if (sender := g.pop("turn", None)) is not None:
        _turns().pages.release(sender)


def count_attempt(kind: str, *, is_known: bool = False) -> None:
    """Count an attempt to sign in against the address of this request; raises TooManyRequests beyond the limit.

    A known device is exempt: others may share its address.
    """
    if not is_known:
        g.attempt = _turns().count(kind, sender_address())


@contextmanager
def costly_check(*, is_known: bool = False) -> Iterator[None]:
    """Wait for a costly check of this request, apart from pages; raises ServiceUnavailable where too many wait."""
    end_turn()
    queue, sender = _turns().checks[is_known], PageSender(sender_address())
    if not queue.acquire(sender):
        raise ServiceUnavailable(retry_after=RETRY_SECONDS)
    try:
        yield
    finally:
        queue.release(sender)


def sender_address() -> str:
    """Return the address of this request as it counts."""
    return network_of(request.remote_addr or "")


def _take_back_attempt(response: Response) -> Response:
    take_back = g.pop("attempt", None)
    if take_back is not None and response.status_code not in _WRONG:
        take_back()
    return response


def _turns() -> PageTurns:
    turns: PageTurns = current_app.extensions["turns"]
    return turns
