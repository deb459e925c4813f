"""The words with which a game is played."""

from __future__ import annotations

from collections.abc import Iterable

from ordws.rules.published_lists import is_acceptable
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import published_word_lists


def words_for(rules: RuleSet, words: Iterable[str]) -> set[str]:
    """Return the words that are acceptable under a rule set.

    Its own two-letter words and the longer words that it grants are added, and words that it strikes out are left out.
    """
    lists = published_word_lists(rules)
    acceptable = {word for word in words if is_acceptable(lists, word, found=True)}
    return acceptable | lists.twos | (lists.granted - lists.struck)
