"""Standings: exact ranks, and what counts for them (docs/rules.md 10.2, A-45, A-46)."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

from each_row import each_row
from event_driver import DrivenEvent, result
from hypothesis import given
from hypothesis import strategies as st

from ordws.tournament.facts import TableResult
from ordws.tournament.standings import EntrantTotals, format_fraction, fraction_key, standings
from ordws.tournament.state import MOST_GAMES, MOST_TURNS_A_GAME

MOST_DENOMINATOR = 1 << 15
fractions = st.tuples(st.integers(-(10**7), 10**7), st.integers(1, MOST_DENOMINATOR))


@given(fractions, fractions)
def test_keys_order_fractions_exactly(one, other):
    """The whole-number keys of two fractions compare as the fractions do."""
    a, b = Fraction(*one), Fraction(*other)
    x, y = fraction_key(*one), fraction_key(*other)
    assert (x < y, x == y) == (a < b, a == b)


@given(st.integers(1, MOST_DENOMINATOR), st.integers(1, MOST_DENOMINATOR), st.integers(0, 2**20))
def test_keys_tell_neighbours_apart(d, e, n):
    """The nearest fractions with large denominators have different keys, or are equal."""
    nearest = n * e // d
    for m in (nearest, nearest + 1):
        assert (fraction_key(n, d) == fraction_key(m, e)) == (n * e == m * d)


def test_no_entrant_exceeds_the_exact_range():
    """The most games of the most turns stay below the denominators for which keys are exact."""
    assert MOST_GAMES * MOST_TURNS_A_GAME < MOST_DENOMINATOR


def test_ranks_are_those_of_fractions():
    """Twenty thousand made-up entrants are ranked, and share ranks, as by exact fractions (A6)."""
    chance = random.Random(6)
    totals = [
        EntrantTotals(chance.randrange(9), chance.randrange(3), chance.randrange(9), chance.randrange(900), turns)
        for turns in chance.choices(range(1, 60), k=20_000)
    ]
    by_key = sorted(range(len(totals)), key=lambda index: totals[index].rank_key, reverse=True)

    def exact(index):
        each = totals[index]
        won = Fraction(2 * each.wins + each.ties, 2 * each.games) if each.games else Fraction(0)
        return won, Fraction(each.points, each.turns)

    by_fraction = sorted(range(len(totals)), key=exact, reverse=True)
    assert by_key == by_fraction
    assert [totals[a].rank_key == totals[b].rank_key for a, b in pairwise(by_key)] == [
        exact(a) == exact(b) for a, b in pairwise(by_key)
    ]


@each_row(
    ("numerator", "denominator", "places", "text"),
    [
        (1204, 43, 2, "28.00"),
        (3, 4, 3, "0.750"),
        (2, 3, 3, "0.667"),
        (1, 16, 3, "0.062"),
        (3, 16, 3, "0.188"),
        (-5, 3, 2, "-1.67"),
        (-1, 1000, 2, "0.00"),
        (999_999, 1_000_000, 3, "1.000"),
        (0, 0, 2, "0.00"),
    ],
)
def test_decimals_are_rounded_half_to_even(numerator, denominator, places, text):
    """Decimals are rounded to the nearest, and a half to the even one, as Python formats numbers."""
    assert format_fraction(numerator, denominator, places) == text


def test_a_win_a_tie_and_a_loss():
    """A tie is half a win; the percentage comes first, then the points per turn (A-45, 10.2)."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee", seed=3)
    event.publish()
    event.play("Ann", result("400:390/13", "380:370/13"))
    event.play(told=result("350:351/13", "350:364/13"))
    lines = standings(event.state)
    assert [(line.rank, line.win_pct) for line in lines] == [(1, "1.000"), (2, "0.500"), (3, "0.500"), (4, "0.000")]
    assert [line.ppt for line in lines] == ["30.00", "28.00", "27.00", "28.46"]


def test_equal_entrants_share_a_rank():
    """Equal percentage and equal points per turn are one rank; the next counts all before it (A-46)."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.publish()
    event.play(told=result("400:390/13", "380:370/13"))
    lines = standings(event.state)
    assert [line.rank for line in lines] == [1, 1, 3, 3]
    assert lines[0].to_json() == {
        "rank": 1,
        "name": lines[0].name,
        "wins": 1,
        "ties": 0,
        "losses": 0,
        "games": 1,
        "win_pct": "1.000",
        "points": 390,
        "turns": 13,
        "ppt": "30.00",
    }


def test_a_bye_touches_no_figure():
    """A bye is neither a win nor a turn (A-45)."""
    event = DrivenEvent("Ann", "Ben", "Cy")
    played = event.play_round()
    assert played.bye is not None
    line = event.line(event.name(played.bye))
    assert (line.games, line.wins, line.turns, line.win_pct) == (0, 0, 0, "0.000")


def test_a_forfeit_is_a_game_without_turns():
    """A forfeited game is won and lost, adds no turn, and the two have not met (A-45)."""
    event = DrivenEvent("Ann", "Ben")
    pairing = event.publish().pairings[0]
    event.play(told=TableResult(forfeit="second"))
    winner, loser = event.line(event.name(pairing.first)), event.line(event.name(pairing.second))
    assert (winner.wins, winner.losses, winner.games, winner.turns) == (1, 0, 1, 0)
    assert (loser.wins, loser.losses, loser.games, loser.turns) == (0, 1, 1, 0)
    assert not event.state.rounds[0].pairings[0].have_met


def test_both_forfeit():
    """A game to which nobody came is lost by both."""
    event = DrivenEvent("Ann", "Ben")
    event.publish()
    event.play(told=TableResult(forfeit="both"))
    assert [(line.wins, line.losses) for line in standings(event.state)] == [(0, 1), (0, 1)]


def test_a_resignation_loses_whatever_the_score():
    """Whoever resigns after a turn has lost, with the turns counted; the two have met."""
    event = DrivenEvent("Ann", "Ben")
    pairing = event.publish().pairings[0]
    event.play(told=result("90:90/3", "20:20/2", resigned="first"))
    loser = event.line(event.name(pairing.first))
    assert (loser.losses, loser.points, loser.turns) == (1, 90, 3)
    assert event.state.rounds[0].pairings[0].have_met


def test_standings_after_a_round():
    """Standings can be had as they were after an earlier round."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.play_round()
    event.play_round()
    assert {line.games for line in standings(event.state, after=1)} == {1}
    assert {line.games for line in standings(event.state)} == {2}


def test_two_games_a_round_count_both():
    """With two games a round each counts."""
    event = DrivenEvent("Ann", "Ben", games_a_round=2)
    event.publish()
    event.play()
    assert [line.games for line in standings(event.state)] == [2, 2]
