"""The words of the editions that games were played with, as graphs for the move generator, in this process alone."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from ordws.errors import Broken
from ordws.fairplay.forms import HonestForms
from ordws.fairplay.turns import RarityLists, TurnReader
from ordws.instance import Instance
from ordws.lexicon.edition import Edition
from ordws.lexicon.edition_store import EditionStore
from ordws.lexicon.open_editions import OpenEditions
from ordws.lexicon.walk import walk_words
from ordws.movegen.graph import Graph
from ordws.movegen.moves import words_for
from ordws.rules.options import changed_options
from ordws.rules.ruleset import HomeRules, Offensive, RuleSet

_MOST_GRAPHS: Final = 4


class Lexicons:
    """The graphs of the editions of an installation, the few last used ones."""

    def __init__(self, instance: Instance) -> None:
        self._editions = OpenEditions(
            sealed=instance.sealed_edition,
            mark=instance.edition_mark,
            editions=instance.editions,
            core=instance.core,
            reference=instance.reference,
            charged=instance.charged,
            keys=instance.keys,
            adopting=False,
        )
        self._kept = EditionStore(editions=instance.editions, mark=instance.edition_mark)
        self._graphs: OrderedDict[tuple[object, ...], Graph] = OrderedDict()

    def reader(self, number: int, rules: RuleSet, forms: HonestForms) -> TurnReader | None:
        """Return the reader of turns of games of this edition and rule set; None if the edition is not kept here.

        Raises Broken for an edition that is kept and does not open.
        """
        edition = self._editions.find(number)
        if edition is None and self._kept.find(number) is not None:
            raise Broken(f"edition {number} does not open", hint="ordws status")
        return None if edition is None else self._reader(edition, rules, forms)

    def current_reader(self, rules: RuleSet, forms: HonestForms) -> TurnReader:
        """Return the reader of turns by the words of the newest edition."""
        return self._reader(self._editions.current, rules, forms)

    def _reader(self, edition: Edition, rules: RuleSet, forms: HonestForms) -> TurnReader:
        key = (edition.number, rules.id, tuple(sorted(changed_options(rules).items())))
        graph = self._graphs.pop(key, None)
        if graph is None:
            words = walk_words(edition, dover=rules.home_rules is HomeRules.DOVER)
            if rules.offensive is Offensive.DISALLOWED:
                words = (word for word in words if word not in edition.labelled)
            graph = Graph.from_words(words_for(rules, words))
        self._graphs[key] = graph
        if len(self._graphs) > _MOST_GRAPHS:
            self._graphs.popitem(last=False)
        return TurnReader(forms, graph, RarityLists(edition.core, edition.open_reference))
