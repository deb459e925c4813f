"""The report of a game at a table station, for the director of its club."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ordws.api import replies
from ordws.api.kept_games import LatePlay, NeutralisedTime, StationReport
from ordws.api.station_events import (
    AttestEvent,
    ChallengeEvent,
    CloseEvent,
    LateVerdictEvent,
    NeutraliseEvent,
    OpenEvent,
    PlayEvent,
    ProposeEvent,
    StationEvent,
    VerdictEvent,
    bad_events,
)
from ordws.api.station_record import Tiles, new_tiles
from ordws.records.audit import RecordAudit
from ordws.records.final_board import FinalBoard
from ordws.records.gcg_extensions import PlayerLeft, events_with_extensions
from ordws.records.record import Record


def report_of(
    opened: OpenEvent, events: Sequence[StationEvent], record: Record, audit: RecordAudit, standing: int
) -> StationReport:
    """Return what a director is told of a game, besides its record; `standing` is as `check_clocks` returns it."""
    names = opened.players
    leaving = [each for _, extensions in events_with_extensions(record.items) for each in extensions]
    left = {each.nick: each.reason for each in leaving if isinstance(each, PlayerLeft)}
    attested = {event.player for event in events if isinstance(event, AttestEvent)}
    closed = next((event.reason for event in events if isinstance(event, CloseEvent)), None)
    neutralised = [
        NeutralisedTime(names[event.player], event.milliseconds, event.reason, _moment(event.at))
        for event in events
        if isinstance(event, NeutraliseEvent)
    ]
    late = {event.of: event.valid for event in events if isinstance(event, LateVerdictEvent)}
    open_plays = [
        (_play_before(events, event.of), late.get(event.of))
        for event in events
        if isinstance(event, VerdictEvent) and event.valid is None and not isinstance(events[event.of], ProposeEvent)
    ]
    return StationReport(
        _moment(opened.at),
        _moment(events[-1].at),
        [audit.totals[nick] for nick in audit.players],
        events[-1].clocks,
        [LatePlay(play.move, names[play.player], _moment(play.at), valid) for play, valid in open_plays],
        neutralised,
        [player in attested for player in range(len(names))],
        closed,
        [audit.turn_points[nick] for nick in audit.players],
        [audit.turns[nick] for nick in audit.players],
        [left.get(nick) for nick in audit.players],
        standing,
    )


def checked_plays(final: FinalBoard, events: Sequence[StationEvent]) -> Iterator[int]:
    """Yield the numbers, from 1 on, of the plays on the final board whose words all had a verdict."""
    judged: dict[tuple[int, Tiles], set[str] | None] = {}
    for event in events:
        if isinstance(event, VerdictEvent | LateVerdictEvent) and event.valid:
            asked = events[event.of]
            if isinstance(asked, ProposeEvent):
                continue
            played = _play_before(events, event.of)
            words = {*asked.words} if isinstance(asked, ChallengeEvent) else None
            judged[played.player, new_tiles(played.move)] = words
    for number, play in enumerate(final.plays, start=1):
        words = judged.get((play.player, new_tiles(play.move)), set())
        if words is None or words.issuperset(play.words):
            yield number


def _play_before(events: Sequence[StationEvent], number: int) -> PlayEvent:
    """Return the last play up to the event of this number; raise a Problem where there is none."""
    played = next((each for each in reversed(events[: number + 1]) if isinstance(each, PlayEvent)), None)
    if played is None:
        raise bad_events(number, "there is no play that it could be about")
    return played


def _moment(milliseconds: int) -> str:
    return replies.format_utc(milliseconds // 1000)
