"""Receipts: every point of a play, computed by the functions that scored it (docs/rules.md 4).

For the browser, ordws/web/pages/static/rules.js builds them.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ordws.rules.move import Legal, squares_of
from ordws.rules.ruleset import Premium
from ordws.rules.scoring import combined_factor, is_stretch, letter_values, longest_run, play_bonus, word_score
from ordws.rules.tiles import FACE_VALUES

BonusReason: TypeAlias = Literal["none", "big-play", "stretch"]


class LetterScore(NamedTuple):
    """One letter of a word: its face value, its value under the small word point cap, the premium under a new tile."""

    letter: str  # lower case: a blank
    row: int
    column: int
    is_new: bool
    face: int
    value: int
    premium: int
    points: int


class WordScore(NamedTuple):
    """A new word: its letters, the factors of the word squares newly covered, their combined factor, and the score."""

    word: str
    letters: tuple[LetterScore, ...]
    premiums: tuple[int, ...]
    factor: int
    score: int

    @property
    def sum(self) -> int:
        """The points of the letters, before the word squares."""
        return sum([line.points for line in self.letters])


class BonusScore(NamedTuple):
    """The one bonus of a play and its reason; of a stretch also the run that was stretched, with its squares."""

    points: int
    reason: BonusReason
    tiles: int
    stretched: str
    squares: tuple[tuple[int, int], ...]


class Receipt(NamedTuple):
    """Every point of a play; the score is the sum of its lines."""

    words: tuple[WordScore, ...]
    bonus: BonusScore
    score: int
    premium: Premium
    """The rule by which several word squares combine."""


def build_receipt(ruling: Legal) -> Receipt:
    """Return the score of a play line by line."""
    rules, main = ruling.rules, ruling.spans[0]
    side = rules.layout.side
    words = []
    for span in ruling.spans:
        tiles, first, new, axis = span
        (letter_factors, word_factors), values = rules.layout.factors[axis], letter_values(rules, tiles)
        lines = []
        for i, (row, column) in enumerate(squares_of(side, span)):
            at, tile, value = first + i, tiles[i], values[i]
            premium = letter_factors[at] if at in new else 1
            lines.append(
                LetterScore(chr(tile), row, column, at in new, FACE_VALUES[tile], value, premium, value * premium)
            )
        premiums = [word_factors[at] for at in new if word_factors[at] > 1]
        factor, score = combined_factor(rules, premiums), word_score(rules, span)
        words.append(WordScore(tiles.decode().upper(), tuple(lines), tuple(premiums), factor, score))
    points, count = play_bonus(rules, main), len(main[2])
    bonus = BonusScore(points, "big-play" if points else "none", count, "", ())
    if points and is_stretch(rules, main):
        start, length = longest_run(main)
        offset = start - main[1]
        squares = squares_of(side, main)[offset : offset + length]
        run = main[0][offset : offset + length].decode().upper()
        bonus = BonusScore(points, "stretch", count, run, tuple(squares))
    return Receipt(tuple(words), bonus, sum([word.score for word in words]) + points, rules.premium)
