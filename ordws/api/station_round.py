"""The unplayed tiles round of a table station: its rewards, which follow from the events and the final board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ordws.api.station_events import (
    ChallengeEvent,
    ExchangeEvent,
    LeaveEvent,
    PassEvent,
    PlayEvent,
    ProposeEvent,
    StationEvent,
    TimeUpEvent,
    UnplayedEvent,
    VerdictEvent,
    bad_events,
)
from ordws.records.move_notation import BadMove, read_move
from ordws.rules.board import Board
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import RuleSet
from ordws.rules.unplayed_round import describe_reward, reward


def rewards_of(events: Sequence[StationEvent], rules: RuleSet, board: Board) -> Iterator[tuple[int, int, str]]:
    """Yield the player, points and reason of each reward; raise a Problem with a proposal that may not be made.

    `board` is that of the end of the game (docs/rules.md 9.5).
    """
    verdicts = {event.of: event.valid for event in events if isinstance(event, VerdictEvent)}
    proposed: set[int] = set()
    for event in events:
        if not isinstance(event, ProposeEvent):
            continue
        racks = [each.racks for each in events[: event.n] if isinstance(each, UnplayedEvent)]
        is_due = rules.unplayed_tiles_round and len(event.clocks) == 2 and bool(racks)
        if not is_due or event.player in proposed or not _is_stuck(events[: event.n], 1 - event.player, racks[-1]):
            raise bad_events(event.n, "its player has no play to propose")
        proposed.add(event.player)
        ruling = _ruling_on(event, rules, board, racks[-1][1 - event.player]) if event.move else None
        if ruling is not None and verdicts.get(event.n):
            yield event.player, reward(rules, ruling), describe_reward(ruling)


def _is_stuck(events: Sequence[StationEvent], player: int, racks: Sequence[str]) -> bool:
    """Return whether the last turn of a player added nothing, with tiles left, and the other is still in the game."""
    prompt = {event.of: event.valid for event in events if isinstance(event, VerdictEvent)}
    if any(isinstance(event, LeaveEvent | TimeUpEvent) and event.player != player for event in events):
        return False
    mine = [
        event for event in events if isinstance(event, PlayEvent | ExchangeEvent | PassEvent) and event.player == player
    ]
    if not (mine and racks[player]):
        return False
    # A play comes off by its own verdict, or by that of a challenge behind it.
    last = mine[-1].n
    challenges = [event.n for event in events[last:] if isinstance(event, ChallengeEvent)]
    is_off = any(prompt.get(number) is False for number in (last, *challenges))
    return is_off or not isinstance(mine[-1], PlayEvent)


def _ruling_on(event: ProposeEvent, rules: RuleSet, board: Board, rack: str) -> Legal:
    try:
        play = read_move(event.move)
    except BadMove as err:
        raise bad_events(event.n, "its move cannot be read") from err
    ruling = judge(rules, board, play, rack) if isinstance(play, Play) else None
    if not isinstance(ruling, Legal):
        raise bad_events(event.n, "its play does not fit the final board")
    return ruling
