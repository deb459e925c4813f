"""The sealed games of an installation: open them, find them, and append their rows to a store.

Rows are append-only, encrypted, and each is bound to its game and number (docs/guard.md Decision 11).
"""

from __future__ import annotations

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple, Protocol

from ordws.errors import Broken, StoreDown
from ordws.referee.acts import PreparedSubmission, Submission, complete, prepare
from ordws.referee.codec import read_header, read_row, write_header, write_row
from ordws.referee.moments import Arrival, Moment, TimeSource, not_before, system_moment
from ordws.referee.results import Results
from ordws.referee.sealed_game import (
    EventTable,
    GameHeader,
    GameRow,
    SealedGame,
    SeatHolder,
    Seating,
    SeatNote,
    SubmissionOutcome,
)
from ordws.referee.seat_credentials import SeatCredentials, SeatTokenSigner, read_seat_token
from ordws.referee.stores.news import RowStored, SeatHandover
from ordws.referee.time_control import find_time_up, measure_time
from ordws.retention import GAMES
from ordws.row_cipher import RowCipher
from ordws.rules.bag import RandomSource
from ordws.rules.fault import Illegal
from ordws.rules.game import Game
from ordws.rules.state import GameOver, GameState


class GameStore(Protocol):
    """A store of rows. Each method is atomic and exact across threads, processes and hosts, or raises StoreDown.

    A row that `open` or `append` has returned from is durable.
    """

    def open(self, game: str, edition: int, header: bytes, expires: int) -> None:
        """Begin a game with its row 0. The id must be new."""

    def append(self, game: str, number: int, row: bytes, taken: SeatHandover | None = None) -> bytes:
        """Append a row unless its number is taken, and return the row that now has the number.

        `taken` is the seat that the row gives to another browser; the store tells its news without the games key.
        Raises StoreDown if the row before it is not there, as when the game was swept meanwhile.
        """

    def rows(self, game: str, now: int) -> list[bytes]:
        """Return all rows of a game, its header first; none if it is unknown or has expired."""

    def expired(self, now: int) -> list[str]:
        """Return the games that the next sweep deletes; `rows` has them for a moment before their end."""

    def editions(self, now: int) -> frozenset[int]:
        """Return the numbers of the editions of all games that have not expired."""

    def sweep(self, now: int) -> int:
        """Delete games that expired an hour ago and return their number; other hosts may have slower clocks."""

    def close(self) -> None:
        """Close the connections or files; the next call opens them again."""


_MAX_ACTIVE_ROWS: Final = 16_384
"""The rows of some eight hundred games in the midst, in 35 MB."""
# Finished games are only looked at, and rarely, so they must not push out those that are being played.
_MAX_FINISHED_ROWS: Final = 2_048

_GAME_ID: Final = re.compile(r"[0-9a-f]{32}", re.ASCII)
_new_id: Final = partial(secrets.token_hex, 16)


class _CachedGame(NamedTuple):
    """A replayed game, and the encrypted rows that it was replayed from."""

    rows: list[bytes]
    sealed_game: SealedGame


class _GameCache:
    """A cache of replayed games, those put last, bounded by the number of their rows together."""

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
        """Remove the games that have expired."""
        with self._lock:
            expired = [game for game, cached in self._games.items() if cached.sealed_game.header.expires <= now]
            for game in expired:
                self._remove(game)

    def _remove(self, game: str) -> None:
        if (cached := self._games.pop(game, None)) is not None:
            self._row_count -= len(cached.rows)


def _tell_nobody(_: RowStored) -> None:
    """Tell nobody of a row: there is no stream."""


