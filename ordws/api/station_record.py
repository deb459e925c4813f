"""The record of a game at a table station, held against the signed events that it is said to follow from.

The record is replayed by the rules (`ordws.records.audit`); the events have to be those of its lines, and their clocks
those of their times. So neither can be changed without the other, and the events carry the signature of a device.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from ordws.api.problems import Problem
from ordws.api.station_events import (
    MAX_WAIT_MS,
    AdjustEvent,
    AttestEvent,
    CatchEvent,
    ChallengeEvent,
    CheckEvent,
    CloseEvent,
    ExchangeEvent,
    NeutraliseEvent,
    OathEvent,
    OpenEvent,
    PassEvent,
    PlayEvent,
    StartEvent,
    StationEvent,
    UnplayedEvent,
    VerdictEvent,
    bad_events,
)
from ordws.records.audit import RecordAudit, audit_record
from ordws.records.finding import INEXACT_KINDS, FindingKind
from ordws.records.gcg_extensions import (
    CaughtPlay,
    CheckedOspd,
    DirectorAdjustment,
    GcgExtension,
    OspdDeduction,
    events_with_extensions,
)
from ordws.records.move_notation import find_start
from ordws.records.record import (
    GcgEvent,
    PassedTurn,
    Record,
    TileExchange,
    TilePlacement,
    TimePenalty,
    UnplayedTilesScore,
    Withdrawal,
)
from ordws.rules.board import Axis
from ordws.rules.clock import overtime_penalty
from ordws.rules.ruleset import Challenge, RuleSet

_FAULTS: Final = INEXACT_KINDS | {FindingKind.BAG, FindingKind.RACK}
"""What a record of a station may not have: its device counts the tiles of the set, and knows only those of plays."""

Tiles: TypeAlias = frozenset[tuple[int, int, str]]
"""The row, column and letter of each new tile of a play."""
Step: TypeAlias = tuple[str, int, Tiles | int]


class _Line(NamedTuple):
    """A line of a record, the seat of its player, and what the notes behind it say."""

    event: GcgEvent
    seat: int
    notes: list[GcgExtension]


def check_record(record: Record, rules: RuleSet, events: Sequence[StationEvent]) -> RecordAudit:
    """Return the audit of a record that follows from these events; raise a Problem where it does not.

    `rules` are those of the event that opened the game.
    """
    audit = audit_record(record, rules)
    fault = next((each for each in audit.findings if each.kind in _FAULTS), None)
    if fault is not None:
        # The finding's sentence may repeat words, as this does not.
        raise _mismatch(f"line {fault.line}: {fault.kind.value}; ordws replay says what is wrong")
    _check_clocks(events)
    lines = _lines_of(record)
    is_void = rules.challenge is Challenge.VOID
    if [*_steps_of_record(lines)] != [*_steps_of_events(events, is_void=is_void)]:
        raise _mismatch("its plays, exchanges and withdrawals are not those of the events")
    if _remarks_of_record(lines) != _remarks_of_events(events):
        raise _mismatch("its checks, caught plays and adjustments are not those of the events")
    _check_passes(lines, events)
    _check_unplayed(lines, events)
    _check_overtime(lines, rules, events[-1].clocks)
    return audit


def new_tiles(text: str) -> Tiles:
    """Return the new tiles of a play such as `8D WO.D`; empty where the text is no play."""
    square, _, letters = text.partition(" ")
    if (start := find_start(square)) is None:
        return frozenset()
    row, column, axis = start
    squares = [(row + i, column) if axis is Axis.DOWN else (row, column + i) for i in range(len(letters))]
    return frozenset((*square, letter) for square, letter in zip(squares, letters, strict=True) if letter != ".")


def _mismatch(detail: str) -> Problem:
    return Problem("bad-record", detail)


def _lines_of(record: Record) -> list[_Line]:
    seats = {player.nick: seat for seat, player in enumerate(record.players)}
    return [
        _Line(event, seats.get(event.nick, -1), notes)
        for event, notes in events_with_extensions(record.items)
        if event is not None
    ]


def _steps_of_record(lines: Sequence[_Line]) -> Iterator[Step]:
    for event, seat, notes in lines:
        match event.move:
            case TilePlacement(start, word):
                yield "play", seat, new_tiles(f"{start} {word}")
            case TileExchange(tiles):
                yield "exchange", seat, int(tiles) if tiles.isdecimal() else len(tiles)
            case Withdrawal() if not any(isinstance(note, CaughtPlay) for note in notes):
                yield "withdrawn", seat, 0


def _steps_of_events(events: Sequence[StationEvent], *, is_void: bool) -> Iterator[Step]:
    """Yield what the lines of a record say of events; under void a play with a bad word was never made."""
    prompt = {event.of: event.valid for event in events if isinstance(event, VerdictEvent)}
    mover = -1
    for event in events:
        match event:
            case PlayEvent(n=number, player=player, move=move) if not (is_void and prompt.get(number) is False):
                mover = player
                yield "play", player, new_tiles(move)
                if prompt.get(number) is False:
                    yield "withdrawn", player, 0
            case ChallengeEvent(n=number) if prompt.get(number) is False:
                yield "withdrawn", mover, 0
            case ExchangeEvent(player=player, count=count):
                yield "exchange", player, count


def _remarks_of_record(lines: Sequence[_Line]) -> Counter[tuple[str, object]]:
    remarks: Counter[tuple[str, object]] = Counter()
    for event, seat, notes in lines:
        for note in notes:
            match note:
                case CheckedOspd(found, word):
                    remarks["check", (found, word)] += 1
                case CaughtPlay():
                    remarks["caught", ()] += 1
                case DirectorAdjustment(_, reason):
                    remarks["adjusted", (seat, event.points, reason)] += 1
    return remarks


def _remarks_of_events(events: Sequence[StationEvent]) -> Counter[tuple[str, object]]:
    remarks: Counter[tuple[str, object]] = Counter()
    for event in events:
        match event:
            case CheckEvent(found=found, word=word):
                remarks["check", (found, word)] += 1
            case CatchEvent():
                remarks["caught", ()] += 1
            case AdjustEvent(player=player, points=points, reason=reason):
                remarks["adjusted", (player, points, " ".join(reason.split()))] += 1
    return remarks


def _check_passes(lines: Sequence[_Line], events: Sequence[StationEvent]) -> None:
    """Raise a Problem where a pass has no line; lost turns, and swaps before a departure, are written as passes too."""
    written = Counter([seat for event, seat, _ in lines if isinstance(event.move, PassedTurn)])
    passed = Counter([event.player for event in events if isinstance(event, PassEvent)])
    # The pass of a player whose opponent has gone out says only that the play stands.
    if any(passed[seat] > written[seat] + 1 for seat in passed):
        raise _mismatch("it lacks a pass of the events")


def _check_unplayed(lines: Sequence[_Line], events: Sequence[StationEvent]) -> None:
    """Raise a Problem where unplayed tiles are counted that the events do not have on a rack."""
    counted = [event for event in events if isinstance(event, UnplayedEvent)]
    racks = counted[-1].racks if counted else []
    known = {*map(_sorted, racks)} | {_sorted("".join(racks[:i] + racks[i + 1 :])) for i in range(len(racks))}
    written = {_sorted(event.move.tiles) for event, *_ in lines if isinstance(event.move, UnplayedTilesScore)}
    if not written <= known:
        raise _mismatch("its unplayed tiles are not those of the events")


def _sorted(tiles: str) -> str:
    return "".join(sorted(tiles))


def _check_overtime(lines: Sequence[_Line], rules: RuleSet, clocks: Sequence[int]) -> None:
    """Raise a Problem where the points lost for time are not those of the clocks."""
    lost: Counter[int] = Counter()
    for event, seat, notes in lines:
        is_other = any(isinstance(note, OspdDeduction | DirectorAdjustment) for note in notes)
        if isinstance(event.move, TimePenalty) and not is_other:
            lost[seat] += event.points or 0
    if any(lost[seat] != overtime_penalty(rules, used) for seat, used in enumerate(clocks)):
        raise _mismatch("its points for time are not those of the clocks")


def _check_clocks(events: Sequence[StationEvent]) -> None:
    """Raise a Problem where a clock shows other time than has passed between two events."""
    started = ended = False
    for before, event in pairwise(events):
        used = [now - then for then, now in zip(before.clocks, event.clocks, strict=True)]
        if isinstance(event, NeutraliseEvent):
            used[event.player] += event.milliseconds
        # A game ends once; until then somebody's clock runs, but while a verdict is awaited.
        passed = event.at - before.at if started and not ended else 0
        waited = passed - sum(used)
        if sum(each != 0 for each in used) > 1 or min(used) < 0 or waited < 0:
            raise bad_events(event.n, "its clocks are not those of its time")
        if waited and not (isinstance(event, VerdictEvent) and waited <= MAX_WAIT_MS):
            ended = True
            if sum(used):
                raise bad_events(event.n, "its clocks are not those of its time")
        started = started or isinstance(event, StartEvent)
        # A play that is found bad late may take the end of the game with it (docs/rules.md 9.3).
        ended = ended and not isinstance(event, CatchEvent)


def check_promises(opened: OpenEvent, events: Sequence[StationEvent]) -> None:
    """Raise a Problem where a player has moved without the oath, or neither the players nor a director have closed."""
    start = next((event.n for event in events if isinstance(event, StartEvent)), len(events))
    sworn = {event.player for event in events[:start] if isinstance(event, OathEvent)}
    players = {*range(len(opened.players))}
    if not sworn >= players:
        raise bad_events(min(start, len(events) - 1), "not every player has taken the oath before it")
    attested = {event.player for event in events if isinstance(event, AttestEvent)}
    if not attested >= players and not any(isinstance(event, CloseEvent) for event in events):
        raise bad_events(len(events) - 1, "not every player has attested the game, and no director has closed it")
