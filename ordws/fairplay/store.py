"""The sealed numbers of fair play: one SQLite file, encrypted (docs/fairplay.md 4).

The columns hold keyed digests and times; players, games and numbers are in the encrypted part.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ordws.database import Store
from ordws.fairplay.milestones import FieldSize
from ordws.retention import FAIR_PLAY
from ordws.row_cipher import RowCipher, derive_key


class TurnNumbers(NamedTuple):
    """The numbers of a turn with a play: no word, no best play, no rank of words."""

    likelihoods: tuple[int, ...]
    """The log-likelihood of the play under each honest form, in thousandths of a nat; all 0 for a rejected play."""

    is_best: bool
    tied_bests: int
    band: int
    """The rarity band of its rarest word, by public lists: 0 core, 1 in the players' reference, 2 neither."""

    is_borderline: bool
    is_rejected: bool
    milliseconds: int


class SeatNumbers(NamedTuple):
    """The numbers of a seat of a finished game."""

    player: str
    game: str
    seat: int
    ended: int
    """Seconds since 1970."""

    forms: str
    """The version of the honest forms by which the likelihoods were worked out."""

    has_left: bool
    """Whether the seat resigned or ran out of time rather than played on."""

    was_behind: bool
    time_left: float
    """The share of the player's time that was left, 0 to 1."""

    turns: tuple[TurnNumbers, ...]


class FairPlayStore(Store):
    """The numbers of one installation."""

    SCHEMA = """
        begin immediate;
        create table if not exists games (game text primary key, ended integer not null) strict, without rowid;
        create table if not exists seats (
            player text not null, game text not null, seat integer not null, ended integer not null,
            numbers blob not null, primary key (player, game, seat)
        ) strict, without rowid;
        create index if not exists seats_by_end on seats (ended);
        create table if not exists looks (
            player text not null, kind text not null, milestone integer not null, looked integer not null,
            primary key (player, kind, milestone)
        ) strict, without rowid;
        create table if not exists flags (
            number integer primary key autoincrement,
            subject text not null unique, raised integer not null, flag blob not null
        ) strict;
        create table if not exists field (
            id integer primary key check (id = 1), players integer not null, milestones integer not null
        ) strict;
        commit;
    """
    PRAGMAS = ("secure_delete = on",)
    SWEEPS = (
        "delete from seats where ended <= ?",
        "delete from looks where looked <= ?",
        "delete from flags where raised <= ?",
        "delete from games where ended <= ?",
    )

    def __init__(self, path: Path, key: bytes) -> None:
        super().__init__(path, keep_seconds=FAIR_PLAY.seconds)
        self._cipher = RowCipher(key, "fair play")
        self._digest_key = derive_key(key, "fair play digests")

    def has_game(self, game: str) -> bool:
        return self._one("select 1 from games where game = ?", (self._digest(game),)) is not None

    def keep_game(self, game: str, ended: int, seats: Sequence[SeatNumbers]) -> None:
        """Keep the numbers of a finished game, in place of those kept before: doing it again changes nothing."""
        digest = self._digest(game)
        rows = []
        for seat in seats:
            player = self._digest(seat.player)
            sealed = self._cipher.encrypt(f"{player}/{digest}", seat.seat, json.dumps(seat).encode())
            rows.append((player, digest, seat.seat, ended, sealed))
        with self._transaction() as db:
            db.execute("delete from seats where game = ?", (digest,))
            db.executemany("insert into seats (player, game, seat, ended, numbers) values (?, ?, ?, ?, ?)", rows)
            db.execute("insert or replace into games (game, ended) values (?, ?)", (digest, ended))

    def seats_of(self, player: str) -> list[SeatNumbers]:
        """Return the seats of a player, the first game first."""
        statement = "select player, game, seat, numbers from seats where player = ? order by ended, game, seat"
        return [self._open_seat(*row) for row in self._all(statement, (self._digest(player),))]

    def all_seats(self) -> list[SeatNumbers]:
        """Return the seats of all players, the first game first."""
        statement = "select player, game, seat, numbers from seats order by ended, game, seat"
        return [self._open_seat(*row) for row in self._all(statement)]

    def game_count(self) -> int:
        return int(self._one("select count(*) from games")[0])

    def has_looked(self, player: str, kind: str, milestone: int) -> bool:
        statement = "select 1 from looks where player = ? and kind = ? and milestone = ?"
        return self._one(statement, (self._digest(player), kind, milestone)) is not None

    def keep_look(self, player: str, kind: str, milestone: int, now: int, flag: Sequence[Any] | None) -> None:
        """Keep that a milestone was looked at, with the flag that it raised; a second look changes nothing.

        The first field of a flag is its number, which the store gives.
        """
        digest = self._digest(player)
        subject = f"{digest}/{kind}/{milestone}"
        with self._transaction() as db:
            statement = "insert or ignore into looks (player, kind, milestone, looked) values (?, ?, ?, ?)"
            db.execute(statement, (digest, kind, milestone, now))
            if flag is not None:
                # The number of a flag that was forgotten is not given again: a case may name it.
                last = db.execute("select seq from sqlite_sequence where name = 'flags'").fetchone()
                number = last[0] + 1 if last else 1
                sealed = self._cipher.encrypt("flag", number, json.dumps([number, *flag[1:]]).encode())
                statement = "insert or ignore into flags (number, subject, raised, flag) values (?, ?, ?, ?)"
                db.execute(statement, (number, subject, now, sealed))

    def flags(self) -> list[list[Any]]:
        """Return the fields of each flag, the first one first."""
        rows = self._all("select number, flag from flags order by number")
        return [json.loads(self._cipher.decrypt("flag", number, sealed)) for number, sealed in rows]

    def keep_field(self, size: FieldSize) -> None:
        """Keep the size of the field that players are looked at for, in place of the one before."""
        self._run("insert or replace into field (id, players, milestones) values (1, ?, ?)", size)

    def field(self) -> FieldSize | None:
        """Return the size of the field that was kept last; None before the first one."""
        row = self._one("select players, milestones from field")
        return None if row is None else FieldSize(*row)

    def _open_seat(self, player: str, game: str, seat: int, sealed: bytes) -> SeatNumbers:
        written = SeatNumbers(*json.loads(self._cipher.decrypt(f"{player}/{game}", seat, sealed)))
        turns = [TurnNumbers(*turn) for turn in written.turns]
        return written._replace(turns=tuple([turn._replace(likelihoods=tuple(turn.likelihoods)) for turn in turns]))

    def _digest(self, text: str) -> str:
        return hmac.digest(self._digest_key, text.encode(), "sha256")[:16].hex()
