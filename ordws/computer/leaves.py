"""The value of a leave: of the tiles that stay on the rack after a turn, in points to come."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from ordws.rules.tiles import BLANK, LETTERS

COPIES: Final = 3
"""The copies of a tile that have values of their own; a further copy has that of the last."""
IMBALANCES: Final = range(-4, 5)
"""How many vowels a leave has more than consonants."""
_VOWELS: Final = frozenset("AEIOU")
FEATURES: Final = (
    *[f"{tile}{copy}" for tile in LETTERS + BLANK for copy in range(1, COPIES + 1)],
    *[f"{balance:+}" for balance in IMBALANCES if balance],
    "QU",
)
"""Each copy of a tile, the balance of vowels and consonants, and Q with U."""


def features(leave: str) -> list[str]:
    """Return the features of a leave, as some of `FEATURES`."""
    named: list[str] = []
    vowels = consonants = 0
    for tile in LETTERS + BLANK:
        if not (count := leave.count(tile)):
            continue
        named += [f"{tile}{min(copy, COPIES)}" for copy in range(1, count + 1)]
        if tile in _VOWELS:
            vowels += count
        elif tile != BLANK:
            consonants += count
    if vowels != consonants:
        named.append(f"{max(min(vowels - consonants, IMBALANCES[-1]), IMBALANCES[0]):+}")
    if "Q" in leave and "U" in leave:
        named.append("QU")
    return named


class LeaveValues:
    """The values of leaves under a rule set: the sum of the values of their features."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self._values = values
        self._known: dict[str, float] = {"": 0.0}

    def __getitem__(self, leave: str) -> float:
        """Return the value of a leave, written in the order of a rack."""
        value = self._known.get(leave)
        if value is None:
            value = self._known[leave] = sum([self._values.get(feature, 0.0) for feature in features(leave)])
        return value


@cache
def leave_values(rules_id: str) -> LeaveValues:
    """Return the values of a rule set as `make computer-values` has learned them; before it has, those of classic."""
    table = tomllib.loads(files(__package__).joinpath("leaves.toml").read_text("utf-8"))
    return LeaveValues(table.get(rules_id, table["classic"]))
