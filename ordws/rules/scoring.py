"""The score of a new word, and the one bonus of a play (docs/rules.md 4).

For the browser, ordws/web/pages/static/rules.js holds these rules.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ordws.rules.move import Span
from ordws.rules.ruleset import Premium, RuleSet
from ordws.rules.tiles import CAPPED_VALUES, FACE_VALUES

_ADD: Final = Premium.ADD  # reaching a member through its class takes long


def letter_values(rules: RuleSet, tiles: bytes) -> bytes:
    """Return the value of each tile before premiums, under the small word point cap if it is on (docs/rules.md 4.3)."""
    return tiles.translate(
        CAPPED_VALUES[len(tiles)] if rules.small_word_cap and len(tiles) < len(CAPPED_VALUES) else FACE_VALUES
    )


def word_score(rules: RuleSet, span: Span) -> int:
    """Return the score of a new word (docs/rules.md 4.1, 4.2)."""
    return word_score_from_values(rules, span, letter_values(rules, span[0]))


def word_score_from_values(rules: RuleSet, span: Span, values: bytes) -> int:
    """Return the score of a new word whose tiles have these values before premiums (docs/rules.md 4.1, 4.2)."""
    _, first, new, axis = span
    letter, word = rules.layout.factors[axis]
    summed, factor = 0, 1
    for value in values:  # the compiled form would call sum() through Python, which is slower
        summed += value
    for at in new:
        if letter[at] != 1:
            # The sum has the value of the tile once already.
            summed += values[at - first] * (letter[at] - 1)
        if word[at] != 1:
            factor = _combine_factors(rules, factor, word[at])
    return summed * factor


def combined_factor(rules: RuleSet, factors: list[int]) -> int:
    """Return the combined factor of the word squares newly covered by one word (docs/rules.md 4.2)."""
    combined = 1
    for factor in factors:
        combined = _combine_factors(rules, combined, factor)
    return combined


def _combine_factors(rules: RuleSet, combined: int, factor: int) -> int:
    """Return the factor of the word squares so far, 1 if there was none, combined with another."""
    # Under `add` the first factor is not added to the 1 that stands for no word square.
    if combined == 1:
        return factor
    return combined + factor if rules.premium is _ADD else combined * factor


def play_bonus(rules: RuleSet, main: Span) -> int:
    """Return the bonus of a play: for a stretch, which includes the big play, or for a big play (docs/rules.md 4.6).

    More tiles than the table has entries, which a larger rack allows, earn its last entry (docs/rules.md 4.4).
    """
    n = len(main[2])
    table = rules.stretch if is_stretch(rules, main) else rules.big_play
    return table[n] if n < len(table) else table[-1] if table else 0


def is_stretch(rules: RuleSet, main: Span) -> bool:
    """Return whether the main word extends a run of tiles that is long enough (docs/rules.md 4.5)."""
    if not rules.stretch or len(main[0]) - len(main[2]) < rules.stretch_from:
        return False
    return longest_run(main)[1] >= rules.stretch_from


def longest_run(main: Span) -> tuple[int, int]:
    """Return the start and length of the longest run of tiles that lay along the main word before the play.

    Of equally long runs the first counts (docs/rules.md A-05).
    """
    tiles, first, new, _ = main
    start, length = first, 0
    # The gaps between new tiles are the runs that lay there before.
    for a, b in pairwise([first - 1, *new, first + len(tiles)]):
        if b - a - 1 > length:
            start, length = a + 1, b - a - 1
    return start, length
