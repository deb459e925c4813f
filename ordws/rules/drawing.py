"""Tiles drawn as the rules want it, and too many of them. (RULES 7.1, 9.1, 9.2, A-29)"""

from __future__ import annotations

from ordws.rules.bag import holds, without
from ordws.rules.event import Drew, Overdrew
from ordws.rules.fault import Fault, Illegal
from ordws.rules.ruleset import Overdraw
from ordws.rules.state import State, ToDraw
from ordws.rules.turn import drawn


def owed(state: State, player: int) -> int:
    """How many tiles a player has to draw now."""
    if not isinstance(state.phase, ToDraw) or player not in state.phase.players:
        return 0
    return min(state.rules.rack_size - len(state.seats[player].rack), len(state.bag))


def drew(state: State, event: Drew) -> State | Illegal:
    """The game with a rack filled up again."""
    phase, count = state.phase, owed(state, event.player)
    if not isinstance(phase, ToDraw) or not count or len(event.tiles) != count:
        return _bad(f"{count or 'no'} tiles are to be drawn, not {len(event.tiles)}")
    return _filled(state, phase, event, returned="")


def overdrew(state: State, event: Overdrew) -> State | Illegal:
    """The game with a rack filled up, and the tiles too many put back as the rule set wants it."""
    phase, count = state.phase, owed(state, event.player)
    surplus = len(event.tiles) - count
    if not isinstance(phase, ToDraw) or not count or surplus < 1:
        return _bad(f"{count or 'no'} tiles are to be drawn, and {len(event.tiles)} are not too many")
    shown, seen = _shown(state, event, surplus)
    if len(event.seen) != seen or not holds(shown, event.seen):
        return _bad(f"the opponents see {seen} of the {len(shown)} tiles in question")
    if len(event.returned) != surplus or not holds(event.seen, event.returned):
        return _bad(f"the opponents put {surplus} of the tiles they saw back into the bag")
    return _filled(state, phase, event, event.returned)


def _shown(state: State, event: Overdrew, surplus: int) -> tuple[str, int]:
    """The tiles of which the opponents see some, and how many they see."""
    held = state.seats[event.player].rack + event.tiles
    match state.rules.overdraw:
        case Overdraw.PLUS_TWO:
            shown = held if event.mixed else event.tiles
            return shown, min(surplus + 2, len(shown))
        case Overdraw.ALL_EXPOSED:
            return held, len(held)


def _filled(state: State, phase: ToDraw, event: Drew | Overdrew, returned: str) -> State | Illegal:
    player, tiles = event.player, event.tiles
    if not holds(state.bag, tiles):
        return _bad("the bag does not hold these tiles")
    rack = without(state.seats[player].rack + tiles, returned)
    filled = state._replace(bag=without(state.bag, tiles) + returned).with_rack(player, rack)
    return drawn(filled, phase, player)


def _bad(sentence: str) -> Illegal:
    return Illegal(Fault.BAD_DRAW, sentence)
