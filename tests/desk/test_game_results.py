"""Tests of what an event counts of a game that the service tells of: quitters, resignations, time, no-shows."""

from __future__ import annotations

from each_row import each_row

from ordws.client import SeatOfEventGame
from ordws.desk.online_games import forfeit_of, result_of, seats_by_name
from ordws.tournament.facts import SideResult, TableResult
from ordws.tournament.results import check_result


def seat(score=0, points=0, turns=0, left=None, name="Ann"):
    return SeatOfEventGame(name, True, True, score, points, turns, left)


def played(first, second, **remarks):
    return TableResult(first=SideResult(*first), second=SideResult(*second), **remarks)


@each_row(
    ("first", "second", "result"),
    [
        (seat(412, 398, 13), seat(371, 380, 13), played((412, 398, 13), (371, 380, 13))),
        (seat(20, 20, 1), seat(30, 30, 1, "resigned"), played((20, 20, 1), (30, 30, 1), resigned="second")),
        (seat(90, 90, 4, "overtime"), seat(80, 80, 4), played((90, 90, 4), (80, 80, 4), resigned="first")),
        (seat(90, 90, 4), seat(80, 80, 4, "challenge"), played((90, 90, 4), (80, 80, 4), resigned="second")),
        (seat(90, 90, 4, "time-up"), seat(80, 80, 9), played((90, 90, 4), (80, 80, 9), time_up="first")),
        (
            seat(90, 90, 9, "time-up"),
            seat(80, 80, 4, "time-up"),
            played((90, 90, 9), (80, 80, 4), time_up="second"),
        ),
        (seat(20, 20, 1), seat(0, 0, 0, "resigned"), TableResult(forfeit="second")),
        (seat(0, 0, 0, "time-up"), seat(20, 20, 1), TableResult(forfeit="first")),
        (seat(0, 0, 0, "time-up"), seat(0, 0, 0, "time-up"), TableResult(forfeit="both")),
        (seat(0, 0, 0, "resigned"), seat(0, 0, 0), TableResult(forfeit="first")),
    ],
)
def test_a_game_is_counted_as_its_players_left_it(first, second, result):
    """Whoever left before a turn forfeits; later a resignation loses with its turns; out of time the scores count."""
    assert result_of(first, second) == result
    check_result(result)


@each_row(("sworn", "by"), [((True, False), "second"), ((False, True), "first"), ((False, False), "both")])
def test_whoever_has_not_sworn_forfeits(sworn, by):
    """Of a game that was called off, those lose who had not sworn by then."""
    first, second = [SeatOfEventGame("Ann", False, each) for each in sworn]
    assert forfeit_of(first, second) == TableResult(forfeit=by)


def test_seats_of_another_game_are_found_by_name():
    """A game that was opened elsewhere counts for its two players, in the order of the pairing, and for nobody else."""
    ann, ben, cy = seat(name="Ann"), seat(name="BEN"), seat(name="Cy")
    assert seats_by_name([ben, ann], "Ann", "Ben") == (ann, ben)
    assert seats_by_name([ann, cy], "Ann", "Ben") is None
    assert seats_by_name([ann, ben, cy], "Ann", "Ben") is None
