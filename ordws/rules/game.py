"""The state of a game after its events: what each event does to it, or why it cannot happen.

For the browser, ordws/web/pages/static/game.js holds these rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ordws.rules.bag import contains_tiles, exchange_needs, pool, remove_tiles, sort_tiles
from ordws.rules.board import empty_board
from ordws.rules.challenges import apply_challenge, apply_late_bad_play, apply_ospd_check, resolve_play
from ordws.rules.ending import apply_proposal, find_expiry, has_game_limit, has_turn_limit, open_round, overtime_penalty
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
    Proposed,
    Resigned,
    RoundOpened,
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
    MayPropose,
    MayReplay,
    PlayerState,
    ScoreEntry,
    ToDraw,
    Turn,
    TurnOutcome,
)
from ordws.rules.swap import swap
from ordws.rules.turn_order import (
    apply_draw,
    apply_overdraw,
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
    """A game as it is stored; its state follows from its events."""

    rules: RuleSet
    players: int
    bag: str
    """The tiles with which this game is played."""

    events: tuple[Event, ...] = ()


def initial_state(game: Game) -> GameState:
    """Return the state before the first draw; raises ValueError if the rules do not allow these players or this bag."""
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
    """Return the state after all events; raises ValueError naming the first event that does not fit."""
    *_, state = iter_states(game)
    return state


def iter_states(game: Game) -> Iterator[GameState]:
    """Yield the initial state and that after each event; raises ValueError naming an event that does not fit."""
    state = initial_state(game)
    yield state
    for number, event in enumerate(game.events, start=1):
        following = apply_event(state, event)
        if isinstance(following, Illegal):
            raise ValueError(f"event {number}, {event}: {following.fault.value}: {following.message}")
        state = following
        yield state


def apply_event(state: GameState, event: Event) -> GameState | Illegal:
    """Return the state after an event, or the fault for which it cannot happen; `state` itself stays as it is."""
    # After the end the director still acts, and the clocks are read (docs/rules.md 8.1, 9.3, 9.5).
    if isinstance(state.phase, GameOver) and not isinstance(event, Adjusted | Caught | Clocked | RoundOpened):
        return Illegal(Fault.GAME_OVER, "the game is over")
    if isinstance(state.phase, MayPropose) and not isinstance(event, Proposed):
        return Illegal(Fault.GAME_OVER, "the game is over but for the unplayed tiles round")
    if not isinstance(event, Stood | Caught | RoundOpened):
        if not 0 <= event.player < len(state.seats):
            return Illegal(Fault.NOT_YOUR_TURN, f"there is no player {event.player + 1}")
        if isinstance(event, TimeUp | Resigned) and state.seats[event.player].departure is not None:
            return Illegal(Fault.NOT_YOUR_TURN, f"player {event.player + 1} has left the game")
    match event:
        case Drew():
            # With the draw a play that could be challenged stands (docs/rules.md 6.2).
            return apply_draw(settle_unchallenged(state), event)
        case Overdrew():
            return apply_overdraw(settle_unchallenged(state), event)
        case Swapped() | Played() | Exchanged() | Passed():
            return _apply_move(state, event)
        case Challenged():
            return apply_challenge(state, event)
        case Stood():
            if isinstance(state.phase, MayBeChallenged | MayCheckOspd):
                return complete_turn(state, state.phase.player)
            return Illegal(Fault.CHALLENGE_NOT_ALLOWED, "no play is in question")
        case Checked():
            return apply_ospd_check(state, event)
        case Caught():
            return apply_late_bad_play(state, event)
        case Clocked():
            return _apply_clocked(state, event)
        case TimeUp(player) if has_game_limit(state.rules):
            return remove_player(state, player, DepartureReason.TIME_UP)
        case TimeUp() if not has_turn_limit(state.rules):
            return Illegal(Fault.BAD_TIME, "no time limit takes a turn, or the game, from a player")
        case TimeUp(player) if isinstance(state.phase, MayCheckOspd) and state.phase.player == player:
            return complete_turn(state, player)
        case TimeUp(player):
            illegal = find_turn_fault(state, player)
            return illegal if illegal is not None else complete_turn(record_lost_turn(state, player), player)
        case Adjusted():
            return _apply_adjustment(state, event)
        case RoundOpened():
            return open_round(state)
        case Proposed():
            return apply_proposal(state, event)
        case Resigned(player):
            return remove_player(state, player, DepartureReason.RESIGNED)


def _apply_move(state: GameState, event: Swapped | Played | Exchanged | Passed) -> GameState | Illegal:
    """Return the state after a swap or a move, with which an opponent's play that could be challenged stands."""
    player, settled = event.player, settle_unchallenged(state)
    if isinstance(event, Passed) and isinstance(state.phase, MayBeChallenged) and isinstance(settled.phase, GameOver):
        # The play went out, so that there is no turn to pass: the next player's pass says only that it stands.
        if player == state.phase.player or player != next_player(state, state.phase.player):
            return Illegal(Fault.NOT_YOUR_TURN, f"the play of player {state.phase.player + 1} is in question")
        return settled
    if (illegal := find_turn_fault(settled, player)) is not None:
        return illegal
    rack, bag = settled.seats[player].rack, len(settled.bag)
    match event:
        case Swapped(_, row, column):
            # The blank was there when the turn began (docs/rules.md 5.2): only the play that ends a turn adds one.
            swapped = swap(settled.rules, settled.board, rack, row, column)
            if isinstance(swapped, Illegal):
                return swapped
            board, new_rack = swapped
            return settled._replace(board=board).with_rack(player, new_rack or "")
        case Played():
            ruling = judge(settled.rules, settled.board, event.play, rack)
            return ruling if isinstance(ruling, Illegal) else resolve_play(settled, event, ruling)
        case Exchanged(_, tiles):
            if isinstance(settled.phase, MayReplay):
                message = "after a check of the OSPD there is another play, or a pass"
                return Illegal(Fault.EXCHANGE_NOT_ALLOWED, message)
            if not tiles:
                return Illegal(Fault.EXCHANGE_NOT_ALLOWED, "an exchange gives back one tile at least")
            if bag < (needed := exchange_needs(settled.rules, len(tiles))):
                message = f"the bag holds {bag} tiles, and {needed} are needed for this exchange"
                return Illegal(Fault.BAG_TOO_LOW, message)
            if not contains_tiles(rack, tiles):
                return Illegal(Fault.NOT_ON_RACK, "the rack does not hold all the tiles of this exchange")
            given = settled._replace(exchanged_tiles=tiles).with_rack(player, remove_tiles(rack, tiles))
            turn = Turn(player, Exchange(tiles), 0, TurnOutcome.MADE, bag)
            return complete_turn(given.with_turn(turn), player)
        case Passed():
            return complete_turn(settled.with_turn(Turn(player, Pass(), 0, TurnOutcome.MADE, bag)), player)


def _apply_clocked(state: GameState, event: Clocked) -> GameState | Illegal:
    """Return the state with more time used; if the game is over, its overtime points follow (docs/rules.md 8.1)."""
    if event.milliseconds < 0:
        return Illegal(Fault.BAD_TIME, "time does not run backwards")
    seat, rules = state.seats[event.player], state.rules
    used = seat.milliseconds + event.milliseconds
    clocked = state.with_seat(event.player, seat._replace(milliseconds=used))
    more = overtime_penalty(rules, used) - overtime_penalty(rules, seat.milliseconds)
    if isinstance(state.phase, GameOver) and more:
        clocked = clocked.with_entry(ScoreEntry(event.player, more, ScoreEntryKind.OVERTIME))
    expiry = find_expiry(rules, used)
    return clocked if expiry is None or seat.departure is not None else remove_player(clocked, event.player, expiry)


def _apply_adjustment(state: GameState, event: Adjusted) -> GameState | Illegal:
    """Return the state with a director's points for a player entered (docs/rules.md 9.5, A-30)."""
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
