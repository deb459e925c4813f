"""Tests of the limits and the bound."""

from __future__ import annotations

import pytest
from each_row import each_row

from ordws.errors import BadInput
from ordws.guard.policy import DAY, Policy


def test_the_default_bound_is_356_words_a_day():
    """An identity learns at most 12 x 28 + 20 = 356 words in a day (docs/guard.md Decision 3)."""
    assert Policy().units_a_day == 356


def test_the_bound_follows_the_policy():
    """The bound is computed from the limits, so an edited policy states its own."""
    assert Policy(games_a_day=2, units_a_game=10, outside_a_day=5).units_a_day == 25


def test_the_default_policy_is_valid():
    """The default policy is valid, as are a stricter one and one that lets nobody ask."""
    Policy().check()
    Policy(games_a_day=6, first_games_a_day=1, world_ceiling=900).check()
    Policy(
        outside_a_day=0,
        units_a_game=0,
        games_a_day=0,
        first_games_a_day=0,
        plays_a_game=0,
        plays_a_seat=0,
        core_a_game=0,
        core_outside_a_day=0,
        operator_core_percent=0,
        operator_core_percent_beyond=0,
        operator_reference_percent=0,
        units_a_new_player=1,
        operator_units_a_day=0,
        new_players_a_day=0,
        world_floor=0,
        world_percent=0,
        world_ceiling=0,
        world_core_percent=0,
        tightened_percent=0,
        ramp_days=1,
    ).check()


@each_row(
    ("changed", "fault"),
    [
        ({"outside_a_day": 21}, "357 units a day for an identity are more than the 356 promised"),
        ({"games_a_day": 1}, '"first_games_a_day" is above "games_a_day", 1'),
        ({"world_floor": 1_501}, '"world_floor" is above "world_ceiling", 1500'),
        ({"tightened_percent": 101}, '"tightened_percent" is above 100'),
        ({"guest_units_a_day": 27}, '"guest_units_a_day" is below "units_a_game", 28; 0 opens no game to guests'),
        ({"guest_games_an_address": -1}, '"guest_games_an_address" is -1, and may not be below 0'),
        ({"ramp_days": 0}, '"ramp_days" is 0, and may not be below 1'),
        ({"plays_a_game": -1}, '"plays_a_game" is -1, and may not be below 0'),
        ({"units_a_new_player": 0}, '"units_a_new_player" is 0, and may not be below 1'),
        (
            {"core_a_game": -5, "units_a_game": 40, "tightened_percent": 200},
            '"core_a_game" is -5, and may not be below 0;'
            ' 500 units a day for an identity are more than the 356 promised; "tightened_percent" is above 100',
        ),
    ],
)
def test_every_fault_of_a_policy_is_named(changed, fault):
    """Every fault of a policy is named."""
    with pytest.raises(BadInput) as raised:
        Policy(**changed).check()
    assert str(raised.value) == f"the policy does not hold: {fault}"


@each_row(
    ("age", "games"),
    [
        (-DAY, 2),
        (0, 2),
        (3 * DAY - 1, 2),
        (3 * DAY, 3),
        (15 * DAY, 7),
        (30 * DAY - 1, 11),
        (30 * DAY, 12),
        (4_000 * DAY, 12),
    ],
)
def test_games_grow_with_age(age, games):
    """A new identity has two games a day, one more every three days, and twelve from the thirtieth day on."""
    assert Policy().games_a_day_at_age(age) == games


@each_row(("limit", "left"), [(0, 0), (1, 1), (20, 5), (28, 7), (356, 89)])
def test_an_alarm_leaves_a_quarter(limit, left):
    """An alarm leaves a quarter of a limit, rounded up, so that an identity that may ask is not shut out."""
    assert Policy().tightened_limit(limit) == left


@each_row(("games", "core"), [(0, 60), (2, 140), (12, 540)])
def test_core_words_of_an_identity_follow_its_games(games, core):
    """An identity may ask forty core words for each game that it may open, and sixty besides."""
    assert Policy().core_a_day(games) == core


@each_row(("units", "core"), [(0, 0), (333, 765), (2_000, 4_600), (16_000, 10_900)])
def test_core_words_of_an_operator_grow_slower_than_its_units(units, core):
    """Core words of an operator are 230 % of its units up to 2,000, and 45 % beyond: more games repeat more words."""
    assert Policy().operator_core_a_day(units) == core


@each_row(("age", "units"), [(0, 333), (15 * DAY, 1_166), (30 * DAY, 2_000)])
def test_the_total_of_an_unverified_operator_grows_as_games_do(age, units):
    """The total of an unverified operator is two twelfths on its first day, and whole after thirty days."""
    assert Policy().units_a_day_at_age(2_000, age) == units


@each_row(("units", "players"), [(30, 20), (2_000, 125), (16_000, 1_000)])
def test_a_verified_operator_has_new_players_for_its_units(units, players):
    """A verified operator may have a new pseudonym for sixteen units of its total, and never fewer than another."""
    assert Policy().verified_new_players_a_day(units) == players


def test_the_least_share_is_that_of_the_first_games():
    """A newcomer's share holds its two games: 56 units and 80 core words; four core words are asked for a unit."""
    policy = Policy()
    assert (policy.least_share, policy.least_core_share, policy.world_core_cap(500)) == (56, 80, 2_000)
