"""How play passes from one player to the next."""

from __future__ import annotations

from ordws.rules.bag import sort_tiles
from ordws.rules.ending import find_end_reason, finish_game
from ordws.rules.fault import Fault, Illegal
from ordws.rules.move import Pass
from ordws.rules.state import (
    Departure,
    DepartureReason,
    EndReason,
    GameOver,
    GameState,
    MayBeChallenged,
    MayCheckOspd,
    MayReplay,
    ToDraw,
    ToMove,
    Turn,
    TurnOutcome,
)


def find_turn_fault(state: GameState, player: int) -> Illegal | None:
    """Why a player cannot move now; None where it is his turn."""
    match state.phase:
        case GameOver():
            return Illegal(Fault.GAME_OVER, "the game is over")
        case ToDraw(players):
            return Illegal(Fault.DRAW_FIRST, f"player {players[0] + 1} has tiles to draw first")
        case MayCheckOspd(mover) | MayBeChallenged(mover):
            return Illegal(Fault.NOT_YOUR_TURN, f"the play of player {mover + 1} is in question")
        case ToMove(mover) | MayReplay(mover):
            return None if mover == player else Illegal(Fault.NOT_YOUR_TURN, f"it is the turn of player {mover + 1}")


def settle_unchallenged(state: GameState) -> GameState:
    """The game when nobody challenges the play that could be."""
    phase = state.phase
    return complete_turn(state, phase.player) if isinstance(phase, MayBeChallenged) else state


def complete_turn(state: GameState, player: int) -> GameState:
    """The game after a turn: the player draws what he lacks, then play passes on. (RULES 3.1)"""
    seat, ending = state.seats[player], find_end_reason(state)
    lacks = state.bag and len(seat.rack) < state.rules.rack_size and not seat.has_lost
    if lacks and ending not in (EndReason.TIME, EndReason.FORFEIT):
        return state._replace(phase=ToDraw((player,), player))
    return finish_game(state, ending) if ending else advance_turn(state, player)


def finish_or_advance(state: GameState, player: int) -> GameState:
    """The game over, or the turn of whoever follows a player."""
    ending = find_end_reason(state)
    return finish_game(state, ending) if ending else advance_turn(state, player)


def advance_turn(state: GameState, player: int) -> GameState:
    """The turn of whoever follows a player; who has lost it to a challenge is passed over."""
    follower, skips = next_player(state, player), state.lost_turns
    if follower not in skips:
        return state._replace(phase=ToMove(follower))
    at = skips.index(follower)
    return finish_or_advance(
        record_lost_turn(state._replace(lost_turns=skips[:at] + skips[at + 1 :]), follower), follower
    )


def next_player(state: GameState, player: int) -> int:
    """Who is next after a player, of those still in the game; he himself where there is nobody else."""
    seats = len(state.seats)
    others = [at % seats for at in range(player + 1, player + seats)]
    return next((other for other in others if state.seats[other].departure is None), player)


def record_lost_turn(state: GameState, player: int) -> GameState:
    """The game with a turn of a player in which he made no move."""
    return state.with_turn(Turn(player, Pass(), 0, TurnOutcome.LOST, len(state.bag)))


def remove_player(state: GameState, player: int, reason: DepartureReason) -> GameState:
    """The game without a player; a turn in which he was to play again is lost. (RULES 8.2, A-44)"""
    gone = state.with_seat(player, state.seats[player]._replace(departure=Departure(reason, state.completed_turns)))
    return resume_game(record_lost_turn(gone, player) if state.phase == MayReplay(player) else gone)


def resume_game(state: GameState) -> GameState:
    """How a game goes on when somebody has left it, or points or the board are others than they were."""
    phase, ending = state.phase, find_end_reason(state)
    if ending is EndReason.FORFEIT and not isinstance(phase, GameOver):
        return finish_game(state, ending)
    match phase:
        case GameOver() | MayBeChallenged():
            return state
        case MayCheckOspd(player):
            return state if state.seats[player].departure is None else complete_turn(state, player)
        case ToDraw() if ending is EndReason.TIME:
            return finish_game(state, ending)
        case ToDraw(players):
            lost = [player for player in players if state.seats[player].has_lost]
            return finish_draw(state, phase, lost[0]) if lost else state
        case ToMove(player) | MayReplay(player):
            if ending is not None:
                return finish_game(state, ending)
            return state if state.seats[player].departure is None else advance_turn(state, player)


def finish_draw(state: GameState, phase: ToDraw, player: int) -> GameState:
    """The game when a player has drawn, or will not: others have yet to draw, or play passes on."""
    returned = state._replace(bag=sort_tiles(state.bag + state.exchanged_tiles), exchanged_tiles="")
    waiting = tuple([other for other in phase.players if other != player])
    if waiting and returned.bag:
        return returned._replace(phase=ToDraw(waiting, phase.last))
    return finish_or_advance(returned, phase.last)
