"""What a new word is worth, and the one bonus of a play. (RULES 4)"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ordws.rules.move import Span
from ordws.rules.ruleset import Premium, RuleSet
from ordws.rules.tiles import CAPPED_VALUES, FACE_VALUES

_ADD: Final = Premium.ADD  # a member takes long to reach through its class


def letter_values(rules: RuleSet, tiles: bytes) -> bytes:
    """What each tile counts in this word before premiums, the small word cap applied where it is on. (RULES 4.3)"""
    return tiles.translate(
        CAPPED_VALUES[len(tiles)] if rules.small_word_cap and len(tiles) < len(CAPPED_VALUES) else FACE_VALUES
    )


def word_score(rules: RuleSet, span: Span) -> int:
    """What a new word adds to the score of its play; a receipt's line for the word calls this too. (RULES 4.1, 4.2)"""
    return word_score_from_values(rules, span, letter_values(rules, span[0]))


def word_score_from_values(rules: RuleSet, span: Span, values: bytes) -> int:
    """What a new word scores where its tiles count `worth` before premiums. (RULES 4.1, 4.2)"""
    _, first, new, axis = span
    letter, word = rules.layout.factors[axis]
    summed, factor = 0, 1
    for value in values:  # sum() would be called through Python where this is compiled
        summed += value
    for at in new:
        if letter[at] != 1:
            summed += values[at - first] * (letter[at] - 1)
        if word[at] != 1:
            factor = _combine_factors(rules, factor, word[at])
    return summed * factor


def combined_factor(rules: RuleSet, factors: list[int]) -> int:
    """What the word squares newly covered by one word make together. (RULES 4.2)"""
    made = 1
    for factor in factors:
        made = _combine_factors(rules, made, factor)
    return made


def _combine_factors(rules: RuleSet, made: int, factor: int) -> int:
    """What a word square makes of what those before it have made; 1 where there was none."""
    if made == 1:
        return factor
    return made + factor if rules.premium is _ADD else made * factor


def play_bonus(rules: RuleSet, main: Span) -> int:
    """The bonus of a play: the stretch bonus, which has the big play within it, or else the big play. (RULES 4.6)

    More tiles than a table knows, as a larger rack allows, earn what its last line gives.
    """
    n = len(main[2])
    table = rules.stretch if is_stretch(rules, main) else rules.big_play
    return table[n] if n < len(table) else table[-1] if table else 0


def is_stretch(rules: RuleSet, main: Span) -> bool:
    """Whether the main word extends a run of tiles that is long enough. (RULES 4.5)"""
    if not rules.stretch or len(main[0]) - len(main[2]) < rules.stretch_from:
        return False
    return longest_run(main)[1] >= rules.stretch_from


def longest_run(main: Span) -> tuple[int, int]:
    """Where the longest run of tiles that lay along the main word before the play begins, and how long it is."""
    tiles, first, new, _ = main
    start, length = first, 0
    for a, b in pairwise([first - 1, *new, first + len(tiles)]):
        if b - a - 1 > length:
            start, length = a + 1, b - a - 1
    return start, length
