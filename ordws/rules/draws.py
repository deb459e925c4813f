"""Draws from the bag as the rules want them, and draws of too many tiles (docs/rules.md 7.1, 9.1, 9.2, A-29)."""

from __future__ import annotations

from ordws.rules.bag import contains_tiles, remove_tiles
from ordws.rules.event import Drew, Overdrew
from ordws.rules.fault import Fault, Illegal
from ordws.rules.ruleset import Overdraw
from ordws.rules.state import GameState, ToDraw
from ordws.rules.turn_order import finish_draw


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
