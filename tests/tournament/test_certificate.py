"""The certificate of an event, and the random schedules that it is compared with."""

from __future__ import annotations

import numpy as np
import pytest
from each_row import each_row

from ordws.tournament.certificate import certificate, certify, random_schedules
from ordws.tournament.pairing.problem import PairingPlayer
from ordws.tournament.played_event import PlayedEvent, PlayedRound
from ordws.tournament.simulation import simulate_event

FOUR = (
    PairingPlayer(1, 300, 10),
    PairingPlayer(2, 200, 10),
    PairingPlayer(3, 280, 10),
    PairingPlayer(4, 220, 10),
)


def test_the_figures_of_an_event_of_four():
    """The field makes 25 a turn; after one round the opponents stand 5, 5, 3 and 3 from it."""
    made = certificate(PlayedEvent(FOUR, (PlayedRound(((1, 2), (4, 3))),), seed=1))
    assert made.field_ppt == 25
    assert made.worst_residual == 5
    assert made.rms_residual == pytest.approx(17**0.5)
    assert (made.repeats, made.byes, made.most_byes, made.worst_start_imbalance) == (0, 0, 0, 1)
    assert made.random_schedules == 1_000
    # 1 meets 2, 3 or 4, and the others meet each other: all three schedules are as far from the field.
    assert made.percentile == 50


def test_who_left_early_is_counted_apart():
    """All four count in the rms residual; among the three who stayed the one of 5 who left is left out."""
    event = PlayedEvent(FOUR, (PlayedRound(((1, 2), (4, 3))),))
    made = certificate(event._replace(stayed=frozenset({1, 3, 4})))
    assert made.rms_residual == pytest.approx(17**0.5)
    assert (made.stayed, made.stayed_rms_residual) == (3, pytest.approx((43 / 3) ** 0.5))
    assert certificate(event).stayed == 4
    assert certificate(event).stayed_rms_residual == made.rms_residual


def test_a_repeat_and_a_bye_are_counted():
    """Two who met twice are one repeat, and a bye is counted for whoever had it."""
    rounds = (PlayedRound(((1, 2),), (3,)), PlayedRound(((1, 2),), (3,)))
    made = certificate(PlayedEvent(FOUR[:3], rounds))
    assert (made.repeats, made.byes, made.most_byes, made.worst_start_imbalance) == (1, 2, 2, 2)


def test_an_event_without_rounds_has_a_certificate():
    """Before anybody played there is nothing to be off by."""
    made = certificate(PlayedEvent(FOUR, ()))
    assert (made.rms_residual, made.worst_residual, made.repeats) == (0, 0, 0)


def test_the_digest_changes_with_a_meeting_a_total_and_the_facts():
    """Whatever the certificate is about is in its digest."""
    event = PlayedEvent(FOUR, (PlayedRound(((1, 2), (3, 4))),))
    others = [
        event._replace(rounds=(PlayedRound(((1, 2), (4, 3))),)),
        event._replace(players=(FOUR[0]._replace(points=301), *FOUR[1:])),
        event._replace(facts_digest="00"),
    ]
    digests = {certificate(each).digest for each in (event, *others)}
    assert len(digests) == 4
    assert certificate(event) == certificate(event)


def test_average_pairing_is_closer_than_every_random_schedule():
    """The pairing does its task: none of 1,000 random schedules of the same event comes as close to the field."""
    *_, (event, _) = simulate_event(24, 6, 1, "average")
    made = certify(event.meetings(), 1, event.digest(), 1_000)
    assert made.percentile == 100
    assert made.rms_residual < made.random_rms / 2
    assert list(made.random_distribution) == sorted(made.random_distribution)


def test_a_round_robin_is_like_every_other():
    """Where everyone meets everyone, all schedules are equal, and the certificate stands in their middle."""
    *_, (event, _) = simulate_event(8, 7, 1, "average")
    assert certify(event.meetings(), 1, "", 50).percentile == 50


@each_row(("size", "rounds"), [(11, 4), (12, 9), (20, 8)])
def test_random_schedules_have_no_repeat_and_the_same_absences(size, rounds):
    """Whoever met somebody in a round meets somebody in it, another each round, and the meetings are mutual."""
    rng = np.random.default_rng(4)
    present = [np.sort(rng.permutation(size)[: size - size % 2]) for _ in range(rounds)]
    (block,) = random_schedules(size, present, 40, 3)
    assert block.shape == (40, rounds, size)
    for schedule in block:
        for row, here in zip(schedule, present, strict=True):
            assert np.array_equal(np.flatnonzero(row >= 0), here)
            assert np.array_equal(row[row[here]], here)
        for player in range(size):
            met = schedule[:, player][schedule[:, player] >= 0]
            assert len(set(met.tolist())) == len(met)


def test_an_event_can_do_without_random_schedules():
    """Where none is asked for, as for a simulated event of a million players, there is no percentile."""
    *_, (event, _) = simulate_event(12, 3, 1, "average")
    made = certify(event.meetings(), 1, "", 0)
    assert (made.percentile, made.random_rms, made.random_schedules) == (None, None, 0)


def test_random_schedules_of_many_rounds_bear_absences():
    """With as many rounds as opponents, one who never played leaves no repeat, and two who came late hardly any."""
    never = [np.arange(8)] * 7
    (block,) = random_schedules(9, never, 20, 3)
    for schedule in block:
        for player in range(8):
            assert sorted(schedule[:, player].tolist()) == [each for each in range(8) if each != player]
    late = [np.arange(10)] * 2 + [np.arange(12)] * 8
    (block,) = random_schedules(12, late, 40, 3)
    for schedule in block:
        for row, here in zip(schedule, late, strict=True):
            assert np.array_equal(np.flatnonzero(row >= 0), here)
            assert np.array_equal(row[row[here]], here)
    ordered = np.sort(block, axis=1)
    repeats = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).sum() / 2 / len(block)
    assert repeats < 1
