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
from ordws.api.promises import PROMISES
from ordws.api.station_events import (
    MAX_WAIT_MS,
    AdjustEvent,
    AttestEvent,
    CatchEvent,
    ChallengeEvent,
    CheckEvent,
    CloseEvent,
    EndEvent,
    ExchangeEvent,
    LeaveEvent,
    NeutraliseEvent,
    OathEvent,
    OpenEvent,
    PassEvent,
    PlayEvent,
    ProposeEvent,
    StartEvent,
    StationEvent,
    SwapEvent,
    TimeUpEvent,
    UnplayedEvent,
    VerdictEvent,
    bad_events,
)
from ordws.records.audit import RecordAudit, audit_record
from ordws.records.finding import INEXACT_KINDS, FindingKind
from ordws.records.notation import BadMove, find_start, read_move
from ordws.records.record import (
    CaughtPlay,
    CheckedOspd,
    DirectorAdjustment,
    GcgEvent,
    GcgExtension,
    OspdDeduction,
    PassedTurn,
    Record,
    TileExchange,
    TilePlacement,
    TimePenalty,
    UnplayedTilesScore,
    Withdrawal,
    events_with_extensions,
)
from ordws.rules.board import Axis, Board
from ordws.rules.ending import describe_reward, overtime_penalty, reward
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import Challenge, RuleSet

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


_FAULTS: Final = INEXACT_KINDS | {FindingKind.BAG, FindingKind.RACK}
"""What a record of a station may not have: its device counts the tiles of the set, and knows only those of plays."""


def check_record(record: Record, rules: RuleSet, events: Sequence[StationEvent]) -> RecordAudit:
    """Return the audit of a record that follows from these events; raise a Problem where it does not.

    `rules` are those of the event that opened the game.
    """
    audit = audit_record(record, rules)
    fault = next((each for each in audit.findings if each.kind in _FAULTS), None)
    if fault is not None:
        # The finding's sentence may repeat words, as this does not.
        raise Problem("bad-record", f"line {fault.line}: {fault.kind.value}; ordws replay says what is wrong")
    lines = lines_of(record)
    is_void = rules.challenge is Challenge.VOID
    if [*steps_of_record(lines)] != [*steps_of_events(events, is_void=is_void)]:
        raise Problem("bad-record", "its plays, exchanges and withdrawals are not those of the events")
    remarks = remarks_of_events(events)
    remarks.update([("adjusted", given) for given in rewards_of(events, rules, audit.board)])
    if remarks_of_record(lines) != remarks:
        raise Problem("bad-record", "its checks, caught plays and adjustments are not those of the events")
    _check_passes_and_racks(lines, events)
    check_overtime(lines, rules, events[-1].clocks)
    return audit


def _check_passes_and_racks(lines: Sequence[RecordLine], events: Sequence[StationEvent]) -> None:
    """Raise a Problem where a pass has no line, or tiles are counted as unplayed that the events have on no rack.

    Lost turns, and swaps before a departure, are written as passes too.
    """
    written = Counter([seat for event, seat, _ in lines if isinstance(event.move, PassedTurn)])
    passed = Counter([event.player for event in events if isinstance(event, PassEvent)])
    # The pass of a player whose opponent has gone out says only that the play stands.
    if any(passed[seat] > written[seat] + 1 for seat in passed):
        raise Problem("bad-record", "it lacks a pass of the events")
    counted = [event for event in events if isinstance(event, UnplayedEvent)]
    racks = counted[-1].racks if counted else []
    known = {*map(_sorted, racks)} | {_sorted("".join(racks[:i] + racks[i + 1 :])) for i in range(len(racks))}
    unplayed = {_sorted(event.move.tiles) for event, *_ in lines if isinstance(event.move, UnplayedTilesScore)}
    if not unplayed <= known:
        raise Problem("bad-record", "its unplayed tiles are not those of the events")


def _sorted(tiles: str) -> str:
    return "".join(sorted(tiles))


def check_promises(opened: OpenEvent, events: Sequence[StationEvent]) -> None:
    """Raise a Problem where a player has moved without the oath, or neither the players nor a director have closed."""
    for event in events:
        if isinstance(event, OathEvent | AttestEvent):
            words = PROMISES.oath if isinstance(event, OathEvent) else PROMISES.attestation
            # Words of an earlier version are those that the device had when it was without a connection.
            if event.version > words.version or (event.version == words.version and event.wording != words.text):
                raise bad_events(event.n, "its words are not those of the promise")
    start = next((event.n for event in events if isinstance(event, StartEvent)), len(events))
    sworn = {event.player for event in events[:start] if isinstance(event, OathEvent)}
    players = {*range(len(opened.players))}
    if not sworn >= players:
        raise bad_events(min(start, len(events) - 1), "not every player has taken the oath before it")
    attested = {event.player for event in events if isinstance(event, AttestEvent)}
    if not attested >= players and not any(isinstance(event, CloseEvent) for event in events):
        raise bad_events(len(events) - 1, "not every player has attested the game, and no director has closed it")
