"""Unplayed tiles, overtime and winners at the end of a game (docs/rules.md 7.3, A-27)."""

from __future__ import annotations

from dataclasses import replace

from each_row import each_row

from ordws.rules.ending import finish_game, winners
from ordws.rules.event import ScoreEntryKind
from ordws.rules.game import Game, initial_state
from ordws.rules.move import Pass
from ordws.rules.ruleset import CLASSIC, SCRABBLE_I_CLASSIC, Ties, UnplayedTiles
from ordws.rules.state import Departure, DepartureReason, EndReason, PlayerState, ScoreEntry, Turn, TurnOutcome

BAG = "CATSDOGHAMLETSBIRDEN"


def ended(rules, why, *racks, last=0, points=()):
    """Return a game that ended after a turn of player `last`, with these racks and points."""
    state = initial_state(Game(replace(rules, scoop=20, rack_size=5, most_players=4), len(racks), BAG))
    entries = tuple([ScoreEntry(player, score, ScoreEntryKind.DIRECTOR) for player, score in enumerate(points)])
    turn = Turn(last, Pass(), 0, TurnOutcome.MADE, 0)
    return finish_game(
        state._replace(seats=tuple([PlayerState(rack) for rack in racks]), turns=(turn,), entries=entries), why
    )


@each_row(
    ("unplayed", "why", "racks", "scores"),
    [
        (UnplayedTiles.DOUBLE, EndReason.OUT, ("", "QI?"), (22, 0)),
        (UnplayedTiles.TRANSFER, EndReason.OUT, ("", "QI?"), (11, -11)),
        (UnplayedTiles.DOUBLE, EndReason.OUT, ("", "QI", "Z"), (21, -11, -10)),
        (UnplayedTiles.TRANSFER, EndReason.OUT, ("", "QI", "Z", "?"), (21, -11, -10, 0)),
        (UnplayedTiles.DOUBLE, EndReason.SCORELESS, ("AB", "QI"), (-4, -11)),
        (UnplayedTiles.TRANSFER, EndReason.IDLE, ("AB", "QI", "Z"), (-4, -11, -10)),
        (UnplayedTiles.DOUBLE, EndReason.TIME, ("AB", "QI"), (0, 0)),
        (UnplayedTiles.DOUBLE, EndReason.FORFEIT, ("AB", "QI"), (0, 0)),
    ],
)
def test_unplayed_tiles_change_the_scores(unplayed, why, racks, scores):
    """Unplayed tiles count twice between two players, and move over otherwise (docs/rules.md 7.3, A-27)."""
    assert ended(replace(CLASSIC, unplayed_tiles=unplayed), why, *racks).scores == scores


@each_row("last", [0, 1, 2])
def test_the_player_who_went_out_gains_in_any_seat(last):
    """The player who went out gains the tiles, whichever seat that is."""
    racks = ["A", "A", "A"]
    racks[last] = ""
    assert ended(SCRABBLE_I_CLASSIC, EndReason.OUT, *racks, last=last).scores[last] == 2


def test_tiles_given_back_are_in_the_bag_at_the_end():
    """The end of the game puts exchanged tiles into the bag."""
    state = initial_state(Game(replace(CLASSIC, scoop=20), 2, BAG))._replace(bag="ABC", exchanged_tiles="CA")
    over = finish_game(state, EndReason.FORFEIT)
    assert (over.bag, over.exchanged_tiles) == ("AABCC", "")


@each_row(
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
    """The highest score wins, and several players may share it (docs/rules.md 7.4)."""
    over = ended(replace(CLASSIC, ties=ties), EndReason.TIME, *[""] * len(points), points=points)
    assert winners(over) == expected


def test_a_tie_may_go_to_the_higher_score_before_unplayed_tiles():
    """With ties=before-unplayed the higher score before unplayed tiles wins a tie."""
    for ties, expected in ((Ties.TIE, (0, 1)), (Ties.BEFORE_UNPLAYED, (1,))):
        over = ended(replace(CLASSIC, ties=ties), EndReason.IDLE, "A", "QI", points=(10, 20))
        assert over.scores == (9, 9)
        assert winners(over) == expected


def test_nobody_wins_a_game_that_goes_on_or_that_all_have_lost():
    """A game that is not over, or that all players have lost, has no winner."""
    state = initial_state(Game(replace(CLASSIC, scoop=20), 2, BAG))
    assert winners(state) == ()
    gone = tuple([PlayerState("", 0, Departure(DepartureReason.OVERTIME, 0))] * 2)
    assert winners(finish_game(state._replace(seats=gone), EndReason.FORFEIT)) == ()


def test_a_player_out_of_time_may_still_win():
    """A player whose time is up has not lost and may win (docs/rules.md 8.2)."""
    over = ended(SCRABBLE_I_CLASSIC, EndReason.TIME, "A", "B", points=(30, 20))
    late = over.with_seat(0, over.seats[0]._replace(departure=Departure(DepartureReason.TIME_UP, 1)))
    assert winners(late) == (0,)
    assert winners(late.with_seat(0, over.seats[0]._replace(departure=Departure(DepartureReason.RESIGNED, 1)))) == (1,)


def test_overtime_is_an_entry_of_its_own():
    """Overtime is a score entry of its own (docs/rules.md 8.1)."""
    state = initial_state(Game(replace(CLASSIC, scoop=20), 2, BAG))
    over = finish_game(state.with_seat(1, PlayerState("", 1_561_000)), EndReason.FORFEIT)
    assert over.entries == (ScoreEntry(1, -20, ScoreEntryKind.OVERTIME),)
