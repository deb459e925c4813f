"""The encoding of a sealed game's header and rows as bytes; no other module knows it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from typing import Any, Final, get_args

from ordws.errors import Broken
from ordws.referee.moments import Moment
from ordws.referee.sealed_game import (
    CalledOff,
    EventOver,
    EventTable,
    GameHeader,
    GameRow,
    Promise,
    RematchOpened,
    RowNote,
    SeatHolder,
    Seating,
    SubmissionOutcome,
    SubmissionText,
)
from ordws.rules.board import Axis
from ordws.rules.event import Adjusted, Challenged, Event, Played, Proposed, ScoreEntryKind
from ordws.rules.game import Game
from ordws.rules.move import Play
from ordws.rules.options import changed_options, with_options
from ordws.rules.ruleset import RULE_SETS, RuleSet

_VERSION: Final = "v2"
_EVENTS: Final = {kind.__name__: kind for kind in get_args(Event)}
_NOTES: Final[dict[SubmissionOutcome, Callable[..., RowNote]]] = {
    SubmissionOutcome.SEATED: Seating,
    SubmissionOutcome.SWORN: Promise,
    SubmissionOutcome.ATTESTED: Promise,
    SubmissionOutcome.REMATCH: RematchOpened,
    SubmissionOutcome.CALLED_OFF: CalledOff,
    SubmissionOutcome.EVENT_OVER: EventOver,
}


def write_header(header: GameHeader) -> bytes:
    """Encode a header. The id of its game is not part of it, since the row is bound to the id."""
    dealt = header.dealt_game
    return _dump(
        [
            _VERSION,
            header.edition,
            header.edition_name,
            header.began,
            header.expires,
            header.seats,
            write_rules(dealt.rules),
            dealt.players,
            dealt.bag,
            [write_event(event) for event in dealt.events],
            header.needs_promises,
            header.event_table,
        ]
    )


def read_header(game: str, data: bytes) -> GameHeader:
    """Decode the header of the game with this id; raises Broken if the bytes are none of this version."""
    edition, name, began, expires, seats, rules, players, bag, events, needs_promises, table = _load(data)
    dealt = Game(read_rules(rules), players, bag, tuple([read_event(event) for event in events]))
    holders = tuple([SeatHolder(*seat) for seat in seats])
    place = None if table is None else EventTable(*table)
    return GameHeader(game, edition, name, Moment(*began), expires, holders, dealt, needs_promises, place)


def write_row(row: GameRow) -> bytes:
    events = [write_event(event) for event in row.events]
    return _dump(
        [_VERSION, row.seat, row.submitted, row.moment, row.outcome.value, events, row.note, row.credit, row.grace]
    )


def read_row(data: bytes) -> GameRow:
    seat, submitted, moment, outcome_name, events, note, credit, grace = _load(data)
    outcome = SubmissionOutcome(outcome_name)
    return GameRow(
        seat,
        None if submitted is None else SubmissionText(tuple(submitted[0]), submitted[1], tuple(submitted[2])),
        Moment(*moment),
        outcome,
        tuple([read_event(event) for event in events]),
        None if note is None else _NOTES[outcome](*note),
        credit,
        grace,
    )


def write_rules(rules: RuleSet) -> list[object]:
    """Encode a rule set as its name and the options that differ."""
    return [rules.id, changed_options(rules)]


def read_rules(written: list[Any]) -> RuleSet:
    name, changed = written
    return with_options(RULE_SETS[name], changed)


def write_event(event: Event) -> list[object]:
    """Encode an event as the name of its class and its fields in order."""
    # The names of event classes and the order of their fields are stored, so neither may change.
    written: list[object] = [type(event).__name__]
    for field in fields(event):
        match getattr(event, field.name):
            case Play(row, column, axis, letters):
                written.append([row, column, axis, letters.decode()])
            case Enum() as member:
                written.append(member.value)
            case value:
                written.append(value)
    return written


def read_event(written: list[Any]) -> Event:
    name, *values = written
    kind = _EVENTS[name]
    if kind in (Played, Proposed) and values[1] is not None:
        row, column, axis, letters = values[1]
        values[1] = Play(row, column, Axis(axis), letters.encode())
    elif kind is Challenged:
        values[1] = tuple(values[1])
    elif kind is Adjusted:
        values[2] = ScoreEntryKind(values[2])
    event: Event = kind(*values)
    return event


def _dump(values: list[object]) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode()


def _load(data: bytes) -> list[Any]:
    """Return the values that were written, without their version."""
    try:
        version, *values = list[Any](json.loads(data))
    except ValueError as err:
        raise Broken("a row of a sealed game cannot be read") from err
    if version != _VERSION:
        raise Broken("a row of a sealed game is of another version")
    return values
