"""Guesses how a headword was made from another that the sources know, by a table of affixes: REVOTE from VOTE.

They are evidence for the curators and sort families into classes (docs/dictionaries.md 4); whether a word may be played
is never read off them. A guess follows from spelling and part of speech and is no etymology: QUARTIER passes for QUART
and -IER.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from builders.inflect import stems_before_vowel
from builders.merge import UNINFLECTED_LABELS, MergeResult
from ordws.curation.family import Derivation

SUFFIXES: Final[dict[str, str]] = {
    "NESS": "adjective>noun",
    "LY": "adjective>adverb participle>adverb noun>adjective",
    "LESS": "noun>adjective verb>adjective",
    "LIKE": "noun>adjective",
    "SHIP": "noun>noun",
    "HOOD": "noun>noun",
    "DOM": "noun>noun",
    "FUL": "noun>adjective noun>noun",
    "SOME": "noun>adjective",
    "WARD": "noun>adverb noun>adjective",
    "WISE": "noun>adverb",
    "ER": "verb>noun noun>noun",
    "OR": "verb>noun",
    "ABLE": "verb>adjective noun>adjective",
    "IBLE": "verb>adjective",
    "MENT": "verb>noun",
    "ATION": "verb>noun",
    "ION": "verb>noun",
    "IVE": "verb>adjective",
    "ORY": "verb>adjective",
    "AGE": "noun>noun",
    "ANCE": "verb>noun",
    "ENCE": "verb>noun",
    "EE": "verb>noun",
    "ING": "verb>noun verb>adjective",
    "ED": "noun>adjective verb>adjective",
    "ISH": "noun>adjective adjective>adjective",
    "Y": "noun>adjective verb>adjective",
    "IZE": "adjective>verb noun>verb",
    "ISE": "adjective>verb noun>verb",
    "IFY": "adjective>verb noun>verb",
    "EN": "adjective>verb noun>adjective",
    "ISM": "adjective>noun noun>noun",
    "IST": "noun>noun adjective>noun",
    "ITY": "adjective>noun",
    "AL": "noun>adjective verb>noun",
    "ICAL": "noun>adjective",
    "IC": "noun>adjective",
    "OUS": "noun>adjective",
    "IAN": "noun>noun",
    "AN": "noun>adjective",
    "ESS": "noun>noun",
    "RY": "noun>noun",
    "ERY": "noun>noun",
    "STER": "noun>noun",
    "LET": "noun>noun",
    "LING": "noun>noun",
    "KIN": "noun>noun",
    "ETTE": "noun>noun",
}
"""By suffix: the parts of speech of base and result, the likeliest first; likelier suffixes come first too."""

PREFIXES: Final[dict[str, str]] = {
    "UN": "adjective participle>adjective verb adverb noun",
    "RE": "verb noun",
    "NON": "noun adjective",
    "MIS": "verb noun",
    "OUT": "verb noun",
    "OVER": "verb noun adjective",
    "UNDER": "verb noun",
    "DIS": "verb noun adjective",
    "DE": "verb",
    "PRE": "verb noun adjective",
    "FORE": "verb noun",
    "UP": "verb noun",
    "IN": "adjective noun",
    "IM": "adjective noun",
    "IR": "adjective noun",
    "ANTI": "noun adjective noun>adjective",
    "COUNTER": "noun verb",
    "INTER": "verb adjective noun",
    "TRANS": "adjective",
    "SUB": "noun adjective verb",
    "SUPER": "noun adjective",
    "CO": "noun verb",
    "SEMI": "noun adjective",
    "MULTI": "adjective noun",
    "BI": "adjective noun",
    "TRI": "adjective noun",
    "EN": "noun>verb adjective>verb",
    "EM": "noun>verb",
    "BE": "noun>verb",
    "AFTER": "noun",
    "MICRO": "noun adjective",
    "MINI": "noun",
    "MID": "noun",
    "ULTRA": "adjective",
    "HYPER": "adjective noun",
    "HYPO": "noun adjective",
    "PSEUDO": "noun adjective",
    "PARA": "noun adjective",
    "PERI": "adjective",
    "POST": "adjective noun",
    "PRO": "noun adjective",
    "EXTRA": "adjective",
    "INTRA": "adjective",
    "AUTO": "noun adjective",
    "NEO": "noun",
    "PROTO": "noun",
    "META": "noun adjective",
    "THERMO": "noun adjective",
    "ELECTRO": "noun adjective",
    "HYDRO": "noun adjective",
    "PHOTO": "noun adjective",
}
"""By prefix: the part of speech of the base; that of the result stands behind the > if it is another."""


class AffixRule(NamedTuple):
    """One way to make a headword of another: RE- and a verb make a verb."""

    rank: int
    """The lower, the likelier."""
    pattern: str
    """The rule as the curators read it: RE- + verb, verb + -ER."""
    base_pos: str
    result_pos: str


def _parse_table(table: dict[str, str], pattern: str, first_rank: int) -> dict[str, tuple[AffixRule, ...]]:
    rules: dict[str, tuple[AffixRule, ...]] = {}
    rows = [(letters, kind) for letters, kinds in table.items() for kind in kinds.split()]
    for rank, (letters, kind) in enumerate(rows, first_rank):
        base, _, result = kind.partition(">")
        rules[letters] = (*rules.get(letters, ()), AffixRule(rank, pattern.format(letters, base), base, result or base))
    return rules


BY_SUFFIX: Final = _parse_table(SUFFIXES, "{1} + -{0}", 0)
BY_PREFIX: Final = _parse_table(PREFIXES, "{0}- + {1}", 1_000)
COMPOUND: Final = AffixRule(2_000, "noun + noun", "noun", "noun")
PLURAL: Final = AffixRule(0, "noun without number + -S", "noun", "noun")
MAX_AFFIX_LENGTH: Final = max(map(len, (*SUFFIXES, *PREFIXES)))


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
