"""The end of a game: when it comes, what time and unplayed tiles cost, and who has won (docs/rules.md 7, 8, 9.5).

Events bring the milliseconds used. After the end there may be the unplayed tiles round, one play with the tiles that an
opponent could not play (docs/rules.md A-30); a game at a table has it as a director's adjustment instead (`Adjusted`).
For the browser, ordws/web/pages/static/game-ending.js holds the rules of time and of the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, takewhile
from typing import Final

from ordws.rules.bag import sort_tiles
from ordws.rules.board import square_name
from ordws.rules.event import Proposed, ScoreEntryKind
from ordws.rules.fault import Fault, Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Pass
from ordws.rules.ruleset import Clock, EndRule, RuleSet, Ties, UnplayedReward, UnplayedTiles
from ordws.rules.state import (
    DepartureReason,
    EndReason,
    GameOver,
    GameState,
    MayPropose,
    Proposal,
    ScoreEntry,
    Turn,
    TurnOutcome,
)
from ordws.rules.tiles import BLANK, face_value


def is_untimed(rules: RuleSet) -> bool:
    """Return whether no clock limits the game as a whole; a clock for each turn does not (docs/rules.md A-25)."""
    return rules.clock in (Clock.NONE, Clock.TURN) or not rules.clock_seconds


def has_turn_limit(rules: RuleSet) -> bool:
    """Return whether each turn has a time of its own, after which it is lost (docs/rules.md 8.3)."""
    return rules.clock is Clock.TURN and rules.clock_seconds > 0


def has_game_limit(rules: RuleSet) -> bool:
    """Return whether a player whose time is up takes no more turns (docs/rules.md 8.2)."""
    return rules.clock is Clock.TOTAL and not is_untimed(rules)


def overtime_rate(rules: RuleSet) -> int:
    """Return the points that each minute begun over time costs; 0 if overtime is not allowed (docs/rules.md 8.1)."""
    return rules.overtime_points if rules.clock is Clock.OVERTIME else 0


def seconds_over(rules: RuleSet, milliseconds: int) -> int:
    """Return the whole seconds by which the time used is over that of the rule set; negative if some is left."""
    return milliseconds // 1_000 - rules.clock_seconds


def overtime_penalty(rules: RuleSet, milliseconds: int) -> int:
    """Return the points, zero or negative, for the time used; each minute begun counts (docs/rules.md 8.1)."""
    over = seconds_over(rules, milliseconds)
    if is_untimed(rules) or over <= 0:
        return 0
    return -overtime_rate(rules) * -(-over // 60)  # the inner minus signs round the minutes up


def find_expiry(rules: RuleSet, milliseconds: int) -> DepartureReason | None:
    """Return why a player who has used this much time is out of the game; None for a player who is still in it."""
    over = seconds_over(rules, milliseconds)
    if has_game_limit(rules) and over >= 0:
        return DepartureReason.TIME_UP
    if rules.clock is Clock.OVERTIME and not is_untimed(rules) and over > 60 * rules.overtime_minutes:
        return DepartureReason.OVERTIME
    return None


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


PROPOSAL_SECONDS: Final = 60
"""The time that a player has for a proposal."""


def find_proposers(state: GameState) -> tuple[int, ...]:
    """Return the players who may propose a play once the game is over; nobody where there is no such round.

    A player may whose opponent, in a game of two, has tiles left and added nothing to the board in the last turn.
    """
    phase = state.phase
    is_due = state.rules.unplayed_tiles_round and len(state.seats) == 2 and not state.proposals
    if not (is_due and isinstance(phase, GameOver) and phase.reason in REASONS_WITH_UNPLAYED_TILES):
        return ()
    return tuple([player for player in state.active_players if _is_stuck(state, 1 - player)])


def open_round(state: GameState) -> GameState | Illegal:
    """Return the finished game with the round open, or why there is none."""
    players = find_proposers(state)
    if not (players and isinstance(state.phase, GameOver)):
        return Illegal(Fault.ADJUSTMENT_NOT_ALLOWED, "there is no unplayed tiles round in this game now")
    return state._replace(phase=MayPropose(state.phase.reason, players))


def apply_proposal(state: GameState, event: Proposed) -> GameState | Illegal:
    """Return the game with a proposal; the last one opens all of them and ends the round, or the fault of this one."""
    player, play, phase = event.player, event.play, state.phase
    if not isinstance(phase, MayPropose) or player not in phase.players:
        return Illegal(Fault.NOT_YOUR_TURN, f"player {player + 1} has no play to propose")
    ruling = None if play is None else judge(state.rules, state.board, play, state.seats[1 - player].rack)
    if isinstance(ruling, Illegal):
        return ruling
    points = reward(state.rules, ruling) if ruling is not None and event.accepted else 0
    proposals = (*state.proposals, Proposal(player, ruling, event.accepted and ruling is not None, points))
    waiting = tuple([other for other in phase.players if other != player])
    if waiting:
        return state._replace(proposals=proposals, phase=MayPropose(phase.reason, waiting))
    entries = [
        ScoreEntry(made.player, made.points, ScoreEntryKind.UNPLAYED_TILES_ROUND, describe_reward(made.ruling))
        for made in proposals
        if made.ruling is not None and made.is_acceptable
    ]
    return state._replace(proposals=proposals, phase=GameOver(phase.reason), entries=(*state.entries, *entries))


def reward(rules: RuleSet, ruling: Legal) -> int:
    """Return the points for an acceptable proposal: its score, the face value of its tiles, or a fixed number."""
    match rules.unplayed_reward:
        case UnplayedReward.SCORE:
            return ruling.score
        case UnplayedReward.FACE:
            return face_value("".join([tile if tile.isupper() else BLANK for tile in ruling.tiles.values()]))
        case int() as points:
            return points


def _is_stuck(state: GameState, player: int) -> bool:
    last = next((turn for turn in reversed(state.turns) if turn.player == player), None)
    return bool(state.seats[player].rack) and last is not None and not last.added_tiles


def describe_reward(ruling: Legal) -> str:
    """Return the reason of a reward as records have it: the main word, and the square of a tile of it."""
    (row, column), *_ = ruling.new_squares
    return f"{ruling.words[0]} with a tile on {square_name(row, column)}"
