"""The records and results of finished games; results outlive the rows: one a game, sealed under the games key."""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple, Protocol

from ordws.records.gcg import write_gcg
from ordws.records.gcg_export import to_gcg_record
from ordws.records.record import Pragma
from ordws.referee.sealed_game import SealedGame
from ordws.retention import RESULTS
from ordws.row_cipher import RowCipher
from ordws.rules.ending import winners
from ordws.rules.options import changed_options
from ordws.rules.state import GameOver


def write_game_record(sealed_game: SealedGame) -> bytes:
    """Return the record (GCG), with the id of the game and the name of its edition (docs/interfaces.md 4.2).

    It shows all racks, and is for games that are over.
    """
    header = sealed_game.header
    pragmas = [Pragma(0, "id", f"ordws {header.game}"), Pragma(0, "lexicon", header.edition_name)]
    return write_gcg(to_gcg_record(sealed_game.game, [name or "" for name in sealed_game.seat_names], pragmas))


class ResultStore(Protocol):
    """A store of sealed results. Each method is atomic across threads, processes and hosts, or raises StoreDown."""

    def keep(self, game: str, ended: int, result: bytes) -> None:
        """Store the result of a game that ended in this second since 1970, in place of an earlier one."""

    def find(self, game: str) -> bytes | None:
        """Return the result of a game; None if there is none."""

    def ended_since(self, since: int) -> list[tuple[str, bytes]]:
        """Return the games that ended in this second or later, with their results, the last one first."""

    def sweep(self, ended: int) -> int:
        """Delete the results of games that ended by this second, and return their number."""

    def close(self) -> None:
        """Close the connections or files; the next call opens them again."""


class SeatResult(NamedTuple):
    """The result of a seat; `attested` is None in a game without promises."""

    name: str | None
    client: str
    player: str | None
    score: int
    turn_points: int
    turns: int
    milliseconds: int
    left: str | None
    attested: bool | None


class GameResult(NamedTuple):
    """The result of a game; times are in ms since 1970, and `record_digest` is the SHA-256 of its record (GCG)."""

    game: str
    rows: int
    edition: str
    began_ms: int
    ended_ms: int
    rules: str
    options: dict[str, str]
    ending: str
    winners: tuple[int, ...]
    record_digest: str
    seats: tuple[SeatResult, ...]


def take_result(sealed_game: SealedGame) -> GameResult | None:
    """Return the result of a game, None if it is not over."""
    header, state = sealed_game.header, sealed_game.state
    if not isinstance(state.phase, GameOver) or sealed_game.last_turn is None:
        return None
    seats = zip(header.seats, sealed_game.seat_names, sealed_game.seat_records, state.seats, strict=True)
    return GameResult(
        header.game,
        len(sealed_game.rows),
        header.edition_name,
        header.began.milliseconds,
        sealed_game.rows[sealed_game.last_turn - 1].moment.milliseconds,
        state.rules.id,
        changed_options(state.rules),
        state.phase.reason.value,
        winners(state),
        hashlib.sha256(write_game_record(sealed_game)).hexdigest(),
        tuple(
            [
                SeatResult(
                    name,
                    holder.client,
                    holder.player,
                    state.scores[seat],
                    (totals := state.turn_totals(seat))[1],
                    totals[0],
                    player.milliseconds,
                    player.departure.reason.value if player.departure else None,
                    record.has_attested if header.needs_promises else None,
                )
                for seat, (holder, name, record, player) in enumerate(seats)
            ]
        ),
    )


class Results:
    """The results of the finished games of an installation."""

    def __init__(self, store: ResultStore, key: bytes, *, keep_seconds: int = RESULTS.seconds) -> None:
        self._store, self._keep_seconds = store, keep_seconds
        self._cipher = RowCipher(key, "results")

    def keep(self, sealed_game: SealedGame) -> None:
        """Keep the result of a game that is over, in place of one that was taken before its last rows.

        Games against the program have none, so that no statistics meet them.
        """
        result = take_result(sealed_game) if sealed_game.header.program_seat is None else None
        if result is not None:
            sealed = self._cipher.encrypt(result.game, 0, json.dumps(result).encode())
            self._store.keep(result.game, result.ended_ms // 1_000, sealed)

    def find(self, game: str) -> GameResult | None:
        """Return the result of a game; None if it has none."""
        sealed = self._store.find(game)
        return None if sealed is None else self._open(game, sealed)

    def ended_since(self, since: int = 0) -> list[str]:
        """Return the ids of the games that ended in this second since 1970 or later, the last one first."""
        return [game for game, _ in self._store.ended_since(since)]

    def sweep(self, now: int) -> int:
        return self._store.sweep(now - self._keep_seconds)

    def close(self) -> None:
        self._store.close()

    def _open(self, game: str, sealed: bytes) -> GameResult:
        written = GameResult(*json.loads(self._cipher.decrypt(game, 0, sealed)))
        seats = tuple([SeatResult(*seat) for seat in written.seats])
        return written._replace(winners=tuple(written.winners), seats=seats)
