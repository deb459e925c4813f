"""How a headword may have been made from another that the sources know: REVOTE from VOTE. (SOURCES 4)

Evidence for the curators, and what sorts families into classes. A guess from spelling and part of speech, never an
etymology: QUARTIER passes for QUART and -IER.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from builders.affixes import BY_PREFIX, BY_SUFFIX, COMPOUND, LONGEST, PLURAL, Affix
from builders.inflect import stems_before_vowel
from builders.merge import UNINFLECTED, Merged
from ordws.curation.family import Derivation

MOST: Final = 3
SHORTEST_BASE: Final = 3
SHORTEST_PART: Final = 4
"""Of a compound: too many words are two shorter ones by chance, as CAR and PET."""

_VOWELS: Final = frozenset("AEIOU")
_PARTICIPLES: Final = frozenset({"past", "participle", "gerund"})


class _Guess(NamedTuple):
    """The least is the likeliest: of a settled headword, by an affix that comes early in the table."""

    is_open: bool
    place: int
    pattern: str
    base: str


class Lineage:
    """What the headwords of merged sources may have been made from, and what else was made of these."""

    def __init__(self, merged: Merged, heads: Iterable[str]) -> None:
        self._merged = merged
        self._kinds: dict[str, frozenset[str]] = {}
        self._related = _related(merged, frozenset(heads))

    def derivations(self, head: str) -> tuple[Derivation, ...]:
        """How a headword, or a plural without singular, may have been made; the likeliest first."""
        if head in self._merged.withheld:
            guesses = list(self._plural(head))
        else:
            made = self._kinds_of(head) - {"participle"}
            guesses = [*self._affixed(head, made), *self._compounded(head, made)]
        best: dict[str, _Guess] = {}
        for guess in sorted(guesses):
            best.setdefault(guess.base, guess)
        return tuple([Derivation(each.pattern, each.base, not each.is_open) for each in list(best.values())[:MOST]])

    def related(self, head: str) -> tuple[str, ...]:
        """The settled forms of a headword, in order of the alphabet; itself among them."""
        return self._related.get(head, ())

    def _affixed(self, head: str, made: frozenset[str]) -> Iterator[_Guess]:
        for affixes, base in self._taken_apart(head):
            kinds = self._kinds_of(base)
            for affix in affixes:
                if affix.of in kinds and (affix.makes in made or made == {"other"}):
                    yield self._guess(affix, base)

    def _taken_apart(self, head: str) -> Iterator[tuple[tuple[Affix, ...], str]]:
        """The affixes that a spelling may bear, with the known words that they would have been put to."""
        for cut in range(1, min(LONGEST, len(head) - SHORTEST_BASE) + 1):
            if head[:cut] in BY_PREFIX and self._is_known(head[cut:]):
                yield BY_PREFIX[head[:cut]], head[cut:]
            if (suffix := head[-cut:]) in BY_SUFFIX:
                for base in dict.fromkeys(bases(head[:-cut])):
                    if self._is_known(base) and head in spellings(base, suffix):
                        yield BY_SUFFIX[suffix], base

    def _compounded(self, head: str, made: frozenset[str]) -> Iterator[_Guess]:
        """Two settled nouns in one; the second says what it is."""
        if "noun" not in made:
            return
        for cut in range(SHORTEST_PART, len(head) - SHORTEST_PART + 1):
            first, second = head[:cut], head[cut:]
            are_settled = first in self._merged.settled and second in self._merged.settled
            if are_settled and "noun" in self._kinds_of(first) and "noun" in self._kinds_of(second):
                yield self._guess(COMPOUND, second)

    def _plural(self, form: str) -> Iterator[_Guess]:
        for held in self._merged.holdings:
            for claim in held.withheld.get(form, ()):
                if claim.slot == "plural" and self._is_known(claim.base):
                    yield self._guess(PLURAL, claim.base)

    def _guess(self, affix: Affix, base: str) -> _Guess:
        return _Guess(base not in self._merged.settled, affix.place, affix.pattern, base)

    def _is_known(self, word: str) -> bool:
        settled, borderline = self._merged.settled, self._merged.borderline
        return len(word) >= SHORTEST_BASE and (word in settled or word in borderline)

    def _kinds_of(self, word: str) -> frozenset[str]:
        """The parts of speech that sources give a headword, and `participle` for that form of a verb."""
        if word not in self._kinds:
            self._kinds[word] = frozenset(_kinds(self._merged, word))
        return self._kinds[word]


def _kinds(merged: Merged, word: str) -> Iterator[str]:
    for held in merged.holdings:
        for claim in held.licensed.get(word, ()):
            if claim.slot in _PARTICIPLES:
                yield "participle"
            elif claim.slot == "base" and claim.entry.labels.isdisjoint(UNINFLECTED):
                yield claim.entry.pos


def _related(merged: Merged, heads: frozenset[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = defaultdict(set)
    for held in merged.holdings:
        for form, claims in held.licensed.items():
            if form in merged.settled:
                for claim in claims:
                    if claim.base in heads:
                        found[claim.base].add(form)
    return {head: tuple(sorted(forms)) for head, forms in found.items()}


def bases(stem: str) -> Iterator[str]:
    """What a stem before a suffix may be short for; `spellings` says which of them takes that suffix so."""
    yield from (stem, stem + "E", stem + "Y", stem + "L", stem + "LE")
    match stem[-2:]:
        case "AL":
            yield stem[:-2]
        case pair if pair[-1] == "I":
            yield stem[:-1] + "Y"
        case "CK":
            yield stem[:-1]
        case pair if pair[0] == pair[-1]:
            yield stem[:-1]
        case _:
            pass


def spellings(base: str, suffix: str) -> set[str]:
    """How a word is spelled with a suffix: BAKER, STOPPER, LIKEABLE, BABYISH, HAPPINESS, GENTLY, BASICALLY."""
    return {stem + suffix for stem in (_before_vowel if suffix[0] in "AEIOUY" else _before_consonant)(base, suffix)}


def _before_vowel(base: str, suffix: str) -> Iterator[str]:
    if base.endswith("E"):
        yield base
    if base.endswith("Y") and suffix[0] in "IY":
        yield from (base, base[:-1]) if suffix[0] == "I" else ()
        return
    for stem in stems_before_vowel(base):
        yield stem.removesuffix("E")


def _before_consonant(base: str, suffix: str) -> Iterator[str]:
    yield base
    if base.endswith("Y") and base[-2] not in _VOWELS:
        yield base[:-1] + "I"
    if suffix != "LY":
        return
    if base.endswith("LE"):
        yield base.removesuffix("LE")
    elif base.endswith("LL"):
        yield base.removesuffix("L")
    elif base.endswith("IC"):
        yield base + "AL"
