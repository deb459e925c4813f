"""A word to be checked in two books, and what the home rules of all rule sets ask about it.

For the browser, ordws/web/pages/static/word-check.js holds these functions.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from ordws.homeplay.affixes import EXTENDED, Affixes
from ordws.homeplay.book import PlayerAnswers, WordBook
from ordws.homeplay.derivation import DerivationStep, WordDerivation
from ordws.homeplay.formatives import derivations_from, find_candidate_bases, find_derivations
from ordws.homeplay.result import TURN_LOST, Consequence, LookupRequest, WordRuling, make_ruling, read_sentences

BookEdition: TypeAlias = Literal["print", "electronic"]
PLAYERS_COPY: Final = "the OSPD"
"""The name of the players' reference where the player looks it up."""
_SHORTEST_PART: Final = 3


@dataclass(frozen=True, kw_only=True)
class WordCheck:
    """A folded word, and the books it is looked up in."""

    word: str
    dictionary: WordBook | PlayerAnswers
    reference: Container[str] | PlayerAnswers
    twos: frozenset[str] = frozenset()
    """The two-letter words of the rule set."""
    twos_name: str = "72"
    """The list of these words, as the option `two_letter_words` names it."""
    bars_labelled: bool = False
    """True if words that the dictionary labels offensive or vulgar in every sense are out."""
    reference_name: str = PLAYERS_COPY
    edition: BookEdition = "print"
    affixes: Affixes = EXTENDED

    @property
    def in_dictionary(self) -> bool | None:
        """True if the dictionary has the word; None if nobody has looked yet."""
        return self.dictionary.holds(self.word)

    @property
    def in_reference(self) -> bool | None:
        """True if the players' reference has the word; None if nobody has looked yet."""
        if isinstance(self.reference, PlayerAnswers):
            return self.reference.holds(self.word)
        return self.word in self.reference

    def ask_dictionary(self) -> LookupRequest:
        """Return the request to look the word itself up in the dictionary."""
        return LookupRequest(word=self.word, about="dictionary", words=(self.word,))

    def ask_reference(self) -> LookupRequest:
        """Return the request to look the word itself up in the players' reference."""
        return LookupRequest(word=self.word, about="reference", words=(self.word,))

    def is_barred(self, headword: str) -> bool | None:
        """Return whether its label bars a word of the dictionary; None if the player has to be asked.

        The list of two-letter words alone decides those.
        """
        if not self.bars_labelled or len(headword) == 2:
            return False
        return self.dictionary.is_offensive(headword)

    def check_label(self, headword: str, derivation: WordDerivation | None = None) -> WordRuling | LookupRequest | None:
        """Return the refusal of a word for the label of a headword, or the question about it; None if it is good."""
        match self.is_barred(headword):
            case None:
                return LookupRequest(word=self.word, about="label", words=(headword,))
            case True if derivation is None:
                return self.refuse("dover-2-label")
            case True:
                return self.refuse("dover-2-label-base", derivation)
            case False:
                return None

    def allow(self, rule: str, derivation: WordDerivation | None = None, **values: str) -> WordRuling:
        """Return the ruling that a list lets the word be played; without a derivation it is its own base."""
        made = derivation or WordDerivation(self.word, (), 0)
        return make_ruling(self.word, rule, acceptable=True, derivation=made, values=self._values(values))

    def allow_by_dictionary(self, rule: str, derivation: WordDerivation | None = None, **values: str) -> WordRuling:
        """Return the ruling that the word may be played, since the dictionary has it or its base."""
        labels_checked = self.dictionary.states_labels or not self.bars_labelled
        return replace(self.allow(rule, derivation, **values), labels_checked=labels_checked)

    def refuse(
        self,
        rule: str,
        derivation: WordDerivation | None = None,
        follows: Consequence = TURN_LOST,
        **values: str,
    ) -> WordRuling:
        """Return the ruling that the word may not be played."""
        filled = self._values(values)
        return make_ruling(self.word, rule, acceptable=False, derivation=derivation, follows=follows, values=filled)

    def _values(self, values: dict[str, str]) -> dict[str, str]:
        """Return the fields of a sentence with the names of the lists."""
        name = self.reference_name
        twos = read_sentences()["two-letter-lists"][self.twos_name]
        return {"reference": name, "Reference": name[0].upper() + name[1:], "list": twos, **values}


class NotDerivable(str):
    """A base that a player named, from which no derivation of the word is known."""


def find_base_derivations(check: WordCheck) -> tuple[WordDerivation, ...] | LookupRequest | NotDerivable:
    """Return how the word is made of words of the player's dictionary, or which words to look up there.

    The list of two-letter words alone decides that its words are bases: AIS, EXES, GOING, AXED, DOES.
    """
    base, ending, dictionary = check.word[:2], check.word[2:], check.dictionary
    if base in check.twos and ending == ("ES" if base.endswith(("S", "X")) else "S"):
        return (WordDerivation(base, (DerivationStep(check.word, "-S"),), 1),)
    # These endings come after the search, since AXED may be of AXE rather than of AX.
    inflected: tuple[WordDerivation, ...] = ()
    if base in check.twos and (ending in ("ED", "ING") or (ending == "ES" and base[-1] == "O")):
        affix = "-S" if ending == "ES" else f"-{ending}"
        inflected = (WordDerivation(base, (DerivationStep(check.word, affix),), 1),)
    if not isinstance(dictionary, PlayerAnswers):
        return find_derivations(check.word, dictionary, check.affixes) or inflected
    bases = [word for word, is_in in dictionary.lookups.items() if is_in and word != check.word]
    derivations = tuple([made for base in bases for made in derivations_from(check.word, base, check.affixes)])
    if derivations:
        return derivations
    if bases:
        # The player has named a base, and is not asked for others.
        return NotDerivable(bases[0])
    candidates = [candidate.base for candidate in find_candidate_bases(check.word, check.affixes)]
    unasked = tuple([base for base in candidates if dictionary.holds(base) is None])
    return LookupRequest(word=check.word, about="dictionary", words=unasked) if unasked else inflected


def refuse_without_base(check: WordCheck, derivations: object, rule_prefix: str = "") -> WordRuling:
    """Return the refusal of a word without a base in the dictionary; `rule_prefix` begins the id of its rule."""
    if isinstance(derivations, NotDerivable):
        return check.refuse(f"{rule_prefix}not-made-of", base=str(derivations))
    for cut in range(_SHORTEST_PART, len(check.word) - _SHORTEST_PART + 1):
        first, second = check.word[:cut], check.word[cut:]
        if check.dictionary.holds(first) and check.dictionary.holds(second):
            return check.refuse(f"{rule_prefix}compound", parts=f"{first} and {second}")
    return check.refuse(f"{rule_prefix}no-base")
