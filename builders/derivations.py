"""Guesses how a headword was made from another that the sources know: REVOTE from VOTE (docs/dictionaries.md 4).

They are evidence for the curators and sort families into classes. A guess follows from spelling and part of speech and
is no etymology: QUARTIER passes for QUART and -IER.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from builders.affixes import BY_PREFIX, BY_SUFFIX, COMPOUND, MAX_AFFIX_LENGTH, PLURAL, AffixRule
from builders.inflect import stems_before_vowel
from builders.merge import UNINFLECTED_LABELS, MergeResult
from ordws.curation.family import Derivation

MAX_DERIVATIONS: Final = 3
MIN_BASE_LENGTH: Final = 3
MIN_COMPOUND_PART_LENGTH: Final = 4
"""Too many words are two shorter ones by chance, as CARPET is CAR and PET."""

_VOWELS: Final = frozenset("AEIOU")
PARTICIPLES: Final = frozenset({"past", "participle", "gerund"})


class _Guess(NamedTuple):
    """A possible derivation. Guesses sort by likelihood: settled bases first, then affixes early in the table."""

    is_borderline: bool
    rank: int
    pattern: str
    base: str


class DerivationFinder:
    """A finder of derivations of the headwords of merged sources, and the settled forms of the same headwords."""

    def __init__(self, merged: MergeResult, heads: Iterable[str]) -> None:
        self._merged = merged
        self._pos_by_word: dict[str, frozenset[str]] = {}
        self._related_forms: dict[str, set[str]] = {head: set() for head in heads}
        for source in merged.source_claims:
            for form in source.licensed.keys() & merged.settled:
                for claim in source.licensed[form]:
                    if claim.base in self._related_forms:
                        self._related_forms[claim.base].add(form)

    def derivations(self, head: str) -> tuple[Derivation, ...]:
        """Return how a headword, or the plural of an uncountable noun, may have been made; the likeliest first."""
        if head in self._merged.withheld:
            guesses = [
                self._guess(PLURAL, claim.base)
                for source in self._merged.source_claims
                for claim in source.withheld.get(head, ())
                if claim.slot == "plural" and self._is_known(claim.base)
            ]
        else:
            result_pos = self._parts_of_speech(head) - {"participle"}
            guesses = list(self._affix_guesses(head, result_pos))
            # A noun may be made of two settled nouns; its base is the second, which says what it is.
            for cut in range(MIN_COMPOUND_PART_LENGTH, len(head) - MIN_COMPOUND_PART_LENGTH + 1):
                parts = head[:cut], head[cut:]
                are_settled = ("noun" in result_pos or not result_pos) and self._merged.settled.issuperset(parts)
                if are_settled and all("noun" in self._parts_of_speech(part) for part in parts):
                    guesses.append(self._guess(COMPOUND, parts[1]))
        best: dict[str, _Guess] = {}
        for guess in sorted(guesses):
            best.setdefault(guess.base, guess)
        likeliest = list(best.values())[:MAX_DERIVATIONS]
        return tuple([Derivation(guess.pattern, guess.base, not guess.is_borderline) for guess in likeliest])

    def related_forms(self, head: str) -> tuple[str, ...]:
        """Return the settled forms of a headword in alphabetical order, the headword itself among them."""
        return tuple(sorted(self._related_forms.get(head, ())))

    def _affix_guesses(self, head: str, result_pos: frozenset[str]) -> Iterator[_Guess]:
        splits: list[tuple[tuple[AffixRule, ...], str]] = []
        for cut in range(1, min(MAX_AFFIX_LENGTH, len(head) - MIN_BASE_LENGTH) + 1):
            prefix, suffix = head[:cut], head[-cut:]
            if prefix in BY_PREFIX and self._is_known(head[cut:]):
                splits.append((BY_PREFIX[prefix], head[cut:]))
            for base in dict.fromkeys(candidate_bases(head[:-cut])) if suffix in BY_SUFFIX else ():
                if self._is_known(base) and head in suffixed_spellings(base, suffix):
                    splits.append((BY_SUFFIX[suffix], base))
        for affixes, base in splits:
            base_pos = self._parts_of_speech(base)
            for affix in affixes:
                # Any affix may fit where the sources give the part of speech "other", or none has the word.
                if affix.base_pos in base_pos and (affix.result_pos in result_pos or result_pos <= {"other"}):
                    yield self._guess(affix, base)

    def _guess(self, affix: AffixRule, base: str) -> _Guess:
        return _Guess(base not in self._merged.settled, affix.rank, affix.pattern, base)

    def _is_known(self, word: str) -> bool:
        settled, borderline = self._merged.settled, self._merged.borderline
        return len(word) >= MIN_BASE_LENGTH and (word in settled or word in borderline)

    def _parts_of_speech(self, word: str) -> frozenset[str]:
        """Return the parts of speech that sources give a headword, and `participle` for that form of a verb."""
        if word not in self._pos_by_word:
            claims = [claim for source in self._merged.source_claims for claim in source.licensed.get(word, ())]
            positions = {
                claim.entry.pos
                for claim in claims
                if claim.slot == "base" and claim.entry.labels.isdisjoint(UNINFLECTED_LABELS)
            }
            participle = {"participle"} if any(claim.slot in PARTICIPLES for claim in claims) else set()
            self._pos_by_word[word] = frozenset({*positions, *participle})
        return self._pos_by_word[word]


def candidate_bases(stem: str) -> Iterator[str]:
    """Yield the words that a stem before a suffix may be short for.

    `suffixed_spellings` then tells which of them are really spelled so with the suffix.
    """
    yield from (stem, stem + "E", stem + "Y", stem + "L", stem + "LE")
    match stem[-2:]:
        case "AL":
            yield stem[:-2]
        case "IL":
            yield stem[:-2] + "LE"
        case pair if pair[-1] == "I":
            yield stem[:-1] + "Y"
        case "CK":
            yield stem[:-1]
        case pair if pair[0] == pair[-1]:
            yield stem[:-1]
        case _:
            pass


def suffixed_spellings(base: str, suffix: str) -> set[str]:
    """Return the spellings of a word with a suffix: BAKER, STOPPER, LIKEABLE, BABYISH, HAPPINESS, GENTLY, BASICALLY."""
    return {stem + suffix for stem in (_before_vowel if suffix[0] in "AEIOUY" else _before_consonant)(base, suffix)}


def _before_vowel(base: str, suffix: str) -> Iterator[str]:
    if base.endswith("E"):
        yield base
    if base.endswith("BLE") and suffix == "ITY":
        yield base[:-2] + "IL"
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
