"""How play passes from one player to the next."""

from __future__ import annotations

from ordws.rules.bag import arranged
from ordws.rules.ending import find_ending, finished, is_ahead_alone, rivals
from ordws.rules.fault import Fault, Illegal
from ordws.rules.move import Pass
from ordws.rules.state import (
    Ending,
    Fate,
    Leaving,
    Left,
    MayBeChallenged,
    MayCheck,
    MayReplay,
    Over,
    State,
    ToDraw,
    ToMove,
    Turn,
)


def find_not_to_move(state: State, player: int) -> Illegal | None:
    """Why a player cannot move now; None where it is his turn."""
    match state.phase:
        case Over():
            return Illegal(Fault.GAME_OVER, "the game is over")
        case ToDraw(players):
            return Illegal(Fault.DRAW_FIRST, f"player {players[0] + 1} has tiles to draw first")
        case MayCheck(mover) | MayBeChallenged(mover):
            return Illegal(Fault.NOT_YOUR_TURN, f"the play of player {mover + 1} is in question")
        case ToMove(mover) | MayReplay(mover):
            return None if mover == player else Illegal(Fault.NOT_YOUR_TURN, f"it is the turn of player {mover + 1}")


def settled(state: State) -> State:
    """The game when nobody challenges the play that could be, or checks the one that was rejected."""
    match state.phase:
        case MayBeChallenged(player) | MayCheck(player):
            return completed(state, player)
        case ToDraw() | ToMove() | MayReplay() | Over():
            return state


def completed(state: State, player: int) -> State:
    """The game after a turn: the player draws what he lacks, then play passes on. (RULES 3.1)"""
    seat = state.seats[player]
    lacks = state.bag and len(seat.rack) < state.rules.rack_size and not seat.has_lost
    if lacks and find_ending(state) is not Ending.TIME:
        return state._replace(phase=ToDraw((player,), player))
    return passed_on(state, player)


def passed_on(state: State, player: int) -> State:
    """The game over, or the turn of whoever follows a player."""
    ending = find_ending(state)
    return next_turn(state, player) if ending is None else finished(state, ending)


def next_turn(state: State, player: int) -> State:
    """The turn of whoever follows a player; who has lost it to a challenge is passed over."""
    seats = len(state.seats)
    following = next(at % seats for at in range(player + 1, player + seats + 1) if state.seats[at % seats].left is None)
    if following not in state.skips:
        return state._replace(phase=ToMove(following))
    lost = Turn(following, Pass(), 0, Fate.LOST, len(state.bag))
    return passed_on(state.with_turn(lost)._replace(skips=state.skips - {following}), following)


def leave(state: State, player: int, why: Leaving) -> State:
    """The game without a player: over, or with the turn passed on where it was his. (RULES 8.2)"""
    gone = state.with_seat(player, state.seats[player]._replace(left=Left(why, len(state.turns))))
    if isinstance(gone.phase, Over):
        return gone
    if not gone.active:
        return finished(gone, Ending.TIME if why is Leaving.TIME_UP else Ending.FORFEIT)
    if len(gone.active) == 1 and not rivals(gone):
        return finished(gone, Ending.FORFEIT)
    if is_ahead_alone(gone) and not isinstance(gone.phase, MayCheck | MayBeChallenged):
        return finished(gone, Ending.TIME)
    match gone.phase:
        case MayCheck(mover) if mover == player:
            return passed_on(gone, player)
        case ToMove(mover) | MayReplay(mover) if mover == player:
            return next_turn(gone, player)
        case ToDraw() if player in gone.phase.players and gone.seats[player].has_lost:
            return drawn(gone, gone.phase, player)
        case ToDraw() | ToMove() | MayReplay() | MayCheck() | MayBeChallenged():
            return gone


def drawn(state: State, phase: ToDraw, player: int) -> State:
    """The game when a player has drawn, or will not: others have yet to draw, or play passes on."""
    returned = state._replace(bag=arranged(state.bag + state.aside), aside="")
    waiting = tuple([other for other in phase.players if other != player])
    if waiting and returned.bag:
        return returned._replace(phase=ToDraw(waiting, phase.last))
    return passed_on(returned, phase.last)
