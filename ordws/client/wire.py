"""The form in which requests are sent and replies are read; no network is used here.

`ordws.client.operations` builds the requests, `ordws.client.retry` decides which are sent again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, Generic, TypeAlias, TypeVar, cast
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from ordws.client.errors import UnexpectedResponse, error_from_problem
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
