"""The effect of the server's time on a game (docs/rules.md 8)."""

from __future__ import annotations

from typing import Final

from ordws.referee.deal import apply_events, run_automatic_events
from ordws.rules.bag import RandomSource
from ordws.rules.clock import has_turn_limit, is_untimed
from ordws.rules.event import Clocked, Event, Stood, TimeUp
from ordws.rules.ruleset import Clock
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayReplay, ToDraw, ToMove
from ordws.rules.turn_order import advance_turn, next_player

GRACE_SECONDS: Final = 10
"""The seconds in which a player is called upon to move after the time of a turn is up (docs/rules.md A-28)."""


def on_clock(state: GameState) -> int | None:
    """Return the player whose clock runs.

    While a play may be challenged, that is the player who moves next if it stands.
    """
    match state.phase:
        case ToMove(player) | MayReplay(player) | MayCheckOspd(player):
            return player
        case MayBeChallenged(player):
            mover = advance_turn(state, player).player_to_move
            return next_player(state, player) if mover is None else mover
        case ToDraw() | GameOver():
            return None


def clocked_time(state: GameState, elapsed: int) -> tuple[Event, ...]:
    """Return the event that records the time used by the player on the clock."""
    player = on_clock(state)
    return () if player is None or elapsed <= 0 else (Clocked(player, elapsed),)


def find_time_up(state: GameState, elapsed: int, chance: RandomSource) -> tuple[int, tuple[Event, ...]] | None:
    """Return the player whose time is up after so many seconds, and what follows; None if there is no such player."""
    player = on_clock(state)
    if player is None or state.seats[player].departure is not None:
        return None
    if has_turn_limit(state.rules):
        allowed = state.rules.clock_seconds + GRACE_SECONDS
        if elapsed < allowed:
            return None
        # The turn is lost (docs/rules.md 8.3, A-28). A play that the player could have challenged stands first.
        events: tuple[Event, ...] = (Clocked(player, allowed),)
        state = apply_events(state, *events)
        if isinstance(state.phase, MayBeChallenged):
            drawn, state = run_automatic_events(apply_events(state, Stood()), chance)
            events = (*events, Stood(), *drawn)
        if on_clock(state) == player:
            lost = TimeUp(player)
            events = (*events, lost, *run_automatic_events(apply_events(state, lost), chance)[0])
        return player, events
    rules = state.rules
    if is_untimed(rules) or rules.clock not in (Clock.TOTAL, Clock.OVERTIME):
        return None
    allowed = rules.clock_seconds
    if rules.clock is Clock.OVERTIME:
        # The game is lost when the overtime has been exceeded, not when it has been used.
        allowed += 60 * rules.overtime_minutes + 1
    left = allowed - state.seats[player].seconds
    if elapsed < left:
        return None
    clocked = Clocked(player, max(0, left))
    return player, (clocked, *run_automatic_events(apply_events(state, clocked), chance)[0])
