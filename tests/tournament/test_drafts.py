"""Drafts of rounds: the cheapest, equal everywhere, and whole whatever the director asks for."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from pairing_oracle import PlayedByDrafts, all_rounds, pairs_of_draft, price, random_problem

from ordws.errors import BadInput
from ordws.tournament.pairing.draft import cost_of_change, draft_round
from ordws.tournament.pairing.problem import PAIRING_METHODS, Draft, PairingPlayer, PairingProblem, fill_names
from ordws.tournament.simulation import simulate_event

ROOT = Path(__file__).parents[2]


def new_players(count: int) -> tuple[PairingPlayer, ...]:
    return tuple(PairingPlayer(number, 0, 0) for number in range(1, count + 1))


def first_round(count: int, **constraints: frozenset[tuple[int, int]]) -> PairingProblem:
    return PairingProblem(new_players(count), tuple(range(1, count + 1)), 5, 0, seed=7, **constraints)


def seated(draft: Draft) -> list[int]:
    """Return everyone whom a draft pairs or gives the bye, ascending."""
    everyone = [number for pairing in draft.pairings for number in (pairing.first, pairing.second)]
    return sorted(everyone if draft.bye is None else [*everyone, draft.bye])


@given(st.integers(0, 2**32))
def test_a_draft_is_as_cheap_as_the_cheapest_of_all_rounds(seed):
    """Forbidden pairs, repeats, their ages, byes and cost are, in this order, the least that any round has."""
    chance = random.Random(seed)
    problem = random_problem(chance, 8, games_a_round=chance.choice((1, 2)))
    drafted = price(problem, pairs_of_draft(draft_round(problem)))
    assert drafted == min(price(problem, whole) for whole in all_rounds(problem.present))


@given(st.integers(0, 2**32))
def test_everyone_present_is_paired_once_and_one_at_most_has_the_bye(seed):
    """Whoever is present plays one opponent or has the bye, and nobody else is in the draft."""
    problem = random_problem(random.Random(seed), 16, rounds=9)
    draft = draft_round(problem)
    assert seated(draft) == list(problem.present)
    assert (draft.bye is not None) == (len(problem.present) % 2 == 1)


def test_every_pairing_method_pairs_everyone_who_is_present():
    """Whatever method an event has, a draft pairs everyone present, and a director's constraints hold."""
    for method in PAIRING_METHODS:
        problem = first_round(9, forbidden=frozenset({(1, 2)}), together=frozenset({(3, 4)}))._replace(method=method)
        draft = draft_round(problem)
        pairs = pairs_of_draft(draft)
        assert seated(draft) == [*range(1, 10)]
        assert ({1, 2} in pairs, {3, 4} in pairs) == (False, True), method


def test_an_opponent_below_the_field_is_followed_by_one_above_it():
    """V-17: where the field makes 28.0 and the first opponent 24.0 points a turn, the next one makes 32.0."""
    points = {1: 364, 2: 312, 3: 364, 4: 364, 5: 416, 6: 364, 7: 364, 8: 364}
    met = {1: 2, 2: 1, 3: 4, 4: 3, 5: 6, 6: 5, 7: 8, 8: 7}
    players = tuple(PairingPlayer(number, points[number], 13, (met[number],), (1,)) for number in points)
    pairs = pairs_of_draft(draft_round(PairingProblem(players, tuple(points), 5, 1, seed=7)))
    assert {1, 5} in pairs
    assert {2, 6} in pairs


def test_drafts_are_what_they_were_on_another_machine():
    """The draft of a field of eight after two rounds, written out: it must be this on every machine."""
    event = PlayedByDrafts(random.Random(19), 8, 5)
    for _ in range(2):
        event.play(draft_round(event.gather()))
    draft = draft_round(event.gather())
    assert [(each.first, each.second) for each in draft.pairings] == [(2, 1), (5, 3), (7, 4), (8, 6)]


@pytest.mark.parametrize(
    ("players", "digest"),
    [
        (210, "b2a57ee5e5bfa724bf58057675a49a84018ac94e2a98d75b3b1be5c04a080e70"),
        (1_202, "24eefe3c9ad85068b763507bb1987ac2fbcbe3c44e30c0d453e71c89332cd3e1"),
    ],
    ids=["candidates", "strips"],
)
def test_larger_drafts_are_what_they_were_on_another_machine(players, digest):
    """Five rounds over candidates, and in strips, have the digest that they had elsewhere."""
    *_, (event, _) = simulate_event(players, 5, 3, "average")
    assert event.digest() == digest


