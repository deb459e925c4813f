"""When a game is over, what that does to the scores, and who has won. (RULES 7, A-25 to A-28)"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from ordws.rules.bag import arranged
from ordws.rules.clock import is_untimed, overtime
from ordws.rules.event import Kind
from ordws.rules.move import Pass
from ordws.rules.ruleset import End, Ties, UnplayedTiles
from ordws.rules.state import Ending, Entry, Fate, Over, State, Turn
from ordws.rules.tiles import worth


def find_ending(state: State) -> Ending | None:
    """Why the game is over now that a turn is; None where it goes on."""
    if _is_out(state):
        return Ending.OUT
    return _find_idle(state) if len(state.active) > 1 else _find_alone(state)


def finished(state: State, why: Ending) -> State:
    """The game over, with what time and unplayed tiles do to the scores."""
    entries = [
        Entry(player, points, Kind.OVERTIME)
        for player, seat in enumerate(state.seats)
        if (points := overtime(state.rules, seat.seconds))
    ]
    if why in (Ending.OUT, Ending.SCORELESS, Ending.IDLE):
        entries += _unplayed_tiles(state, state.turns[-1].player if why is Ending.OUT else None)
    return state._replace(
        phase=Over(why), entries=(*state.entries, *entries), bag=arranged(state.bag + state.aside), aside=""
    )


def is_ahead_alone(state: State) -> bool:
    """Whether one player is left who has more points than all whose time is up. (RULES A-28)"""
    return len(state.active) == 1 and state.scores[state.active[0]] > max(rivals(state))


def rivals(state: State) -> list[int]:
    """What they have who are out of time and have not lost."""
    return [
        score for score, seat in zip(state.scores, state.seats, strict=True) if seat.left and not seat.has_lost
    ]  # fmt: skip


def winners(state: State) -> tuple[int, ...]:
    """Who won a game that is over: several where it is a tie, none where all have lost or the game goes on."""
    if not isinstance(state.phase, Over):
        return ()
    ranks = {player: _rank(state, player) for player, seat in enumerate(state.seats) if not seat.has_lost}
    return tuple([player for player, rank in ranks.items() if rank == max(ranks.values())])


def _rank(state: State, player: int) -> tuple[int, int]:
    """The score, and what decides among equals."""
    score = state.scores[player]
    if state.rules.ties is Ties.TIE:
        return score, 0
    unplayed = [entry for entry in state.entries if entry.player == player and entry.kind is Kind.UNPLAYED_TILES]
    return score, score - sum([entry.points for entry in unplayed])


def _is_out(state: State) -> bool:
    """Whether the last turn's play, which stands, left its player without tiles and none to draw."""
    if state.bag or not state.turns or not state.turns[-1].added:
        return False
    seat = state.seats[state.turns[-1].player]
    return not seat.rack and not seat.has_lost


def _find_idle(state: State) -> Ending | None:
    """RULES 7.2, and A-25: games without a clock need an end to endless exchanges."""
    rules, players = state.rules, len(state.active)
    if rules.end is End.SCORELESS or is_untimed(rules):
        scoreless = _last_idle(state.turns)
        if scoreless >= rules.scoreless_turns and not state.board.is_empty:
            return Ending.SCORELESS
    match rules.end:
        case End.SCORELESS:
            return None
        case End.CYCLE_PLUS_ONE:
            idle, enough = _last_idle(state.turns, rules.exchange_min), players + 1
        case End.CYCLE:
            idle, enough = _last_idle(state.turns, 1), players
    return Ending.IDLE if idle >= enough else None


def _find_alone(state: State) -> Ending | None:
    """How long a player goes on when the time of all others is up. (RULES 8.2, A-28)"""
    since = max([seat.left.turns for seat in state.seats if seat.left])
    turns = state.turns[since:]
    has_passed = bool(turns) and turns[-1].fate is Fate.MADE and isinstance(turns[-1].move, Pass)
    is_fruitless = _last_idle(turns, state.rules.exchange_min) >= 2
    return Ending.TIME if has_passed or is_fruitless or is_ahead_alone(state) else None


def _last_idle(turns: tuple[Turn, ...], below: int | None = None) -> int:
    """How many of the last turns, in a row, added nothing, and began with fewer tiles in the bag than that."""
    idle: Iterable[Turn] = takewhile(
        lambda turn: not turn.added and (below is None or turn.bag < below), reversed(turns)
    )  # fmt: skip
    return len(list(idle))


def _unplayed_tiles(state: State, out: int | None) -> list[Entry]:
    """What the tiles left on the racks are worth to the scores; `out` is who has none. (RULES 7.3, A-27)"""
    left = [worth(seat.rack) for seat in state.seats]
    points = [-value for value in left]
    if out is not None:
        if len(left) == 2 and state.rules.unplayed_tiles is UnplayedTiles.DOUBLE:
            points = [0, 0]
            points[out] = 2 * sum(left)
        else:
            points[out] = sum(left)
    return [Entry(player, gain, Kind.UNPLAYED_TILES) for player, gain in enumerate(points) if gain]
