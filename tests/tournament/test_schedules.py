"""Nobody meets twice while a schedule without a repeat is left."""

from __future__ import annotations

import random

import numpy as np
from each_row import each_row
from pairing_oracle import PlayedByDrafts, all_rounds, has_schedule, pairs_of_draft, price

from ordws.tournament.pairing.draft import draft_round
from ordws.tournament.pairing.schedules import circle_rounds, circle_starters, find_rounds
from ordws.tournament.simulation import simulate_event


@each_row(
    ("players", "rounds"),
    [(4, 3), (5, 4), (6, 4), (7, 6), (8, 6), (8, 7), (12, 10), (13, 12), (15, 13), (20, 17), (20, 19)],
)
@each_row("seed", [1, 2])
def test_up_to_one_round_less_than_players_nobody_meets_twice(players, rounds, seed):
    """At full attendance there is no repeat, near the round robin either, and no second bye."""
    *_, (event, _) = simulate_event(players, rounds, seed, "average")
    for row in range(players):
        opponents = [number for number in event.met[:, row].tolist() if number]
        assert len(set(opponents)) == len(opponents)
    assert event.byes.max() <= 1


def test_more_rounds_than_opponents_go_round_again():
    """Two round robins in a row: everyone meets everyone twice, in the second half as in the first."""
    *_, (event, _) = simulate_event(6, 10, 4, "average")
    for row in range(6):
        first, second = event.met[:5, row], event.met[5:, row]
        assert sorted(first) == sorted(second) == [number for number in range(1, 7) if number != row + 1]


@each_row("seed", range(12))
def test_with_absences_no_repeat_is_made_that_could_be_avoided(seed):
    """Each round has the fewest repeats, and leaves a schedule without one if there was any."""
    chance = random.Random(seed)
    players = chance.randint(4, 8)
    event = PlayedByDrafts(chance, players, players - 1, attendance=0.85)
    for left in range(players - 1, 0, -1):
        problem = event.gather()
        drafted = pairs_of_draft(draft_round(problem))
        best = min(price(problem, whole) for whole in all_rounds(problem.present))
        assert price(problem, drafted)[:2] == best[:2]
        if has_schedule(problem.present, event.met, left):
            pairs = frozenset(pair for pair in drafted if len(pair) == 2)
            assert has_schedule(problem.present, event.met | pairs, left - 1)
        event.play(draft_round(problem))


@each_row("size", [2, 4, 10, 24])
def test_a_round_robin_lets_everyone_meet_everyone_in_turn(size):
    """Its rounds have every pair once, and round for round nobody is off balance by more than one start."""
    rounds, starters = circle_rounds(size, 5), circle_starters(size, 5)
    met = {(min(a, b), max(a, b)) for partners in rounds for a, b in enumerate(partners.tolist())}
    assert len(met) == size * (size - 1) // 2
    for partners, first in zip(rounds, starters, strict=True):
        assert (first + first[partners] == 1).all()
    assert np.abs(np.cumsum(2 * starters - 1, axis=0)).max() <= 1


def test_two_odd_rings_have_no_round():
    """Two triangles of players who may meet only within their own give no round at all."""
    edges = np.zeros((6, 6), bool)
    for ring in ((0, 1, 2), (3, 4, 5)):
        for a in ring:
            for b in ring:
                edges[a, b] = a != b
    assert find_rounds(edges, 1, 1) is None


def test_the_petersen_graph_has_one_round_and_not_three():
    """Everyone has three opponents left, but no schedule uses all of them: the smallest field of which that is true."""
    edges = np.zeros((10, 10), bool)
    for a in range(5):
        for b in ((a + 1) % 5, a + 5):
            edges[a, b] = edges[b, a] = True
        edges[a + 5, (a + 2) % 5 + 5] = edges[(a + 2) % 5 + 5, a + 5] = True
    assert find_rounds(edges, 1, 1) is not None
    assert find_rounds(edges, 2, 1) is None
    assert find_rounds(edges, 3, 1) is None
