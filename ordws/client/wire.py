"""The form of requests, replies and streams, and the rules by which a request is sent again; no network is used here.

`ordws.client.operations` builds the requests.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping
from functools import cache
from random import Random, SystemRandom
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, cast
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from ordws.client.errors import (
    BudgetSpent,
    ConnectionFailed,
    OrdwsClientError,
    ProblemError,
    StreamReplaced,
    UnexpectedResponse,
    error_from_problem,
)
from ordws.client.replies import ProblemDetails

T = TypeVar("T")
Picked = TypeVar("Picked")
Headers: TypeAlias = Mapping[str, str]
"""The headers of a reply: names in lower case, or a case-insensitive mapping."""

VERSION: Final = "1"
MAX_KEY_LENGTH: Final = 255
_JSON: Final = ("Content-Type", "application/json")
_VISIBLE: Final = re.compile(r"[!-~]+")
_PRINTABLE: Final = re.compile(r"[ -~]+")
_MAX_DIGITS: Final = 9
"""The digits read of a Retry-After; Python refuses to convert more than some 4,000."""


class Request(Struct, Generic[T], frozen=True):
    """A request, relative to the address of the service, and the type of its reply; its repr shows no secret."""

    method: str
    path: str
    """The path, with the query."""

    reply_type: type[Any]
    """The type of the reply; `str` for plain text."""

    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    needs_idempotency_key: bool = False
    """True if the request, sent twice without an idempotency key, would count or create something twice."""

    key: str | None = None
    """The idempotency key, or None."""

    is_callers_key: bool = True
    """True if the caller gave the key, which is then never dropped."""

    pick: Callable[[Any], T] | None = None
    """What the caller gets of the reply; None for the reply itself."""

    def picking(self, pick: Callable[[T], Picked]) -> Request[Picked]:
        """Return the same request, of whose reply the caller gets what `pick` returns."""
        return cast(Request[Picked], msgspec.structs.replace(cast(Any, self), pick=pick))

    @property
    def is_repeatable(self) -> bool:
        """True if the request may be sent again when nobody knows whether it was carried out."""
        return not self.needs_idempotency_key or self.key is not None

    def with_key(self, key: str | None) -> Request[T]:
        """Return the same request with a key that the client has made, or with none."""
        return msgspec.structs.replace(self, key=key, is_callers_key=False)

    def all_headers(self) -> list[tuple[str, str]]:
        """Return the headers of this request, without those that every request has."""
        headers = [*self.headers, _JSON] if self.body else [*self.headers]
        return headers if self.key is None else [*headers, ("Idempotency-Key", self.key)]

    def __repr__(self) -> str:
        return f"Request({self.method} {self.path.partition('?')[0]})"


def common_headers(key: str | None, user_agent: str = "") -> dict[str, str]:
    """Return the headers that every request has; raise ValueError, which repeats no key."""
    agent = f"{user_agent} ordws-client/{VERSION}".lstrip()
    if not _PRINTABLE.fullmatch(agent):
        raise ValueError(f'a user agent is printable ASCII, not "{user_agent}"')
    if key is None:
        return {"User-Agent": agent}
    return {"User-Agent": agent, "Authorization": f"Bearer {check_visible_ascii(key.strip(), 'client key')}"}


def check_visible_ascii(secret: str, name: str) -> str:
    """Return a secret that may stand in a header; raise ValueError, which does not repeat it."""
    if not _VISIBLE.fullmatch(secret):
        raise ValueError(f"a {name} has visible ASCII characters only")
    return secret


def check_idempotency_key(key: str | None) -> str | None:
    """Return a caller's idempotency key, or None; raise ValueError if the service would refuse it."""
    if key is not None and not (len(key) <= MAX_KEY_LENGTH and _PRINTABLE.fullmatch(key)):
        raise ValueError(f"an idempotency key has 1 to {MAX_KEY_LENGTH} printable ASCII characters")
    return key


