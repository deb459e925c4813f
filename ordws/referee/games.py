"""The games that the server runs: opened, read, and taken a row further."""

from __future__ import annotations

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from ordws.referee.codec import read_header, read_row, write_header, write_row
from ordws.referee.game_store import GameStore, RowCipher
from ordws.referee.sealed_game import GameHeader, GameRow, SealedGame, SeatHolder, SubmissionOutcome
from ordws.referee.seat_token import SeatTokenSigner, read_seat_token
from ordws.referee.submission import PreparedSubmission, Submission, complete, prepare
from ordws.referee.time_control import find_time_up
from ordws.rules.bag import RandomSource
from ordws.rules.fault import Illegal
from ordws.rules.game import Game
from ordws.rules.state import GameOver

LIFETIME_SECONDS: Final = 86_400
_MAX_ACTIVE_ROWS: Final = 32_768
_MAX_FINISHED_ROWS: Final = 2_048

_GAME_ID: Final = re.compile(r"[0-9a-f]{32}", re.ASCII)
_new_id: Final = partial(secrets.token_hex, 16)


class _CachedGame(NamedTuple):
    """A table that was laid, and the rows that it came from."""

    rows: list[bytes]
    sealed_game: SealedGame


class _GameCache:
    """Tables by their games, those that were looked at last, of so many rows together."""

    def __init__(self, most_rows: int) -> None:
        self._lock = threading.Lock()
        self._games: OrderedDict[str, _CachedGame] = OrderedDict()
        self._row_count, self._most_rows = 0, most_rows

    def find(self, game: str) -> _CachedGame | None:
        with self._lock:
            return self._games.get(game)

    def put(self, game: str, cached: _CachedGame) -> None:
        with self._lock:
            self._remove(game)
            self._games[game] = cached
            self._row_count += len(cached.rows)
            while self._row_count > self._most_rows:
                self._row_count -= len(self._games.popitem(last=False)[1].rows)

    def remove(self, game: str) -> None:
        with self._lock:
            self._remove(game)

    def sweep(self, now: int) -> None:
        """Forget those that have expired."""
        with self._lock:
            for game in [game for game, read in self._games.items() if read.sealed_game.header.expires <= now]:
                self._remove(game)

    def _remove(self, game: str) -> None:
        if (read := self._games.pop(game, None)) is not None:
            self._row_count -= len(read.rows)


class SealedGames:
    """Sealed games: their rows in a store, under one key. Tiles come by chance, and every moment is told."""

    def __init__(self, store: GameStore, key: bytes, chance: RandomSource, new_id: Callable[[], str] = _new_id) -> None:
        self.store = store
        self.chance = chance
        self._cipher = RowCipher(key)
        self._token_signer = SeatTokenSigner(key)
        self._new_id = new_id
        self._active = _GameCache(_MAX_ACTIVE_ROWS)
        self._finished = _GameCache(_MAX_FINISHED_ROWS)

    def new_header(
        self, dealt: Game, seats: tuple[SeatHolder, ...], edition: int, edition_name: str, now: int
    ) -> GameHeader:
        """A game that is not kept yet."""
        return GameHeader(self._new_id(), edition, edition_name, now, now + LIFETIME_SECONDS, seats, dealt)

    def open(self, header: GameHeader) -> list[str]:
        """Keep a game; returns the tokens of its seats."""
        row = self._cipher.encrypt(header.game, 0, write_header(header))
        self.store.open(header.game, header.edition, row, header.expires)
        return [self._token_signer.issue(header, seat) for seat in range(len(header.seats))]

    def find(self, game: str, token: str, client: str, now: int) -> tuple[SealedGame, int] | None:
        """The game and the seat that a client's token speaks for; None for every kind of no."""
        read = read_seat_token(token)
        if read is None or read.game != game:
            return None
        rows = self.store.rows(game, now)
        if not rows:
            return None
        table = self._load(game, rows)
        return (table, read.seat) if self._token_signer.verify(read, table.header, client) else None

    def is_opened_by(self, game: str, client: str, now: int) -> bool:
        """Whether a client opened the sealed game of that id."""
        if not _GAME_ID.fullmatch(game) or not (rows := self.store.rows(game, now)):
            return False
        return any(seat.client == client for seat in self._load(game, rows).header.seats)

    def _load(self, game: str, rows: list[bytes]) -> SealedGame:
        """The table of these rows; those that were read before are not opened and replayed again."""
        known = self._active.find(game) or self._finished.find(game)
        if known is None or known.rows != rows[: len(known.rows)]:
            known = _CachedGame(
                rows[:1], SealedGame.from_rows(read_header(game, self._cipher.decrypt(game, 0, rows[0])), ())
            )
        table = known.sealed_game
        for number in range(len(known.rows), len(rows)):
            table = table.with_row(read_row(self._cipher.decrypt(game, number, rows[number])))
        if isinstance(table.state.phase, GameOver):
            self._active.remove(game)
            self._finished.put(game, _CachedGame(rows, table))
        else:
            self._active.put(game, _CachedGame(rows, table))
        return table

    def apply_time_limits(self, sealed_game: SealedGame, now: int) -> SealedGame:
        """The game when whoever is out of time by now has been flagged, be it by this call or by another."""
        while (found := find_time_up(sealed_game.state, now - sealed_game.clock_started, self.chance)) is not None:
            player, events = found
            sealed_game = self.append(
                sealed_game,
                GameRow(player, None, max(now, sealed_game.clock_started), SubmissionOutcome.TIME_UP, events),
            )
        return sealed_game

    def prepare(self, sealed_game: SealedGame, submission: Submission, now: int) -> PreparedSubmission | Illegal:
        """A submission up to the words that have to be looked up for it, or why it cannot be made."""
        return prepare(sealed_game.state, submission, now - sealed_game.clock_started, self.chance)

    def complete(
        self, sealed_game: SealedGame, submission: Submission, prepared: PreparedSubmission, verdict: bool, now: int
    ) -> SealedGame:
        """The game with the row of this submission, or with another that came first."""
        done = complete(prepared, verdict, self.chance)
        moment = max(now, sealed_game.clock_started)
        return self.append(
            sealed_game, GameRow(submission.seat, submission.submitted, moment, done.outcome, done.events)
        )

    def append(self, sealed_game: SealedGame, row: GameRow) -> SealedGame:
        """The game with the row that stands after its last one, which is this one or the one that came first."""
        game, number = sealed_game.header.game, sealed_game.turn
        sealed = self._cipher.encrypt(game, number, write_row(row))
        standing = self.store.append(game, number, sealed)
        if standing != sealed:
            row = read_row(self._cipher.decrypt(game, number, standing))
        sealed_game = sealed_game.with_row(row)
        if isinstance(sealed_game.state.phase, GameOver):
            self._active.remove(game)
        return sealed_game

    def sweep(self, now: int) -> int:
        self._active.sweep(now)
        self._finished.sweep(now)
        return self.store.sweep(now)
