"""A word before the two books, and what the rulings of all rule sets need to know of it."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ordws.homeplay.affixes import EXTENDED, Affixes
from ordws.homeplay.book import Shelf, Told, WordBook
from ordws.homeplay.derivation import Derivation, Step
from ordws.homeplay.formatives import candidates, derivations, ways
from ordws.homeplay.ruling import Ask

BookEdition: TypeAlias = Literal["print", "electronic"]
_SHORTEST_PART: Final = 3


@dataclass(frozen=True, kw_only=True)
class Case:
    """A folded word, and the books it is looked up in."""

    word: str
    dictionary: WordBook | Told
    reference: Container[str] | Told
    twos: frozenset[str] = frozenset()
    """The two-letter words of the rule set."""
    edition: BookEdition = "print"
    affixes: Affixes = EXTENDED

    @property
    def in_dictionary(self) -> bool | None:
        return self.dictionary.holds(self.word)

    @property
    def in_reference(self) -> bool | None:
        return self.reference.holds(self.word) if isinstance(self.reference, Told) else self.word in self.reference

    def ask_dictionary(self) -> Ask:
        return Ask(word=self.word, about="dictionary", words=(self.word,))

    def ask_reference(self) -> Ask:
        return Ask(word=self.word, about="reference", words=(self.word,))


class NotMadeOf(str):
    """A base that a player named, of which the word is not seen to be made."""


def find_bases(case: Case) -> tuple[Derivation, ...] | Ask | NotMadeOf:
    """How the word is made of words of the player's dictionary, or which words he is to look up there."""
    base, ending = case.word[:2], case.word[2:]
    if base in case.twos and ending == ("ES" if base.endswith(("S", "X")) else "S"):
        return (_of_two(case, "-S"),)
    if isinstance(case.dictionary, Told):
        return _told_bases(case, case.dictionary)
    made = derivations(case.word, case.dictionary, case.affixes)
    if not made and base in case.twos and (ending in ("ED", "ING") or (ending == "ES" and base[-1] == "O")):
        return (_of_two(case, "-S" if ending == "ES" else f"-{ending}"),)
    return made


def _of_two(case: Case, sign: str) -> Derivation:
    """An inflection of a two-letter word, whose list alone decides that it is one: AIS, EXES, GOING, AXED, DOES."""
    return Derivation(case.word[:2], (Step(case.word, sign),), 1)


def _told_bases(case: Case, told: Told) -> tuple[Derivation, ...] | Ask | NotMadeOf:
    held = [word for word, is_in in told.answers.items() if is_in and word != case.word]
    made = [way for base in held for way in ways(case.word, base, case.affixes)]
    if made:
        return tuple(made)
    if held:
        return NotMadeOf(held[0])
    looked_for = [each.base for each in candidates(case.word, case.affixes)]
    unasked = tuple([base for base in looked_for if told.holds(base) is None])
    return Ask(word=case.word, about="dictionary", words=unasked) if unasked else ()


def find_parts(case: Case) -> tuple[str, str] | None:
    """The two words of the dictionary that a word joins, if it does."""
    shelf: Shelf = case.dictionary
    for cut in range(_SHORTEST_PART, len(case.word) - _SHORTEST_PART + 1):
        if shelf.holds(case.word[:cut]) and shelf.holds(case.word[cut:]):
            return case.word[:cut], case.word[cut:]
    return None
