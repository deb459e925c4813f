"""The games that the server runs: opened, read, and taken a row further."""

from __future__ import annotations

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from ordws.referee.coding import read_header, read_row, write_header, write_row
from ordws.referee.seat import SeatKey, read_token
from ordws.referee.table import Header, Outcome, Row, Sitter, Table
from ordws.referee.taking import Begun, Submission, begin, finish
from ordws.referee.timing import flagged
from ordws.referee.turns import Seal, Turns
from ordws.rules.bag import RandomSource
from ordws.rules.fault import Illegal
from ordws.rules.game import Game
from ordws.rules.state import GameOver

LASTS_SECONDS: Final = 86_400
_ROWS_GOING_ON: Final = 32_768
_ROWS_OVER: Final = 2_048

_ID: Final = re.compile(r"[0-9a-f]{32}", re.ASCII)
_new_id: Final = partial(secrets.token_hex, 16)


class _Read(NamedTuple):
    """A table that was laid, and the rows that it came from."""

    rows: list[bytes]
    table: Table


class _Remembered:
    """Tables by their games, those that were looked at last, of so many rows together."""

    def __init__(self, most_rows: int) -> None:
        self._lock = threading.Lock()
        self._read: OrderedDict[str, _Read] = OrderedDict()
        self._rows, self._most_rows = 0, most_rows

    def find(self, game: str) -> _Read | None:
        with self._lock:
            return self._read.get(game)

    def keep(self, game: str, read: _Read) -> None:
        with self._lock:
            self._forget(game)
            self._read[game] = read
            self._rows += len(read.rows)
            while self._rows > self._most_rows:
                self._rows -= len(self._read.popitem(last=False)[1].rows)

    def forget(self, game: str) -> None:
        with self._lock:
            self._forget(game)

    def sweep(self, now: int) -> None:
        """Forget those that have expired."""
        with self._lock:
            for game in [game for game, read in self._read.items() if read.table.header.expires <= now]:
                self._forget(game)

    def _forget(self, game: str) -> None:
        if (read := self._read.pop(game, None)) is not None:
            self._rows -= len(read.rows)


class Games:
    """Sealed games: their rows in a store, under one key. Tiles come by chance, and every moment is told."""

    def __init__(self, turns: Turns, key: bytes, chance: RandomSource, new_id: Callable[[], str] = _new_id) -> None:
        self.turns = turns
        self.chance = chance
        self._seal = Seal(key)
        self._seats = SeatKey(key)
        self._new_id = new_id
        self._going_on = _Remembered(_ROWS_GOING_ON)
        self._over = _Remembered(_ROWS_OVER)

    def begin(self, dealt: Game, seats: tuple[Sitter, ...], edition: int, edition_name: str, now: int) -> Header:
        """A game that is not kept yet."""
        return Header(self._new_id(), edition, edition_name, now, now + LASTS_SECONDS, seats, dealt)

    def open(self, header: Header) -> list[str]:
        """Keep a game; returns the tokens of its seats."""
        row = self._seal.close(header.game, 0, write_header(header))
        self.turns.open(header.game, header.edition, row, header.expires)
        return [self._seats.write(header, seat) for seat in range(len(header.seats))]

    def find(self, game: str, token: str, client: str, now: int) -> tuple[Table, int] | None:
        """The game and the seat that a client's token speaks for; None for every kind of no."""
        read = read_token(token)
        if read is None or read.game != game:
            return None
        rows = self.turns.rows(game, now)
        if not rows:
            return None
        table = self._laid(game, rows)
        return (table, read.seat) if self._seats.holds(read, table.header, client) else None

    def is_of(self, game: str, client: str, now: int) -> bool:
        """Whether a client opened the sealed game of that id."""
        if not _ID.fullmatch(game) or not (rows := self.turns.rows(game, now)):
            return False
        return any(seat.client == client for seat in self._laid(game, rows).header.seats)

    def _laid(self, game: str, rows: list[bytes]) -> Table:
        """The table of these rows; those that were read before are not opened and replayed again."""
        known = self._going_on.find(game) or self._over.find(game)
        if known is None or known.rows != rows[: len(known.rows)]:
            known = _Read(rows[:1], Table.laid(read_header(game, self._seal.open(game, 0, rows[0])), ()))
        table = known.table
        for number in range(len(known.rows), len(rows)):
            table = table.after(read_row(self._seal.open(game, number, rows[number])))
        if isinstance(table.state.phase, GameOver):
            self._going_on.forget(game)
            self._over.keep(game, _Read(rows, table))
        else:
            self._going_on.keep(game, _Read(rows, table))
        return table

    def on_time(self, table: Table, now: int) -> Table:
        """The game when whoever is out of time by now has been flagged, be it by this call or by another."""
        while (found := flagged(table.state, now - table.moment, self.chance)) is not None:
            player, events = found
            table = self.append(table, Row(player, None, max(now, table.moment), Outcome.TIME_UP, events))
        return table

    def begin_turn(self, table: Table, submission: Submission, now: int) -> Begun | Illegal:
        """A submission up to the words that have to be looked up for it, or why it cannot be made."""
        return begin(table.state, submission, now - table.moment, self.chance)

    def take(self, table: Table, submission: Submission, begun: Begun, verdict: bool, now: int) -> Table:
        """The game with the row of this submission, or with another that came first."""
        done = finish(begun, verdict, self.chance)
        moment = max(now, table.moment)
        return self.append(table, Row(submission.seat, submission.asked, moment, done.outcome, done.events))

    def append(self, table: Table, row: Row) -> Table:
        """The game with the row that stands after its last one, which is this one or the one that came first."""
        game, number = table.header.game, table.turn
        sealed = self._seal.close(game, number, write_row(row))
        standing = self.turns.append(game, number, sealed)
        if standing != sealed:
            row = read_row(self._seal.open(game, number, standing))
        table = table.after(row)
        if isinstance(table.state.phase, GameOver):
            self._going_on.forget(game)
        return table

    def sweep(self, now: int) -> int:
        self._going_on.sweep(now)
        self._over.sweep(now)
        return self.turns.sweep(now)
