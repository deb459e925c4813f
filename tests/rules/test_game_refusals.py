"""Refusals and limits of a game that no game in tests/vectors/games shows."""

from __future__ import annotations

from dataclasses import replace

from ordws.records.notation import read_move
from ordws.rules.event import Clocked, Drew, Exchanged, Passed, Played, Resigned, Stood, TimeUp
from ordws.rules.fault import Fault, Illegal
from ordws.rules.game import Game, apply_event, current_state, iter_states
from ordws.rules.ruleset import CLASSIC, SCRABBLE_I_CLASSIC, Clock
from ordws.rules.state import Departure, DepartureReason

BAG = "CATSDOGHAMLETSBIRDEN"
RULES = replace(CLASSIC, scoop=20)
DRAWN = (Drew(0, "CATSDOG"), Drew(1, "HAMLETS"))
CATS = Played(0, read_move("8G CATS"))


def test_an_exchange_needs_a_tile():
    """An exchange gives back at least one tile (docs/rules.md 7.1)."""
    refused = apply_event(current_state(Game(RULES, 2, BAG, DRAWN)), Exchanged(0, ""))
    assert refused == Illegal(Fault.EXCHANGE_NOT_ALLOWED, "an exchange gives back one tile at least")


def test_an_event_of_an_unknown_player_is_refused():
    """An event of a player who does not exist is refused."""
    state = current_state(Game(RULES, 2, BAG, DRAWN))
    assert apply_event(state, Passed(2)) == Illegal(Fault.NOT_YOUR_TURN, "there is no player 3")
    assert apply_event(state, Passed(-1)) == Illegal(Fault.NOT_YOUR_TURN, "there is no player 0")


def test_a_clock_may_report_no_time():
    """A clock may report no time used."""
    assert [seat.milliseconds for seat in current_state(Game(RULES, 2, BAG, (*DRAWN, Clocked(1, 0)))).seats] == [0, 0]


def test_a_player_who_has_left_is_not_put_out_again():
    """More time of a player who has left changes nothing but the time."""
    rules = replace(SCRABBLE_I_CLASSIC, scoop=20, clock_seconds=60)
    state = current_state(Game(rules, 2, BAG, (*DRAWN, TimeUp(0))))
    assert (
        apply_event(state, Clocked(0, 90_000)).seats[0].departure
        == state.seats[0].departure
        == Departure(DepartureReason.TIME_UP, 0)
    )
    assert apply_event(state, Resigned(0)) == Illegal(Fault.NOT_YOUR_TURN, "player 1 has left the game")


def test_a_clock_read_after_the_end_costs_nothing_within_time():
    """A clock read after the end makes an entry only for overtime (docs/rules.md 8.1)."""
    state = current_state(Game(RULES, 2, BAG, (*DRAWN, Resigned(0), Clocked(1, 1_500_000))))
    assert (state.entries, state.seats[1].milliseconds) == ((), 1_500_000)


def test_nobody_is_to_move_while_a_play_is_in_question():
    """Nobody is to move while tiles are drawn, while a play is in question, or after the end."""
    states = [*iter_states(Game(RULES, 2, BAG, (*DRAWN, CATS, Stood(), Drew(0, "BIRD"), Resigned(0))))]
    assert [state.player_to_move for state in states] == [None, None, 0, None, None, 1, None]


def test_a_turn_has_no_time_while_the_last_play_is_in_question():
    """The time of a turn cannot be up while the opponent's play is in question."""
    waiting = current_state(Game(replace(RULES, clock=Clock.TURN), 2, BAG, (*DRAWN, CATS)))
    assert apply_event(waiting, TimeUp(1)) == Illegal(Fault.NOT_YOUR_TURN, "the play of player 1 is in question")
