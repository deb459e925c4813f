"""Seat tokens, invitations, seat cookies and recovery codes: what gives a program, or a browser, its seat.

None of them carries state: each is computed from the games key and what it is bound to (docs/guard.md Decision 19).
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from ordws.referee.sealed_game import GameHeader
from ordws.row_cipher import derive_key
from ordws.typed_codes import write_code

INVITATION_PREFIX: Final = "ordws_invite_"

_INVITATION: Final = re.compile(rf"{INVITATION_PREFIX}([0-9])([0-9a-f]{{32}})", re.ASCII)
_COOKIE: Final = re.compile(r"([0-9])\.([1-9][0-9]{0,3})\.([0-9a-f]{64})", re.ASCII)


class SeatCookie(NamedTuple):
    """A seat of a game as a browser holds it, until the next generation takes the seat."""

    game: str
    seat: int
    generation: int


class SeatCredentials:
    """The credentials of all seats under one key; they are compared in constant time."""

    def __init__(self, key: bytes) -> None:
        self._key = derive_key(key, "invitations")

    def write_invitation(self, game: str, seat: int) -> str:
        return f"{INVITATION_PREFIX}{seat}{self._compute_mac('invitation', game, seat)[:32]}"

    def read_invitation(self, game: str, text: str) -> int | None:
        """Return the seat that a text invites to; None if it is no invitation to this game."""
        match = _INVITATION.fullmatch(text)
        if match is None:
            return None
        seat = int(match[1])
        return seat if hmac.compare_digest(text, self.write_invitation(game, seat)) else None

    def write_cookie(self, cookie: SeatCookie) -> str:
        return f"{cookie.seat}.{cookie.generation}.{self._compute_mac('cookie', *cookie)}"

    def read_cookies(self, game: str, texts: Iterable[str]) -> SeatCookie | None:
        """Return the seat of this game that these cookies give; None where none of them is valid, or two differ.

        Another host of the domain can set a cookie of the same name, but not a valid one.
        """
        found = set()
        for text in texts:
            if (match := _COOKIE.fullmatch(text)) is not None:
                cookie = SeatCookie(game, int(match[1]), int(match[2]))
                if hmac.compare_digest(text, self.write_cookie(cookie)):
                    found.add(cookie)
        return found.pop() if len(found) == 1 else None

    def write_recovery_code(self, game: str, seat: int, invited: int) -> str:
        """Return the code by which the holder of a seat takes it again (`typed_codes`)."""
        return write_code(int(self._compute_mac("recovery", game, seat, invited), 16))

    def is_recovery_code(self, code: str, game: str, seat: int, invited: int) -> bool:
        """Return whether a code is that of a seat."""
        return hmac.compare_digest(code, self.write_recovery_code(game, seat, invited))

    def write_event_game_id(self, client: str, *table: str | int) -> str:
        """Return the id of a client's game at a table of an event, which nobody without the key can guess."""
        return self._compute_mac("event", client, *table)[:32]

    def _compute_mac(self, purpose: str, *bound: str | int) -> str:
        return hmac.digest(self._key, json.dumps([purpose, *bound]).encode(), "sha256").hex()


_TOKEN: Final = re.compile(r"ordws_seat_([0-9a-f]{32})_([0-9])_([0-9a-f]{64})", re.ASCII)


class SeatToken(NamedTuple):
    """The parts of a text in the form of a token, which mean nothing before `verify`."""

    game: str
    seat: int
    mac: str


def read_seat_token(text: str) -> SeatToken | None:
    """Parse a token; None if the text does not have its form."""
    match = _TOKEN.fullmatch(text)
    return SeatToken(match[1], int(match[2]), match[3]) if match else None


class SeatTokenSigner:
    """A signer of tokens, each of which is bound to its game, seat, identity, edition and end."""

    def __init__(self, key: bytes) -> None:
        self._key = derive_key(key, "seats")

    def issue(self, header: GameHeader, seat: int) -> str:
        return f"ordws_seat_{header.game}_{seat}_{self._compute_mac(header, seat, header.seats[seat].client)}"

    def verify(self, token: SeatToken, header: GameHeader, client: str) -> bool:
        """Return whether a token belongs to this game and this client, in constant time."""
        if token.game != header.game or token.seat >= len(header.seats):
            return False
        return hmac.compare_digest(token.mac, self._compute_mac(header, token.seat, client))

    def _compute_mac(self, header: GameHeader, seat: int, client: str) -> str:
        bound = [header.game, seat, client, header.seats[seat].player, header.edition, header.expires]
        return hmac.digest(self._key, json.dumps(bound).encode(), "sha256").hex()
