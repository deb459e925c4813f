"""Seat tokens: the right to see and to play one seat of one game. They carry no state."""

from __future__ import annotations

import hmac
import json
import re
from typing import Final, NamedTuple

from ordws.referee.game_store import derive_key
from ordws.referee.sealed_game import GameHeader

_TOKEN: Final = re.compile(r"ordws_seat_([0-9a-f]{32})_([0-9])_([0-9a-f]{64})", re.ASCII)


class SeatToken(NamedTuple):
    """What a text says that has the form of a token; nothing of it is true before `holds`."""

    game: str
    seat: int
    mac: str


def read_seat_token(text: str) -> SeatToken | None:
    """The token of a text; None where it has not the form of one."""
    found = _TOKEN.fullmatch(text)
    return SeatToken(found[1], int(found[2]), found[3]) if found else None


class SeatTokenSigner:
    """Writes tokens and knows them again. Each is bound to its game, seat, identity and edition, and to its end."""

    def __init__(self, key: bytes) -> None:
        self._key = derive_key(key, "seats")

    def issue(self, header: GameHeader, seat: int) -> str:
        return f"ordws_seat_{header.game}_{seat}_{self._compute_mac(header, seat, header.seats[seat].client)}"

    def verify(self, token: SeatToken, header: GameHeader, client: str) -> bool:
        """Whether a token is of this game and of this client; compared in constant time."""
        if token.game != header.game or token.seat >= len(header.seats):
            return False
        return hmac.compare_digest(token.mac, self._compute_mac(header, token.seat, client))

    def _compute_mac(self, header: GameHeader, seat: int, client: str) -> str:
        bound = [header.game, seat, client, header.seats[seat].player, header.edition, header.expires]
        return hmac.digest(self._key, json.dumps(bound).encode(), "sha256").hex()
