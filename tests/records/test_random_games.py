"""Games of chance under every rule set and many options, kept, written, read and audited."""

from __future__ import annotations

from random import Random

import pytest
from random_games import play_at_random

from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg, write_gcg
from ordws.records.gcg_export import to_gcg_record
from ordws.rules.options import with_options
from ordws.rules.rulesets import RULE_SETS

OPTIONS = {
    "challenge": ("none", "void", "single", "double", "five", "ten", "triple"),
    "check_ospd": ("none", "official", "dover"),
    "late_bad_play": ("always", "until-next-turn", "stands"),
    "clock": ("none", "overtime", "total", "turn"),
    "unplayed_tiles": ("double", "transfer"),
    "most_players": ("2", "4"),
    "small_word_cap": ("on", "off"),
}


@pytest.mark.parametrize("seed", range(60))
def test_a_game_of_chance_is_exact(seed):
    """Whatever happened in it, its record recomputes, and to the scores that the referee had."""
    chance = Random(seed)
    rules = list(RULE_SETS.values())[seed % 5]
    rules = with_options(rules, {name: chance.choice(OPTIONS[name]) for name in chance.sample(list(OPTIONS), 3)})
    game, state = play_at_random(rules, chance.randint(2, rules.most_players), chance)
    record = read_gcg(write_gcg(to_gcg_record(game, ("Ann", "Bob", "Cy", "Di")[: game.players])))
    found = audit_record(record)
    assert found.is_exact, found.findings
    assert found.rules == rules
    assert tuple(found.totals.values()) == state.scores
