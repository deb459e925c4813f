"""The record of a game at a table station, held against the signed events that it is said to follow from.

The record is replayed by the rules (`ordws.records.audit`); the events have to be those of its lines, and their clocks
those of their times. So neither can be changed without the other, and the events carry the signature of a device.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from ordws.api.problems import Problem
from ordws.api.promises import PROMISES
from ordws.api.station_clocks import check_overtime
from ordws.api.station_events import (
    AttestEvent,
    CloseEvent,
    OathEvent,
    OpenEvent,
    PassEvent,
    StartEvent,
    StationEvent,
    UnplayedEvent,
    bad_events,
)
from ordws.api.station_lines import (
    RecordLine,
    lines_of,
    remarks_of_events,
    remarks_of_record,
    steps_of_events,
    steps_of_record,
)
from ordws.api.station_round import rewards_of
from ordws.records.audit import RecordAudit, audit_record
from ordws.records.finding import INEXACT_KINDS, FindingKind
from ordws.records.record import (
    PassedTurn,
    Record,
    UnplayedTilesScore,
)
from ordws.rules.ruleset import Challenge, RuleSet

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
