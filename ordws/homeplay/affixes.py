"""Affixes: what each is added to, what it makes, and the spelling where it joins (docs/dictionaries.md 4).

STOPP before -ED is of STOP, BAK of BAKE, LINTI of LINTY. For the browser, ordws/web/pages/static/affixes.js reads the
same table, and spelling.js holds the functions.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

INFLECTED_FORMS: Final = frozenset({"plural", "third", "past", "participle", "comparative", "superlative"})
"""The parts of speech to which no affix is added."""


class Affix(NamedTuple):
    """A way to make a word of another, as `affixes.toml` explains its columns."""

    letters: str
    hyphenated: str
    """The affix as people write it: RE-, -INGS."""
    conversions: tuple[tuple[str, str], ...]
    """Pairs of parts of speech: what the affix is added to, and what it makes."""
    cost: int
    spelling: str
    drops: tuple[str, ...]
    keeps_e: bool
    after: tuple[str, ...]
    before: str
    inner_only: bool
    """True if this set has it only beneath another affix: LINTY beneath LINTIER."""
    inflects: bool
    stems: tuple[tuple[str, str], ...] = ()
    """Ends of stems before the affix, and the ends of the words that they are stems of."""


OUTER_LETTERS: Final = 3
"""The letters at an end of a word by which the lengths of its affixes are found."""


@dataclass(frozen=True)
class Affixes:
    """A set of affixes, by their letters; the irregular forms stand among the suffixes of every set."""

    suffixes: dict[str, tuple[Affix, ...]]
    prefixes: dict[str, tuple[Affix, ...]]
    suffix_lengths: dict[str, tuple[int, ...]]
    """The lengths of the suffixes that a word may have, the longest first, by its last three letters.

    Where these have no entry, the last two count, and then the last: no longer suffix ends so.
    """
    prefix_lengths: dict[str, tuple[int, ...]]
    """The lengths of the prefixes, likewise by the first letters."""


@cache
def read_affix_table() -> dict[str, Any]:
    """Return the table as it stands in its file; callers must not change it."""
    return tomllib.loads(resources.files(__package__).joinpath("affixes.toml").read_text("utf-8"))


@cache
def read_affixes(set_name: str) -> Affixes:
    """Return the set `strict`, the affixes that the rule books name themselves, or `extended`, all of them."""
    table = read_affix_table()
    stems = tuple((stem, ending) for stem, ending in [pair.split(":") for pair in table["stems"].split()])
    regular = [
        affix._replace(stems=stems) if affix.spelling in ("learned", "combining") else affix
        for affix in _affixes(table["suffixes"], "-{}", set_name)
    ]
    # An irregular form is a suffix that replaces its base, so that OUTATE comes of OUTEAT.
    irregular = [
        Affix(form, slot, _read_conversions(row["kinds"]), 1, "irregular", (base,), False, (), "", False, True)
        for slot, row in table["irregular"].items()
        for form, base in [pair.split(":") for pair in row["forms"].split()]
    ]
    suffixes = _by_letters([*regular, *irregular])
    full = _affixes(table["prefixes"], "{}-", set_name)
    # BIO- and GEO- stay whole.
    forms = [form for form in full if form.spelling == "combining" and len(form.letters) > 3]
    # Before a vowel they stand without their own: MON- of MONO-, PENT- of PENTA-; O rarely goes before O.
    elided = [
        form._replace(
            letters=form.letters[:-1],
            hyphenated=f"{form.letters[:-1]}-",
            before="AEIU" if form.letters.endswith("O") else "AEIOU",
        )
        for form in forms
        if form.letters[-1] in "AIO"
    ]
    prefixes = _by_letters([*full, *elided])
    return Affixes(suffixes, prefixes, _lengths(suffixes, last_letters), _lengths(prefixes, first_letters))


def _affixes(rows: list[dict[str, Any]], pattern: str, set_name: str) -> list[Affix]:
    affixes = []
    for row in rows:
        if set_name != "extended" and row.get("set", "extended") == "extended":
            continue
        conversions = _read_conversions(row["kinds"])
        affixes += [
            Affix(
                letters,
                pattern.format(letters),
                conversions,
                row["cost"],
                row.get("spelling", "native" if pattern.startswith("-") else "prefix"),
                tuple(row.get("drops", "").split()),
                row.get("keeps_e", False),
                tuple(row.get("after", "").split()),
                row.get("before", ""),
                set_name == "strict" and row.get("set") == "inner",
                any(makes in INFLECTED_FORMS for _, makes in conversions),
            )
            for letters in row["letters"].split()
        ]
    return affixes


def _read_conversions(kinds: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of `noun>adjective verb`; a part of speech without an arrow stays what it is."""
    return tuple((base, makes or base) for base, _, makes in [pair.partition(">") for pair in kinds.split()])


