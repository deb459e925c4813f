"""The ruling on a word at home, under any rule set."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Final, NamedTuple, TypeAlias

from ordws.errors import BadInput
from ordws.homeplay.affixes import EXTENDED, Affixes
from ordws.homeplay.book import PlayerAnswers, WordBook
from ordws.homeplay.dover import rule_by_dover, rule_by_lists
from ordws.homeplay.exclusion import rule_by_exclusion, rule_by_listed_ospd
from ordws.homeplay.official import rule_by_reference, rule_by_two_books
from ordws.homeplay.result import LookupRequest, WordRuling, allow, refuse
from ordws.homeplay.word_check import BookEdition, WordCheck
from ordws.rules.published_lists import TWOS_70, TWOS_72, TWOS_101

RulingFunction: TypeAlias = Callable[[WordCheck], WordRuling | LookupRequest]


class _Procedure(NamedTuple):
    twos: frozenset[str]
    """Acceptable, whatever the books say."""
    by_lists: Callable[[str], WordRuling | None]
    """What the rule set's other published lists decide before any book is opened."""
    by_books: RulingFunction
    by_exclusion: RulingFunction


def _by_two_letter_list(word: str) -> WordRuling | None:
    return refuse(word, "not-on-two-letter-list") if len(word) == 2 else None


_SCRABBLE_I: Final = _Procedure(TWOS_72, _by_two_letter_list, rule_by_two_books, rule_by_exclusion)
PROCEDURES: Final = {
    "classic": _Procedure(TWOS_101, _by_two_letter_list, rule_by_reference, rule_by_reference),
    "scrabble-i-classic": _SCRABBLE_I,
    "scrabble-o": _SCRABBLE_I,
    "scrabble-i": _SCRABBLE_I,
    "dover": _Procedure(TWOS_70, rule_by_lists, rule_by_dover, rule_by_listed_ospd),
}
"""By the ids of the rule sets."""

NO_ANSWERS: Final = PlayerAnswers({})


def decide_word(
    word: str,
    rules: str,
    dictionary: WordBook | PlayerAnswers = NO_ANSWERS,
    reference: Container[str] | PlayerAnswers = NO_ANSWERS,
    edition: BookEdition = "print",
    *,
    affixes: Affixes = EXTENDED,
    by_exclusion: bool = False,
) -> WordRuling | LookupRequest:
    """The ruling on a folded word, or what has to be looked up first.

    With `exclusion` the players' reference and the published lists decide, and there is no dictionary.
    """
    if rules not in PROCEDURES:
        raise BadInput(f'"{rules}" is none of {", ".join(PROCEDURES)}')
    ways = PROCEDURES[rules]
    listed = allow(word, "two-letter-list") if word in ways.twos else ways.by_lists(word)
    if listed is not None:
        return listed
    case = WordCheck(
        word=word, dictionary=dictionary, reference=reference, twos=ways.twos, edition=edition, affixes=affixes
    )
    return ways.by_exclusion(case) if by_exclusion else ways.by_books(case)
