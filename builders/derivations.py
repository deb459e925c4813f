"""How a headword may have been made from another that the sources know: REVOTE from VOTE. (SOURCES 4)

Evidence for the curators, and what sorts families into classes. A guess from spelling and part of speech, never an
etymology: QUARTIER passes for QUART and -IER.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from builders.affixes import BY_PREFIX, BY_SUFFIX, COMPOUND, MAX_AFFIX_LENGTH, PLURAL, AffixRule
from builders.inflect import stems_before_vowel
from builders.merge import UNINFLECTED_LABELS, MergeResult
from ordws.curation.family import Derivation

MAX_DERIVATIONS: Final = 3
MIN_BASE_LENGTH: Final = 3
MIN_COMPOUND_PART_LENGTH: Final = 4
"""Of a compound: too many words are two shorter ones by chance, as CAR and PET."""

_VOWELS: Final = frozenset("AEIOU")
_PARTICIPLES: Final = frozenset({"past", "participle", "gerund"})


class _Guess(NamedTuple):
    """The least is the likeliest: of a settled headword, by an affix that comes early in the table."""

    is_borderline: bool
    rank: int
    pattern: str
    base: str


class DerivationFinder:
    """What the headwords of merged sources may have been made from, and what else was made of these."""

    def __init__(self, merged: MergeResult, heads: Iterable[str]) -> None:
        self._merged = merged
        self._known_pos: dict[str, frozenset[str]] = {}
        self._related_forms = _related_forms_by_head(merged, frozenset(heads))

    def derivations(self, head: str) -> tuple[Derivation, ...]:
        """How a headword, or a plural without singular, may have been made; the likeliest first."""
        if head in self._merged.withheld:
            guesses = list(self._plural_guesses(head))
        else:
            made = self._parts_of_speech(head) - {"participle"}
            guesses = [*self._affix_guesses(head, made), *self._compound_guesses(head, made)]
        best: dict[str, _Guess] = {}
        for guess in sorted(guesses):
            best.setdefault(guess.base, guess)
        return tuple(
            [
                Derivation(each.pattern, each.base, not each.is_borderline)
                for each in list(best.values())[:MAX_DERIVATIONS]
            ]
        )

    def related_forms(self, head: str) -> tuple[str, ...]:
        """The settled forms of a headword, in order of the alphabet; itself among them."""
        return self._related_forms.get(head, ())

    def _affix_guesses(self, head: str, result_pos: frozenset[str]) -> Iterator[_Guess]:
        for affixes, base in self._split_affixes(head):
            kinds = self._parts_of_speech(base)
            for affix in affixes:
                if affix.base_pos in kinds and (affix.result_pos in result_pos or result_pos == {"other"}):
                    yield self._guess(affix, base)

    def _split_affixes(self, head: str) -> Iterator[tuple[tuple[AffixRule, ...], str]]:
        """The affixes that a spelling may bear, with the known words that they would have been put to."""
        for cut in range(1, min(MAX_AFFIX_LENGTH, len(head) - MIN_BASE_LENGTH) + 1):
            if head[:cut] in BY_PREFIX and self._is_known(head[cut:]):
                yield BY_PREFIX[head[:cut]], head[cut:]
            if (suffix := head[-cut:]) in BY_SUFFIX:
                for base in dict.fromkeys(candidate_bases(head[:-cut])):
                    if self._is_known(base) and head in suffixed_spellings(base, suffix):
                        yield BY_SUFFIX[suffix], base

    def _compound_guesses(self, head: str, result_pos: frozenset[str]) -> Iterator[_Guess]:
        """Two settled nouns in one; the second says what it is."""
        if "noun" not in result_pos:
            return
        for cut in range(MIN_COMPOUND_PART_LENGTH, len(head) - MIN_COMPOUND_PART_LENGTH + 1):
            first, second = head[:cut], head[cut:]
            are_settled = first in self._merged.settled and second in self._merged.settled
            if are_settled and "noun" in self._parts_of_speech(first) and "noun" in self._parts_of_speech(second):
                yield self._guess(COMPOUND, second)

    def _plural_guesses(self, form: str) -> Iterator[_Guess]:
        for held in self._merged.source_claims:
            for claim in held.withheld.get(form, ()):
                if claim.slot == "plural" and self._is_known(claim.base):
                    yield self._guess(PLURAL, claim.base)

    def _guess(self, affix: AffixRule, base: str) -> _Guess:
        return _Guess(base not in self._merged.settled, affix.rank, affix.pattern, base)

    def _is_known(self, word: str) -> bool:
        settled, borderline = self._merged.settled, self._merged.borderline
        return len(word) >= MIN_BASE_LENGTH and (word in settled or word in borderline)

    def _parts_of_speech(self, word: str) -> frozenset[str]:
        """The parts of speech that sources give a headword, and `participle` for that form of a verb."""
        if word not in self._known_pos:
            self._known_pos[word] = frozenset(_parts_of_speech_in(self._merged, word))
        return self._known_pos[word]


def _parts_of_speech_in(merged: MergeResult, word: str) -> Iterator[str]:
    for held in merged.source_claims:
        for claim in held.licensed.get(word, ()):
            if claim.slot in _PARTICIPLES:
                yield "participle"
            elif claim.slot == "base" and claim.entry.labels.isdisjoint(UNINFLECTED_LABELS):
                yield claim.entry.pos


def _related_forms_by_head(merged: MergeResult, heads: frozenset[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = defaultdict(set)
    for held in merged.source_claims:
        for form, claims in held.licensed.items():
            if form in merged.settled:
                for claim in claims:
                    if claim.base in heads:
                        found[claim.base].add(form)
    return {head: tuple(sorted(forms)) for head, forms in found.items()}


def candidate_bases(stem: str) -> Iterator[str]:
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


def suffixed_spellings(base: str, suffix: str) -> set[str]:
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
