"""Tests of what a day of each kind of honest caller asks, which docs/guard.md tells."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ordws.fairplay.recorded_games import SEED, honest_games
from ordws.guard.policy import Policy
from tests.mining.bounds import bounds_of
from tests.mining.day_plans import DAY_PLANS, DEALT_KINDS, NEW_OPERATOR_PLAYERS, TOURNAMENT_PLAYERS
from tests.mining.demand import measure_day
from tests.mining.honest_replay import OPERATOR_UNITS
from tests.mining.mined_lexicon import make_mined_lexicon

GUARD = Path(__file__).parents[2] / "docs" / "guard.md"
DAYS = {"tournament": 100, "operator": 5}
AMOUNT = r"([\d,]+) / ([\d,]+)"
ROW = re.compile(
    rf"^\| `([a-z-]+)`[^|]*\| ([\d,]+) \| {AMOUNT} \| {AMOUNT} \| {AMOUNT} \| ([\d,]+) \| ([\d,]+) \|$", re.M
)


def limits(kind) -> tuple[int, int]:
    """Return the units and core words that a caller of a kind may ask a day."""
    policy = Policy()
    match kind:
        case "new":
            games = policy.first_games_a_day
            return games * policy.units_a_game + policy.outside_a_day, policy.core_a_day(games)
        case "operator":
            return OPERATOR_UNITS, policy.operator_core_a_day(OPERATOR_UNITS)
        case "new-operator":
            return bounds_of(policy, "unverified-pseudonyms", NEW_OPERATOR_PLAYERS, policy.world_floor)
        case "club" | "challenges" | "tournament":
            return bounds_of(policy, "pseudonyms", TOURNAMENT_PLAYERS, policy.world_floor)
        case _:
            return bounds_of(policy, "verified", 1, policy.world_floor)


def test_the_documented_limits_are_what_the_policy_admits():
    """Each row of the table of honest days has what the policy admits, which is more than the day asks."""
    rows = ROW.findall(GUARD.read_text())
    assert {kind for kind, *_ in rows} == DAY_PLANS.keys() - DEALT_KINDS
    for kind, *cells in rows:
        _, _, units_p99, _, _, _, distinct_core_p99, *admitted = [int(cell.replace(",", "")) for cell in cells]
        assert tuple(admitted) == tuple(map(round, limits(kind))), kind
        assert units_p99 < admitted[0], kind
        assert distinct_core_p99 < admitted[1], kind


@pytest.mark.long
def test_the_documented_demand_is_what_the_traffic_asks():
    """Each row of the table of honest days has what the simulated traffic asks and what the policy admits."""
    core = make_mined_lexicon(SEED).core
    rows = ROW.findall(GUARD.read_text())
    assert {kind for kind, *_ in rows} == DAY_PLANS.keys() - DEALT_KINDS
    for kind, *cells in rows:
        demand = measure_day(kind, honest_games(), core, days=DAYS.get(kind, 400), seed=SEED)
        amounts = (demand.units, demand.core, demand.distinct_core)
        figures = [demand.games, *[figure for amount in amounts for figure in amount], *limits(kind)]
        assert [int(cell.replace(",", "")) for cell in cells] == [round(figure) for figure in figures], kind
        # No honest day of its kind meets a refusal.
        assert demand.units.p99 < limits(kind)[0]
        assert demand.distinct_core.p99 < limits(kind)[1]
