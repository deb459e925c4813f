"""The clocks of a table station: each shows the time that has passed between two events, and costs what time costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ordws.api.problems import Problem
from ordws.api.station_events import (
    MAX_WAIT_MS,
    CatchEvent,
    EndEvent,
    ExchangeEvent,
    NeutraliseEvent,
    PassEvent,
    PlayEvent,
    StartEvent,
    StationEvent,
    SwapEvent,
    UnplayedEvent,
    VerdictEvent,
    bad_events,
)
from ordws.api.station_lines import RecordLine
from ordws.records.gcg_extensions import DirectorAdjustment, OspdDeduction
from ordws.records.record import TimePenalty
from ordws.rules.clock import overtime_penalty
from ordws.rules.ruleset import RuleSet

TURNS: Final = (PlayEvent, ExchangeEvent, PassEvent, SwapEvent)
MAX_AHEAD_SECONDS: Final = 86_400


def check_overtime(lines: Sequence[RecordLine], rules: RuleSet, clocks: Sequence[int]) -> None:
    """Raise a Problem where the points lost for time are not those of the clocks."""
    lost: Counter[int] = Counter()
    for event, seat, notes in lines:
        is_other = any(isinstance(note, OspdDeduction | DirectorAdjustment) for note in notes)
        if isinstance(event.move, TimePenalty) and not is_other:
            lost[seat] += event.points or 0
    if any(lost[seat] != overtime_penalty(rules, used) for seat, used in enumerate(clocks)):
        raise Problem("bad-record", "its points for time are not those of the clocks")


def check_clocks(events: Sequence[StationEvent]) -> int:
    """Return the milliseconds up to the last turn in which no clock ran; a director looks at a game with many of them.

    Raise a Problem where a clock shows other time than has passed between two events, or a turn stands behind the end.
    """
    started = ended = is_over = False
    standing = standing_before_turn = 0
    for before, event in pairwise(events):
        used = [now - then for then, now in zip(before.clocks, event.clocks, strict=True)]
        if isinstance(event, NeutraliseEvent):
            used[event.player] += event.milliseconds
        # A game ends once; until then somebody's clock runs, but while a verdict is awaited.
        passed = event.at - before.at if started and not ended else 0
        waited = passed - sum(used)
        standing += event.at - before.at - sum(used) if started else 0
        if isinstance(event, TURNS):
            standing_before_turn = standing
        if sum(each != 0 for each in used) > 1 or min(used) < 0 or waited < 0:
            raise bad_events(event.n, "its clocks are not those of its time")
        if waited and not (isinstance(event, VerdictEvent) and waited <= MAX_WAIT_MS):
            ended = True
            if sum(used):
                raise bad_events(event.n, "its clocks are not those of its time")
        if (ended or is_over) and isinstance(event, TURNS):
            raise bad_events(event.n, "it is a turn behind the end of the game")
        started = started or isinstance(event, StartEvent)
        # A play that is found bad late may take the end of the game with it (docs/rules.md 9.3).
        ended = ended and not isinstance(event, CatchEvent)
        is_over = (is_over or isinstance(event, EndEvent | UnplayedEvent)) and not isinstance(event, CatchEvent)
    return standing_before_turn


def check_receipt(events: Sequence[StationEvent], now: int) -> None:
    """Raise a Problem where a game lies further ahead than the clock of a device may be wrong."""
    late = next((event for event in events if event.at > (now + MAX_AHEAD_SECONDS) * 1_000), None)
    if late is not None:
        raise bad_events(late.n, "its time lies more than a day ahead: set the clock of the device")
