"""Two models of the opinions of simulated curators: one of single families, and one with regular classes besides.

In the first model 40 % of all families are clearly in, 35 % clearly out and 25 % contested. On a clear family a curator
votes the other way in 6 of 100 cases; on a contested one all vote in with the same chance, drawn from Beta(2.5, 2.5).
Three curators then agree on 81 % of the pairs.

In the second model a class is regular in the same shares: 98 of 100 votes on a regular class go its way, except for
one family in a hundred, which is as any other; an irregular class consists of families of the first model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from ordws.curation import family_classes
from ordws.curation.acts import ClassVerdict
from ordws.curation.family import Family

CLEAR_PROBABILITY, REGULAR_PROBABILITY = 0.94, 0.98
EXCEPTION_RATE = 0.01
LEANS: tuple[ClassVerdict | None, ...] = ("in", "out", None)
LEAN_WEIGHTS = (40, 35, 25)


@dataclass(frozen=True)
class CuratorOpinions:
    """The opinion of an endless panel: the chance of a vote in for each family, and the verdict of regular classes."""

    families: dict[str, float]
    family_classes: dict[str, ClassVerdict | None]
    """The verdict of each class; None for an irregular class."""


def draw_opinions(families: Sequence[Family], rng: Random, *, are_regular: bool) -> CuratorOpinions:
    """Draw the curators' opinions of families at random."""
    patterns = {family.base: pattern for family in families if (pattern := pattern_of(family)) is not None}
    leans: dict[str, ClassVerdict | None] = {}
    for pattern in sorted(set(patterns.values())):
        lean = rng.choices(LEANS, LEAN_WEIGHTS)[0]
        leans[pattern] = lean if are_regular else None
    opinions = {}
    for family in families:
        lean = leans.get(patterns.get(family.base, ""))
        is_regular = lean is not None and rng.random() >= EXCEPTION_RATE
        opinions[family.base] = vote_in_probability(lean, REGULAR_PROBABILITY) if is_regular else draw_probability(rng)
    return CuratorOpinions(opinions, leans)


def pattern_of(family: Family) -> str | None:
    if family.standing != "borderline":
        return None
    return family_classes.class_pattern(next((each.derivations for each in family.candidates if each.derivations), ()))


def vote_in_probability(lean: ClassVerdict | None, most: float) -> float:
    return most if lean == "in" else 1 - most


def draw_probability(rng: Random) -> float:
    lean = rng.choices(LEANS, LEAN_WEIGHTS)[0]
    return rng.betavariate(2.5, 2.5) if lean is None else vote_in_probability(lean, CLEAR_PROBABILITY)
