"""Seat tokens: the right to see and play one seat of one game. They carry no state."""

from __future__ import annotations

import hmac
import json
import re
from typing import Final, NamedTuple

from ordws.referee.sealed_game import GameHeader
from ordws.row_cipher import derive_key

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
