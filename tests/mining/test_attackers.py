"""Tests of attackers on an installation of a few thousand words: within the bound, and near it."""

from __future__ import annotations

import logging

import pytest
from each_row import each_row

from ordws.guard.policy import Policy
from ordws.records.audit import read_final_board
from ordws.records.gcg import read_gcg
from tests.mining.attack_task import RECORDED_LEXICON, AttackTask, measure
from tests.mining.attackers.boards import invented_record
from tests.mining.bench_rows import ORDWS

SMALL = Policy(
    outside_a_day=5, units_a_game=8, games_a_day=4, world_floor=30, world_ceiling=90, operator_units_a_day=60
)
"""37 units and 220 core words a day; 10 and 55 in alarm."""

SIZE = 2_500
SMALLEST = 800
"""The size of a lexicon all of whose words are asked for."""


@pytest.fixture(autouse=True)
def _quiet():
    """Silence the log, since alarms are what these tests raise."""
    logger = logging.getLogger("ordws.api")
    before = logger.level
    logger.setLevel(logging.ERROR)
    yield
    logger.setLevel(before)


def row(attack, identities=1, days=1.0, policy=SMALL):
    return measure(AttackTask(ORDWS, attack, identities, days, 1, SIZE), policy)


@each_row("attack", ["families", "grouped", "boards", "hidden", "restart"])
def test_one_identity_learns_its_units_and_no_more(attack):
    """An identity that spends every budget well learns nearly the bound, and no word beyond it."""
    measured = row(attack)
    assert measured.outside_bound == 37
    assert 30 <= measured.outside_per_day <= 37


@pytest.mark.parametrize("identities", [1, 3])
def test_forms_under_dover_tell_no_more_than_they_cost(identities):
    """Verdicts under Dover settle forms and their bases, all of which together stay within the bound of units."""
    measured = row("dover", identities)
    assert measured.outside_bound == 37 * identities
    assert 5 * identities <= measured.outside_per_day <= 37 * identities
    assert measured.flagged_after_words is None


def test_asking_again_after_an_update_learns_no_more():
    """What was charged within a day is answered from the edition of that time, and asked later it is charged anew."""
    measured = row("re-ask", days=2)
    assert 20 <= measured.outside_per_day <= 37


def test_several_identities_learn_at_most_the_sum():
    """Three identities together learn at most three times the bound of one."""
    measured = row("hidden", 3)
    assert measured.outside_bound == 111
    assert 100 <= measured.outside_per_day <= 111


def test_a_sweep_is_flagged_and_tightened():
    """A sweep raises an alarm within 30 words, and has a quarter of its units from then on."""
    measured = row("sweep")
    assert measured.flagged_after_words is not None
    assert measured.flagged_after_words <= 30
    assert 8 <= measured.outside_per_day <= 30


def test_an_adaptive_attacker_evades_detectors_and_learns_less():
    """An attacker that knows the detectors raises no alarm, and learns fewer words than its budgets hold."""
    measured = measure(AttackTask(ORDWS, "hidden", 1, 1, 1, SIZE), Policy())
    assert measured.flagged_after_words is None
    assert 220 <= measured.outside_per_day <= 300


@pytest.mark.long
def test_a_club_that_evades_detectors_learns_its_units():
    """The devices of a club that knows the detectors raise no alarm, and learn what the club's budgets hold."""
    measured = measure(AttackTask(ORDWS, "club-hidden", 43, 1, 1, 6_000), Policy())
    assert measured.flagged_after_words is None
    assert 1_900 <= measured.outside_per_day <= 2_000


def test_reviews_of_invented_boards_learn_no_more_than_the_budgets():
    """Directors who look over invented games learn what their own budgets hold without an alarm, and no word beyond."""
    measured = measure(AttackTask(ORDWS, "reviews", 6, 1, 1, 6_000), Policy())
    assert (measured.outside_bound, measured.flagged_after_words) == (2_000, None)
    # Three directors with twelve boards each, of up to five words.
    assert 120 <= measured.outside_per_day <= 3 * 12 * 5
    assert row("reviews", 8).outside_per_day <= SMALL.operator_units_a_day


def test_an_invented_game_is_a_finished_board():
    """The record of an invented game must have its words on its board, and no others."""
    words = ("FAMINE", "BELIEF", "", "OPEN")
    final = read_final_board(read_gcg(invented_record(words).encode()))
    assert final.words == ("FAMINE", "BELIEF", "OPEN")
    assert [play.move for play in final.plays] == ["8C FAMINE", "C3 BELIE.", "G5 OPE."]


def test_sybils_share_one_budget():
    """Any number of unverified callers learn no more than the shared cap together, and raise an alarm on that day."""
    measured = row("sybils", 20)
    assert (measured.outside_bound, measured.outside_per_day, measured.world_alarm_on_day) == (30, 30, 1)


