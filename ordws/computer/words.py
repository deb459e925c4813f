"""The words that the computer player plays, and those that it lets others play: public lists alone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from enum import Enum
from pathlib import Path
from typing import Final

from ordws.errors import Missing
from ordws.movegen.graph import Graph
from ordws.movegen.moves import words_for
from ordws.rules.published_lists import PublishedLists, is_acceptable
from ordws.rules.ruleset import HomeRules, RuleSet, published_word_lists

_MOST_GRAPHS: Final = 24
"""The graphs that are kept, half a megabyte each: those of all rule sets, and some of games with words of their own."""


class Strength(Enum):
    """A strength of the computer player."""

    EASY = "easy"
    CLUB = "club"
    STRONG = "strong"


class PublicWords:
    """The public lists of an installation, and the graphs of words that were made of them."""

    def __init__(
        self,
        core: Collection[str],
        reference: Collection[str],
        common: Collection[str] = (),
        charged: Collection[str] = (),
    ) -> None:
        self.reference = frozenset(reference)
        # A practice game goes by the reference, so that no word of the computer's may be outside it.
        self._core = self.reference.intersection(core)
        self._common = self._core.intersection(common) if common else self._core
        self._charged = frozenset(charged)
        self._graphs = OrderedDict[tuple[PublishedLists, bool, bool], Graph]()

    @classmethod
    def load(cls, folder: Path) -> PublicWords:
        """Read the lists of an installation's folder `public`; raises Missing for one that has to be there."""
        core, reference = _read_list(folder / "core"), _read_list(folder / "reference")
        # Earlier versions built neither of these.
        later = [folder / name for name in ("common", "dover-charged")]
        return cls(core, reference, *[_read_list(file) if file.exists() else () for file in later])

    def graph(self, rules: RuleSet, strength: Strength) -> Graph:
        """Return the words that a strength plays under a rule set."""
        lists = published_word_lists(rules)
        is_easy, is_dover = strength is Strength.EASY, rules.home_rules is HomeRules.DOVER
        key = (lists, is_easy, is_dover)
        if key not in self._graphs:
            words = self._common if is_easy else self._core
            self._graphs[key] = Graph.from_words(words_for(rules, words - self._charged if is_dover else words))
            if len(self._graphs) > _MOST_GRAPHS:
                self._graphs.popitem(last=False)
        self._graphs.move_to_end(key)
        return self._graphs[key]

    def are_acceptable(self, rules: RuleSet, words: Collection[str]) -> bool:
        """Return whether a practice game takes all of these words."""
        lists = published_word_lists(rules)
        return all(is_acceptable(lists, word, word in self.reference) for word in words)


def _read_list(file: Path) -> frozenset[str]:
    try:
        return frozenset(file.read_text("ascii").split())
    except FileNotFoundError as error:
        raise Missing(f'the public list "{file}" is missing', hint="ordws-build run writes it") from error
