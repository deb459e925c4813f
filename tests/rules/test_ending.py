"""What is left at the end, and who has won. (RULES 7.3, A-27)"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ordws.rules.ending import finished, winners
from ordws.rules.event import Kind
from ordws.rules.game import Game, opening
from ordws.rules.move import Pass
from ordws.rules.ruleset import Ties, UnplayedTiles
from ordws.rules.rulesets import CLASSIC, SCRABBLE_I_CLASSIC
from ordws.rules.state import Ending, Entry, Fate, Leaving, Left, Seat, Turn

BAG = "CATSDOGHAMLETSBIRDEN"


def ended(rules, why, *racks, last=0, points=()):
    """A game that is over after a turn of a player, with such racks and points until then."""
    state = opening(Game(replace(rules, scoop=20, rack_size=5, most_players=4), len(racks), BAG))
    entries = tuple([Entry(player, score, Kind.DIRECTOR) for player, score in enumerate(points)])
    turn = Turn(last, Pass(), 0, Fate.MADE, 0)
    return finished(state._replace(seats=tuple([Seat(rack) for rack in racks]), turns=(turn,), entries=entries), why)


@pytest.mark.parametrize(
    ("unplayed", "why", "racks", "scores"),
    [
        (UnplayedTiles.DOUBLE, Ending.OUT, ("", "QI?"), (22, 0)),
        (UnplayedTiles.TRANSFER, Ending.OUT, ("", "QI?"), (11, -11)),
        (UnplayedTiles.DOUBLE, Ending.OUT, ("", "QI", "Z"), (21, -11, -10)),
        (UnplayedTiles.TRANSFER, Ending.OUT, ("", "QI", "Z", "?"), (21, -11, -10, 0)),
        (UnplayedTiles.DOUBLE, Ending.SCORELESS, ("AB", "QI"), (-4, -11)),
        (UnplayedTiles.TRANSFER, Ending.IDLE, ("AB", "QI", "Z"), (-4, -11, -10)),
        (UnplayedTiles.DOUBLE, Ending.TIME, ("AB", "QI"), (0, 0)),
        (UnplayedTiles.DOUBLE, Ending.FORFEIT, ("AB", "QI"), (0, 0)),
    ],
)
def test_unplayed_tiles_change_the_scores(unplayed, why, racks, scores):
    """Two players: twice the other's, or moved over; more: each his own, all to who went out. (RULES 7.3, A-27)"""
    assert ended(replace(CLASSIC, unplayed_tiles=unplayed), why, *racks).scores == scores


@pytest.mark.parametrize("last", [0, 1, 2])
def test_who_went_out_gains_wherever_he_sits(last):
    """The last to have moved."""
    racks = ["A", "A", "A"]
    racks[last] = ""
    assert ended(SCRABBLE_I_CLASSIC, Ending.OUT, *racks, last=last).scores[last] == 2


def test_tiles_given_back_are_in_the_bag_at_the_end():
    """None is left between."""
    state = opening(Game(replace(CLASSIC, scoop=20), 2, BAG))._replace(bag="ABC", aside="CA")
    over = finished(state, Ending.FORFEIT)
    assert (over.bag, over.aside) == ("AABCC", "")


@pytest.mark.parametrize(
    ("points", "ties", "expected"),
    [
        ((50, 40), Ties.TIE, (0,)),
        ((40, 40), Ties.TIE, (0, 1)),
        ((40, 40), Ties.BEFORE_UNPLAYED, (0, 1)),
        ((-5, -9), Ties.TIE, (0,)),
        ((7, 9, 9, 3), Ties.TIE, (1, 2)),
    ],
)
def test_the_highest_score_wins(points, ties, expected):
    """Several share it where it is a tie. (RULES 1, row 23)"""
    over = ended(replace(CLASSIC, ties=ties), Ending.TIME, *[""] * len(points), points=points)
    assert winners(over) == expected


def test_a_tie_may_go_to_who_had_more_before_the_unplayed_tiles():
    """The option before-unplayed; a tie remains a tie otherwise."""
    for ties, expected in ((Ties.TIE, (0, 1)), (Ties.BEFORE_UNPLAYED, (1,))):
        over = ended(replace(CLASSIC, ties=ties), Ending.IDLE, "A", "QI", points=(10, 20))
        assert over.scores == (9, 9)
        assert winners(over) == expected


def test_nobody_wins_a_game_that_goes_on_or_that_all_have_lost():
    """An empty answer."""
    state = opening(Game(replace(CLASSIC, scoop=20), 2, BAG))
    assert winners(state) == ()
    gone = tuple([Seat("", 0, Left(Leaving.OVERTIME, 0))] * 2)
    assert winners(finished(state._replace(seats=gone), Ending.FORFEIT)) == ()


def test_who_ran_out_of_time_may_still_win():
    """His game is over, not lost. (RULES 8.2)"""
    over = ended(SCRABBLE_I_CLASSIC, Ending.TIME, "A", "B", points=(30, 20))
    late = over.with_seat(0, over.seats[0]._replace(left=Left(Leaving.TIME_UP, 1)))
    assert winners(late) == (0,)
    assert winners(late.with_seat(0, over.seats[0]._replace(left=Left(Leaving.RESIGNED, 1)))) == (1,)


def test_overtime_is_an_entry_of_its_own():
    """So that a score can be explained. (RULES 8.1)"""
    state = opening(Game(replace(CLASSIC, scoop=20), 2, BAG))
    over = finished(state.with_seat(1, Seat("", 1561)), Ending.FORFEIT)
    assert over.entries == (Entry(1, -20, Kind.OVERTIME),)
