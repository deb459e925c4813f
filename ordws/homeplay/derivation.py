"""How a word may have been made: one affix after another is taken off, as the table allows. (SOURCES 4)"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Container
from typing import Final, NamedTuple, TypeAlias

from ordws.homeplay.affixes import Affix, Affixes
from ordws.homeplay.spelling import bases, fitting

MOST_STEPS: Final = 3
MOST_DERIVED: Final = 2
"""Beside one inflection."""
SPREAD: Final = 2
"""How much less likely than the likeliest a derivation may be and still be told."""

Kinds: TypeAlias = Collection[str]
"""Parts of speech; none stands for unknown."""


class Book(Container[str]):
    """Words of which is known, at least of some, what parts of speech they are; a plain set does as well."""

    @abstractmethod
    def kinds(self, word: str) -> Kinds:
        """The parts of speech of a word that is in; none where they are not known."""


class Step(NamedTuple):
    """A word that was made, and the affix it was made with."""

    word: str
    affix: str


class Derivation(NamedTuple):
    """How a word may have been made of its base; the least cost is the likeliest."""

    base: str
    steps: tuple[Step, ...]
    cost: int

    @property
    def words(self) -> tuple[str, ...]:
        """From the base to the word itself."""
        return (self.base, *[step.word for step in self.steps])

    @property
    def affix(self) -> str:
        """All affixes together, as people write them: -INGS, -IER, UN- -ED."""
        signs = [step.affix for step in self.steps]
        prefixes = [sign for sign in reversed(signs) if sign.endswith("-")]
        suffixes = "".join([sign[1:] for sign in signs if sign.startswith("-")])
        irregular = [sign for sign in signs if "-" not in sign]
        return " ".join([*prefixes, *(["-" + _run_together(suffixes)] if suffixes else []), *irregular])


class Path(NamedTuple):
    """What was taken off a word so far, and what parts of speech the rest may be."""

    steps: tuple[Step, ...] = ()
    wanted: Kinds = ()
    cost: int = 0
    derived: int = 0
    learned: bool = False


def search(word: str, book: Container[str], affixes: Affixes, most: int) -> list[Derivation]:
    """The derivations from words of the book that cost no more than `most`, the likeliest first; no base twice.

    Breadth first; what is much less likely than the best found so far is not followed.
    """
    found: list[Derivation] = []
    level = [(word, Path())]
    for _ in range(MOST_STEPS):
        deeper = []
        for left, path in level:
            for affix, onward in shorter(left, path, affixes, most):
                for base in bases(left, affix):
                    if base not in book:
                        deeper.append((base, onward))
                    elif (cost := onward.cost + chance(base, onward)) <= most and _is_of(book, base, onward.wanted):
                        found.append(Derivation(base, onward.steps, cost))
                        most = min(most, cost + SPREAD)
        level = [(left, path) for left, path in deeper if path.cost < most + (len(left) > _LONG)]
    return ranked(found)


def ranked(found: list[Derivation]) -> list[Derivation]:
    """The least cost first, then the fewest steps, then as they were found; of each base the best."""
    best: dict[str, Derivation] = {}
    for derivation in sorted(found, key=lambda derivation: (derivation.cost, len(derivation.steps))):
        best.setdefault(derivation.base, derivation)
    return list(best.values())


def shorter(left: str, path: Path, affixes: Affixes, most: int) -> list[tuple[Affix, Path]]:
    """Each affix that may be taken off next, and the path with it."""
    steps, wanted, cost, derived, learned = path
    found = []
    for affix in fitting(left, affixes):
        if cost + affix.cost > most + (len(left) > _LONG) or (affix.inner and not steps):
            continue
        of = [put_to for put_to, makes in affix.kinds if not wanted or makes in wanted]
        now = derived if affix.inflects else derived + 1
        if of and now <= MOST_DERIVED:
            is_learned = learned or affix.spelling in _LEARNED
            found.append((affix, Path((Step(left, affix.sign), *steps), of, cost + affix.cost, now, is_learned)))
    return found


_LEARNED: Final = ("learned", "turned")
_CHANCE: Final = {3: 1}
_CHANCE_RARE: Final = {3: 4, 4: 2, 5: 1}
_CHANCE_LEARNED: Final = {3: 5, 4: 3, 5: 1}
_LONG: Final = 8


def chance(base: str, path: Path) -> int:
    """What the length of a base costs: the shorter, and the rarer its affixes, the likelier it is a chance."""
    if len(base) >= _LONG:
        return -1
    if path.learned:
        return _CHANCE_LEARNED.get(len(base), 0)
    is_rare = path.cost > len(path.steps)
    return (_CHANCE_RARE if is_rare else _CHANCE).get(len(base), 0)


def _is_of(book: Container[str], base: str, wanted: Kinds) -> bool:
    kinds = book.kinds(base) if isinstance(book, Book) else ()
    return not kinds or any(kind in wanted for kind in kinds)


def _run_together(suffixes: str) -> str:
    for apart, together in (("YE", "IE"), ("YLY", "ILY"), ("YNESS", "INESS"), ("YS", "IES"), ("NESSS", "NESSES")):
        suffixes = suffixes.replace(apart, together)
    return suffixes
