"""The graphs of words that the program keeps."""

from __future__ import annotations

from itertools import product

from ordws.computer.words import PublicWords, Strength
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS


def test_games_with_words_of_their_own_do_not_fill_the_memory():
    """A graph is kept for the next turn, and a few dozen games with other words later it is gone."""
    words = PublicWords(["CAT", "DOG", "EEL"], ["CAT", "DOG", "EEL"])
    own = [with_options(RULE_SETS["classic"], {"strike": ["A" + "".join(two)]}) for two in product("BCDEFGH", repeat=2)]
    first = words.graph(own[0], Strength.CLUB)
    assert words.graph(own[0], Strength.CLUB) is first
    for rules in own[1:]:
        words.graph(rules, Strength.CLUB)
    assert words.graph(own[0], Strength.CLUB) is not first
