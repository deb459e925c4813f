"""Games of honest players as they were played: what a client asks, turn by turn.

The file keeps a line of JSON a game, of each turn the rack, the move, whether it stood and the seconds it took. The
positions and the words follow from these by the rules.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from ordws.records.cgp import write_board
from ordws.records.move_notation import SwapSquares, read_move_with_swaps
from ordws.rules.board import Board, empty_board
from ordws.rules.fault import Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Play
from ordws.rules.rulesets import SCRABBLE_O
from ordws.rules.swap import swap

RULES: Final = SCRABBLE_O
"""What the games are played by: 100 tiles, main words of three letters or more, every play judged at once."""

_FILE: Final = "honest.jsonl.xz"


class StoredTurn(NamedTuple):
    """What the file keeps of a turn."""

    rack: str
    move: str
    accepted: bool
    seconds: int


class RecordedTurn(NamedTuple):
    """A turn as a client asks about it: `position`, `move` and `rack` are those of `POST /v1/plays`."""

    position: str
    rack: str
    move: str
    words: tuple[str, ...]
    """The main word first; none of an exchange or a pass, which nobody asks about."""

    accepted: bool
    """Whether the play stood, in the truth that the game was played by."""

    seconds: int
    """The time taken to think."""


class RecordedGame(NamedTuple):
    """A game of so many players, who take their turns one after the other."""

    players: int
    turns: tuple[RecordedTurn, ...]

    @property
    def seconds(self) -> int:
        """How long it took."""
        return sum([turn.seconds for turn in self.turns])

    @property
    def plays(self) -> tuple[RecordedTurn, ...]:
        """The turns that something is asked about."""
        return tuple([turn for turn in self.turns if turn.words])


@cache
def honest_games() -> tuple[RecordedGame, ...]:
    """The games that are shipped."""
    return tuple([read_game(line) for line in shipped_lines()])


def shipped_lines() -> list[str]:
    """Their lines."""
    return lzma.decompress(files(__package__).joinpath(_FILE).read_bytes()).decode("ascii").splitlines()


def write_game(players: int, turns: Iterable[StoredTurn]) -> str:
    """The line of a game."""
    return json.dumps({"players": players, "turns": [*turns]}, separators=(",", ":"))


def read_game(line: str) -> RecordedGame:
    """The game of a line, played again; raises ValueError on a move that the rules do not let be made."""
    kept = json.loads(line)
    return RecordedGame(kept["players"], tuple(_replay([StoredTurn(*turn) for turn in kept["turns"]])))


def _replay(turns: Iterable[StoredTurn]) -> Iterator[RecordedTurn]:
    board = empty_board(RULES.layout.side)
    for rack, text, accepted, seconds in turns:
        position, (swaps, move) = write_board(board), read_move_with_swaps(text)
        board, held = _apply_swaps(board, rack, swaps)
        words: tuple[str, ...] = ()
        if isinstance(move, Play):
            ruling = judge(RULES, board, move, held)
            if isinstance(ruling, Illegal):
                raise ValueError(f'the play "{text}" cannot be made: {ruling.message}')
            words = tuple(ruling.words)
            board = board.with_letters(ruling.tiles) if accepted else board
        yield RecordedTurn(position, rack, text, words, accepted, seconds)


def _apply_swaps(board: Board, rack: str, swaps: SwapSquares) -> tuple[Board, str]:
    """The board and the rack when blanks have been taken for their letters."""
    for row, column in swaps:
        done = swap(RULES, board, rack, row, column)
        if isinstance(done, Illegal):
            raise ValueError(f"the swap cannot be made: {done.message}")
        board, rack = done[0], done[1] or ""
    return board, rack
