"""The table of affixes: what each is added to, what it makes, and how it is spelled (docs/dictionaries.md 4).

For the browser, ordws/web/pages/static/affixes.js reads the same table.
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
