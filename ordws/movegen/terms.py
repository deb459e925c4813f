"""The terms of a rule set that a search needs for each play, as numbers (docs/rules.md 3.4, 3.5, 4)."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i32, i64

from ordws.rules.ruleset import MinimumLength, Premium, RuleSet, Wings


class Terms:
    """The terms of a rule set."""

    most_tiles: i64
    """The most tiles that a play puts down."""
    bonuses: vec[i32]
    """The bonus of a play that is no stretch, by the number of its tiles."""
    stretch_bonuses: vec[i32]
    stretch_from: i64
    is_added: bool
    """Whether several word squares under one word add up."""
    is_capped: bool
    needs_long_main: bool
    """Whether the main word needs three letters."""
    needs_long_word: bool
    """Whether one of the new words needs three letters."""
    needs_inner_main: bool
    """Whether the main word has to cover a square of the inner board."""
    needs_inner_tile: bool
    is_lone_ruled: bool
    """Whether the bonus of a single tile depends on which of its two words is the main one."""

    def __init__(self, rules: RuleSet) -> None:
        most = rules.rack_size
        stretch = rules.stretch or rules.big_play
        plain_bonuses = [_bonus(rules.big_play, n) for n in range(most + 1)]
        stretch_bonuses = [_bonus(stretch, n) for n in range(most + 1)]
        self.most_tiles = most
        self.bonuses, self.stretch_bonuses = vec[i32](plain_bonuses), vec[i32](stretch_bonuses)
        self.stretch_from = rules.stretch_from
        self.is_added, self.is_capped = rules.premium is Premium.ADD, rules.small_word_cap
        self.needs_long_main = rules.minimum is MinimumLength.MAIN3
        self.needs_long_word = rules.minimum is not MinimumLength.NONE
        self.needs_inner_main = rules.wings is Wings.MAIN_WORD
        self.needs_inner_tile = rules.wings is Wings.NEW_TILE
        self.is_lone_ruled = plain_bonuses[1] != stretch_bonuses[1]


def _bonus(table: tuple[int, ...], n: int) -> int:
    """Return the bonus for n tiles: more of them than the table knows earn its last entry."""
    return table[n] if n < len(table) else table[-1] if table else 0
