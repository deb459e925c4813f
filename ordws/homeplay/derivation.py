"""Derivations of a word: one affix after another is taken off, as the table allows (docs/dictionaries.md 4).

For the browser, ordws/web/pages/static/formatives.js holds these functions.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Container
from typing import Final, NamedTuple, TypeAlias

from ordws.homeplay.affixes import Affix, Affixes
from ordws.homeplay.spelling import matching_affixes, possible_bases

MAX_STEPS: Final = 3
MAX_DERIVED: Final = 2
"""The largest number of derivational affixes, beside one inflection."""
COST_SPREAD: Final = 2
"""The largest difference in cost between the likeliest derivation and another that is still returned."""

_LEARNED: Final = ("learned", "turned", "combining")
_LENGTH_PENALTY: Final = {3: 1}
_LENGTH_PENALTY_RARE: Final = {3: 4, 4: 2, 5: 1}
_LENGTH_PENALTY_LEARNED: Final = {3: 5, 4: 3, 5: 1}
"""The costs of short bases by their length: the rarer the affixes, the likelier a short base is a coincidence."""
LONG_WORD: Final = 8
"""The length from which a base is hardly a coincidence, and costs one less."""

_CONTRACTIONS: Final = (
    ("YE", "IE"),
    ("YLY", "ILY"),
    ("YNESS", "INESS"),
    ("YS", "IES"),
    ("NESSS", "NESSES"),
    ("IUMA", "IA"),
)

PartsOfSpeech: TypeAlias = Collection[str]
"""Parts of speech; an empty collection stands for unknown."""


class TaggedWordList(Container[str]):
    """A word list that knows the parts of speech of some of its words; a plain set will do where it is not needed."""

    @abstractmethod
    def parts_of_speech(self, word: str) -> PartsOfSpeech:
        """Return the parts of speech of a word that is in; none if they are not known."""


class DerivationStep(NamedTuple):
    """A step of a derivation: a word, and the affix it was made with."""

    word: str
    affix: str


class WordDerivation(NamedTuple):
    """A way in which a word may have been made of its base; the likeliest has the least cost."""

    base: str
    steps: tuple[DerivationStep, ...]
    cost: int

    @property
    def words(self) -> tuple[str, ...]:
        """The words from the base to the word itself."""
        return (self.base, *[step.word for step in self.steps])

    @property
    def affix(self) -> str:
        """All affixes together, as people write them: -INGS, -IER, UN- -ED."""
        # Prefixes and suffixes are written with a hyphen; an irregular form has the name of its kind, as "plural".
        signs = [step.affix for step in self.steps]
        prefixes = [sign for sign in reversed(signs) if sign.endswith("-")]
        suffixes = "".join([sign[1:] for sign in signs if sign.startswith("-")])
        irregular = [sign for sign in signs if "-" not in sign]
        for apart, together in _CONTRACTIONS:
            suffixes = suffixes.replace(apart, together)
        return " ".join([*prefixes, *([f"-{suffixes}"] if suffixes else []), *irregular])


class SearchState(NamedTuple):
    """The affixes that were taken off a word so far, and the parts of speech that the rest may be."""

    steps: tuple[DerivationStep, ...] = ()
    wanted_parts_of_speech: PartsOfSpeech = ()
    cost: int = 0
    derivational_steps: int = 0
    is_learned: bool = False
    is_rare: bool = False
    """True if one of the affixes costs more than a productive one."""


def search_derivations(word: str, book: Container[str], affixes: Affixes, max_cost: int) -> list[WordDerivation]:
    """Return the derivations from words of a book that cost at most `max_cost`, the likeliest first; no base twice.

    The search goes breadth first and does not follow what is much less likely than the best derivation so far.
    """
    derivations: list[WordDerivation] = []
    level = [(word, SearchState())]
    for _ in range(MAX_STEPS):
        deeper = []
        for remainder, state in level:
            for affix, stripped in strip_affixes(remainder, state, affixes, max_cost):
                for base in possible_bases(remainder, affix):
                    # A headword may be a mere combining form here: HETEROLYTIC joins two of them and has no base.
                    is_form = stripped.is_learned and base.endswith("O") and base in affixes.prefixes
                    if is_form or base not in book:
                        deeper.append((base, stripped))
                        continue
                    cost = stripped.cost + length_penalty(base, stripped)
                    kinds = book.parts_of_speech(base) if isinstance(book, TaggedWordList) else ()
                    fits = not kinds or any(kind in stripped.wanted_parts_of_speech for kind in kinds)
                    if cost <= max_cost and fits:
                        derivations.append(WordDerivation(base, stripped.steps, cost))
                        max_cost = min(max_cost, cost + COST_SPREAD)
        # A base that is still long may cost a point less in the end.
        level = [(left, state) for left, state in deeper if state.cost < max_cost + (len(left) > LONG_WORD)]
    return rank_by_cost(derivations)


def length_penalty(base: str, state: SearchState) -> int:
    """Return what the length of a base adds to the cost of a chain."""
    if len(base) >= LONG_WORD:
        return -1
    if state.is_learned:
        return _LENGTH_PENALTY_LEARNED.get(len(base), 0)
    return (_LENGTH_PENALTY_RARE if state.is_rare else _LENGTH_PENALTY).get(len(base), 0)


def rank_by_cost(derivations: list[WordDerivation]) -> list[WordDerivation]:
    """Return the best derivation from each base: least cost first, then fewest steps, then in the given order."""
    best: dict[str, WordDerivation] = {}
    for derivation in sorted(derivations, key=lambda derivation: (derivation.cost, len(derivation.steps))):
        best.setdefault(derivation.base, derivation)
    return list(best.values())


def strip_affixes(
    remainder: str, state: SearchState, affixes: Affixes, max_cost: int
) -> list[tuple[Affix, SearchState]]:
    """Return each affix that may be taken off next, and the state after that."""
    steps, wanted, cost, derived, learned, rare = state
    # A long base earns a point back in the end.
    max_affix_cost = max_cost + (len(remainder) > LONG_WORD) - cost
    stripped = []
    for affix in matching_affixes(remainder, affixes):
        if affix.cost > max_affix_cost or (affix.inner_only and not steps):
            continue
        now_derived = derived if affix.inflects else derived + 1
        if now_derived > MAX_DERIVED:
            continue
        bases = [base for base, makes in affix.conversions if not wanted or makes in wanted]
        if bases:
            step = DerivationStep(remainder, affix.hyphenated)
            is_learned = learned or affix.spelling in _LEARNED
            is_rare = rare or affix.cost > 1
            total = cost + affix.cost
            stripped.append((affix, SearchState((step, *steps), bases, total, now_derived, is_learned, is_rare)))
    return stripped
