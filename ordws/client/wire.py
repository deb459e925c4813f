"""Requests as they are sent and answers as they are read, for whatever carries them: no network here.

`ordws.client.operations` builds the requests, `ordws.client.retry` decides which are sent again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Generic, TypeAlias, TypeVar, cast
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from ordws.client.errors import ProblemDetails, ProblemError, UnexpectedResponse, error_from_problem

T = TypeVar("T")
Headers: TypeAlias = Mapping[str, str]
"""Of an answer: names in lower case, or a mapping that does not mind."""

VERSION: Final = "1"
MAX_KEY_LENGTH: Final = 255
_JSON: Final = ("Content-Type", "application/json")
_VISIBLE: Final = re.compile(r"[!-~]+")
_PRINTABLE: Final = re.compile(r"[ -~]+")
_MAX_DIGITS: Final = 9


class Request(Struct, Generic[T], frozen=True):
    """What is sent, below the address of the service, and which answer it gets; printing it tells no more than that."""

    method: str
    path: str
    """With the query."""

    reply_type: type[T]
    """What the answer is; `str` for plain text."""

    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    needs_idempotency_key: bool = False
    """Whether sent twice it would count or make something twice, unless an idempotency key goes with it."""

    key: str | None = None
    """The idempotency key."""

    is_callers_key: bool = True

    @property
    def is_repeatable(self) -> bool:
        return not self.needs_idempotency_key or self.key is not None

    def with_key(self, key: str | None) -> Request[T]:
        """The same under a key that the client has made, or under none."""
        return msgspec.structs.replace(self, key=key, is_callers_key=False)

    def all_headers(self) -> list[tuple[str, str]]:
        """The headers of this request, beside those that go with all of them."""
        kept = [*self.headers, _JSON] if self.body else [*self.headers]
        return kept if self.key is None else [*kept, ("Idempotency-Key", self.key)]

    def __repr__(self) -> str:
        return f"Request({self.method} {self.path.partition('?')[0]})"


def common_headers(key: str | None, user_agent: str = "") -> dict[str, str]:
    """The headers that go with every request; a ValueError repeats no key."""
    agent = f"{user_agent} ordws-client/{VERSION}".lstrip()
    if not _PRINTABLE.fullmatch(agent):
        raise ValueError(f'a user agent is printable ASCII, not "{user_agent}"')
    known = {} if key is None else {"Authorization": f"Bearer {check_visible_ascii(key.strip(), 'client key')}"}
    return {"User-Agent": agent, **known}


def check_visible_ascii(secret: str, name: str) -> str:
    """A secret that may stand in a header; a ValueError does not repeat it."""
    if not _VISIBLE.fullmatch(secret):
        raise ValueError(f"a {name} has visible ASCII characters only")
    return secret


def check_idempotency_key(key: str | None) -> str | None:
    """A caller's key, or None; a ValueError where the service would refuse it."""
    if key is not None and not (len(key) <= MAX_KEY_LENGTH and _PRINTABLE.fullmatch(key)):
        raise ValueError(f"an idempotency key has 1 to {MAX_KEY_LENGTH} printable ASCII characters")
    return key


def normalize_base_url(address: str) -> str:
    """The address under which requests go, without a last slash; a ValueError says what is wrong."""
    parts = urlsplit(address)
    if "@" in parts.netloc:
        raise ValueError("an address carries no user and password: the client key is given apart")
    is_written = _VISIBLE.fullmatch(address) and parts.scheme in ("http", "https") and parts.hostname
    if not is_written or parts.query or parts.fragment or parts.port == 0:  # a port that is no number is refused by it
        shown = address.partition("?")[0]
        raise ValueError(f'an address is written "https://host/path", without query, not "{shown}"')
    return address.rstrip("/")


def read_response(request: Request[T], status: int, headers: Headers, body: bytes) -> T:
    """The answer. Raises the Problem that was told, or NotUnderstood where it is no answer of the service's."""
    if not 200 <= status < 300:
        raise _read_error(status, headers, body)
    if request.reply_type is str:
        return cast(T, _text(status, headers, body))
    try:
        answer: T = _decoder(cast(Any, request.reply_type)).decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as err:
        kind = headers.get("content-type", "")
        raise UnexpectedResponse(status, kind, f"not the answer expected: {_describe_fault(err)}") from None
    return answer


def retry_after_seconds(headers: Headers) -> int | None:
    """What Retry-After says, where it says seconds."""
    told = headers.get("retry-after", "").strip()
    return int(told[:_MAX_DIGITS]) if told.isascii() and told.isdecimal() else None


def _read_error(status: int, headers: Headers, body: bytes) -> ProblemError | UnexpectedResponse:
    kind = headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() == "application/problem+json":
        try:
            return error_from_problem(_decoder(ProblemDetails).decode(body), retry_after_seconds(headers))
        except (msgspec.DecodeError, UnicodeDecodeError) as err:
            return UnexpectedResponse(status, kind, f"a problem that cannot be read: {_describe_fault(err)}")
    return UnexpectedResponse(status, kind, "neither an answer nor a problem")


def _text(status: int, headers: Headers, body: bytes) -> str:
    kind = headers.get("content-type", "")
    if not kind.startswith("text/plain"):
        raise UnexpectedResponse(status, kind, "plain text was expected")
    return body.decode("utf-8", "replace")


def _describe_fault(err: Exception) -> str:
    """The place of a fault; of values msgspec tells the type alone."""
    return str(err) if isinstance(err, msgspec.ValidationError) else "not JSON in UTF-8"


@cache
def _decoder(reply_type: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(reply_type)
