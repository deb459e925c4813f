"""The order of turns: when one is complete, who is next, what is drawn, and how a game goes on after a departure.

Draws of too many tiles are in docs/rules.md 9.1, 9.2 and A-29. For the browser,
ordws/web/pages/static/game-turn-order.js holds these rules.
"""

from __future__ import annotations

from collections.abc import Collection

from ordws.rules.bag import contains_tiles, remove_tiles, sort_tiles
from ordws.rules.ending import find_end_reason, finish_game
from ordws.rules.event import Drew, Overdrew
from ordws.rules.fault import Fault, Illegal
from ordws.rules.move import Pass
from ordws.rules.ruleset import Overdraw
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


def tiles_to_draw(state: GameState, player: int) -> int:
    """Return the number of tiles that a player has to draw now."""
    if not isinstance(state.phase, ToDraw) or player not in state.phase.players:
        return 0
    return min(state.rules.rack_size - len(state.seats[player].rack), len(state.bag))


def apply_draw(state: GameState, event: Drew) -> GameState | Illegal:
    """Return the game with the player's rack filled."""
    phase, count = state.phase, tiles_to_draw(state, event.player)
    if not isinstance(phase, ToDraw) or not count or len(event.tiles) != count:
        return _bad_draw(f"{count or 'no'} tiles are to be drawn, not {len(event.tiles)}")
    return _fill_rack(state, phase, event, returned="")


def apply_overdraw(state: GameState, event: Overdrew) -> GameState | Illegal:
    """Return the game with the player's rack filled and the surplus returned to the bag as the rule set wants it."""
    phase, count = state.phase, tiles_to_draw(state, event.player)
    surplus = len(event.tiles) - count
    if not isinstance(phase, ToDraw) or not count or surplus < 1:
        return _bad_draw(f"{count or 'no'} tiles are to be drawn, and {len(event.tiles)} are not too many")
    held = state.seats[event.player].rack + event.tiles
    match state.rules.overdraw:
        case Overdraw.PLUS_TWO:
            exposed = held if event.mixed else event.tiles
            seen_count = min(surplus + 2, len(exposed))
        case Overdraw.ALL_EXPOSED:
            exposed, seen_count = held, len(held)
    if len(event.seen) != seen_count or not contains_tiles(exposed, event.seen):
        return _bad_draw(f"the opponents see {seen_count} of the {len(exposed)} tiles in question")
    if len(event.returned) != surplus or not contains_tiles(event.seen, event.returned):
        return _bad_draw(f"the opponents put {surplus} of the tiles they saw back into the bag")
    return _fill_rack(state, phase, event, event.returned)


def _fill_rack(state: GameState, phase: ToDraw, event: Drew | Overdrew, returned: str) -> GameState | Illegal:
    player, tiles = event.player, event.tiles
    if not contains_tiles(state.bag, tiles):
        return _bad_draw("the bag does not hold these tiles")
    rack = remove_tiles(state.seats[player].rack + tiles, returned)
    filled = state._replace(bag=remove_tiles(state.bag, tiles) + returned).with_rack(player, rack)
    return finish_draw(filled, phase, player)


def _bad_draw(message: str) -> Illegal:
    return Illegal(Fault.BAD_DRAW, message)
