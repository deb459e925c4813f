"""What a game is played with: how its bag is filled, and how tiles are drawn. Chance is an argument. (RULES 2.2)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from ordws.rules.ruleset import RuleSet
from ordws.rules.tiles import BLANK


class RandomSource(Protocol):
    """Where chance comes from; `random.Random` is one."""

    def sample(self, population: Sequence[str], k: int) -> list[str]: ...


def pool(rules: RuleSet) -> str:
    """The tiles of which a bag is filled, in alphabetical order. (RULES 2.2, A-33)"""
    tiles = rules.tiles.all_tiles()
    return sort_tiles(tiles.replace("I", "", 3) + "AEO") if rules.three_i_to_aeo else tiles


def fill_bag(rules: RuleSet, rng: RandomSource) -> str:
    """The tiles that one game is played with: so many of the pool, each as likely as any other. (RULES 2.2.2)"""
    return sort_tiles("".join(rng.sample(pool(rules), rules.scoop)))


def draw_tiles(bag: str, count: int, rng: RandomSource) -> str:
    """So many tiles of a bag, or all it holds, each as likely as any other. The bag is as it was."""
    return "".join(rng.sample(bag, min(count, len(bag))))


def sort_tiles(tiles: str) -> str:
    """The same tiles in alphabetical order, the blanks last."""
    return "".join(sorted(tiles, key=lambda tile: (tile == BLANK, tile)))


def contains_tiles(tiles: str, wanted: str) -> bool:
    """Whether all the tiles that are wanted are there."""
    return not Counter(wanted) - Counter(tiles)


def remove_tiles(tiles: str, taken: str) -> str:
    """What is left when some tiles are taken; those that are not there are passed over."""
    for tile in taken:
        tiles = tiles.replace(tile, "", 1)
    return tiles
