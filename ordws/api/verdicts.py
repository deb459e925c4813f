"""Verdicts on words: the only module that looks words up in the word set, and says which of a question are charged."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from ordws.guard.charge import Question
from ordws.homeplay.formatives import find_possible_bases
from ordws.lexicon.edition import Edition, WordSet
from ordws.rules.ruleset import HomeRules, Offensive, RuleSet, published_word_lists

_NONE: Final[Mapping[str, Edition]] = MappingProxyType({})
# Reaching a member through its class would take as long as the look-up of a word.
_DOVER, _DISALLOWED = HomeRules.DOVER, Offensive.DISALLOWED


class WordRule(NamedTuple):
    """The sets of an edition that decide a word which the published lists do not (docs/rules.md 6.3, 6.9)."""

    name: str
    """The name under which the guard charges it; empty for the regular one, whose marks have none."""
    takes_dover_forms: bool
    bars_labelled: bool

    @staticmethod
    def of(rules: RuleSet) -> WordRule:
        return WORD_RULES[rules.home_rules is _DOVER][rules.offensive is _DISALLOWED]

    def is_good(self, word: str, edition: Edition) -> bool:
        """Return whether an edition has a folded word.

        Which sets are asked is up to the rule and never to the word, so that the time reveals nothing.
        """
        if self is REGULAR:
            return word in edition.words
        found, is_form, is_labelled = word in edition.words, word in edition.dover_forms, word in edition.labelled
        return (found | (is_form & self.takes_dover_forms)) & (not (is_labelled & self.bars_labelled))


REGULAR: Final = WordRule("", takes_dover_forms=False, bars_labelled=False)
WORD_RULES: Final = (
    (REGULAR, WordRule("inoffensive", takes_dover_forms=False, bars_labelled=True)),
    (
        WordRule("dover", takes_dover_forms=True, bars_labelled=False),
        WordRule("dover-inoffensive", takes_dover_forms=True, bars_labelled=True),
    ),
)
"""All word rules: without and with Dover's forms, and of each the one that takes labelled words first."""


def are_acceptable(
    edition: Edition, rules: RuleSet, words: Sequence[str], charged_under: Mapping[str, Edition] = _NONE
) -> bool:
    """Return True where all folded words are acceptable, each in the edition that it was charged under.

    What the published lists decide is not looked up.
    """
    lists, rule = published_word_lists(rules), WordRule.of(rules)
    # Every other word is looked up, whatever the first ones yield, so that the time reveals nothing.
    verdicts = [
        rule.is_good(word, charged_under.get(word, edition)) if (decided := lists.decide(word)) is None else decided
        for word in words
    ]
    return all(verdicts)


def are_found_in_game(edition: Edition, reference: WordSet, rules: RuleSet, words: Sequence[str]) -> bool:
    """Return True where every word is in a players' reference, or is or was acceptable (docs/rules.md A-22, A-50).

    Every word is looked up in every list, so that the time reveals nothing, but for those that a list decides: of these
    the reference alone is asked, and nothing for a word that the club itself allows or strikes.
    """
    lists, rule = published_word_lists(rules), WordRule.of(rules)
    found = []
    for word in words:
        decided = lists.decide(word)
        if word in rules.allow or word in rules.strike:
            found.append(word in rules.allow)
        elif decided is not None:
            found.append((word in reference) | decided)
        else:
            was_good = (word in edition.retired) | ((word in edition.dover_retired) & rule.takes_dover_forms)
            found.append((word in reference) | was_good | rule.is_good(word, edition))
    return all(found)


@dataclass(frozen=True, slots=True)
class CoreWithout(Container[str]):
    """The core list without some words, which a question is charged for; a copy of the list would take milliseconds."""

    core: frozenset[str]
    charged: set[str]

    def __contains__(self, word: object) -> bool:
        return word in self.core and word not in self.charged


def charged_question(edition: Edition, rules: RuleSet, question: Question) -> tuple[Question, Container[str]]:
    """Return a question as it is charged, and the words that cost no unit, both by public lists alone.

    Words that the published lists decide are left out. Under Dover the verdict on a form may tell that a base of it is
    in the word set, or that none is: so each base outside the core list is charged too (docs/guard.md Decision 2).
    """
    lists, rule = published_word_lists(rules), WordRule.of(rules)
    words = tuple([word for word in question.words if lists.decide(word) is None])
    if rule is not REGULAR or words != question.words:
        question = question._replace(words=words, rule=f"{question.rule}{rule.name}")
    if not rule.takes_dover_forms:
        return question, edition.core
    bases: list[str] = []
    charged: set[str] = set()
    for word in words:
        told = find_charged_bases(word, edition)
        bases += told
        # Of some core words only rarer lists than the reference know a base that is not core.
        charged |= {word} if word in edition.dover_charged and not told else set()
    core = CoreWithout(edition.core, charged) if charged else edition.core
    return question._replace(bases=tuple(bases)), core


def find_charged_bases(word: str, edition: Edition) -> tuple[str, ...]:
    """Return the bases on which the verdict on a word may tell under Dover: in the open reference, and not core."""
    reference, core = edition.open_reference, edition.core
    # Of the forms in an installation's own list the open one may lack some.
    may_be_form = edition.has_own_reference or word in reference
    if not may_be_form or (word in core and word not in edition.dover_charged):
        return ()
    bases = dict.fromkeys(find_possible_bases(word))
    return tuple([base for base in bases if base != word and base in reference and base not in core])
