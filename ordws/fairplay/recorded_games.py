"""Recorded games of honest players: the requests of a client, turn by turn.

The file has a line of JSON for each game: for each turn the rack, the move, whether it stood, and the seconds it took.
Positions and words follow from these by the rules.
"""

from __future__ import annotations

import json
import lzma
from functools import cache
from importlib.resources import files
from random import Random
from typing import Final, NamedTuple

from ordws.fairplay.synthetic_lexicon import PRIORS, SyntheticLexicon, draw_words
from ordws.records.notation import read_move_with_swaps, write_board
from ordws.rules.bag import remove_tiles
from ordws.rules.board import empty_board
from ordws.rules.fault import Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Exchange, Play
from ordws.rules.ruleset import SCRABBLE_O
from ordws.rules.swap import swap
from ordws.rules.tiles import as_drawn

RULES: Final = SCRABBLE_O
"""The rules of the games: 100 tiles, main words of three letters or more, every play judged at once."""

SEED: Final = 1
"""The seed of the shipped games, of their lexicon and of its true words."""

TRUE_BY_TIER: Final = (0.995, 0.97, *PRIORS[2:])
"""The chance, by tier, that a word is true where people play: of the core words that they play, few are out."""

_FILE: Final = "honest.jsonl.xz"


class RecordedTurn(NamedTuple):
    """A turn as a client asks about it: `position`, `move` and `rack` are those of `POST /v1/plays`."""

    position: str
    rack: str
    move: str
    words: tuple[str, ...]
    """The main word first; empty for an exchange or a pass, which nobody asks about."""

    accepted: bool
    """Whether the play stood, given the true words of the game."""

    seconds: int
    """The time that the turn took."""

    kept: str
    """The rack that is left before tiles are drawn."""


class RecordedGame(NamedTuple):
    """A game whose players take their turns in order."""

    players: int
    turns: tuple[RecordedTurn, ...]

    @property
    def seconds(self) -> int:
        """The time that the game took."""
        return sum([turn.seconds for turn in self.turns])

    @property
    def plays(self) -> tuple[RecordedTurn, ...]:
        """The turns with words to ask about."""
        return tuple([turn for turn in self.turns if turn.words])


@cache
def honest_games() -> tuple[RecordedGame, ...]:
    """Return the shipped games."""
    return tuple([read_game(line) for line in shipped_lines()])


def shipped_lines() -> list[str]:
    """Return the lines of the shipped file."""
    return lzma.decompress(files(__package__).joinpath(_FILE).read_bytes()).decode("ascii").splitlines()


def draw_played_words(lexicon: SyntheticLexicon) -> frozenset[str]:
    """Draw the words that are true in the shipped games."""
    return draw_words(lexicon, TRUE_BY_TIER, Random(SEED))


def read_game(line: str) -> RecordedGame:
    """Replay the game of a line; raises ValueError for a move that the rules refuse."""
    stored = json.loads(line)
    board, turns = empty_board(RULES.layout.side), []
    for rack, text, accepted, seconds in stored["turns"]:
        position, held = write_board(board), rack
        words: tuple[str, ...] = ()
        swaps, move = read_move_with_swaps(text)
        for row, column in swaps:
            swapped = swap(RULES, board, held, row, column)
            if isinstance(swapped, Illegal):
                raise ValueError(f"the swap cannot be made: {swapped.message}")
            board, held = swapped[0], swapped[1] or ""
        if isinstance(move, Play):
            ruling = judge(RULES, board, move, held)
            if isinstance(ruling, Illegal):
                raise ValueError(f'the play "{text}" cannot be made: {ruling.message}')
            words = tuple(ruling.words)
            if accepted:
                board = board.with_letters(ruling.tiles)
                held = remove_tiles(held, as_drawn(move.letters))
        elif isinstance(move, Exchange):
            held = remove_tiles(held, move.tiles)
        turns.append(RecordedTurn(position, rack, text, words, accepted, seconds, held))
    return RecordedGame(stored["players"], tuple(turns))
