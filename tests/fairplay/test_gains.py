"""Gains over mixtures of honest forms: their bounds, and the behaviour that must not be taken for help."""

from __future__ import annotations

import numpy as np
import pytest
from each_row import each_row
from hypothesis import given, settings
from hypothesis import strategies as st

from ordws.fairplay.forms import DEFAULT_FORMS
from ordws.fairplay.milestones import MILESTONES, FieldSize, looks_due
from ordws.fairplay.simulation import SimulatedFigure, interval, upper_bound
from ordws.fairplay.statistics import (
    GainBounds,
    TimePattern,
    TurnTable,
    choice_gains,
    gains,
    has_quit,
    quitting_gain,
    time_gain,
    time_pattern,
)
from ordws.fairplay.store import SeatNumbers, TurnNumbers

KNOWERS, COUNT = DEFAULT_FORMS.knowers, DEFAULT_FORMS.count
TOP = KNOWERS - 1


def table(chosen, engine, is_rejected=None):
    chosen = np.asarray(chosen, float)[None]
    rejected = np.zeros(chosen.shape[:2], bool) if is_rejected is None else np.asarray(is_rejected)[None]
    return TurnTable(chosen, np.asarray(engine, float)[None], rejected)


def best_of_grid(likelihoods):
    """Return the largest log-likelihood of a mixture of two columns, by trying weights."""
    weights = np.linspace(0, 1, 20_001)[:, None]
    mixed = weights * likelihoods[:, 0] + (1 - weights) * likelihoods[:, 1]
    return np.log(np.maximum(mixed, 1e-300)).sum(1).max()


@given(st.lists(st.tuples(st.floats(0.05, 1), st.floats(0, 1)), min_size=5, max_size=40))
def test_a_gain_is_what_trying_all_weights_gives(rows):
    """The gain of a second column over a single one must be that of the best weight, and never more."""
    likelihoods = np.array(rows)
    expected = best_of_grid(likelihoods) - np.log(likelihoods[:, 0]).sum()
    found = gains(likelihoods[None])
    assert found.values[0] == pytest.approx(max(expected, 0), abs=0.06)
    assert found.values[0] <= max(expected, 0) + 1e-6
    assert found.most[0] >= expected - 1e-6


@settings(max_examples=15)
@given(st.integers(0, 1_000), st.floats(1, 10))
def test_leaving_early_never_changes_the_side_of_a_bound(seed, bound):
    """Where a fit is left early, the gain must be on the same side as when it is worked out to the end."""
    rng = np.random.default_rng(seed)
    likelihoods = rng.uniform(0.05, 0.6, (4, 60, 4))
    likelihoods[..., 3] = np.where(rng.random((4, 60)) < rng.uniform(0.2, 0.7), 1.0, 0.0)
    full, early = gains(likelihoods), gains(likelihoods, GainBounds(below=bound, above=bound))
    clear = (full.values >= bound) | (full.most < bound)
    assert ((full.values >= bound) == (early.values >= bound))[clear].all()


def test_ties_are_not_several_bests():
    """A player who makes one of five tied bests each time shows no more than the honest forms explain."""
    # One of five ties is seen with probability 0.9, so each is chosen with 0.18, and by a program with 0.2.
    ties = choice_gains(table(np.full((120, COUNT), 0.18), np.full(120, 0.2)), DEFAULT_FORMS).values[0]
    assert ties == pytest.approx(120 * np.log(0.2 / 0.18), abs=1)
    assert choice_gains(table(np.full((120, COUNT), 0.2), np.full(120, 0.2)), DEFAULT_FORMS).values[0] < 0.01


def test_a_player_of_good_and_bad_days_is_explained():
    """Half of the turns of a very good form and half of a poor one must gain nothing: the null is a mixture."""
    chosen = np.full((240, COUNT), 0.01)
    chosen[:120, TOP] = 0.9
    chosen[120:, 0] = 0.5
    engine = np.where((np.arange(240) < 120) & (np.arange(240) % 5 < 3), 1.0, 0.0)
    assert choice_gains(table(chosen, engine), DEFAULT_FORMS).values[0] < 1


def test_help_from_a_program_is_found():
    """Best plays that no honest form makes so often must gain far more than any threshold."""
    chosen = np.full((120, COUNT), 0.02)
    chosen[:, TOP] = 0.4
    assert choice_gains(table(chosen, np.ones(120)), DEFAULT_FORMS).values[0] > 60


def test_a_rejected_play_speaks_against_a_program():
    """A program is never rejected, so misses must lower the gain."""
    chosen, engine = np.full((120, COUNT), 0.3), np.ones(120)
    rejected = np.arange(120) % 4 == 0
    clean = choice_gains(table(chosen, engine), DEFAULT_FORMS).values[0]
    assert 0 <= choice_gains(table(chosen, engine, rejected), DEFAULT_FORMS).values[0] < clean


def turn(surprise, milliseconds, *, is_rejected=False):
    return TurnNumbers((-surprise,) * COUNT, False, 1, 0, False, is_rejected, milliseconds)