def _by_letters(affixes: list[Affix]) -> dict[str, tuple[Affix, ...]]:
    by_letters: dict[str, tuple[Affix, ...]] = {}
    for affix in affixes:
        by_letters[affix.letters] = (*by_letters.get(affix.letters, ()), affix)
    return by_letters


def last_letters(text: str, count: int) -> str:
    return text[-count:]


def first_letters(text: str, count: int) -> str:
    return text[:count]


def _lengths(affixes: Collection[str], outer: Callable[[str, int], str]) -> dict[str, tuple[int, ...]]:
    """Return the lengths of affixes, the longest first, by the outer letters of words; `outer` cuts off so many."""
    lengths: dict[str, set[int]] = {}
    for letters in affixes:
        lengths.setdefault(outer(letters, OUTER_LETTERS), set()).add(len(letters))
    for key, found in lengths.items():
        found.update(count for count in range(1, len(key)) if outer(key, count) in affixes)
    return {key: tuple(sorted(found, reverse=True)) for key, found in lengths.items()}


EXTENDED: Final = read_affixes("extended")


SHORTEST_BASE: Final = 3
VOWELS: Final = frozenset("AEIOU")
_VOWELS_AND_Y: Final = frozenset("AEIOUY")
_LONGEST_COINCIDENCE: Final = 5
_DOUBLING_CONSONANTS: Final = frozenset("BDFGKLMNPRSTVZ")


def matching_affixes(word: str, affixes: Affixes) -> list[Affix]:
    """Return the affixes with which a word ends or begins: suffixes first, of each kind the longer ones first."""
    matching: list[Affix] = []
    by_end, by_beginning = affixes.suffix_lengths, affixes.prefix_lengths
    for length in by_end.get(word[-3:]) or by_end.get(word[-2:]) or by_end.get(word[-1], ()):
        if suffixes := affixes.suffixes.get(word[-length:]):
            matching += suffixes
    for length in by_beginning.get(word[:3]) or by_beginning.get(word[:2]) or by_beginning.get(word[0], ()):
        if prefixes := affixes.prefixes.get(word[:length]):
            matching += prefixes
    return matching


def possible_bases(word: str, affix: Affix) -> list[str]:
    """Return the words that may have made this one with a matching affix, the likeliest first.

    A base has three letters at least, and a vowel or Y among them.
    """
    stem = word[: -len(affix.letters)]
    bases: list[str] = []
    match affix.spelling:
        case "prefix" | "combining" if affix.hyphenated.endswith("-"):
            base = word[len(affix.letters) :]
            bases = [base] if not affix.before or base[:1] in affix.before else []
        case "irregular":
            bases = [stem + affix.drops[0]]
        case _ if not stem:
            pass
        case "s":  # BERRIES, BASHS that nobody writes, BASHES, BUSSES
            if word.endswith("IES") and len(word) > 4 and is_consonant(word, len(word) - 4):
                bases.append(word[:-3] + "Y")
            if not word[:-1].endswith(("S", "X", "Z", "SH")):
                bases.append(word[:-1])
            if word.endswith(("SES", "XES", "ZES", "SHES", "CHES", "OES")):
                bases.append(word[:-2])
            if word.endswith(("SSES", "ZZES")):
                bases.append(word[:-3])
        case "native":
            bases = _before_native(stem, affix)
        case "learned":  # VARY before -ATION, and stems that change as the table says
            bases = [stem, *[stem + ending for ending in affix.drops]]
            if stem[-1] == "I" and affix.letters[0] != "I":
                bases.append(stem[:-1] + "Y")
            bases += [stem[: -len(changed)] + ending for changed, ending in affix.stems if stem.endswith(changed)]
        case "combining":  # a short base that would lose an ending is a coincidence: SITOLOGY is not of SITE
            endings = [end for end in affix.drops if end == "O" or len(stem + end) > _LONGEST_COINCIDENCE]
            bases = [stem, *[stem + ending for ending in endings]]
            bases += [stem[: -len(changed)] + ending for changed, ending in affix.stems if stem.endswith(changed)]
        case "ly":  # as before any consonant, and TRUE, WHOLE, GENTLE; OWL before -LET
            bases = _before_consonant(stem)
            bases += [stem + "E"] if stem[-1] in "LU" else []
            bases += [stem + "LE"] if stem[-1] not in _VOWELS_AND_Y else []
            bases += [stem + "L"] if affix.letters == "LET" else []
        case "turned":
            bases = [stem + ending for ending in affix.drops]
        case _:
            bases = [*_before_consonant(stem), *[stem + ending for ending in affix.drops]]
    return [
        base
        for base in bases
        if len(base) >= SHORTEST_BASE
        and not _VOWELS_AND_Y.isdisjoint(base)
        and (not affix.after or base.endswith(affix.after))
    ]