@pytest.mark.long
def test_a_flood_does_not_raise_the_cap():
    """Days that reach the cap never raise it, for as long as they go on."""
    measured = row("median", 20, 40)
    assert (measured.outside_bound, measured.units_per_day, measured.world_cap_after) == (30, 30, 30)


def test_invented_pseudonyms_share_the_operators_total():
    """The players of an operator together learn no more than its daily total."""
    measured = row("pseudonyms", 30)
    assert measured.outside_bound == 60
    assert 55 <= measured.outside_per_day <= 60


def test_without_a_guard_every_question_is_answered():
    """Without a guard every question is answered, which shows that the attackers attack."""
    measured = measure(AttackTask("none", "borderline", 1, 1, 1, SMALLEST), Policy())
    assert (measured.outside_bound, measured.refused, measured.outside_per_day) == (None, 0, 595)


@pytest.mark.parametrize(
    ("policy", "learned"), [("Flask-Limiter 50/hour + 200/day", 200), ("Flask-Limiter 60/minute", 595)]
)
def test_baselines_leak_a_word_a_request(policy, learned):
    """Limits on requests leak a word with each request: 200 a day, or all there is within the hour."""
    assert measure(AttackTask(policy, "borderline", 1, 1, 1, SMALLEST), Policy()).outside_per_day == learned


def test_baselines_leak_more_in_groups():
    """Limits on requests leak more if each asks several words."""
    task = AttackTask("Flask-Limiter 50/hour + 200/day", "grouped-families", 1, 1, 1, SIZE)
    assert measure(task, Policy()).outside_per_day > 230


@each_row("attack", ["in-game", "in-game-two-days", "mixture"])
def test_sealed_games_stay_within_the_bound(attack):
    """Sealed games spend the same units, also games that were opened the day before."""
    measured = row(attack, days=1.5)
    assert measured.outside_bound == 37
    assert 12 <= measured.outside_per_day <= 37


@each_row(("attack", "addresses"), [("guests", 6), ("guests-alone", 1), ("guests-two-days", 6)])
def test_guests_together_stay_within_their_budget(attack, addresses):
    """Guests from any number of addresses learn what a day holds at most, also in games of the day before."""
    policy = Policy(units_a_game=8, guest_units_a_day=30)
    measured = row(attack, addresses, 1.5 if attack.endswith("days") else 1, policy)
    assert (measured.outside_bound, measured.core_bound) == (30, 120)
    assert 12 <= measured.outside_per_day <= 30
    assert measured.core_per_day <= 120


def test_visitors_together_stay_within_their_budget():
    """Visitors from any number of addresses learn what a day holds at most, and one address a fifth of it."""
    policy = Policy(visitor_units_a_day=30, visitor_core_a_day=50)
    many, one = row("visitors", 9, 1, policy), row("visitors", 1, 1, policy)
    assert (many.outside_bound, many.core_bound) == (30, 50)
    assert (many.outside_per_day, many.core_per_day) == (30, 50)
    assert (one.outside_per_day, one.core_per_day) == (6, 10)


@pytest.mark.parametrize("attack", ["core", "core-in-games"])
def test_one_identity_learns_its_core_words_and_no_more(attack):
    """One identity has as many core words answered as its budget, with game labels or without."""
    measured = row(attack)
    assert measured.core_bound == 220
    assert measured.outside_per_day == 0
    assert 50 <= measured.core_per_day <= 220


def test_core_words_of_a_club_have_a_total():
    """However many devices a club pairs, all of them together have as many core words answered as the club has."""
    measured = row("core-club", 10)
    assert measured.core_bound == 138
    assert 30 <= measured.core_per_day <= 138
    # Core words are mostly in, so a verdict tells little.
    assert measured.bits_per_day == pytest.approx(0.194 * measured.core_per_day, abs=1)


def test_invented_pseudonyms_share_the_unverified_operators_part():
    """An unverified operator has a quarter of the core words that all unverified callers share."""
    measured = row("core-pseudonyms", 10)
    assert (measured.core_bound, measured.core_per_day) == (80, 80)


def test_a_crowd_shares_the_core_words_of_unverified_callers():
    """Any number of unverified keys have as many core words answered as all unverified callers share."""
    measured = row("core-crowd", 20)
    assert (measured.core_bound, measured.core_per_day) == (120, 120)


def test_a_rogue_club_learns_its_units():
    """The paired devices of a club learn at most the club's total of words outside the core list."""
    measured = row("club", 5)
    assert measured.outside_bound == 60
    assert 15 <= measured.outside_per_day <= 60


@pytest.mark.long
def test_a_crowd_leaves_less_to_newcomers():
    """One hostile key leaves new players their first games of the day; many keys leave them none."""
    alone, crowd = (
        measure(AttackTask(ORDWS, "crowd", keys, 1, *RECORDED_LEXICON, newcomers=2), Policy()).newcomers_refused
        for keys in (1, 20)
    )
    assert (alone, crowd) == (0, 1)
