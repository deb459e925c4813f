"""Attackers against a house of a few thousand words: within the bound, and near it."""

from __future__ import annotations

import logging

import pytest

from ordws.guard.policy import Policy
from ordws.mining.attack_task import AttackTask, measure
from ordws.mining.bench_rows import ORDWS

SMALL = Policy(
    outside_a_day=5, units_a_game=8, games_a_day=4, world_floor=30, world_ceiling=90, operator_units_a_day=60
)
"""37 units a day; 10 where a sign of mining was seen."""

SIZE = 2_500


@pytest.fixture(autouse=True)
def _quiet():
    """Alarms are what this is about, and need not be told a keeper."""
    logger = logging.getLogger("ordws.api")
    before = logger.level
    logger.setLevel(logging.ERROR)
    yield
    logger.setLevel(before)


def row(attack, identities=1, days=1.0, policy=SMALL):
    return measure(AttackTask(ORDWS, attack, identities, days, 1, SIZE), policy)


@pytest.mark.parametrize("attack", ["families", "grouped", "boards", "hidden", "restart", "re-ask"])
def test_one_identity_learns_its_units_and_no_more(attack):
    """Whoever spends every budget well learns nearly all that the bound lets him, and never a word beyond it."""
    found = row(attack)
    assert found.bound == 37
    assert 30 <= found.learned_per_day <= 37


def test_several_learn_the_sum():
    """What three identities learn together is at most three times the bound of one."""
    found = row("hidden", 3)
    assert found.bound == 111
    assert 100 <= found.learned_per_day <= 111


def test_a_sweep_is_flagged_and_tightened():
    """A sweep of the dictionary comes to an alarm within 30 words, and has a quarter of its units from then on."""
    found = row("sweep")
    assert found.flagged_after_words is not None
    assert found.flagged_after_words <= 30
    assert 8 <= found.learned_per_day <= 30


@pytest.mark.parametrize("share", ["1.0", "0.8", "0.6"])
def test_a_thin_disguise_is_seen_through(share):
    """Core words among the others delay the alarm and do not prevent it."""
    found = measure(AttackTask(ORDWS, f"mimicry-{share}", 1, 1, 1, SIZE), Policy())
    assert found.flagged_after_words is not None
    assert 50 <= found.learned_per_day <= 356


def test_one_who_knows_the_detectors_stays_below_them():
    """Against a disguise that knows every weight it is the bound that holds."""
    found = measure(AttackTask(ORDWS, "hidden", 1, 1, 1, SIZE), Policy())
    assert found.flagged_after_words is None
    assert 320 <= found.learned_per_day <= 356


def test_sybils_share_one_budget():
    """However many are not verified, they learn no more than the world's cap together; a keeper is told that day."""
    found = row("sybils", 20)
    assert (found.bound, found.learned_per_day, found.world_alarm_on_day) == (30, 30, 1)


def test_a_flood_does_not_raise_the_cap():
    """Days that reach the cap do not count for it, for as long as they go on."""
    found = row("median", 20, 40)
    assert (found.bound, found.units_per_day, found.world_cap_after) == (30, 30, 30)


def test_invented_pseudonyms_share_the_operators_total():
    """An operator's players learn no more than its daily total together, whoever they are."""
    found = row("pseudonyms", 30)
    assert found.bound == 60
    assert 55 <= found.learned_per_day <= 60


def test_no_guard_leaks_all_that_is_asked():
    """Without a guard every question is answered, so that the attackers are known to attack."""
    found = measure(AttackTask("none", "borderline", 1, 1, 1, SIZE))
    assert (found.bound, found.refused, found.learned_per_day) == (None, 0, 1_859)


@pytest.mark.parametrize(
    ("policy", "learned"), [("Flask-Limiter 50/hour + 200/day", 200), ("Flask-Limiter 60/minute", 1_859)]
)
def test_baselines_leak_a_word_a_request(policy, learned):
    """Limits on requests let a word through with each: 200 a day, or all there is within the hour."""
    assert measure(AttackTask(policy, "borderline", 1, 1, 1, SIZE)).learned_per_day == learned


def test_baselines_leak_more_in_groups():
    """Several words a request tell more than one."""
    assert (
        measure(AttackTask("Flask-Limiter 50/hour + 200/day", "grouped-families", 1, 1, 1, SIZE)).learned_per_day > 230
    )


@pytest.mark.parametrize("attack", ["in-game", "in-game-two-days", "mixture"])
def test_who_plays_sealed_games_stays_within_the_bound(attack):
    """Sealed games spend the same units, also games that were opened the day before."""
    found = row(attack, days=1.5)
    assert found.bound == 37
    assert 12 <= found.learned_per_day <= 37