def _before_native(stem: str, affix: Affix) -> list[str]:
    """Return LINTY and GLUEY before -ER, STOP before -ED, SEE and DIE before -ING, BAKE, PANIC, WOLF."""
    last, before_i = stem[-1], affix.letters[0] == "I"
    bases = []
    if last == "I" and not before_i and len(stem) > 2 and is_consonant(stem, len(stem) - 2):
        bases.append(stem[:-1] + "Y")
    if last == "I" and affix.letters[0] == "E":
        bases.append(stem[:-1] + "EY")
    if last == "E":
        if affix.keeps_e or (before_i and stem[-2:] in ("EE", "OE", "YE", "GE")):
            bases.append(stem)
    else:
        # HAPPY and CARRY would have turned their Y to I, DRY and BOY would not.
        turns_y = last == "Y" and len(stem) > 1 and is_consonant(stem, len(stem) - 2)
        turns_y = turns_y and affix.letters[0] == "E" and not _VOWELS_AND_Y.isdisjoint(stem[:-2])
        if not must_double(stem) and not turns_y:
            bases.append(stem)
    # STOPP is STOP with its last consonant doubled, and STUFF may be a base as it is.
    if len(stem) > 3 and last == stem[-2] and last in _DOUBLING_CONSONANTS and _is_lone_vowel(stem, len(stem) - 3):
        bases.append(stem[:-1])
    if last != "E" or (affix.letters[0] == "E" and not stem.endswith("EE")):
        bases.append(stem + "E")
    if stem.endswith("CK"):
        bases.append(stem[:-1])
    if last == "Y" and affix.letters == "ING":
        bases.append(stem[:-1] + "IE")
    if last == "V":
        bases.extend([stem[:-1] + "F", stem[:-1] + "FE"])
    return bases


def _before_consonant(stem: str) -> list[str]:
    """Return PENNY before -LESS, GLUEY before -NESS, SKILL before -FUL."""
    bases = [stem]
    if stem[-1] == "I" and len(stem) > 2 and is_consonant(stem, len(stem) - 2):
        bases.insert(0, stem[:-1] + "Y")
    if stem[-1] == "I":
        bases.append(stem[:-1] + "EY")
    if stem[-1] == "L":
        bases.append(stem + "L")
    return bases


def is_consonant(word: str, place: int) -> bool:
    """Return whether a letter is a consonant; Y and the U of QU are."""
    return word[place] not in VOWELS or _is_after_q(word, place)


def must_double(stem: str) -> bool:
    """Return whether a stem is one closed syllable, whose last letter would be doubled: HOP, not HOOP or HELP."""
    if (
        len(stem) < 2
        or stem[-1] not in _DOUBLING_CONSONANTS
        or stem[-1] == "S"
        or not _is_lone_vowel(stem, len(stem) - 2)
    ):
        return False
    return all(is_consonant(stem, place) and (place == 0 or stem[place] != "Y") for place in range(len(stem) - 2))


def _is_lone_vowel(word: str, place: int) -> bool:
    """Return whether a letter is a vowel or Y without another vowel before it."""
    if word[place] not in _VOWELS_AND_Y or _is_after_q(word, place):
        return False
    return place == 0 or is_consonant(word, place - 1)


def _is_after_q(word: str, place: int) -> bool:
    return word[place] == "U" and place > 0 and word[place - 1] == "Q"
