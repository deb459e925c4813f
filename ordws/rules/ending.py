"""The end of a game: when it comes, what it does to the scores, and who has won (docs/rules.md 7, A-25 to A-28).

For the browser, ordws/web/pages/static/game-ending.js holds these rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile
from typing import Final

from ordws.rules.bag import sort_tiles
from ordws.rules.clock import is_untimed, overtime_penalty
from ordws.rules.event import ScoreEntryKind
from ordws.rules.move import Pass
from ordws.rules.ruleset import EndRule, RuleSet, Ties, UnplayedTiles
from ordws.rules.state import EndReason, GameOver, GameState, ScoreEntry, Turn, TurnOutcome
from ordws.rules.tiles import face_value

REASONS_WITH_UNPLAYED_TILES: Final = (EndReason.OUT, EndReason.SCORELESS, EndReason.IDLE)
"""The ends after which the tiles on the racks change the scores (docs/rules.md 7.3)."""

_EMPTY_BELOW: Final = 1
"""A bag with fewer tiles than this is empty, which `end=cycle` asks for (docs/rules.md 7.2)."""

_MAX_IDLE_ALONE: Final = 2
"""The number of idle turns with a low bag after which a player who plays on alone is done (docs/rules.md A-28)."""


def find_end_reason(state: GameState) -> EndReason | None:
    """Return why a game is over whose last turn has just been completed; None if it goes on."""
    if sum(not seat.has_lost for seat in state.seats) <= 1:
        return EndReason.FORFEIT
    if not state.bag and state.turns and state.turns[-1].added_tiles:
        seat = state.seats[state.turns[-1].player]
        if not seat.rack and not seat.has_lost:
            return EndReason.OUT
    if not state.active_players:
        return EndReason.TIME
    if len(state.active_players) == 1:
        # The game may go on with one player who has time left (docs/rules.md 8.2, A-28).
        (alone,) = state.active_players
        since = max([seat.departure.turns for seat in state.seats if seat.departure])
        turns = [turn for turn in state.turns[since:] if turn.player == alone]
        has_passed = bool(turns) and turns[-1].outcome is TurnOutcome.MADE and isinstance(turns[-1].move, Pass)
        bag_counts = _idle_bag_counts(state, turns)
        is_fruitless = _count_leading_low(bag_counts, state.rules.exchange_min) >= _MAX_IDLE_ALONE
        rivals = [player for player, seat in enumerate(state.seats) if player != alone and not seat.has_lost]
        is_ahead = state.scores[alone] > max([state.scores[player] for player in rivals])
        return EndReason.TIME if has_passed or is_fruitless or is_ahead else None
    bag_counts = _idle_bag_counts(state, state.turns)
    return find_idle_end(state.rules, bag_counts, len(state.active_players), board_is_empty=state.board.is_empty)


def find_idle_end(rules: RuleSet, bag_counts: Sequence[int], players: int, *, board_is_empty: bool) -> EndReason | None:
    """Return the end that turns without a new tile on the board bring; None if there is none (docs/rules.md 7.2).

    `bag_counts` tells how many tiles the bag held when each of these turns began, the last turn first. `players` are
    those who are still in the game.
    """
    # A game that no clock limits as a whole could go on for ever by exchanges, under any rule set (docs/rules.md A-25).
    is_counted = (rules.end is EndRule.SCORELESS or is_untimed(rules)) and not board_is_empty
    if is_counted and len(bag_counts) >= rules.scoreless_turns:
        return EndReason.SCORELESS
    match rules.end:
        case EndRule.SCORELESS:
            return None
        case EndRule.CYCLE_PLUS_ONE:
            low, enough = rules.exchange_min, players + 1
        case EndRule.CYCLE:
            low, enough = _EMPTY_BELOW, players
    # In a damaged record all players may have left; without an idle turn it has not ended so even then.
    return EndReason.IDLE if _count_leading_low(bag_counts, low) >= max(enough, 1) else None


def unplayed_tiles_factor(rules: RuleSet, players: int) -> int:
    """Return how many times the player who went out gains the tiles left on the other racks (docs/rules.md 7.3, A-27).

    Twice means that the other player does not lose them.
    """
    return 2 if players == 2 and rules.unplayed_tiles is UnplayedTiles.DOUBLE else 1


def remove_end_entries(state: GameState) -> GameState:
    """Return the game without the score entries that its end has made."""
    made = (ScoreEntryKind.OVERTIME, ScoreEntryKind.UNPLAYED_TILES, ScoreEntryKind.UNPLAYED_TILES_ROUND)
    entries = tuple([entry for entry in state.entries if entry.kind not in made])
    return state._replace(entries=entries, proposals=())


def recount_unplayed_tiles(state: GameState) -> GameState:
    """Return the finished game with its unplayed tiles counted as if nobody had gone out."""
    others = [entry for entry in state.entries if entry.kind is not ScoreEntryKind.UNPLAYED_TILES]
    return state._replace(entries=(*others, *_unplayed_tile_entries(state, None)))


def finish_game(state: GameState, reason: EndReason) -> GameState:
    """Return the game ended for this reason, with the points for overtime and unplayed tiles entered."""
    entries = [
        ScoreEntry(player, points, ScoreEntryKind.OVERTIME)
        for player, seat in enumerate(state.seats)
        if (points := overtime_penalty(state.rules, seat.milliseconds))
    ]
    if reason in REASONS_WITH_UNPLAYED_TILES:
        entries += _unplayed_tile_entries(state, state.turns[-1].player if reason is EndReason.OUT else None)
    # A player may have left between an exchange and its draw.
    return state._replace(
        phase=GameOver(reason),
        entries=(*state.entries, *entries),
        bag=sort_tiles(state.bag + state.exchanged_tiles),
        exchanged_tiles="",
    )


def winners(state: GameState) -> tuple[int, ...]:
    """Return who won: several players after a tie, nobody if all have lost or the game is not over."""
    if not isinstance(state.phase, GameOver):
        return ()
    scores = state.scores
    before = [*scores]
    if state.rules.ties is Ties.BEFORE_UNPLAYED:
        for entry in state.entries:
            before[entry.player] -= entry.points if entry.kind is ScoreEntryKind.UNPLAYED_TILES else 0
    ranks = {player: (scores[player], before[player]) for player, seat in enumerate(state.seats) if not seat.has_lost}
    return tuple([player for player, rank in ranks.items() if rank == max(ranks.values())])


def _idle_bag_counts(state: GameState, turns: Sequence[Turn]) -> list[int]:
    """Return how many tiles the bag held when each idle turn at the end of `turns` began, the last turn first.

    Only the last turns count, as many as a rule may need.
    """
    # No rule looks at more of them, and a game of passes would take longer to replay with each turn.
    most = max(state.rules.scoreless_turns, len(state.seats) + 1, _MAX_IDLE_ALONE)
    idle = islice(takewhile(lambda turn: not turn.added_tiles, reversed(turns)), most)
    # A bad play that is caught later fills the bag again (docs/rules.md 9.3). The bag was then never low.
    return [max(turn.bag_count, len(state.bag)) for turn in idle]


def _count_leading_low(bag_counts: Sequence[int], low: int) -> int:
    return len([*takewhile(lambda count: count < low, bag_counts)])


def _unplayed_tile_entries(state: GameState, out: int | None) -> list[ScoreEntry]:
    """Return the score entries for the tiles left on the racks (docs/rules.md 7.3, A-27); `out` is who went out."""
    left = [face_value(seat.rack) for seat in state.seats]
    points = [-value for value in left]
    if out is not None:
        factor = unplayed_tiles_factor(state.rules, len(left))
        points = points if factor == 1 else [0, 0]
        points[out] = factor * sum(left)
    return [ScoreEntry(player, gain, ScoreEntryKind.UNPLAYED_TILES) for player, gain in enumerate(points) if gain]
