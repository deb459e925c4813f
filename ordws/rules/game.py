"""A game is its events: what each of them does to where the game stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ordws.rules.bag import arranged, holds, pool, without
from ordws.rules.board import empty_board
from ordws.rules.clock import ends_games, ends_turns, find_expiry, overtime
from ordws.rules.dispute import caught, challenged, checked, put_down
from ordws.rules.drawing import drew, overdrew
from ordws.rules.event import (
    Adjusted,
    Caught,
    Challenged,
    Checked,
    Clocked,
    Drew,
    Event,
    Exchanged,
    Kind,
    Overdrew,
    Passed,
    Played,
    Resigned,
    Stood,
    Swapped,
    TimeUp,
)
from ordws.rules.fault import Fault, Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Exchange, Pass
from ordws.rules.ruleset import RuleSet
from ordws.rules.state import (
    Entry,
    Fate,
    Leaving,
    MayBeChallenged,
    MayCheck,
    MayReplay,
    Over,
    Seat,
    State,
    ToDraw,
    Turn,
)
from ordws.rules.swap import swap
from ordws.rules.turn import completed, continued, find_not_to_move, following, leave, settled, turn_lost


@dataclass(frozen=True)
class Game:
    """All that there is of a game; where it stands follows from it."""

    rules: RuleSet
    players: int
    bag: str
    """The tiles this game is played with."""

    events: tuple[Event, ...] = ()


def opening(game: Game) -> State:
    """Where a game stands before anybody has drawn; raises ValueError where its rules know no such game."""
    rules = game.rules
    if not 2 <= game.players <= rules.most_players:
        raise ValueError(f"{game.players} players cannot play a game for 2 to {rules.most_players}")
    if rules.scoop < game.players * rules.rack_size:
        raise ValueError(f"{rules.scoop} tiles do not fill {game.players} racks of {rules.rack_size}")
    if len(game.bag) != rules.scoop or not holds(pool(rules), game.bag):
        raise ValueError(f'the bag "{game.bag}" is not {rules.scoop} tiles of {rules.tiles.name}')
    phase = ToDraw(tuple(range(game.players)), game.players - 1)
    return State(rules, empty_board(rules.layout.side), arranged(game.bag), "", (Seat(""),) * game.players, phase)


def state_of(game: Game) -> State:
    """Where a game stands; raises ValueError naming the first event that does not fit."""
    *_, state = states_of(game)
    return state


def states_of(game: Game) -> Iterator[State]:
    """Where a game stood at its opening and after each event; raises ValueError naming one that does not fit."""
    state = opening(game)
    yield state
    for number, event in enumerate(game.events, start=1):
        following = after(state, event)
        if isinstance(following, Illegal):
            raise ValueError(f"event {number}, {event}: {following.fault.value}: {following.sentence}")
        state = following
        yield state


def after(state: State, event: Event) -> State | Illegal:
    """Where the game stands after an event, or why this cannot happen now, and the game is as it was."""
    if (illegal := _find_out_of_place(state, event)) is not None:
        return illegal
    match event:
        case Drew():
            return drew(settled(state), event)
        case Overdrew():
            return overdrew(settled(state), event)
        case Swapped():
            return _swapped(settled(state), event)
        case Played():
            return _played(settled(state), event)
        case Exchanged():
            return _exchanged(settled(state), event)
        case Passed():
            return _passed(state, settled(state), event)
        case Challenged():
            return challenged(state, event)
        case Stood():
            return _stood(state)
        case Checked():
            return checked(state, event)
        case Caught():
            return caught(state, event)
        case Clocked():
            return _clocked(state, event)
        case TimeUp():
            return _time_up(state, event)
        case Adjusted():
            return _adjusted(state, event)
        case Resigned(player):
            return leave(state, player, Leaving.RESIGNED)


def _find_out_of_place(state: State, event: Event) -> Illegal | None:
    """What is wrong with an event whatever it does: the game is over, or its player is not in the game."""
    if isinstance(state.phase, Over) and not isinstance(event, Adjusted | Caught | Clocked):
        return Illegal(Fault.GAME_OVER, "the game is over")
    if isinstance(event, Stood | Caught):
        return None
    if not 0 <= event.player < len(state.seats):
        return Illegal(Fault.NOT_YOUR_TURN, f"there is no player {event.player + 1}")
    if isinstance(event, TimeUp | Resigned) and state.seats[event.player].left is not None:
        return Illegal(Fault.NOT_YOUR_TURN, f"player {event.player + 1} has left the game")
    return None


def _swapped(state: State, event: Swapped) -> State | Illegal:
    """RULES 5. That the blank was there when the turn began holds of itself: a turn adds one only with its play."""
    player, row, column = event.player, event.row, event.column
    if (illegal := find_not_to_move(state, player)) is not None:
        return illegal
    done = swap(state.rules, state.board, state.seats[player].rack, row, column)
    if isinstance(done, Illegal):
        return done
    board, rack = done
    return state._replace(board=board).with_rack(player, rack or "")


def _played(state: State, event: Played) -> State | Illegal:
    if (illegal := find_not_to_move(state, event.player)) is not None:
        return illegal
    ruling = judge(state.rules, state.board, event.play, state.seats[event.player].rack)
    return ruling if isinstance(ruling, Illegal) else put_down(state, event, ruling)


def _exchanged(state: State, event: Exchanged) -> State | Illegal:
    """RULES 7.1"""
    player, tiles, bag = event.player, event.tiles, len(state.bag)
    if (illegal := find_not_to_move(state, player)) is not None:
        return illegal
    if isinstance(state.phase, MayReplay):
        return Illegal(Fault.EXCHANGE_NOT_ALLOWED, "after a check of the OSPD there is another play, or a pass")
    if not tiles:
        return Illegal(Fault.EXCHANGE_NOT_ALLOWED, "an exchange gives back one tile at least")
    if bag < (needed := max(state.rules.exchange_min, len(tiles))):
        return Illegal(Fault.BAG_TOO_LOW, f"the bag holds {bag} tiles, and {needed} are needed for this exchange")
    rack = state.seats[player].rack
    if not holds(rack, tiles):
        return Illegal(Fault.NOT_ON_RACK, "the rack does not hold all the tiles of this exchange")
    given = state._replace(aside=tiles).with_rack(player, without(rack, tiles))
    return completed(given.with_turn(Turn(player, Exchange(tiles), 0, Fate.MADE, bag)), player)


def _passed(state: State, now: State, event: Passed) -> State | Illegal:
    """Where the last play, standing, ends the game, the pass of who is next says no more than that it stands."""
    phase = state.phase
    if isinstance(phase, MayBeChallenged) and isinstance(now.phase, Over):
        if event.player == phase.player or event.player != following(state, phase.player):
            return Illegal(Fault.NOT_YOUR_TURN, f"the play of player {phase.player + 1} is in question")
        return now
    if (illegal := find_not_to_move(now, event.player)) is not None:
        return illegal
    turn = Turn(event.player, Pass(), 0, Fate.MADE, len(now.bag))
    return completed(now.with_turn(turn), event.player)


def _stood(state: State) -> State | Illegal:
    if not isinstance(state.phase, MayBeChallenged | MayCheck):
        return Illegal(Fault.CHALLENGE_NOT_ALLOWED, "no play is in question")
    return completed(state, state.phase.player)


def _clocked(state: State, event: Clocked) -> State | Illegal:
    """After the end too, when the clocks are read: the points follow the time. (RULES 8.1)"""
    if event.seconds < 0:
        return Illegal(Fault.BAD_TIME, "time does not run backwards")
    seat, rules = state.seats[event.player], state.rules
    seconds = seat.seconds + event.seconds
    clocked = state.with_seat(event.player, seat._replace(seconds=seconds))
    more = overtime(rules, seconds) - overtime(rules, seat.seconds)
    if isinstance(state.phase, Over) and more:
        clocked = clocked.with_entry(Entry(event.player, more, Kind.OVERTIME))
    expiry = find_expiry(rules, seconds)
    return clocked if expiry is None or seat.left is not None else leave(clocked, event.player, expiry)


def _time_up(state: State, event: TimeUp) -> State | Illegal:
    """RULES 8.2, 8.3"""
    if ends_games(state.rules):
        return leave(state, event.player, Leaving.TIME_UP)
    if not ends_turns(state.rules):
        return Illegal(Fault.BAD_TIME, "no time limit takes a turn, or the game, from a player")
    if isinstance(state.phase, MayCheck) and state.phase.player == event.player:
        return completed(state, event.player)
    if (illegal := find_not_to_move(state, event.player)) is not None:
        return illegal
    return completed(turn_lost(state, event.player), event.player)


def _adjusted(state: State, event: Adjusted) -> State | Illegal:
    """RULES 9.5, A-30"""
    if not event.reason.strip():
        return Illegal(Fault.ADJUSTMENT_NOT_ALLOWED, "an adjustment has a reason")
    match event.kind:
        case Kind.DIRECTOR:
            pass
        case Kind.UNPLAYED_TILES_ROUND:
            had = any(entry.player == event.player and entry.kind is event.kind for entry in state.entries)
            if had or not (state.rules.unplayed_tiles_round and isinstance(state.phase, Over)):
                return Illegal(Fault.ADJUSTMENT_NOT_ALLOWED, "there is no unplayed tiles round for this player now")
        case Kind.CHALLENGE | Kind.OVERTIME | Kind.UNPLAYED_TILES:
            return Illegal(Fault.ADJUSTMENT_NOT_ALLOWED, f'points for "{event.kind.value}" follow from the game itself')
    return continued(state.with_entry(Entry(event.player, event.points, event.kind, event.reason)))
