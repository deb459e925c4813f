"""How a word may have been made: one affix after another is taken off, as the table allows. (SOURCES 4)"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Container
from typing import Final, NamedTuple, TypeAlias

from ordws.homeplay.affixes import Affix, Affixes
from ordws.homeplay.spelling import matching_affixes, possible_bases

MAX_STEPS: Final = 3
MAX_DERIVED: Final = 2
"""Beside one inflection."""
COST_SPREAD: Final = 2
"""How much less likely than the likeliest a derivation may be and still be told."""

PartsOfSpeech: TypeAlias = Collection[str]
"""Parts of speech; none stands for unknown."""


class TaggedWordList(Container[str]):
    """Words of which is known, at least of some, what parts of speech they are; a plain set does as well."""

    @abstractmethod
    def parts_of_speech(self, word: str) -> PartsOfSpeech:
        """The parts of speech of a word that is in; none where they are not known."""


class DerivationStep(NamedTuple):
    """A word that was made, and the affix it was made with."""

    word: str
    affix: str


class WordDerivation(NamedTuple):
    """How a word may have been made of its base; the least cost is the likeliest."""

    base: str
    steps: tuple[DerivationStep, ...]
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
        return " ".join([*prefixes, *(["-" + _contract(suffixes)] if suffixes else []), *irregular])


class SearchState(NamedTuple):
    """What was taken off a word so far, and what parts of speech the rest may be."""

    steps: tuple[DerivationStep, ...] = ()
    wanted_parts_of_speech: PartsOfSpeech = ()
    cost: int = 0
    derivational_steps: int = 0
    is_learned: bool = False


def search_derivations(word: str, book: Container[str], affixes: Affixes, max_cost: int) -> list[WordDerivation]:
    """The derivations from words of the book that cost no more than `most`, the likeliest first; no base twice.

    Breadth first; what is much less likely than the best found so far is not followed.
    """
    found: list[WordDerivation] = []
    level = [(word, SearchState())]
    for _ in range(MAX_STEPS):
        deeper = []
        for left, path in level:
            for affix, onward in strip_affixes(left, path, affixes, max_cost):
                for base in possible_bases(left, affix):
                    if base not in book:
                        deeper.append((base, onward))
                    elif (cost := onward.cost + length_penalty(base, onward)) <= max_cost and _may_be_part_of_speech(
                        book, base, onward.wanted_parts_of_speech
                    ):
                        found.append(WordDerivation(base, onward.steps, cost))
                        max_cost = min(max_cost, cost + COST_SPREAD)
        level = [(left, path) for left, path in deeper if path.cost < max_cost + (len(left) > _LONG_WORD)]
    return rank_by_cost(found)


def rank_by_cost(derivations: list[WordDerivation]) -> list[WordDerivation]:
    """The least cost first, then the fewest steps, then as they were found; of each base the best."""
    best: dict[str, WordDerivation] = {}
    for derivation in sorted(derivations, key=lambda derivation: (derivation.cost, len(derivation.steps))):
        best.setdefault(derivation.base, derivation)
    return list(best.values())


def strip_affixes(
    remainder: str, state: SearchState, affixes: Affixes, max_cost: int
) -> list[tuple[Affix, SearchState]]:
    """Each affix that may be taken off next, and the path with it."""
    steps, wanted, cost, derived, learned = state
    found = []
    for affix in matching_affixes(remainder, affixes):
        if cost + affix.cost > max_cost + (len(remainder) > _LONG_WORD) or (affix.inner_only and not steps):
            continue
        of = [put_to for put_to, makes in affix.conversions if not wanted or makes in wanted]
        now = derived if affix.inflects else derived + 1
        if of and now <= MAX_DERIVED:
            is_learned = learned or affix.spelling in _LEARNED
            found.append(
                (
                    affix,
                    SearchState(
                        (DerivationStep(remainder, affix.hyphenated), *steps), of, cost + affix.cost, now, is_learned
                    ),
                )
            )
    return found


_LEARNED: Final = ("learned", "turned")
_LENGTH_PENALTY: Final = {3: 1}
_LENGTH_PENALTY_RARE: Final = {3: 4, 4: 2, 5: 1}
_LENGTH_PENALTY_LEARNED: Final = {3: 5, 4: 3, 5: 1}
_LONG_WORD: Final = 8


def length_penalty(base: str, state: SearchState) -> int:
    """What the length of a base costs: the shorter, and the rarer its affixes, the likelier it is a chance."""
    if len(base) >= _LONG_WORD:
        return -1
    if state.is_learned:
        return _LENGTH_PENALTY_LEARNED.get(len(base), 0)
    is_rare = state.cost > len(state.steps)
    return (_LENGTH_PENALTY_RARE if is_rare else _LENGTH_PENALTY).get(len(base), 0)


def _may_be_part_of_speech(book: Container[str], base: str, wanted: PartsOfSpeech) -> bool:
    kinds = book.parts_of_speech(base) if isinstance(book, TaggedWordList) else ()
    return not kinds or any(kind in wanted for kind in kinds)


def _contract(suffixes: str) -> str:
    for apart, together in (("YE", "IE"), ("YLY", "ILY"), ("YNESS", "INESS"), ("YS", "IES"), ("NESSS", "NESSES")):
        suffixes = suffixes.replace(apart, together)
    return suffixes
