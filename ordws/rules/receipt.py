"""A score explained: each point of a play, by the functions that scored it."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ordws.rules.move import Legal, Span, squares_of
from ordws.rules.ruleset import Premium, RuleSet
from ordws.rules.scoring import combined_factor, is_stretch, letter_values, longest_run, play_bonus, word_score
from ordws.rules.tiles import FACE_VALUES

BonusReason: TypeAlias = Literal["none", "big-play", "stretch"]


class LetterScore(NamedTuple):
    """One letter of a word: its face value, what the small word cap left of it, the premium under a new tile."""

    letter: str  # lower case: a blank
    row: int
    column: int
    is_new: bool
    face: int
    value: int
    premium: int
    points: int


class WordScore(NamedTuple):
    """A new word: its letters, the word squares newly covered, what they make together, and the score."""

    word: str
    letters: tuple[LetterScore, ...]
    premiums: tuple[int, ...]
    factor: int
    score: int

    @property
    def sum(self) -> int:
        return sum([line.points for line in self.letters])


class BonusScore(NamedTuple):
    """The one bonus of a play, what it is for, and the run that was stretched, as row and column of its letters."""

    points: int
    reason: BonusReason
    tiles: int
    stretched: str
    squares: tuple[tuple[int, int], ...]


class Receipt(NamedTuple):
    """Every point of a play; the score is the sum of the lines."""

    words: tuple[WordScore, ...]
    bonus: BonusScore
    score: int
    premium: Premium
    """What several word squares do together."""


def build_receipt(ruling: Legal) -> Receipt:
    """The score of a play, line by line."""
    lines = tuple([_score_word(ruling.rules, span) for span in ruling.spans])
    extra = _score_bonus(ruling.rules, ruling.spans[0])
    return Receipt(lines, extra, sum([line.score for line in lines]) + extra.points, ruling.rules.premium)


def _score_word(rules: RuleSet, span: Span) -> WordScore:
    tiles, first, new, axis = span
    (letter, word), worth = rules.layout.factors[axis], letter_values(rules, tiles)
    lines = []
    for i, (row, column) in enumerate(squares_of(rules.layout.side, span)):
        premium = letter[first + i] if first + i in new else 1
        lines.append(
            LetterScore(
                chr(tiles[i]),
                row,
                column,
                first + i in new,
                FACE_VALUES[tiles[i]],
                worth[i],
                premium,
                worth[i] * premium,
            )
        )
    premiums = [word[at] for at in new if word[at] > 1]
    return WordScore(
        tiles.decode().upper(), tuple(lines), tuple(premiums), combined_factor(rules, premiums), word_score(rules, span)
    )


def _score_bonus(rules: RuleSet, main: Span) -> BonusScore:
    points, n = play_bonus(rules, main), len(main[2])
    if not points:
        return BonusScore(0, "none", n, "", ())
    if not is_stretch(rules, main):
        return BonusScore(points, "big-play", n, "", ())
    start, length = longest_run(main)
    offset = start - main[1]
    run = main[0][offset : offset + length].decode().upper()
    return BonusScore(points, "stretch", n, run, tuple(squares_of(rules.layout.side, main)[offset : offset + length]))
