"""A word before the two books, and what the rulings of all rule sets need to know of it."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ordws.homeplay.affixes import EXTENDED, Affixes
from ordws.homeplay.book import DictionaryLookup, PlayerAnswers, WordBook
from ordws.homeplay.derivation import DerivationStep, WordDerivation
from ordws.homeplay.formatives import derivations_from, find_candidate_bases, find_derivations
from ordws.homeplay.result import LookupRequest

BookEdition: TypeAlias = Literal["print", "electronic"]
_SHORTEST_PART: Final = 3


@dataclass(frozen=True, kw_only=True)
class WordCheck:
    """A folded word, and the books it is looked up in."""

    word: str
    dictionary: WordBook | PlayerAnswers
    reference: Container[str] | PlayerAnswers
    twos: frozenset[str] = frozenset()
    """The two-letter words of the rule set."""
    edition: BookEdition = "print"
    affixes: Affixes = EXTENDED

    @property
    def in_dictionary(self) -> bool | None:
        return self.dictionary.holds(self.word)

    @property
    def in_reference(self) -> bool | None:
        return (
            self.reference.holds(self.word)
            if isinstance(self.reference, PlayerAnswers)
            else self.word in self.reference
        )

    def ask_dictionary(self) -> LookupRequest:
        return LookupRequest(word=self.word, about="dictionary", words=(self.word,))

    def ask_reference(self) -> LookupRequest:
        return LookupRequest(word=self.word, about="reference", words=(self.word,))


class NotDerivable(str):
    """A base that a player named, of which the word is not seen to be made."""


def find_base_derivations(check: WordCheck) -> tuple[WordDerivation, ...] | LookupRequest | NotDerivable:
    """How the word is made of words of the player's dictionary, or which words he is to look up there."""
    base, ending = check.word[:2], check.word[2:]
    if base in check.twos and ending == ("ES" if base.endswith(("S", "X")) else "S"):
        return (_of_two_letter_word(check, "-S"),)
    if isinstance(check.dictionary, PlayerAnswers):
        return _bases_from_answers(check, check.dictionary)
    made = find_derivations(check.word, check.dictionary, check.affixes)
    if not made and base in check.twos and (ending in ("ED", "ING") or (ending == "ES" and base[-1] == "O")):
        return (_of_two_letter_word(check, "-S" if ending == "ES" else f"-{ending}"),)
    return made


def _of_two_letter_word(check: WordCheck, affix: str) -> WordDerivation:
    """An inflection of a two-letter word, whose list alone decides that it is one: AIS, EXES, GOING, AXED, DOES."""
    return WordDerivation(check.word[:2], (DerivationStep(check.word, affix),), 1)


def _bases_from_answers(
    check: WordCheck, answers: PlayerAnswers
) -> tuple[WordDerivation, ...] | LookupRequest | NotDerivable:
    held = [word for word, is_in in answers.lookups.items() if is_in and word != check.word]
    made = [way for base in held for way in derivations_from(check.word, base, check.affixes)]
    if made:
        return tuple(made)
    if held:
        return NotDerivable(held[0])
    looked_for = [each.base for each in find_candidate_bases(check.word, check.affixes)]
    unasked = tuple([base for base in looked_for if answers.holds(base) is None])
    return LookupRequest(word=check.word, about="dictionary", words=unasked) if unasked else ()


def find_compound_parts(check: WordCheck) -> tuple[str, str] | None:
    """The two words of the dictionary that a word joins, if it does."""
    shelf: DictionaryLookup = check.dictionary
    for cut in range(_SHORTEST_PART, len(check.word) - _SHORTEST_PART + 1):
        if shelf.holds(check.word[:cut]) and shelf.holds(check.word[cut:]):
            return check.word[:cut], check.word[cut:]
    return None
