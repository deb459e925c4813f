"""The consequences of time (docs/rules.md 8)."""

from __future__ import annotations

from dataclasses import replace

from each_row import each_row

from ordws.rules.ending import find_expiry, has_game_limit, has_turn_limit, is_untimed, overtime_penalty
from ordws.rules.ruleset import CLASSIC, DOVER, RULE_SETS, SCRABBLE_I, Clock
from ordws.rules.state import DepartureReason

BLITZ = replace(SCRABBLE_I, clock_seconds=300)


@each_row(
    ("over", "points"),
    [(-1500, 0), (-1, 0), (0, 0), (1, -10), (60, -10), (61, -20), (125, -30), (600, -100)],
)
def test_each_minute_begun_costs_ten_points(over, points):
    """Overtime of 2 min 5 s costs 30 points, of a second 10, of ten minutes 100 (V-19, T-23)."""
    assert overtime_penalty(CLASSIC, 1_000 * (1500 + over)) == points


@each_row("rules", [BLITZ, DOVER, SCRABBLE_I, replace(CLASSIC, clock_seconds=0)])
def test_other_clocks_cost_no_points(rules):
    """Only the clock `overtime` costs points (docs/rules.md 8.2, 8.3)."""
    assert overtime_penalty(rules, 100_000_000) == 0


@each_row(
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
    """A player is out after ten minutes of overtime, or without total time (docs/rules.md 8.1, 8.2)."""
    assert find_expiry(rules, 1_000 * seconds + 999) is expiry


def test_default_time_limits_of_rule_sets():
    """Dover and the Scrabble I family have no limit for the whole game by default (docs/rules.md 11, A-25)."""
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
