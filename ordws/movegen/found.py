"""The plays that a search has found, as numbers until somebody looks at them."""

from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter
from librt.vecs import append, vec
from mypy_extensions import i64

from ordws.movegen.graph import LETTER
from ordws.movegen.left_parts import TILE_BITS
from ordws.rules.board import EMPTY, Axis, Board
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import RuleSet

_ACROSS: Final = Axis.ACROSS
_DOWN: Final = Axis.DOWN
_START: Final[i64] = 511
_AXIS: Final[i64] = 9
_COUNT: Final[i64] = 10
_BLANKS: Final[i64] = 14
_SCORE: Final[i64] = 26
"""The form of a play: the index of its first square in bits 0 to 8, its axis, the number of its tiles in 4 bits, which
of them are blanks in 12 bits, and its score."""

SEARCH: Final = 40
_NUMBER: Final[i64] = (1 << 40) - 1
_MOST_COUNTED: Final[i64] = 1 << 16
"""The highest score for which the plays of each score are counted to bring them in order."""


class FoundPlays:
    """The plays that were found on a board."""

    forms: vec[i64]
    tiles: vec[i64]
    """The letters of the tiles of each play, `TILE_BITS` for each."""

    def __init__(self, rules: RuleSet, board: Board) -> None:
        self.rules, self.board = rules, board
        self.forms, self.tiles = vec[i64](), vec[i64]()

    def __len__(self) -> int:
        return len(self.forms)

    def add(self, axis: i64, start: i64, count: i64, tiles: i64, blanks: i64, score: i64) -> None:
        """Record a play."""
        form = start | axis << _AXIS | count << _COUNT | blanks << _BLANKS | score << _SCORE
        self.forms = append(self.forms, form)
        self.tiles = append(self.tiles, tiles)

    def add_ruled(self, axis: i64, start: i64, count: i64, tiles: i64, blanks: i64) -> None:
        """Record a play as the engine rules on it, if it is legal."""
        self.add(axis, start, count, tiles, blanks, 0)
        last = len(self.forms) - 1
        ruling = judge(self.rules, self.board, self.play(last))
        form = self.forms[last]
        if isinstance(ruling, Legal):
            self.forms[last] = form | i64(ruling.score) << _SCORE
        else:
            self.forms, self.tiles = self.forms[:last], self.tiles[:last]

    def score(self, number: i64) -> i64:
        """Return the score of a play."""
        return self.forms[number] >> _SCORE

    def play(self, number: i64) -> Play:
        """Return a play, with `.` for each tile of its main word that is there already."""
        form, tiles = self.forms[number], self.tiles[number]
        start, is_down = form & _START, (form >> _AXIS) & 1
        left, blanks = (form >> _COUNT) & 15, (form >> _BLANKS) & 4095
        lines = self.board.down if is_down else self.board.across
        letters = BytesWriter()
        at = start
        while True:
            if lines[at] != EMPTY:
                letters.append(EMPTY)
            elif left:
                letters.append(tiles & LETTER | (96 if blanks & 1 else 64))
                tiles >>= TILE_BITS
                blanks >>= 1
                left -= 1
            else:
                break
            at += 1
        line, along = start // (self.board.side + 1) - 1, start % (self.board.side + 1)
        if is_down:
            return Play(along, line, _DOWN, letters.getvalue())
        return Play(line, along, _ACROSS, letters.getvalue())


def order_by_score(searches: list[FoundPlays]) -> vec[i64]:
    """Return the plays of several searches, best first, equal ones as they were found.

    A play is the index of its search, shifted by `SEARCH`, and its own index in there.
    """
    highest: i64 = 0
    plays = vec[i64]()
    for index in range(i64(len(searches))):
        found = searches[index]
        for number in range(i64(len(found.forms))):
            highest = max(highest, found.forms[number] >> _SCORE)
            plays = append(plays, index << SEARCH | number)
    if highest > _MOST_COUNTED:
        return vec[i64](sorted(plays, key=lambda play: -int(searches[play >> SEARCH].score(play & _NUMBER))))
    # The place of the next play of each score: first the number of plays with a better one.
    places = vec[i64](capacity=highest + 2)
    for _ in range(highest + 2):
        places = append(places, 0)
    for found in searches:
        for number in range(i64(len(found.forms))):
            places[highest - (found.forms[number] >> _SCORE) + 1] += 1
    for rank in range(highest + 1):
        places[rank + 1] += places[rank]
    ordered = plays[:]
    for number in range(i64(len(plays))):
        play = plays[number]
        rank = highest - (searches[play >> SEARCH].forms[play & _NUMBER] >> _SCORE)
        ordered[places[rank]] = play
        places[rank] += 1
    return ordered
