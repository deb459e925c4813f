"""What the server's time does to a game. (RULES 8)"""

from __future__ import annotations

from typing import Final

from ordws.referee.deal import apply_events, run_automatic_events
from ordws.rules.bag import RandomSource
from ordws.rules.clock import has_turn_limit, is_untimed
from ordws.rules.event import Clocked, Event, Stood, TimeUp
from ordws.rules.ruleset import Clock, RuleSet
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayReplay, ToDraw, ToMove
from ordws.rules.turn_order import advance_turn, next_player

GRACE_SECONDS: Final = 10
"""How long a player is called upon to move when the time of his turn is up. (RULES A-28)"""


def on_clock(state: GameState) -> int | None:
    """Who is to act, so that his clock runs: of a play that may be challenged, whoever moves next if it stands."""
    match state.phase:
        case ToMove(player) | MayReplay(player) | MayCheckOspd(player):
            return player
        case MayBeChallenged(player):
            mover = advance_turn(state, player).player_to_move
            return next_player(state, player) if mover is None else mover
        case ToDraw() | GameOver():
            return None


def clocked_time(state: GameState, elapsed: int) -> tuple[Event, ...]:
    """The time that whoever is to act has used."""
    player = on_clock(state)
    return () if player is None or elapsed <= 0 else (Clocked(player, elapsed),)


def find_time_up(state: GameState, elapsed: int, chance: RandomSource) -> tuple[int, tuple[Event, ...]] | None:
    """Whose time is up after so many seconds, and what that does to the game; None where nobody's is."""
    player = on_clock(state)
    if player is None or state.seats[player].departure is not None:
        return None
    if has_turn_limit(state.rules):
        most = state.rules.clock_seconds + GRACE_SECONDS
        return (player, _lose_turn(state, player, most, chance)) if elapsed >= most else None
    allowance = _seconds_allowed(state.rules)
    left = None if allowance is None else allowance - state.seats[player].seconds
    if left is None or elapsed < left:
        return None
    clocked = Clocked(player, max(0, left))
    return player, (clocked, *run_automatic_events(apply_events(state, clocked), chance)[0])


def _seconds_allowed(rules: RuleSet) -> int | None:
    """How many seconds end the game of a player who has used them; None where it is not ended by time."""
    if is_untimed(rules):
        return None
    match rules.clock:
        case Clock.TOTAL:
            return rules.clock_seconds
        case Clock.OVERTIME:
            return rules.clock_seconds + 60 * rules.overtime_minutes + 1
        case Clock.TURN | Clock.NONE:
            return None


def _lose_turn(state: GameState, player: int, seconds: int, chance: RandomSource) -> tuple[Event, ...]:
    """RULES 8.3, A-28. A play that he might have challenged stands first."""
    events: tuple[Event, ...] = (Clocked(player, seconds),)
    state = apply_events(state, *events)
    if isinstance(state.phase, MayBeChallenged):
        drawn, state = run_automatic_events(apply_events(state, Stood()), chance)
        events = (*events, Stood(), *drawn)
    if on_clock(state) != player:
        return events
    lost = TimeUp(player)
    return (*events, lost, *run_automatic_events(apply_events(state, lost), chance)[0])
