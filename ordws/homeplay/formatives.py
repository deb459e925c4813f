"""Formatives: words made of a base in a dictionary, of one that a player names, or of one that looks likely.

A formative is reached from its base by affixes, at most two and an inflection, which are taken off one after another; a
compound of two free words is none (docs/rules.md A-36, docs/dictionaries.md 4). For the browser,
ordws/web/pages/static/formatives.js and plausibility.js hold these functions, but for the bases of prices, which must
not know the dictionary: a page knows no prices.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Collection, Container, Iterator
from typing import Final, NamedTuple, TypeAlias

from ordws.homeplay.affixes import EXTENDED, Affix, Affixes, matching_affixes, possible_bases, read_affix_table

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


_VOWELS: Final = frozenset("AEIOUY")
_ONSET: Final = re.compile("(?:[^AEIOU][^AEIOUY]*)?")
"""The consonants that a word begins with; Y is one at the very beginning."""

_IMPLAUSIBLE: Final = 3
_DOUBTFUL: Final = 2
_LOOKS: Final = read_affix_table()["looks"]
_SILENT_E: Final = tuple(_LOOKS["silent_e"].split())
_BEGINS: Final = frozenset(_LOOKS["begins"].split())
_NEVER_ENDS: Final = tuple(_LOOKS["never_ends"].split())
_NO_BASE: Final = tuple(_LOOKS["no_base"].split())
_MADE: Final = tuple(_LOOKS["made"].split())


def is_base(text: str) -> bool:
    """Return whether a text may be asked for as a base: KINDNES and HAPPEY look like none."""
    return not text.endswith(_NO_BASE)


def looks_made(base: str) -> bool:
    """Return whether a base looks as if it were made of another one, as UNHAP of HAP."""
    return base.startswith(_MADE)


def oddness(base: str, affix: Affix, affixes: Affixes) -> int:
    """Return how little a base looks like the word that an affix was added to; 0 if nothing about it is odd."""
    onset = _ONSET.match(base)
    odd = 1 if len(base) == 3 else 0
    if onset and onset[0] and onset[0] not in _BEGINS:
        odd += _IMPLAUSIBLE
    if base.endswith(_NEVER_ENDS):
        odd += _IMPLAUSIBLE
    if affix.spelling == "irregular":
        front = base[: len(base) - len(affix.drops[0])]
        return odd + (_IMPLAUSIBLE if front and front not in affixes.prefixes else 0)
    if affix.spelling in ("learned", "turned"):
        odd += 1
    if affix.spelling in ("native", "learned"):
        # BLAZ and RELAT look as if a silent E had stood at their end, BASH and SEAL do not.
        stem = base.removesuffix("E")
        is_closed = len(stem) < 3 or stem[-1] in _VOWELS or stem[-2] not in _VOWELS or stem[-3] not in _VOWELS
        has_lost_e = stem.endswith(_SILENT_E) and is_closed
        odd += 0 if has_lost_e == (stem != base) else _DOUBTFUL
    return odd


MAX_COST: Final = 5
"""The largest cost of a derivation from a dictionary: beyond it most are chance spellings."""
MAX_COST_NAMED: Final = 9
"""The largest cost if a player names the base, since it is then hardly there by chance."""
MAX_COST_UNSEEN: Final = 4
"""The largest cost if there is no dictionary in which bases could be looked up."""
MAX_CANDIDATES: Final = 8
_USUAL_COST: Final = 2
"""An affix that costs less speaks for its base, one that costs more against it."""


def find_derivations(word: str, book: Container[str], affixes: Affixes = EXTENDED) -> tuple[WordDerivation, ...]:
    """Return the derivations of a folded word from words of a book, the likeliest first."""
    return tuple(search_derivations(word, book, affixes, MAX_COST))


def derivations_from(word: str, base: str, affixes: Affixes = EXTENDED) -> tuple[WordDerivation, ...]:
    """Return the derivation of a word from the base that a player names, or none."""
    return tuple(search_derivations(word, frozenset({base}), affixes, MAX_COST_NAMED))


def find_candidate_bases(word: str, affixes: Affixes = EXTENDED) -> tuple[WordDerivation, ...]:
    """Return derivations from bases that a player might look up, the likeliest first.

    Here the cost is only a rank: a base without common affixes comes before one that still has them.
    """
    candidates: list[WordDerivation] = []
    level = [(word, SearchState(), 0)]
    for _ in range(MAX_STEPS):
        deeper = []
        for remainder, state, odd in level:
            for affix, stripped in strip_affixes(remainder, state, affixes, MAX_COST_UNSEEN):
                for base in possible_bases(remainder, affix):
                    # An inflection costs nothing, but speaks no more for its base than a productive affix.
                    total_odd = odd + oddness(base, affix, affixes) + (affix.cost == 0)
                    deeper.append((base, stripped, total_odd))
                    # UNIT is the base of UNITS, but after a second affix UNHAP is not that of UNHAPPIER.
                    is_made = len(stripped.steps) > 1 and looks_made(base)
                    rank = stripped.cost - _USUAL_COST * len(stripped.steps) + total_odd + is_made
                    if is_base(base):
                        candidates.append(WordDerivation(base, stripped.steps, rank))
        level = deeper
    candidates.sort(key=lambda derivation: (derivation.cost, len(derivation.steps), len(derivation.base)))
    return tuple(rank_by_cost(candidates)[:MAX_CANDIDATES])


def find_possible_bases(word: str) -> Iterator[str]:
    """Yield every base of which `find_derivations` could make a word with some dictionary; a base may come twice.

    Most are no words at all. A search in a dictionary stops at words that it has, and at derivations that are much
    likelier than others; here nothing stops it, since either may be missing.
    """
    level = [(word, SearchState())]
    for _ in range(MAX_STEPS):
        deeper = []
        for remainder, state in level:
            for affix, stripped in strip_affixes(remainder, state, EXTENDED, MAX_COST):
                for base in possible_bases(remainder, affix):
                    if stripped.cost + length_penalty(base, stripped) <= MAX_COST:
                        yield base
                    deeper.append((base, stripped))
        level = [(left, state) for left, state in deeper if state.cost < MAX_COST + (len(left) > LONG_WORD)]
