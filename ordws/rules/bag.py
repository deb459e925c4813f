"""The bag of a game: how it is filled, and how tiles are drawn from it (docs/rules.md 2.2).

The random source is an argument, so that nothing here is random by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from ordws.rules.ruleset import RuleSet
from ordws.rules.tiles import BLANK


class RandomSource(Protocol):
    """A source of random draws, such as `random.Random`."""

    def sample(self, population: Sequence[str], k: int) -> list[str]: ...


def pool(rules: RuleSet) -> str:
    """Return the tiles from which a bag is filled, in alphabetical order (docs/rules.md 2.2, A-33)."""
    tiles = rules.tiles.all_tiles()
    return sort_tiles(tiles.replace("I", "", 3) + "AEO") if rules.three_i_to_aeo else tiles


def fill_bag(rules: RuleSet, rng: RandomSource) -> str:
    """Draw the tiles that one game is played with, each tile of the pool equally likely (docs/rules.md 2.2.2)."""
    return sort_tiles("".join(rng.sample(pool(rules), rules.scoop)))


def draw_tiles(bag: str, count: int, rng: RandomSource) -> str:
    """Draw `count` tiles, or all if the bag holds fewer, each equally likely; `bag` itself stays as it is."""
    return "".join(rng.sample(bag, min(count, len(bag))))


def sort_tiles(tiles: str) -> str:
    """Return the tiles in alphabetical order, the blanks last."""
    return "".join(sorted(tiles.replace(BLANK, ""))) + BLANK * tiles.count(BLANK)


def exchange_needs(rules: RuleSet, count: int) -> int:
    """Return the number of tiles that the bag must hold for an exchange of `count` tiles (docs/rules.md 7.1)."""
    return max(rules.exchange_min, count)


def contains_tiles(tiles: str, wanted: str) -> bool:
    """Return whether `tiles` holds every wanted tile, as often as it is wanted."""
    return not Counter(wanted) - Counter(tiles)


def remove_tiles(tiles: str, taken: str) -> str:
    """Return the tiles without those taken; a taken tile that is not among them is ignored."""
    for tile in taken:
        tiles = tiles.replace(tile, "", 1)
    return tiles
