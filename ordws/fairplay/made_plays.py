"""The plays of a sealed game as they were made, out of its rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ordws.referee.deal import apply_events
from ordws.referee.sealed_game import SealedGame, SubmissionOutcome
from ordws.rules.board import Axis, Board
from ordws.rules.clock import is_untimed
from ordws.rules.event import Clocked, Played, Swapped
from ordws.rules.move import Play
from ordws.rules.ruleset import RuleSet


class ChosenPlay(NamedTuple):
    """A play as it was made: the position before any swap, the rack, and the play with its ruling's score."""

    rules: RuleSet
    board: Board
    rack: str
    play: Play
    swaps: tuple[tuple[int, int], ...]
    milliseconds: int = 0


def turns_taken(sealed_game: SealedGame) -> Iterator[tuple[int, ChosenPlay, SubmissionOutcome]]:
    """Yield the plays of a game in their order, with their seats and outcomes.

    A void play (`UNACCEPTABLE`) left only its time in the rows, so its squares and letters are empty here.
    """
    for before, row in zip(sealed_game.states, sealed_game.rows, strict=False):
        state, begun = before, before
        swaps: tuple[tuple[int, int], ...] = ()
        used = sum([each.milliseconds for each in row.events if isinstance(each, Clocked) and each.player == row.seat])
        if row.outcome is SubmissionOutcome.UNACCEPTABLE:
            nothing = Play(0, 0, Axis.ACROSS, b"")
            yield row.seat, ChosenPlay(state.rules, state.board, "", nothing, (), used), row.outcome
        for event in row.events:
            match event:
                case Swapped(_, at_row, column):
                    begun, swaps = begun if swaps else state, (*swaps, (at_row, column))
                case Played(player, play):
                    begun = begun if swaps else state
                    rack = begun.seats[player].rack
                    yield player, ChosenPlay(begun.rules, begun.board, rack, play, swaps, used), row.outcome
            state = apply_events(state, event)


def time_left(sealed_game: SealedGame, seat: int) -> float:
    """Return the share of its time that a seat had after the last row that was its own submission."""
    rules = sealed_game.state.rules
    if is_untimed(rules):
        return 1.0
    own = [at for at, row in enumerate(sealed_game.rows, 1) if row.seat == seat and row.submitted is not None]
    used = sealed_game.states[own[-1]].seats[seat].milliseconds if own else 0
    return max(1 - used / (1_000 * rules.clock_seconds), 0.0)