def test_drafts_do_not_depend_on_the_order_of_sets():
    """Two processes with different hashes of texts and numbers draw the same."""
    code = (
        "from ordws.tournament.simulation import simulate_event\n"
        "*_, (event, _) = simulate_event(31, 6, 5, 'average')\nprint(event.digest())"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


def test_a_voided_draft_is_drawn_anew():
    """After a round was voided other lots are drawn, as often as that happens."""
    drafts = {draft_round(first_round(12)._replace(redraws=redraws)).pairings for redraws in range(4)}
    assert len(drafts) == 4


def test_those_put_together_meet_and_those_forbidden_do_not():
    """The director's constraints hold while they can be kept."""
    draft = draft_round(first_round(6, together=frozenset({(2, 5)}), forbidden=frozenset({(1, 3), (1, 4)})))
    pairs = pairs_of_draft(draft)
    assert frozenset((2, 5)) in pairs
    assert frozenset((1, 6)) in pairs
    assert draft.notes == ()


def test_a_round_with_too_many_constraints_is_still_paired():
    """Where three may meet nobody, everyone is paired all the same, and the notes say which constraints broke."""
    forbidden = frozenset((a, b) for a in (1, 2, 3) for b in (1, 2, 3, 4) if a < b)
    draft = draft_round(first_round(4, forbidden=forbidden))
    assert seated(draft) == [1, 2, 3, 4]
    assert len(draft.notes) == 2
    assert all("although they must not" in note for note in draft.notes)


def test_one_who_is_put_together_with_two_meets_the_first():
    """Of two pairs that share a player the first is kept, and the note names the other."""
    draft = draft_round(first_round(4, together=frozenset({(1, 2), (2, 3)})))
    assert frozenset((1, 2)) in pairs_of_draft(draft)
    names = {1: "Ann", 2: "Ben", 3: "Cy", 4: "Dee"}
    assert [fill_names(note, names) for note in draft.notes] == [
        "Ben and Cy cannot be put together: one of them is put together with another."
    ]


def test_one_who_is_not_here_cannot_be_put_together():
    """A pair of whom one is absent is not paired, and the note says why."""
    draft = draft_round(first_round(4, together=frozenset({(1, 2)}))._replace(present=(1, 3, 4)))
    assert seated(draft) == [1, 3, 4]
    assert draft.notes == ("{1} and {2} cannot be put together: not both are here.",)


def test_a_second_bye_comes_when_all_have_had_one():
    """Over as many rounds as players everyone has one bye."""
    event = PlayedByDrafts(random.Random(3), 5, 5)
    byes = []
    for _ in range(5):
        draft = draft_round(event.gather())
        byes.append(draft.bye)
        event.play(draft)
    assert sorted(byes) == [1, 2, 3, 4, 5]


def test_an_unavoidable_repeat_is_the_oldest_and_is_said():
    """Where two of three always meet again, those who met longest ago do, and the note names their round."""
    met = (
        PairingPlayer(1, 300, 10, (2, 3), (1, 2), 1, 1),
        PairingPlayer(2, 300, 10, (1, 3), (1, 3), 1, 1),
        PairingPlayer(3, 300, 10, (1, 2), (2, 3), 1, 1),
    )
    draft = draft_round(PairingProblem(met, (1, 2, 3), 4, 3))
    assert pairs_of_draft(draft) == [frozenset((1, 2)), frozenset((3,))]
    assert draft.pairings[0].is_repeat
    assert draft.notes == ("{1} and {2} meet again (round 1): no round without a repeat is left.",)


def test_whoever_started_less_often_goes_first():
    """The one with fewer starts goes first."""
    players = (PairingPlayer(1, 0, 0, starts=2, replies=0), PairingPlayer(2, 0, 0, starts=0, replies=2))
    (pairing,) = draft_round(PairingProblem(players, (1, 2), 9, 2)).pairings
    assert (pairing.first, pairing.second) == (2, 1)


@each_row(("players", "rounds"), [(9, 8), (16, 11), (24, 9), (12, 11), (17, 16), (1_100, 3)])
def test_nobody_is_three_starts_off_balance(players, rounds):
    """At full attendance starts and replies differ by two at most."""
    *_, (event, _) = simulate_event(players, rounds, 11, "average")
    assert abs(event.starts - event.replies).max() <= 2


@pytest.mark.parametrize("players", [230, 1_101])
def test_large_fields_are_paired_without_a_repeat(players):
    """Over candidates, and in strips, everyone meets somebody else each round, and one a round has a bye."""
    *_, (event, _) = simulate_event(players, 4, 2, "average")
    assert event.byes.sum() == 4 * (players % 2)
    for row in range(players):
        opponents = [number for number in event.met[:, row].tolist() if number]
        assert len(set(opponents)) == len(opponents) == 4 - event.byes[row]


def test_constraints_hold_in_strips():
    """In a field that is paired in strips those put together meet, those forbidden do not, and notes stay empty."""
    problem = first_round(1_101)
    unconstrained = draft_round(problem)
    forbidden = frozenset((min(pair), max(pair)) for pair in pairs_of_draft(unconstrained)[:300] if len(pair) == 2)
    draft = draft_round(problem._replace(forbidden=forbidden, together=frozenset({(1_000, 1_001)})))
    pairs = pairs_of_draft(draft)
    assert frozenset((1_000, 1_001)) in pairs
    assert not {frozenset(pair) for pair in forbidden} & set(pairs)
    assert seated(draft) == list(problem.present)
    assert draft.notes == ()


def test_a_change_by_hand_says_what_it_costs():
    """To put two together costs what the cheapest round with them is worse by, and tells how many pairings move."""
    event = PlayedByDrafts(random.Random(8), 10, 5)
    for _ in range(3):
        event.play(draft_round(event.gather()))
    problem = event.gather()
    draft = draft_round(problem)
    a, b = draft.pairings[0].first, draft.pairings[-1].second
    change = cost_of_change(problem, draft, a, b)
    assert frozenset((a, b)) in pairs_of_draft(change.draft)
    assert change.rms_after > change.rms_before > 0
    assert change.moved >= 2
    assert change.in_words().startswith("costs +")
    same = cost_of_change(problem, draft, draft.pairings[0].first, draft.pairings[0].second)
    assert (same.moved, same.rms_after) == (0, same.rms_before)
    with pytest.raises(BadInput, match="two who are present"):
        cost_of_change(problem, draft, a, a)
