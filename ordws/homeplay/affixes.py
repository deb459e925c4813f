"""The table of affixes, read once: what each is put to, what comes of it, and how it is spelled."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

INFLECTED_FORMS: Final = frozenset({"plural", "third", "past", "participle", "comparative", "superlative"})
"""Kinds of word that nothing more is put to."""


class Affix(NamedTuple):
    """One way to make a word of another, as `affixes.toml` explains its columns."""

    letters: str
    hyphenated: str
    """As people write it: RE-, -INGS."""
    conversions: tuple[tuple[str, str], ...]
    """What it is put to, and what comes of it."""
    cost: int
    spelling: str
    drops: tuple[str, ...]
    keeps_e: bool
    after: tuple[str, ...]
    before: str
    inner_only: bool
    """In this set only beneath another affix: LINTY beneath LINTIER."""
    inflects: bool
    stems: tuple[tuple[str, str], ...] = ()
    """How stems end before it, and the words that they are stems of."""


@dataclass(frozen=True)
class Affixes:
    """A set of affixes, by their letters; the irregular forms stand among the suffixes of every set."""

    suffixes: dict[str, tuple[Affix, ...]]
    prefixes: dict[str, tuple[Affix, ...]]
    suffix_lengths: dict[str, tuple[int, ...]]
    """By the last letter of a word: how long the suffixes are that end so, the longest first."""
    prefix_lengths: dict[str, tuple[int, ...]]
    """By the first letter."""


def read_affix_table() -> dict[str, Any]:
    """The table as it stands in its file."""
    return tomllib.loads(resources.files(__package__).joinpath("affixes.toml").read_text("utf-8"))


@cache
def read_affixes(set_name: str) -> Affixes:
    """The set of that name: `strict`, what the rule books name themselves, or `extended`, all."""
    table = read_affix_table()
    stems = tuple((stem, ending) for stem, ending in [pair.split(":") for pair in table["stems"].split()])
    regular = [
        affix._replace(stems=stems) if affix.spelling == "learned" else affix
        for affix in _affixes(table["suffixes"], "-{}", set_name)
    ]
    suffixes = _by_letters([*regular, *_irregular(table["irregular"])])
    prefixes = _by_letters(_affixes(table["prefixes"], "{}-", set_name))
    return Affixes(suffixes, prefixes, _lengths(suffixes, -1), _lengths(prefixes, 0))


def _affixes(rows: list[dict[str, Any]], pattern: str, set_name: str) -> list[Affix]:
    spelling = "native" if pattern.startswith("-") else "prefix"
    return [
        Affix(
            letters,
            pattern.format(letters),
            _read_conversions(row["kinds"]),
            row["cost"],
            row.get("spelling", spelling),
            tuple(row.get("drops", "").split()),
            row.get("keeps_e", False),
            tuple(row.get("after", "").split()),
            row.get("before", ""),
            set_name == "strict" and row.get("set") == "inner",
            _inflects(row["kinds"]),
        )
        for row in rows
        if _is_in_set(row, set_name)
        for letters in row["letters"].split()
    ]


def _irregular(table: dict[str, dict[str, str]]) -> list[Affix]:
    """Each form as a suffix that stands in the place of its base, so that OUTATE comes of OUTEAT."""
    return [
        Affix(form, slot, _read_conversions(row["kinds"]), 1, "irregular", (base,), False, (), "", False, True)
        for slot, row in table.items()
        for form, base in [pair.split(":") for pair in row["forms"].split()]
    ]


def _inflects(kinds: str) -> bool:
    return any(makes in INFLECTED_FORMS for _, makes in _read_conversions(kinds))


def _read_conversions(kinds: str) -> tuple[tuple[str, str], ...]:
    return tuple((of, makes or of) for of, _, makes in [pair.partition(">") for pair in kinds.split()])


def _is_in_set(row: dict[str, Any], set_name: str) -> bool:
    return set_name == "extended" or row.get("set", "extended") != "extended"


def _by_letters(affixes: list[Affix]) -> dict[str, tuple[Affix, ...]]:
    found: dict[str, tuple[Affix, ...]] = {}
    for affix in affixes:
        found[affix.letters] = (*found.get(affix.letters, ()), affix)
    return found


def _lengths(table: Iterable[str], place: int) -> dict[str, tuple[int, ...]]:
    found: dict[str, set[int]] = {}
    for letters in table:
        found.setdefault(letters[place], set()).add(len(letters))
    return {letter: tuple(sorted(lengths, reverse=True)) for letter, lengths in found.items()}


STRICT: Final = read_affixes("strict")
EXTENDED: Final = read_affixes("extended")