def test_times_that_do_not_go_with_difficulty_corroborate():
    """Times must count only where they follow difficulty less than the field's do."""
    rng = np.random.default_rng(1)
    hard = rng.integers(0, 5_000, 200).tolist()
    natural = [turn(each, 5_000 + 10 * each) for each in hard]
    even = [turn(each, int(time)) for each, time in zip(hard, rng.integers(9_000, 11_000, 200), strict=True)]
    assert time_pattern(natural, DEFAULT_FORMS) == TimePattern(200, pytest.approx(1))
    assert time_gain(time_pattern(natural, DEFAULT_FORMS), 0.4) == 0
    assert time_gain(time_pattern(even, DEFAULT_FORMS), 0.4) > 8
    assert time_gain(time_pattern(even[:3], DEFAULT_FORMS), 0.4) == 0
    assert time_pattern([turn(1, 1, is_rejected=True)] * 9, DEFAULT_FORMS) == (0, 0)


def test_quitters_are_set_against_the_field():
    """A pattern is repeated, behind, with time left; what the field does, and outages, must not count."""
    seat = SeatNumbers("1/ann", "g", 0, 0, "v", True, True, 0.5, ())
    assert has_quit(seat)
    assert not any(
        map(has_quit, [seat._replace(has_left=False), seat._replace(was_behind=False), seat._replace(time_left=0.05)])
    )
    assert quitting_gain(1, 20, 0.02) < 1
    assert quitting_gain(10, 20, 0.02) > FieldSize(200, 3).threshold
    assert quitting_gain(10, 20, 0.5) == quitting_gain(0, 0, 0.1) == 0
    assert quitting_gain(20, 20, 0.02) > quitting_gain(10, 20, 0.02)


@each_row(
    ("turns_of_games", "milestones", "looks"),
    [
        ((17,) * 7, 5, []),
        ((119,) * 7, 5, []),
        ((14,) * 8, 5, []),
        ((15,) * 8, 5, [(120, 120)]),
        ((12,) * 10, 5, [(120, 120)]),
        # Of long games the first look takes the first eight whole.
        ((20,) * 8, 5, [(120, 160)]),
        ((20,) * 30, 5, [(120, 160), (240, 240), (480, 480)]),
        # Where these reach beyond a milestone, it has no look of its own.
        ((30,) * 8, 5, [(240, 240)]),
        ((40,) * 8, 5, [(240, 320)]),
        ((40,) * 8, 1, [(120, 320)]),
        # A game without a play tells nothing of choices.
        ((20, 0) * 7, 5, []),
        ((20, 0) * 8, 5, [(120, 160)]),
        ((14,) * 200, 3, [(120, 120), (240, 240), (480, 480)]),
        ((14,) * 200, 5, [(each, each) for each in MILESTONES]),
    ],
)
def test_looks_want_turns_and_games(turns_of_games, milestones, looks):
    """A look must take 120 turns and 8 games at least, and no milestone beyond those of the threshold."""
    assert looks_due(turns_of_games, milestones) == looks


@given(st.lists(st.integers(0, 60), max_size=60), st.integers(0, 60))
def test_a_look_comes_out_the_same_whenever_it_is_done(turns_of_games, fewer):
    """More games must change no look that was due before, or its turns."""
    before, after = looks_due(turns_of_games[:fewer]), looks_due(turns_of_games)
    assert before == after[: len(before)]
    assert [look.turns for look in after] == sorted({look.turns for look in after})


def test_the_threshold_grows_with_what_is_looked_at():
    """The error is spent over players and milestones: twelve nats for an event, more for a season."""
    assert FieldSize(200, 3).threshold == pytest.approx(11.7, abs=0.01)
    assert FieldSize(2_000_000, 5).threshold > 20
    assert FieldSize(400, 3).threshold - FieldSize(200, 3).threshold == pytest.approx(np.log(2))


def test_bounds_of_a_probability():
    """The bounds must be those of Clopper and Pearson; values from R's binom.test."""
    assert upper_bound(0, 300_000) == pytest.approx(9.9857e-6, rel=1e-3)
    assert interval(8, 10) == pytest.approx((0.4439045, 0.9747893), abs=1e-6)
    assert interval(0, 10) == pytest.approx((0, 0.3084971), abs=1e-6)
    assert interval(10, 10) == pytest.approx((0.6915029, 1), abs=1e-6)


def test_too_few_players_neither_hold_nor_miss_a_goal():
    """A goal is missed only where the count allows for no share of players that reaches it."""
    flags = [(0, 300_000), (0, 2_000), (40, 2_000)]
    found = [
        SimulatedFigure("C3", "false flags", upper_bound(*each), "", "<= 0.00002", interval(*each)).verdict
        for each in flags
    ]
    assert found == ["holds", "too few to tell", "MISSED"]
    power = [(48, 50), (46, 50), (30, 50)]
    found = [SimulatedFigure("C4", "found", a / b, "", ">= 0.95", interval(a, b)).verdict for a, b in power]
    assert found == ["holds", "too few to tell", "MISSED"]
    assert SimulatedFigure("C3", "largest gain", 7.0, "nats").verdict == ""
