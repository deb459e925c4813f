"""The effect of the server's time on a game (docs/rules.md 8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ordws.referee.moments import Arrival, Moment, milliseconds_between
from ordws.referee.sealed_game import GameRow, SealedGame, apply_events, run_automatic_events
from ordws.rules.bag import RandomSource
from ordws.rules.ending import PROPOSAL_SECONDS, has_turn_limit, is_untimed
from ordws.rules.event import Clocked, Event, Proposed, Stood, TimeUp
from ordws.rules.ruleset import Clock
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayCheckOspd, MayPropose, MayReplay, ToDraw, ToMove
from ordws.rules.turn_order import advance_turn, next_player

CALL_SECONDS: Final = 10
"""The seconds in which a player is called upon to move after the time of a turn is up (docs/rules.md A-28)."""

GRACE: Final = 500
"""The milliseconds by which a move may come too late: in a game, or in each turn where turns are limited."""

MOST_CREDIT_A_TURN: Final = 250
MOST_CREDIT_A_GAME: Final = 3_000
"""The milliseconds of a player's time that are taken for the network's, at most, in a turn and in a game."""


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
        case ToDraw() | MayPropose() | GameOver():
            return None


def time_of_round(sealed_game: SealedGame, now: Moment) -> int:
    """Return the time since the unplayed tiles round began, in ms; 0 where there is none now."""
    if not isinstance(sealed_game.state.phase, MayPropose):
        return 0
    rounds = zip(reversed(sealed_game.rows), reversed(sealed_game.states[:-1]), strict=True)
    return milliseconds_between(
        next(row.moment for row, before in rounds if not isinstance(before.phase, MayPropose)), now
    )


class TimeUsed(NamedTuple):
    """The time that a submission took of the player on the clock, in ms, and what of it is not counted."""

    counted: int
    credit: int = 0
    """For the network."""

    grace: int = 0
    """After the end of the player's time."""


def credit_used(sealed_game: SealedGame, seat: int) -> int:
    """Return the milliseconds of a seat that have not been counted because they were the network's."""
    return sum([row.credit for row in sealed_game.rows if row.seat == seat])


def time_of_turn(sealed_game: SealedGame, now: Moment) -> int:
    """Return the time that the player on the clock has used without completing a turn, in ms.

    A rejected play, a check of the OSPD or a challenge does not begin it anew (docs/rules.md 8.3).
    """
    player = on_clock(sealed_game.state)
    if player is None or sealed_game.is_waiting or sealed_game.is_called_off:
        return 0
    used = milliseconds_between(sealed_game.clock_started, now)
    for row in _rows_of_turn(sealed_game, player):
        used += sum([event.milliseconds for event in row.events if isinstance(event, Clocked)])
    return used


def measure_time(sealed_game: SealedGame, seat: int, arrival: Arrival) -> TimeUsed:
    """Return the time that the player on the clock has used when a submission of this seat arrives.

    Only the player on the clock is credited with the time of the network, and with no more than the limits.
    """
    elapsed, player = milliseconds_between(sealed_game.clock_started, arrival.moment), on_clock(sealed_game.state)
    if player is None:
        return TimeUsed(elapsed)
    credit = 0
    if player == seat:
        most = MOST_CREDIT_A_GAME - credit_used(sealed_game, seat)
        most_now = MOST_CREDIT_A_TURN - sum([row.credit for row in _rows_of_turn(sealed_game, player)])
        credit = max(0, min(arrival.round_trip, most_now, most, elapsed))
    counted, left = elapsed - credit, _time_left(sealed_game.state, player)
    if left is None or counted < left:
        return TimeUsed(counted, credit)
    # The last moment of a player who is not flagged yet.
    return TimeUsed(max(0, left - 1), credit, counted - max(0, left - 1))


def clocked_time(state: GameState, elapsed: int) -> tuple[Event, ...]:
    """Return the event that records the time used by the player on the clock."""
    player = on_clock(state)
    return () if player is None or elapsed <= 0 else (Clocked(player, elapsed),)


def find_time_up(sealed_game: SealedGame, now: Moment, chance: RandomSource) -> tuple[int, tuple[Event, ...]] | None:
    """Return the player whose time is up at a moment, and what follows; None if there is no such player."""
    state, player = sealed_game.state, on_clock(sealed_game.state)
    if isinstance(state.phase, MayPropose):
        is_late = time_of_round(sealed_game, now) >= 1_000 * PROPOSAL_SECONDS + GRACE
        late = state.phase.players[0]
        return (late, (Proposed(late, None),)) if is_late else None
    if player is None or state.seats[player].departure is not None:
        return None
    elapsed, left = milliseconds_between(sealed_game.clock_started, now), _time_left(state, player)
    if left is not None:
        graces = [
            row.grace
            for row, before in zip(sealed_game.rows, sealed_game.states, strict=False)
            if row.grace and on_clock(before) == player
        ]
        if elapsed < left + GRACE - sum(graces):
            return None
        clocked = Clocked(player, max(0, left))
        return player, (clocked, *run_automatic_events(apply_events(state, clocked), chance)[0])
    if not has_turn_limit(state.rules):
        return None
    left = 1_000 * (state.rules.clock_seconds + CALL_SECONDS) - time_of_turn(sealed_game, now) + elapsed
    if elapsed < left + GRACE:
        return None
    # The turn is lost (docs/rules.md 8.3, A-28). A play that the player could have challenged stands first.
    events: tuple[Event, ...] = (Clocked(player, max(0, left)),)
    state = apply_events(state, *events)
    if isinstance(state.phase, MayBeChallenged):
        drawn, state = run_automatic_events(apply_events(state, Stood()), chance)
        events = (*events, Stood(), *drawn)
    if on_clock(state) == player:
        lost = TimeUp(player)
        events = (*events, lost, *run_automatic_events(apply_events(state, lost), chance)[0])
    return player, events


def _time_left(state: GameState, player: int) -> int | None:
    """Return the milliseconds until a player is out of the game; None where time takes nobody out."""
    rules = state.rules
    if is_untimed(rules):
        return None
    allowed = rules.clock_seconds
    if rules.clock is Clock.OVERTIME:
        # The game is lost when the overtime has been exceeded, not when it has been used.
        allowed += 60 * rules.overtime_minutes + 1
    return 1_000 * allowed - state.seats[player].milliseconds


def _rows_of_turn(sealed_game: SealedGame, player: int) -> Iterator[GameRow]:
    """Yield the rows since the player on the clock last completed a turn, the last one first."""
    turns = _turns_completed(sealed_game.state, player)
    for row, before in zip(reversed(sealed_game.rows), reversed(sealed_game.states[:-1]), strict=True):
        if on_clock(before) != player or _turns_completed(before, player) != turns:
            return
        yield row


def _turns_completed(state: GameState, player: int) -> int:
    return sum([turn.player == player for turn in state.turns[: state.completed_turns]])
