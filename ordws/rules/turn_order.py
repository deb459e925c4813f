"""The order of turns: when a turn is complete, who is next, and how the game goes on after a departure.

For the browser, ordws/web/pages/static/game-turn-order.js holds these rules.
"""

from __future__ import annotations

from collections.abc import Collection

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
    MayPropose,
    MayReplay,
    ToDraw,
    ToMove,
    Turn,
    TurnOutcome,
)


def find_turn_fault(state: GameState, player: int) -> Illegal | None:
    """Return why a player cannot move now; None if it is that player's turn."""
    match state.phase:
        case GameOver() | MayPropose():
            return Illegal(Fault.GAME_OVER, "the game is over")
        case ToDraw(players):
            return Illegal(Fault.DRAW_FIRST, f"player {players[0] + 1} has tiles to draw first")
        case MayCheckOspd(mover) | MayBeChallenged(mover):
            return Illegal(Fault.NOT_YOUR_TURN, f"the play of player {mover + 1} is in question")
        case ToMove(mover) | MayReplay(mover):
            return None if mover == player else Illegal(Fault.NOT_YOUR_TURN, f"it is the turn of player {mover + 1}")


def settle_unchallenged(state: GameState) -> GameState:
    """Return the game with the play that could be challenged, if there is one, standing."""
    phase = state.phase
    return complete_turn(state, phase.player) if isinstance(phase, MayBeChallenged) else state


def complete_turn(state: GameState, player: int) -> GameState:
    """Return the game after a turn: the player fills the rack, then the next player moves (docs/rules.md 3.1)."""
    seat, ending = state.seats[player], find_end_reason(state)
    # Racks are filled before unplayed tiles are counted; after time or forfeit none are (docs/rules.md 7.3).
    lacks = state.bag and len(seat.rack) < state.rules.rack_size and not seat.has_lost
    if lacks and ending not in (EndReason.TIME, EndReason.FORFEIT):
        return state._replace(phase=ToDraw((player,), player))
    return finish_game(state, ending) if ending else advance_turn(state, player)


def finish_or_advance(state: GameState, player: int) -> GameState:
    """Return the game ended if there is a reason, else with the turn of the player after this one."""
    ending = find_end_reason(state)
    return finish_game(state, ending) if ending else advance_turn(state, player)


def advance_turn(state: GameState, player: int) -> GameState:
    """Return the game with the turn of the player after this one, recording turns lost to challenges."""
    follower, skips = next_player(state, player), state.lost_turns
    if follower not in skips:
        return state._replace(phase=ToMove(follower))
    at = skips.index(follower)
    return finish_or_advance(
        record_lost_turn(state._replace(lost_turns=skips[:at] + skips[at + 1 :]), follower), follower
    )


def next_player(state: GameState, player: int) -> int:
    """Return the next player who is still in the game; the same player if there is no other."""
    return next_seat(player, len(state.seats), state.active_players)


def next_seat(seat: int, seats: int, active: Collection[int]) -> int:
    """Return the next of the active seats in the order of play; the same seat if no other is active."""
    for at in range(seat + 1, seat + seats):
        if at % seats in active:
            return at % seats
    return seat


def record_lost_turn(state: GameState, player: int) -> GameState:
    """Return the game with a turn in which a player made no move."""
    return state.with_turn(Turn(player, Pass(), 0, TurnOutcome.LOST, len(state.bag)))


def remove_player(state: GameState, player: int, reason: DepartureReason) -> GameState:
    """Return the game after a player has left it (docs/rules.md 8.2)."""
    gone = state.with_seat(player, state.seats[player]._replace(departure=Departure(reason, state.completed_turns)))
    # A turn that goes on after a check of the OSPD is lost, and counts for the points per turn (docs/rules.md A-44).
    return resume_game(record_lost_turn(gone, player) if state.phase == MayReplay(player) else gone)


def resume_game(state: GameState) -> GameState:
    """Return the game as it goes on after a departure, or after its scores or its board were changed."""
    phase, ending = state.phase, find_end_reason(state)
    if ending is EndReason.FORFEIT and not isinstance(phase, GameOver):
        return finish_game(state, ending)
    match phase:
        case GameOver() | MayPropose() | MayBeChallenged():
            # A play can be challenged even if its player has left since (docs/rules.md 8.2).
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
    """Return the game after a player has drawn, or has left without: others draw, or the next player moves."""
    returned = state._replace(bag=sort_tiles(state.bag + state.exchanged_tiles), exchanged_tiles="")
    # Once the bag is empty the other players have nothing to draw.
    waiting = tuple([other for other in phase.players if other != player])
    if waiting and returned.bag:
        return returned._replace(phase=ToDraw(waiting, phase.last))
    return finish_or_advance(returned, phase.last)