class SealedGames:
    """The sealed games in one store, encrypted and signed under one key.

    Randomness and the clock are given to the constructor. `now` is in seconds, and says only what has expired.
    """

    def __init__(
        self,
        store: GameStore,
        key: bytes,
        chance: RandomSource,
        new_id: Callable[[], str] = _new_id,
        clock: TimeSource = system_moment,
        results: Results | None = None,
    ) -> None:
        self.store = store
        self.on_row: Callable[[RowStored], None] = _tell_nobody
        """Called with each row that is on the disk, before its turn is answered; it neither fails nor waits."""

        self.chance = chance
        self.clock = clock
        self.results = results
        self._cipher = RowCipher(key)
        self.credentials = SeatCredentials(key)
        self.new_id = new_id
        """The maker of the ids of new games."""
        self._token_signer = SeatTokenSigner(key)
        self._active = _GameCache(_MAX_ACTIVE_ROWS)
        self._finished = _GameCache(_MAX_FINISHED_ROWS)

    def new_header(
        self,
        dealt: Game,
        seats: tuple[SeatHolder, ...],
        edition: int,
        edition_name: str,
        now: int,
        *,
        game: str | None = None,
        needs_promises: bool = False,
        event_table: EventTable | None = None,
    ) -> GameHeader:
        """Return the header of a new game, which is not stored yet; `game` is its id, by default a new one."""
        named = game or self.new_id(), edition, edition_name
        ends = now + GAMES.seconds
        return GameHeader(*named, self.clock(), ends, seats, dealt, needs_promises, event_table)

    def event_game_id(self, client: str, table: EventTable) -> str:
        """Return the id of a client's game at a table of an event, the same whenever it is asked for."""
        return self.credentials.write_event_game_id(client, *table._replace(title=""))

    def open(self, header: GameHeader) -> list[str]:
        """Store a game and return the tokens of its seats."""
        row = self._cipher.encrypt(header.game, 0, write_header(header))
        self.store.open(header.game, header.edition, row, header.expires)
        return [self._token_signer.issue(header, seat) for seat in range(len(header.seats))]

    def find(self, game: str, token: str, client: str, now: int) -> tuple[SealedGame, int] | None:
        """Return the game and the seat that a client's token stands for, or None for any kind of invalid token."""
        parsed = read_seat_token(token)
        if parsed is None or parsed.game != game:
            return None
        sealed_game = self._find(game, now)
        if sealed_game is None or not self._token_signer.verify(parsed, sealed_game.header, client):
            return None
        return sealed_game, parsed.seat

    def find_by_id(self, game: str, now: int) -> SealedGame | None:
        """Return a game for one whose credentials were verified; None where the game is unknown or has expired."""
        return self._find(game, now) if _GAME_ID.fullmatch(game) else None

    def find_opened_by(self, game: str, client: str, now: int) -> SealedGame | None:
        """Return the sealed game with this id that a client opened, or None if it opened none with this id."""
        sealed_game = self.find_by_id(game, now)
        if sealed_game is None or all(seat.client != client for seat in sealed_game.header.seats):
            return None
        return sealed_game

    def _find(self, game: str, now: int) -> SealedGame | None:
        rows = self.store.rows(game, now)
        sealed_game = self._load(game, rows) if rows else None
        return None if sealed_game is None or sealed_game.expires <= now else sealed_game

    def _load(self, game: str, rows: list[bytes]) -> SealedGame:
        """Replay these rows; rows that the cache holds are not decrypted and replayed again."""
        cached = self._active.find(game) or self._finished.find(game)
        # The rows are compared, because another process may have appended other rows than this one expected.
        if cached is None or cached.rows != rows[: len(cached.rows)]:
            header = read_header(game, self._cipher.decrypt(game, 0, rows[0]))
            cached = _CachedGame(rows[:1], SealedGame.from_rows(header, ()))
        sealed_game = cached.sealed_game
        for number in range(len(cached.rows), len(rows)):
            sealed_game = sealed_game.with_row(read_row(self._cipher.decrypt(game, number, rows[number])))
        if isinstance(sealed_game.state.phase, GameOver):
            self._active.remove(game)
            self._finished.put(game, _CachedGame(rows, sealed_game))
        else:
            self._active.put(game, _CachedGame(rows, sealed_game))
        return sealed_game

    def apply_time_limits(self, sealed_game: SealedGame, now: Moment) -> SealedGame:
        """Return the game after every time limit that has passed, whether this call appends the row or another did."""
        if sealed_game.is_waiting or sealed_game.is_called_off:
            return sealed_game
        while (time_up := find_time_up(sealed_game, now, self.chance)) is not None:
            player, events = time_up
            moment = not_before(now, sealed_game.clock_started)
            sealed_game = self.append(sealed_game, GameRow(player, None, moment, SubmissionOutcome.TIME_UP, events))
        return sealed_game

    def prepare(
        self, sealed_game: SealedGame, submission: Submission, arrival: Arrival
    ) -> PreparedSubmission | Illegal:
        """Prepare a submission up to the words that have to be looked up, or return why it is refused."""
        time_used = measure_time(sealed_game, submission.seat, arrival)
        return prepare(sealed_game.state, submission, time_used, self.chance)

    def complete(
        self, sealed_game: SealedGame, submission: Submission, prepared: PreparedSubmission, verdict: bool
    ) -> SealedGame:
        """Return the game with the row of this submission, or with another row that came first."""
        outcome, events, state = complete(prepared, verdict, self.chance)
        # A verdict may have taken its time, which is nobody's: the next clock starts now.
        moment = not_before(self.clock(), sealed_game.clock_started)
        row = GameRow(submission.seat, submission.submitted, moment, outcome, events)
        time_used = prepared.time_used
        return self.append(sealed_game, row._replace(credit=time_used.credit, grace=time_used.grace), state)

    def append(self, sealed_game: SealedGame, row: GameRow, state: GameState | None = None) -> SealedGame:
        """Return the game with its next row: this one, or another that came first.

        `state` is the state after this row, where it is known.
        """
        game, number = sealed_game.header.game, sealed_game.turn
        encrypted = self._cipher.encrypt(game, number, write_row(row))
        taken = SeatHandover(row.seat, row.note.generation) if isinstance(row.note, Seating) else None
        stored = self.store.append(game, number, encrypted, taken)
        # The nonce is random, so equal bytes are this very row.
        if stored != encrypted:
            row, state = read_row(self._cipher.decrypt(game, number, stored)), None
        else:
            self.on_row(RowStored(game, number, taken))
        before, sealed_game = sealed_game, sealed_game.with_row(row, state)
        if not isinstance(sealed_game.state.phase, GameOver):
            # Whoever asks next need not replay the row. Of what another thread has read meanwhile nothing is known.
            if (cached := self._active.find(game)) is not None and cached.sealed_game is before:
                self._active.put(game, _CachedGame([*cached.rows, stored], sealed_game))
        else:
            self._active.remove(game)
            if self.results is not None:
                # The turn is stored. A result that is not is taken before its rows are swept.
                with suppress(StoreDown):
                    self.results.keep(sealed_game)
        return sealed_game

    def append_note(self, sealed_game: SealedGame, decide: Callable[[SealedGame], SeatNote | None]) -> SealedGame:
        """Return the game with the note that `decide` wants, which is asked again where another row came first.

        It returns None where the game needs no note, and may raise.
        """
        while (note := decide(sealed_game)) is not None:
            moment = not_before(self.clock(), sealed_game.clock_started)
            row = GameRow(note.seat, None, moment, note.outcome, (), note.facts)
            sealed_game = self.append(sealed_game, row)
            # Another caller's row may equal this one, and be a later one's reason to refuse.
            if sealed_game.rows[-1] is row:
                break
        return sealed_game

    def sweep(self, now: int) -> int:
        """Delete the games that expired an hour ago, and return their number; the results of those that ended stay."""
        self._active.sweep(now)
        self._finished.sweep(now)
        if self.results is not None:
            for game in self.store.expired(now):
                # A game of before a restored backup, which made the games key anew, cannot be read any more.
                with suppress(Broken):
                    self._keep_last_result(game, self.results)
            self.results.sweep(now)
        return self.store.sweep(now)

    def _keep_last_result(self, game: str, results: Results) -> None:
        """Keep the result of an expired game if a process was killed before it did, or if only time has ended it."""
        rows = [self._cipher.decrypt(game, number, row) for number, row in enumerate(self.store.rows(game, 0))]
        kept = results.find(game)
        if not rows or (kept is not None and kept.rows == len(rows) - 1):
            return
        header = read_header(game, rows[0])
        sealed_game = SealedGame.from_rows(header, [read_row(row) for row in rows[1:]])
        results.keep(self.apply_time_limits(sealed_game, Moment(1_000 * header.expires)))
