"""Stream tickets and nonces: what a worker and the stream process say to each other by way of a player.

Both carry no state, and are signed with the stream key, which opens nothing: no word, no rack, no turn.
"""

from __future__ import annotations

import base64
import hmac
import re
from typing import Final, NamedTuple

from ordws.errors import Broken

KEY_BYTES: Final = 32
COOKIE: Final = "ordws_stream"
"""The name of the cookie that carries a ticket."""
TICKET_SECONDS: Final = 60
"""The time within which a stream has to be opened with a ticket; the stream itself stays open."""

_TICKET: Final = re.compile(r"ordws_ticket_([A-Za-z0-9_-]{40,400})\.([A-Za-z0-9_-]{43})", re.ASCII)
_CONTENT: Final = re.compile(r"([0-9a-f]{32}) ([0-9]) ([0-9]{1,9}) ([0-9]{1,12}) ([!-~]{0,200})", re.ASCII)
_NONCE: Final = re.compile(r"([0-9]{1,15})\.([A-Za-z0-9_-]{43})", re.ASCII)


class StreamTicket(NamedTuple):
    """The right to listen for the changes of one game from one seat."""

    game: str
    seat: int
    generation: int
    """The number of times that the seat was taken over with its recovery code."""
    expires: int
    """The second since 1970 until which a stream may be opened."""
    origin: str = ""
    """The origin of the page that asked for the ticket, as in `https://judge.example.org`; empty for a program."""


class StreamSigner:
    """A signer of tickets and nonces under the stream key."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise Broken(f"the stream key has {len(key)} bytes, {KEY_BYTES} were expected")
        self._ticket_key = hmac.digest(key, b"ordws stream: tickets", "sha256")
        self._nonce_key = hmac.digest(key, b"ordws stream: nonces", "sha256")

    def sign_ticket(self, ticket: StreamTicket) -> str:
        """Return a ticket as it is sent, in characters that a cookie may hold."""
        content = _encode(" ".join(map(str, ticket)).encode())
        return f"ordws_ticket_{content}.{_mac(self._ticket_key, content)}"

    def read_ticket(self, text: str, now: int) -> StreamTicket | None:
        """Return the ticket that a text stands for; None where it is none of ours, or has expired."""
        match = _TICKET.fullmatch(text)
        if match is None or not hmac.compare_digest(match[2], _mac(self._ticket_key, match[1])):
            return None
        content = base64.urlsafe_b64decode(match[1] + "=" * (-len(match[1]) % 4)).decode()
        parts = _CONTENT.fullmatch(content)
        assert parts is not None, "a ticket that we signed"
        ticket = StreamTicket(parts[1], int(parts[2]), int(parts[3]), int(parts[4]), parts[5])
        return ticket if now < ticket.expires else None

    def sign_nonce(self, game: str, seat: int, row: int, moment_ms: int) -> str:
        """Return the nonce that is sent to a seat with the number of a row at a moment, in ms since 1970."""
        return f"{moment_ms}.{_mac(self._nonce_key, f'{game} {seat} {row} {moment_ms}')}"

    def read_nonce(self, text: str, game: str, seat: int, row: int) -> int | None:
        """Return the moment, in ms since 1970, at which this nonce was sent to this seat with this row.

        None where it is none of ours, or belongs to another game, seat or row.
        """
        match = _NONCE.fullmatch(text)
        if match is None:
            return None
        moment_ms = int(match[1])
        is_ours = hmac.compare_digest(text, self.sign_nonce(game, seat, row, moment_ms))
        return moment_ms if is_ours else None


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _mac(key: bytes, text: str) -> str:
    return _encode(hmac.digest(key, text.encode(), "sha256"))
