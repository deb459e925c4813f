"""The finished games that paired devices kept, for the director of their club to look over.

A record is encrypted under a key of the game, derived from the games' key, which is in no backup. A game is kept once
for a label that its device has opened, and is never changed.
"""

from __future__ import annotations

import hmac
import os
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from ordws.database import Store
from ordws.retention import KEPT_GAMES
from ordws.row_cipher import RowCipher

GAMES_LISTED: Final = 100
"""The games that are listed, the newest ones."""

_GAME_COLUMNS: Final = "id, at, place, row"


class LatePlay(Struct, frozen=True):
    """A play or a challenge at a table station whose verdict did not come before the game went on."""

    move: str
    player: str
    at: str
    valid: Annotated[bool | None, Meta(description="The verdict that came late; null where none did.")]


class NeutralisedTime(Struct, frozen=True):
    """Time that a director gave back to a player at a table station, in milliseconds, with the reason."""

    player: str
    milliseconds: int
    reason: str
    at: str


class StationReport(Struct, frozen=True):
    """A game at a table station, by its signed events. All times are the word of its device."""

    began: str
    ended: str
    scores: list[int]
    milliseconds: Annotated[list[int], Meta(description="The time that each player used.")]
    late: list[LatePlay]
    neutralised: list[NeutralisedTime]
    attested: Annotated[list[bool], Meta(description="Whether each player has attested the result.")]
    closed: Annotated[str | None, Meta(description="The reason for which a director closed a game without that.")]
    turn_points: Annotated[list[int], Meta(description="The points of the turns of each player.")] = []
    turns: Annotated[list[int], Meta(description="The number of these turns.")] = []
    left: Annotated[list[str | None], Meta(description="The reason for which each player left the game.")] = []
    standing: Annotated[int, Meta(description="The milliseconds before the last turn in which no clock ran.")] = 0

    @property
    def late_noes(self) -> int:
        """The number of plays that were found bad when the game had gone on."""
        return sum(each.valid is False for each in self.late)


class KeptRecord(Struct, frozen=True):
    """The record of a game (GCG), and the numbers of the plays whose words were judged during it.

    Of a game at a table station also what its director is told, and the texts and signatures of its events.
    """

    record: str
    checked: list[int]
    rules: str
    players: list[str]
    words: int
    station: StationReport | None = None
    events: list[tuple[str, str]] = []
    bound: str | None = None
    """The game of an event whose result it is."""


class KeptGame(Struct, frozen=True):
    """A game that a device kept, the table of the device, and when it was kept."""

    id: str
    at: int
    table: str
    kept: KeptRecord


class KeptGames(Store):
    """The kept games of all clients of one installation."""

    SCHEMA = """
        pragma journal_mode = wal;
        begin immediate;
        create table if not exists games (
            id text primary key,
            client integer not null,
            label blob not null unique,
            at integer not null,
            place text not null,
            row blob not null
        ) strict, without rowid;
        create index if not exists games_by_client on games (client, at);
        create index if not exists games_by_at on games (at);
        commit;
    """
    SWEEPS = ("delete from games where at <= ?",)

    def __init__(self, path: Path, key: bytes, *, keep_seconds: int = KEPT_GAMES.seconds) -> None:
        super().__init__(path, keep_seconds=keep_seconds)
        self._cipher = RowCipher(key)
        self._key = key

    def find_label(self, client: int, device: int, label: str) -> KeptGame | None:
        """Return the game that a device kept under a label of its own, None if there is none."""
        parameters = (client, self._label(client, device, label))
        row = self._one(f"select {_GAME_COLUMNS} from games where client = ? and label = ?", parameters)
        return self._read(row) if row else None

    def keep(self, client: int, device: int, table: str, label: str, kept: KeptRecord, now: int) -> KeptGame:
        """Keep a game, and return it; where a game was kept under the label meanwhile, return that."""
        game = os.urandom(16).hex()
        row = self._cipher.encrypt(game, 0, msgspec.json.encode(kept))
        self._run(
            "insert into games (id, client, label, at, place, row) values (?, ?, ?, ?, ?, ?)"
            " on conflict (label) do nothing",
            (game, client, self._label(client, device, label), now, table, row),
        )
        found = self.find_label(client, device, label)
        assert found is not None
        return found

    def list(self, client: int) -> tuple[KeptGame, ...]:
        """Return the games of a client, the newest first."""
        statement = f"select {_GAME_COLUMNS} from games where client = ? order by at desc, id limit {GAMES_LISTED}"
        return tuple([self._read(row) for row in self._all(statement, (client,))])

    def find(self, client: int, game: str) -> KeptGame | None:
        """Return a game of a client, None if it has none with this id."""
        row = self._one(f"select {_GAME_COLUMNS} from games where client = ? and id = ?", (client, game))
        return self._read(row) if row else None

    def _label(self, client: int, device: int, label: str) -> bytes:
        return hmac.digest(self._key, f"kept\x1f{client}\x1f{device}\x1f{label}".encode(), "sha256")

    def _read(self, row: tuple[str, int, str, bytes]) -> KeptGame:
        game, at, table, encrypted = row
        return KeptGame(game, at, table, msgspec.json.decode(self._cipher.decrypt(game, 0, encrypted), type=KeptRecord))
