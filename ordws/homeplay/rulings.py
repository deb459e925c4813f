"""The ruling on a word at home, under any rule set."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Final, NamedTuple, TypeAlias

from ordws.errors import BadInput
from ordws.homeplay.affixes import EXTENDED, Affixes
from ordws.homeplay.book import Told, WordBook
from ordws.homeplay.case import BookEdition, Case
from ordws.homeplay.dover import rule_by_dover, rule_by_lists
from ordws.homeplay.exclusion import rule_by_exclusion, rule_by_listed_ospd
from ordws.homeplay.official import rule_by_reference, rule_by_two_books
from ordws.homeplay.ruling import Ask, Ruling, allow, refuse
from ordws.rules.lists import TWOS_70, TWOS_72, TWOS_101

Ruler: TypeAlias = Callable[[Case], Ruling | Ask]


class _Ways(NamedTuple):
    twos: frozenset[str]
    """Acceptable, whatever the books say."""
    by_lists: Callable[[str], Ruling | None]
    """What the rule set's other published lists decide before any book is opened."""
    by_books: Ruler
    by_exclusion: Ruler


def _only_listed_twos(word: str) -> Ruling | None:
    return refuse(word, "not-on-two-letter-list") if len(word) == 2 else None


_SCRABBLE_I: Final = _Ways(TWOS_72, _only_listed_twos, rule_by_two_books, rule_by_exclusion)
WAYS: Final = {
    "classic": _Ways(TWOS_101, _only_listed_twos, rule_by_reference, rule_by_reference),
    "scrabble-i-classic": _SCRABBLE_I,
    "scrabble-o": _SCRABBLE_I,
    "scrabble-i": _SCRABBLE_I,
    "dover": _Ways(TWOS_70, rule_by_lists, rule_by_dover, rule_by_listed_ospd),
}
"""By the ids of the rule sets."""

NOTHING_TOLD: Final = Told({})


def rule_on(
    word: str,
    rules: str,
    dictionary: WordBook | Told = NOTHING_TOLD,
    reference: Container[str] | Told = NOTHING_TOLD,
    edition: BookEdition = "print",
    *,
    affixes: Affixes = EXTENDED,
    exclusion: bool = False,
) -> Ruling | Ask:
    """The ruling on a folded word, or what has to be looked up first.

    With `exclusion` the players' reference and the published lists decide, and there is no dictionary.
    """
    if rules not in WAYS:
        raise BadInput(f'"{rules}" is none of {", ".join(WAYS)}')
    ways = WAYS[rules]
    listed = allow(word, "two-letter-list") if word in ways.twos else ways.by_lists(word)
    if listed is not None:
        return listed
    case = Case(word=word, dictionary=dictionary, reference=reference, twos=ways.twos, edition=edition, affixes=affixes)
    return ways.by_exclusion(case) if exclusion else ways.by_books(case)
