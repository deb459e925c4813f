"""A word to be checked in two books, what the home rules ask about it, and the ruling or the question still open.

For the browser, ordws/web/pages/static/word-check.js holds these functions.
"""

from __future__ import annotations

import tomllib
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, TypeAlias

from ordws.homeplay.affixes import EXTENDED, Affixes
from ordws.homeplay.book import LookupKind, PlayerAnswers, WordBook
from ordws.homeplay.formatives import (
    DerivationStep,
    WordDerivation,
    derivations_from,
    find_candidate_bases,
    find_derivations,
)

Consequence: TypeAlias = Literal["turn-lost", "another-play"]

ANOTHER_PLAY: Final[Consequence] = "another-play"
TURN_LOST: Final[Consequence] = "turn-lost"


@dataclass(frozen=True, kw_only=True)
class WordRuling:
    """The ruling on a word: whether it may be played, by which rule, and why."""

    word: str
    acceptable: bool
    rule: str
    """An id that does not change; `sentences.toml` has one section for each."""
    source: str
    """The place in the rule book."""
    because: str
    """The reason, in a sentence."""
    base: str | None = None
    steps: tuple[str, ...] = ()
    """The words from the base to the word itself."""
    affix: str = ""
    follows: Consequence | None = None
    """The consequence for the play, if the word is not acceptable."""
    labels_checked: bool = True
    """False if labelled words are barred and the dictionary, a file, states no labels."""


@dataclass(frozen=True, kw_only=True)
class LookupRequest:
    """The words that have to be looked up: the first of `words`, and after a no the next."""

    word: str
    about: LookupKind
    words: tuple[str, ...]

    @property
    def question(self) -> str:
        """The question about the first word, as it is put to the players."""
        return str(read_sentences()["question"][self.about].format(asked=self.words[0]))


@cache
def read_sentences() -> dict[str, Any]:
    """Return the sentences of rulings, as they stand in their file."""
    return tomllib.loads(resources.files(__package__).joinpath("sentences.toml").read_text("utf-8"))


def playable_hint() -> str:
    """Return the sentence on headwords that are no words for the board, to be read before the first question."""
    return str(read_sentences()["notes"]["playable"])


def describe_ruling(ruling: WordRuling) -> str:
    """Return a ruling as lines of text: the reason, the way from the base, what follows, and the source."""
    sentences = read_sentences()
    lines = [f"{ruling.word}: {'acceptable' if ruling.acceptable else 'not acceptable'}", f"  {ruling.because}"]
    if len(ruling.steps) > 1:
        lines.append(f"  {' > '.join(ruling.steps)}")
    if ruling.follows is not None:
        lines.append(f"  {sentences['follows'][ruling.follows]}")
    if not ruling.labels_checked:
        lines.append(f"  {sentences['notes']['labels-unchecked']}")
    return "\n".join([*lines, f"  ({ruling.source})"])


def refuse_unplayable(text: str) -> WordRuling:
    """Return the ruling on a text that is not one word of letters, so that no rule set knows it."""
    shown = "".join([c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:40]])
    return make_ruling(shown, "not-playable", acceptable=False, derivation=None)


def make_ruling(
    word: str,
    rule: str,
    *,
    acceptable: bool,
    derivation: WordDerivation | None,
    follows: Consequence | None = None,
    values: Mapping[str, str] | None = None,
) -> WordRuling:
    """Return a ruling with its sentence, whose fields are filled in from the derivation and from `values`."""
    sentence = read_sentences()["rules"][rule]
    made = derivation or WordDerivation("", (), 0)
    fields = {"word": word, "base": made.base, "affix": made.affix, "chain": ", ".join(made.words), **(values or {})}
    return WordRuling(
        word=word,
        acceptable=acceptable,
        rule=rule,
        source=sentence["source"],
        because=sentence["says"].format(**fields),
        base=made.base or None,
        steps=made.words if made.base else (),
        affix=made.affix,
        follows=follows,
    )


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
