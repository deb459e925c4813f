"""How play passes from one player to the next."""

from __future__ import annotations

from ordws.rules.bag import arranged
from ordws.rules.ending import find_ending, finished
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
    """The game when nobody challenges the play that could be."""
    phase = state.phase
    return completed(state, phase.player) if isinstance(phase, MayBeChallenged) else state


def completed(state: State, player: int) -> State:
    """The game after a turn: the player draws what he lacks, then play passes on. (RULES 3.1)"""
    seat, ending = state.seats[player], find_ending(state)
    lacks = state.bag and len(seat.rack) < state.rules.rack_size and not seat.has_lost
    if lacks and ending not in (Ending.TIME, Ending.FORFEIT):
        return state._replace(phase=ToDraw((player,), player))
    return finished(state, ending) if ending else next_turn(state, player)


def passed_on(state: State, player: int) -> State:
    """The game over, or the turn of whoever follows a player."""
    ending = find_ending(state)
    return finished(state, ending) if ending else next_turn(state, player)


def next_turn(state: State, player: int) -> State:
    """The turn of whoever follows a player; who has lost it to a challenge is passed over."""
    follower, skips = following(state, player), state.skips
    if follower not in skips:
        return state._replace(phase=ToMove(follower))
    at = skips.index(follower)
    return passed_on(turn_lost(state._replace(skips=skips[:at] + skips[at + 1 :]), follower), follower)


def following(state: State, player: int) -> int:
    """Who is next after a player, of those still in the game; he himself where there is nobody else."""
    seats = len(state.seats)
    others = [at % seats for at in range(player + 1, player + seats)]
    return next((other for other in others if state.seats[other].left is None), player)


def turn_lost(state: State, player: int) -> State:
    """The game with a turn of a player in which he made no move."""
    return state.with_turn(Turn(player, Pass(), 0, Fate.LOST, len(state.bag)))


def leave(state: State, player: int, why: Leaving) -> State:
    """The game without a player; a turn in which he was to play again is lost. (RULES 8.2, A-44)"""
    gone = state.with_seat(player, state.seats[player]._replace(left=Left(why, state.turns_over)))
    return continued(turn_lost(gone, player) if state.phase == MayReplay(player) else gone)


def continued(state: State) -> State:
    """How a game goes on when somebody has left it, or points or the board are others than they were."""
    phase, ending = state.phase, find_ending(state)
    if ending is Ending.FORFEIT and not isinstance(phase, Over):
        return finished(state, ending)
    match phase:
        case Over() | MayBeChallenged():
            return state
        case MayCheck(player):
            return state if state.seats[player].left is None else completed(state, player)
        case ToDraw() if ending is Ending.TIME:
            return finished(state, ending)
        case ToDraw(players):
            lost = [player for player in players if state.seats[player].has_lost]
            return drawn(state, phase, lost[0]) if lost else state
        case ToMove(player) | MayReplay(player):
            if ending is not None:
                return finished(state, ending)
            return state if state.seats[player].left is None else next_turn(state, player)


def drawn(state: State, phase: ToDraw, player: int) -> State:
    """The game when a player has drawn, or will not: others have yet to draw, or play passes on."""
    returned = state._replace(bag=arranged(state.bag + state.aside), aside="")
    waiting = tuple([other for other in phase.players if other != player])
    if waiting and returned.bag:
        return returned._replace(phase=ToDraw(waiting, phase.last))
    return passed_on(returned, phase.last)
