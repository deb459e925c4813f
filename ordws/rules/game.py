"""A game is its events: what each of them does to where the game stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ordws.rules.bag import contains_tiles, pool, remove_tiles, sort_tiles
from ordws.rules.board import empty_board
from ordws.rules.challenges import apply_challenge, apply_late_bad_play, apply_ospd_check, resolve_play
from ordws.rules.clock import find_expiry, has_game_limit, has_turn_limit, overtime_penalty
from ordws.rules.draws import apply_draw, apply_overdraw
from ordws.rules.event import (
    Adjusted,
    Caught,
    Challenged,
    Checked,
    Clocked,
    Drew,
    Event,
    Exchanged,
    Overdrew,
    Passed,
    Played,
    Resigned,
    ScoreEntryKind,
    Stood,
    Swapped,
    TimeUp,
)
from ordws.rules.fault import Fault, Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Exchange, Pass
from ordws.rules.ruleset import RuleSet
from ordws.rules.state import (
    DepartureReason,
    GameOver,
    GameState,
    MayBeChallenged,
    MayCheckOspd,
    MayReplay,
    PlayerState,
    ScoreEntry,
    ToDraw,
    Turn,
    TurnOutcome,
)
from ordws.rules.swap import swap
from ordws.rules.turn_order import (
    complete_turn,
    find_turn_fault,
    next_player,
    record_lost_turn,
    remove_player,
    resume_game,
    settle_unchallenged,
)


@dataclass(frozen=True)
class Game:
    """All that there is of a game; where it stands follows from it."""

    rules: RuleSet
    players: int
    bag: str
    """The tiles this game is played with."""

    events: tuple[Event, ...] = ()


def initial_state(game: Game) -> GameState:
    """Where a game stands before anybody has drawn; raises ValueError where its rules know no such game."""
    rules = game.rules
    if not 2 <= game.players <= rules.most_players:
        raise ValueError(f"{game.players} players cannot play a game for 2 to {rules.most_players}")
    if rules.scoop < game.players * rules.rack_size:
        raise ValueError(f"{rules.scoop} tiles do not fill {game.players} racks of {rules.rack_size}")
    if len(game.bag) != rules.scoop or not contains_tiles(pool(rules), game.bag):
        raise ValueError(f'the bag "{game.bag}" is not {rules.scoop} tiles of {rules.tiles.name}')
    phase = ToDraw(tuple(range(game.players)), game.players - 1)
    return GameState(
        rules, empty_board(rules.layout.side), sort_tiles(game.bag), "", (PlayerState(""),) * game.players, phase
    )


def current_state(game: Game) -> GameState:
    """Where a game stands; raises ValueError naming the first event that does not fit."""
    *_, state = iter_states(game)
    return state


def iter_states(game: Game) -> Iterator[GameState]:
    """Where a game stood at its opening and after each event; raises ValueError naming one that does not fit."""
    state = initial_state(game)
    yield state
    for number, event in enumerate(game.events, start=1):
        following = apply_event(state, event)
        if isinstance(following, Illegal):
            raise ValueError(f"event {number}, {event}: {following.fault.value}: {following.message}")
        state = following
        yield state


def apply_event(state: GameState, event: Event) -> GameState | Illegal:
    """Where the game stands after an event, or why this cannot happen now, and the game is as it was."""
    if (illegal := _find_precondition_fault(state, event)) is not None:
        return illegal
    match event:
        case Drew():
            return apply_draw(settle_unchallenged(state), event)
        case Overdrew():
            return apply_overdraw(settle_unchallenged(state), event)
        case Swapped():
            return _apply_swap(settle_unchallenged(state), event)
        case Played():
            return _apply_play(settle_unchallenged(state), event)
        case Exchanged():
            return _apply_exchange(settle_unchallenged(state), event)
        case Passed():
            return _apply_pass(state, settle_unchallenged(state), event)
        case Challenged():
            return apply_challenge(state, event)
        case Stood():
            return _apply_stood(state)
        case Checked():
            return apply_ospd_check(state, event)
        case Caught():
            return apply_late_bad_play(state, event)
        case Clocked():
            return _apply_clocked(state, event)
        case TimeUp():
            return _apply_time_up(state, event)
        case Adjusted():
            return _apply_adjustment(state, event)
        case Resigned(player):
            return remove_player(state, player, DepartureReason.RESIGNED)


def _find_precondition_fault(state: GameState, event: Event) -> Illegal | None:
    """What is wrong with an event whatever it does: the game is over, or its player is not in the game."""
    if isinstance(state.phase, GameOver) and not isinstance(event, Adjusted | Caught | Clocked):
        return Illegal(Fault.GAME_OVER, "the game is over")
    if isinstance(event, Stood | Caught):
        return None
    if not 0 <= event.player < len(state.seats):
        return Illegal(Fault.NOT_YOUR_TURN, f"there is no player {event.player + 1}")
    if isinstance(event, TimeUp | Resigned) and state.seats[event.player].departure is not None:
        return Illegal(Fault.NOT_YOUR_TURN, f"player {event.player + 1} has left the game")
    return None


def _apply_swap(state: GameState, event: Swapped) -> GameState | Illegal:
    """RULES 5. That the blank was there when the turn began holds of itself: a turn adds one only with its play."""
    player, row, column = event.player, event.row, event.column
    if (illegal := find_turn_fault(state, player)) is not None:
        return illegal
    done = swap(state.rules, state.board, state.seats[player].rack, row, column)
    if isinstance(done, Illegal):
        return done
    board, rack = done
    return state._replace(board=board).with_rack(player, rack or "")


def _apply_play(state: GameState, event: Played) -> GameState | Illegal:
    if (illegal := find_turn_fault(state, event.player)) is not None:
        return illegal
    ruling = judge(state.rules, state.board, event.play, state.seats[event.player].rack)
    return ruling if isinstance(ruling, Illegal) else resolve_play(state, event, ruling)


def _apply_exchange(state: GameState, event: Exchanged) -> GameState | Illegal:
    """RULES 7.1"""
    player, tiles, bag = event.player, event.tiles, len(state.bag)
    if (illegal := find_turn_fault(state, player)) is not None:
        return illegal
    if isinstance(state.phase, MayReplay):
        return Illegal(Fault.EXCHANGE_NOT_ALLOWED, "after a check of the OSPD there is another play, or a pass")
    if not tiles:
        return Illegal(Fault.EXCHANGE_NOT_ALLOWED, "an exchange gives back one tile at least")
    if bag < (needed := max(state.rules.exchange_min, len(tiles))):
        return Illegal(Fault.BAG_TOO_LOW, f"the bag holds {bag} tiles, and {needed} are needed for this exchange")
    rack = state.seats[player].rack
    if not contains_tiles(rack, tiles):
        return Illegal(Fault.NOT_ON_RACK, "the rack does not hold all the tiles of this exchange")
    given = state._replace(exchanged_tiles=tiles).with_rack(player, remove_tiles(rack, tiles))
    return complete_turn(given.with_turn(Turn(player, Exchange(tiles), 0, TurnOutcome.MADE, bag)), player)


def _apply_pass(state: GameState, settled_state: GameState, event: Passed) -> GameState | Illegal:
    """Where the last play, standing, ends the game, the pass of who is next says no more than that it stands."""
    phase = state.phase
    if isinstance(phase, MayBeChallenged) and isinstance(settled_state.phase, GameOver):
        if event.player == phase.player or event.player != next_player(state, phase.player):
            return Illegal(Fault.NOT_YOUR_TURN, f"the play of player {phase.player + 1} is in question")
        return settled_state
    if (illegal := find_turn_fault(settled_state, event.player)) is not None:
        return illegal
    turn = Turn(event.player, Pass(), 0, TurnOutcome.MADE, len(settled_state.bag))
    return complete_turn(settled_state.with_turn(turn), event.player)


def _apply_stood(state: GameState) -> GameState | Illegal:
    if not isinstance(state.phase, MayBeChallenged | MayCheckOspd):
        return Illegal(Fault.CHALLENGE_NOT_ALLOWED, "no play is in question")
    return complete_turn(state, state.phase.player)


def _apply_clocked(state: GameState, event: Clocked) -> GameState | Illegal:
    """After the end too, when the clocks are read: the points follow the time. (RULES 8.1)"""
    if event.seconds < 0:
        return Illegal(Fault.BAD_TIME, "time does not run backwards")
    seat, rules = state.seats[event.player], state.rules
    seconds = seat.seconds + event.seconds
    clocked = state.with_seat(event.player, seat._replace(seconds=seconds))
    more = overtime_penalty(rules, seconds) - overtime_penalty(rules, seat.seconds)
    if isinstance(state.phase, GameOver) and more:
        clocked = clocked.with_entry(ScoreEntry(event.player, more, ScoreEntryKind.OVERTIME))
    expiry = find_expiry(rules, seconds)
    return clocked if expiry is None or seat.departure is not None else remove_player(clocked, event.player, expiry)


def _apply_time_up(state: GameState, event: TimeUp) -> GameState | Illegal:
    """RULES 8.2, 8.3"""
    if has_game_limit(state.rules):
        return remove_player(state, event.player, DepartureReason.TIME_UP)
    if not has_turn_limit(state.rules):
        return Illegal(Fault.BAD_TIME, "no time limit takes a turn, or the game, from a player")
    if isinstance(state.phase, MayCheckOspd) and state.phase.player == event.player:
        return complete_turn(state, event.player)
    if (illegal := find_turn_fault(state, event.player)) is not None:
        return illegal
    return complete_turn(record_lost_turn(state, event.player), event.player)


def _apply_adjustment(state: GameState, event: Adjusted) -> GameState | Illegal:
    """RULES 9.5, A-30"""
    if not event.reason.strip():
        return Illegal(Fault.ADJUSTMENT_NOT_ALLOWED, "an adjustment has a reason")
    match event.kind:
        case ScoreEntryKind.DIRECTOR:
            pass
        case ScoreEntryKind.UNPLAYED_TILES_ROUND:
            had = any(entry.player == event.player and entry.kind is event.kind for entry in state.entries)
            if had or not (state.rules.unplayed_tiles_round and isinstance(state.phase, GameOver)):
                return Illegal(Fault.ADJUSTMENT_NOT_ALLOWED, "there is no unplayed tiles round for this player now")
        case ScoreEntryKind.CHALLENGE | ScoreEntryKind.OVERTIME | ScoreEntryKind.UNPLAYED_TILES:
            return Illegal(Fault.ADJUSTMENT_NOT_ALLOWED, f'points for "{event.kind.value}" follow from the game itself')
    return resume_game(state.with_entry(ScoreEntry(event.player, event.points, event.kind, event.reason)))