def normalize_base_url(address: str) -> str:
    """Return the address of the service without a trailing slash; raise ValueError, which repeats no password."""
    parts = urlsplit(address)
    if "@" in parts.netloc:
        raise ValueError("an address has no user and password: the client key is a separate argument")
    is_valid = _VISIBLE.fullmatch(address) and parts.scheme in ("http", "https") and parts.hostname
    # Reading `port` raises ValueError if the port is not a number.
    if not is_valid or parts.query or parts.fragment or parts.port == 0:
        # A query may hold a key, so the message leaves it out.
        shown = address.partition("?")[0]
        raise ValueError(f'an address is written "https://host/path", without query, not "{shown}"')
    return address.rstrip("/")


def read_response(request: Request[T], status: int, headers: Headers, body: bytes) -> T:
    """Return the reply; raise ProblemError if it is a problem, and UnexpectedResponse if it is not of the service."""
    kind = headers.get("content-type", "")
    is_success = 200 <= status < 300
    is_problem = kind.partition(";")[0].strip().lower() == "application/problem+json"
    if not is_success and not is_problem:
        raise UnexpectedResponse(status, kind, "neither an answer nor a problem")
    if is_success and request.reply_type is str:
        if not kind.startswith("text/plain"):
            raise UnexpectedResponse(status, kind, "plain text was expected")
        return cast(T, body.decode("utf-8", "replace"))
    try:
        if is_success:
            reply: T = _decoder(cast(Any, request.reply_type)).decode(body)
            return reply if request.pick is None else request.pick(reply)
        details: ProblemDetails = _decoder(ProblemDetails).decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as err:
        expected = "not the answer expected" if is_success else "a problem that cannot be read"
        # A ValidationError of msgspec gives the place and type of a wrong value, and never the value itself.
        fault = str(err) if isinstance(err, msgspec.ValidationError) else "not JSON in UTF-8"
        raise UnexpectedResponse(status, kind, f"{expected}: {fault}") from None
    raise error_from_problem(details, retry_after_seconds(headers))


def retry_after_seconds(headers: Headers) -> int | None:
    """Return the seconds of a Retry-After header, or None if it is missing or holds a date."""
    text = headers.get("retry-after", "").strip()
    return int(text[:_MAX_DIGITS]) if text.isascii() and text.isdecimal() else None


@cache
def _decoder(reply_type: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(reply_type)


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


SILENCE_SECONDS: Final = 20.0
"""The time after which a silent stream is given up; it has a heartbeat every 15 seconds."""
FIRST_REOPENING_SECONDS: Final = 1.0
MAX_REOPENING_SECONDS: Final = 30.0


class Woken(NamedTuple):
    """News of a game: the number of its rows, and the nonce that measures the network by coming back."""

    row: int
    nonce: str


class EventReader:
    """A reader of the lines of a stream of events."""

    def __init__(self) -> None:
        self._event = self._data = ""
        self._row: int | None = None

    def read_line(self, line: str) -> Woken | None:
        """Return news, if this line completes it; raise StreamReplaced."""
        if line:
            name, _, value = line.partition(":")
            if name == "event":
                self._event = value.strip()
            elif name == "data":
                self._data = value.strip()
            return None
        event, self._event = self._event, ""
        try:
            decoded = msgspec.json.decode(self._data.encode())
        except msgspec.DecodeError:
            return None
        data = decoded if isinstance(decoded, dict) else {}
        if event == "replaced":
            raise StreamReplaced
        if event == "row" and isinstance(row := data.get("row"), int):
            self._row = row
        # The nonce comes right after the row that it belongs to.
        elif event == "nonce" and self._row is not None and isinstance(nonce := data.get("nonce"), str):
            return Woken(self._row, nonce)
        return None


class Reopening:
    """The times at which a stream that ended, or could not be opened, is tried again."""

    def __init__(self, rng: Random = SYSTEM_RANDOM) -> None:
        self._rng = rng
        self._pause = FIRST_REOPENING_SECONDS
        self._due = 0.0
        self._opened = 0.0

    def begin(self, now: float) -> bool:
        """Return whether the stream is to be opened now."""
        if now < self._due:
            return False
        self._opened = now
        return True

    def end(self, now: float) -> None:
        """Set the next time: soon after a stream that held, and ever later after those that did not."""
        held = now - self._opened > SILENCE_SECONDS
        self._pause = FIRST_REOPENING_SECONDS if held else min(self._pause * 2, MAX_REOPENING_SECONDS)
        self._due = now + self._pause * (1 + self._rng.random()) / 2
