"""The lines of a record and the events of a table station, written so that they can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from ordws.api.station_events import (
    AdjustEvent,
    CatchEvent,
    ChallengeEvent,
    CheckEvent,
    ExchangeEvent,
    PlayEvent,
    StationEvent,
    VerdictEvent,
)
from ordws.records.gcg_extensions import (
    CaughtPlay,
    CheckedOspd,
    DirectorAdjustment,
    GcgExtension,
    events_with_extensions,
)
from ordws.records.move_notation import find_start
from ordws.records.record import GcgEvent, Record, TileExchange, TilePlacement, Withdrawal
from ordws.rules.board import Axis

Tiles: TypeAlias = frozenset[tuple[int, int, str]]
"""The row, column and letter of each new tile of a play."""
Step: TypeAlias = tuple[str, int, Tiles | int]


class RecordLine(NamedTuple):
    """A line of a record, the seat of its player, and what the notes behind it say."""

    event: GcgEvent
    seat: int
    notes: list[GcgExtension]


def new_tiles(text: str) -> Tiles:
    """Return the new tiles of a play such as `8D WO.D`; empty where the text is no play."""
    square, _, letters = text.partition(" ")
    if (start := find_start(square)) is None:
        return frozenset()
    row, column, axis = start
    squares = [(row + i, column) if axis is Axis.DOWN else (row, column + i) for i in range(len(letters))]
    return frozenset((*square, letter) for square, letter in zip(squares, letters, strict=True) if letter != ".")


def lines_of(record: Record) -> list[RecordLine]:
    """Return the lines of a record that are events, each with its seat and notes."""
    seats = {player.nick: seat for seat, player in enumerate(record.players)}
    return [
        RecordLine(event, seats.get(event.nick, -1), notes)
        for event, notes in events_with_extensions(record.items)
        if event is not None
    ]


def steps_of_record(lines: Sequence[RecordLine]) -> Iterator[Step]:
    """Yield the plays, exchanges and withdrawals of a record; a play caught late is no withdrawal."""
    for event, seat, notes in lines:
        match event.move:
            case TilePlacement(start, word):
                yield "play", seat, new_tiles(f"{start} {word}")
            case TileExchange(tiles):
                yield "exchange", seat, int(tiles) if tiles.isdecimal() else len(tiles)
            case Withdrawal() if not any(isinstance(note, CaughtPlay) for note in notes):
                yield "withdrawn", seat, 0


def steps_of_events(events: Sequence[StationEvent], *, is_void: bool) -> Iterator[Step]:
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


def remarks_of_record(lines: Sequence[RecordLine]) -> Counter[tuple[str, object]]:
    """Count the checks, caught plays and adjustments of a record."""
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


def remarks_of_events(events: Sequence[StationEvent]) -> Counter[tuple[str, object]]:
    """Count what the lines of a record say of checks, caught plays and adjustments."""
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
