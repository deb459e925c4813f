"""Turns of the requests to an application with pages, and the counts of attempts to sign in there.

The body of a request is read before it waits for its turn, so that slow bodies hold none, and few of one address are
read at once. A page waits in one queue, where senders take turns. A costly check of a password waits in another, where
few may wait, so that no flood of attempts keeps a page waiting. An attempt is counted before its check, and taken back
where the reply shows that it was right or was not checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import RequestEntityTooLarge, ServiceUnavailable, TooManyRequests

from ordws.admission import HeldThreads, Kind, SlotQueue
from ordws.rate_limit import MAX_REFUSALS, RateLimiter
from ordws.sender_address import network_of

MAX_PAGES: Final = 8
"""The pages that are made at once; their threads compete for one interpreter."""
MAX_WAITING_PAGES: Final = 96
"""The pages that wait; half of them of one sender."""
PATIENCE_SECONDS: Final = 10.0
MAX_WAITING_CHECKS: Final = 4
"""The checks of passwords that wait; half of them of one address. One takes a tenth of a second and 64 MiB."""
RETRY_SECONDS: Final = 2

MAX_BODY_BYTES: Final = 16 * 1024
"""The body of somebody who is not signed in: what a form costs to parse grows with it."""
MAX_MEMBERS_BODY_BYTES: Final = 64 * 1024
"""The body of somebody who is signed in. A view may take more, from those who may use it (`takes_body`)."""
MAX_FIELDS: Final = 500
"""The fields of a form."""
MAX_READ: Final = 80
"""The bodies that are read at once."""
MAX_READ_OF_STRANGERS: Final = 64
MAX_READ_OF_ADDRESS: Final = 16
MAX_READ_OF_ONE: Final = 8
"""Those of one that is signed in, or of one device from which somebody has signed in before."""
_WRONG: Final = (HTTPStatus.FORBIDDEN, HTTPStatus.GONE)
"""The statuses of a wrong password, key, code or link."""

F = TypeVar("F", bound=Callable[..., Any])


class PageSender(NamedTuple):
    """The sender of a page's request: whoever is signed in, or else an address."""

    name: str
    kind: Kind = Kind.STRANGER
    address: str = ""


class PageTurns:
    """The queues of one application, and its counts of attempts by kind and address."""

    def __init__(self, clock: Callable[[], int], max_attempts: int = MAX_REFUSALS) -> None:
        """Allow `max_attempts` wrong attempts of each kind from one address in ten minutes."""
        self.clock, self.max_attempts = clock, max_attempts
        self.pages = SlotQueue(MAX_PAGES, MAX_WAITING_PAGES, PATIENCE_SECONDS, most_of_one=MAX_PAGES // 2)
        self.reading = HeldThreads(
            MAX_READ, of_strangers=MAX_READ_OF_STRANGERS, of_one=MAX_READ_OF_ONE, of_address=MAX_READ_OF_ADDRESS
        )
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


def takes_body(most: int) -> Callable[[F], F]:
    """Mark a view whose form, of those who may use it, has so many bytes at most."""

    def mark(view: F) -> F:
        view.max_body_bytes = most  # type: ignore[attr-defined]
        return view

    return mark


def begin_turn(holder: str, view: object, *, may_use: bool, find_device: Callable[[], str]) -> None:
    """Read the body, and wait until it is this request's turn; raises ServiceUnavailable where too many wait.

    `holder` is who is signed in, and `may_use` says whether they may use the view. `find_device` returns the name of
    the device, empty where nobody has signed in from it.
    """
    request.max_content_length = MAX_MEMBERS_BODY_BYTES if holder else MAX_BODY_BYTES
    if may_use:
        request.max_content_length = getattr(view, "max_body_bytes", request.max_content_length)
    # Where the view needs a session and there is none, the request is refused whatever the body holds.
    if request.method not in ("GET", "HEAD") and (holder or may_use) and view is not None:
        _read_body(holder or find_device())
    kind = "checks of" if hasattr(view, "is_costly") else "address"
    sender = PageSender(holder or f"{kind} {sender_address()}")
    if not _turns().pages.acquire(sender):
        raise ServiceUnavailable(retry_after=RETRY_SECONDS)
    g.turn = sender


def _read_body(known: str) -> None:
    """Read the whole body, beside few of the same sender; `known` names one that does not count by its address."""
    if not request.content_length and "Transfer-Encoding" not in request.headers:
        return
    reading, sender = _turns().reading, PageSender(known, Kind.KNOWN if known else Kind.STRANGER, sender_address())
    if (names := reading.enter(sender)) is None:
        raise ServiceUnavailable(retry_after=RETRY_SECONDS)
    try:
        body = request.get_data()
    finally:
        reading.leave(sender, names)
    # The parser limits the parts of a form with files alone.
    if request.mimetype == "application/x-www-form-urlencoded" and body.count(b"&") >= MAX_FIELDS:
        raise RequestEntityTooLarge


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
