"""The encoding of a sealed game's header and rows as bytes; no other module knows it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from typing import Any, Final, get_args

from ordws.errors import Broken
from ordws.referee.sealed_game import GameHeader, GameRow, SeatHolder, SubmissionOutcome, SubmissionText
from ordws.referee.seating import Promise, RematchOpened, RowNote, Seating
from ordws.rules.board import Axis
from ordws.rules.event import Adjusted, Challenged, Event, Played, ScoreEntryKind
from ordws.rules.game import Game
from ordws.rules.move import Play
from ordws.rules.options import changed_options, with_options
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import RULE_SETS

_EVENTS: Final = {kind.__name__: kind for kind in get_args(Event)}
_NOTES: Final[dict[SubmissionOutcome, Callable[..., RowNote]]] = {
    SubmissionOutcome.SEATED: Seating,
    SubmissionOutcome.SWORN: Promise,
    SubmissionOutcome.ATTESTED: Promise,
    SubmissionOutcome.REMATCH: RematchOpened,
}


def write_header(header: GameHeader) -> bytes:
    """Encode a header. The id of its game is not part of it, since the row is bound to the id."""
    dealt = header.dealt_game
    return _dump(
        [
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
        ]
    )


def read_header(game: str, data: bytes) -> GameHeader:
    """Decode the header of the game with this id; raises Broken if the bytes are not JSON."""
    # Games that were opened before there were invitations say nothing of promises.
    edition, name, began, expires, seats, rules, players, bag, events, *promises = _load(data)
    dealt = Game(read_rules(rules), players, bag, tuple([read_event(event) for event in events]))
    holders = tuple([SeatHolder(*seat) for seat in seats])
    return GameHeader(game, edition, name, began, expires, holders, dealt, *promises)


def write_row(row: GameRow) -> bytes:
    events = [write_event(event) for event in row.events]
    notes = [] if row.note is None else [row.note]
    return _dump([row.seat, row.submitted, row.moment, row.outcome.value, events, *notes])


def read_row(data: bytes) -> GameRow:
    seat, submitted, moment, outcome_name, events, *notes = _load(data)
    outcome = SubmissionOutcome(outcome_name)
    return GameRow(
        seat,
        None if submitted is None else SubmissionText(tuple(submitted[0]), submitted[1], tuple(submitted[2])),
        moment,
        outcome,
        tuple([read_event(event) for event in events]),
        _NOTES[outcome](*notes[0]) if notes else None,
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
    if kind is Played:
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
    try:
        values: list[Any] = json.loads(data)
    except ValueError as err:
        raise Broken("a row of a sealed game cannot be read") from err
    return values
