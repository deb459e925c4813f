"""When a game is over, what that does to the scores, and who has won. (RULES 7, A-25 to A-28)"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from ordws.rules.bag import arranged
from ordws.rules.clock import is_untimed, overtime
from ordws.rules.event import Kind
from ordws.rules.move import Pass
from ordws.rules.ruleset import End, Ties, UnplayedTiles
from ordws.rules.state import Ending, Entry, Fate, Over, State, Turn
from ordws.rules.tiles import worth

_EMPTY: Final = 1
"""A bag with fewer tiles than that is empty. (RULES 7.2)"""

_FRUITLESS: Final = 2
"""So many turns that add nothing end the game of who plays on alone. (RULES A-28)"""


def find_ending(state: State) -> Ending | None:
    """Why the game is over now that a turn is; None where it goes on."""
    if sum(not seat.has_lost for seat in state.seats) <= 1:
        return Ending.FORFEIT
    if _is_out(state):
        return Ending.OUT
    if not state.active:
        return Ending.TIME
    return _find_idle(state) if len(state.active) > 1 else _find_alone(state)


def without_end(state: State) -> State:
    """The game without the entries that its end has made."""
    made = (Kind.OVERTIME, Kind.UNPLAYED_TILES, Kind.UNPLAYED_TILES_ROUND)
    return state._replace(entries=tuple([entry for entry in state.entries if entry.kind not in made]))


def recounted(state: State) -> State:
    """The game over, its unplayed tiles counted as if nobody had gone out."""
    others = [entry for entry in state.entries if entry.kind is not Kind.UNPLAYED_TILES]
    return state._replace(entries=(*others, *_unplayed_tiles(state, None)))


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
    """RULES 7.2, and A-25: a game that no clock limits as a whole needs an end to endless exchanges."""
    rules, players = state.rules, len(state.active)
    is_counted = (rules.end is End.SCORELESS or is_untimed(rules)) and not state.board.is_empty
    if is_counted and len(_last_idle(state.turns)) >= rules.scoreless_turns:
        return Ending.SCORELESS
    match rules.end:
        case End.SCORELESS:
            return None
        case End.CYCLE_PLUS_ONE:
            low, enough = rules.exchange_min, players + 1
        case End.CYCLE:
            low, enough = _EMPTY, players
    return Ending.IDLE if _idle_while_low(state, state.turns, low) >= enough else None


def _find_alone(state: State) -> Ending | None:
    """How long a player goes on when the time of all others is up. (RULES 8.2, A-28)"""
    (alone,) = state.active
    since = max([seat.left.turns for seat in state.seats if seat.left])
    turns = [turn for turn in state.turns[since:] if turn.player == alone]
    has_passed = bool(turns) and turns[-1].fate is Fate.MADE and isinstance(turns[-1].move, Pass)
    is_fruitless = _idle_while_low(state, turns, state.rules.exchange_min) >= _FRUITLESS
    rivals = [player for player, seat in enumerate(state.seats) if player != alone and not seat.has_lost]
    is_ahead = state.scores[alone] > max([state.scores[player] for player in rivals])
    return Ending.TIME if has_passed or is_fruitless or is_ahead else None


def _last_idle(turns: Sequence[Turn]) -> list[Turn]:
    """The last turns, in a row, that added nothing, from the last one back."""
    return [*takewhile(lambda turn: not turn.added, reversed(turns))]


def _idle_while_low(state: State, turns: Sequence[Turn], low: int) -> int:
    """How many turns that added nothing began with fewer tiles in the bag than `low`; none where it holds more again.

    Only a bad play that is caught later fills the bag again. (RULES 9.3)
    """
    if len(state.bag) >= low:
        return 0
    return len([*takewhile(lambda turn: turn.bag < low, _last_idle(turns))])


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
