"""Time used, and what it costs. (RULES 8)"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ordws.rules.clock import find_expiry, has_game_limit, has_turn_limit, is_untimed, overtime_penalty
from ordws.rules.ruleset import Clock
from ordws.rules.rulesets import CLASSIC, DOVER, RULE_SETS, SCRABBLE_I
from ordws.rules.state import DepartureReason

BLITZ = replace(SCRABBLE_I, clock_seconds=300)


@pytest.mark.parametrize(
    ("over", "points"),
    [(-1500, 0), (-1, 0), (0, 0), (1, -10), (60, -10), (61, -20), (125, -30), (600, -100)],
)
def test_each_minute_begun_costs_ten_points(over, points):
    """2 min 5 s over cost 30, a second 10, ten minutes 100. (V-19, T-23)"""
    assert overtime_penalty(CLASSIC, 1500 + over) == points


@pytest.mark.parametrize("rules", [BLITZ, DOVER, SCRABBLE_I, replace(CLASSIC, clock_seconds=0)])
def test_other_clocks_cost_no_points(rules):
    """A total time ends the game, the time of a turn the turn; without a clock nothing is over. (RULES 8.2, 8.3)"""
    assert overtime_penalty(rules, 100_000) == 0


@pytest.mark.parametrize(
    ("rules", "seconds", "expiry"),
    [
        (CLASSIC, 2100, None),
        (CLASSIC, 2101, DepartureReason.OVERTIME),
        (BLITZ, 299, None),
        (BLITZ, 300, DepartureReason.TIME_UP),
        (SCRABBLE_I, 100_000, None),
        (DOVER, 100_000, None),
        (replace(CLASSIC, clock=Clock.NONE), 100_000, None),
    ],
)
def test_time_takes_a_player_out_of_the_game(rules, seconds, expiry):
    """More than ten minutes over lose the regular game; all of a total time used ends the player's. (RULES 8.1, 8.2)"""
    assert find_expiry(rules, seconds) is expiry


def test_which_rule_sets_are_timed():
    """Scrabble I until an event sets its total, and Dover, whose clock limits turns, have no limit. (RULES 11, A-25)"""
    assert {name for name, rules in RULE_SETS.items() if is_untimed(rules)} == {
        "scrabble-i-classic",
        "scrabble-o",
        "scrabble-i",
        "dover",
    }
    assert is_untimed(replace(CLASSIC, clock=Clock.NONE))
    assert [name for name, rules in RULE_SETS.items() if has_turn_limit(rules)] == ["dover"]
    assert has_game_limit(BLITZ)
    assert not has_game_limit(SCRABBLE_I)
    assert not has_turn_limit(replace(DOVER, clock_seconds=0))
