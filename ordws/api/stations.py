"""Table stations: paired devices beside real boards, which keep a game and send it with their own signature.

A station asks for verdicts under the label of its game (`POST /v1/plays`), and is charged as a club's game is. What it
sends when the game is over is verified by the key that the device registered, and kept with the boards of its club. The
desk of an event binds games to stations, and a device asks for its own.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.boards import device_of, keep_once, read_board, registered_reply
from ordws.api.device_records import (
    MOST_UNSENT,
    BoundStation,
    KeptRecord,
    LatePlay,
    NeutralisedTime,
    StationReport,
    StationTable,
)
from ordws.api.games import rules_of_game
from ordws.api.problems import Problem, ProblemCode
from ordws.api.replies import Reply
from ordws.api.requests import (
    EXPECTED,
    OPTIONS,
    PRINTABLE,
    ClockField,
    Nothing,
    OptionValue,
    RulesField,
    check_printable,
)
from ordws.api.services import Services
from ordws.api.station_events import (
    AttestEvent,
    ChallengeEvent,
    CloseEvent,
    LateVerdictEvent,
    NeutraliseEvent,
    OpenEvent,
    PlayEvent,
    ProposeEvent,
    SendStationGame,
    StationEvent,
    VerdictEvent,
    bad_events,
    read_events,
)
from ordws.api.station_record import Tiles, check_clocks, check_promises, check_receipt, check_record, new_tiles
from ordws.api.tournament_games import NameField, WhichTable
from ordws.api.words import rule_set_with_options
from ordws.errors import BadInput
from ordws.identity.devices import MAX_TABLE_NAME_LENGTH, DeviceKey, read_point
from ordws.identity.register import RegisteredClient
from ordws.records.audit import FinalBoard, RecordAudit
from ordws.records.gcg import read_gcg
from ordws.records.record import PlayerLeft, Record, events_with_extensions
from ordws.referee.sealed_game import EventTable
from ordws.rules.options import changed_options
from ordws.rules.ruleset import DEFAULT_RULES_ID

BIND_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "unknown-rules",
    "unknown-option",
    "too-many-players",
    "no-device",
    "table-bound",
)


class BindStation(WhichTable, frozen=True, kw_only=True):
    """A game of an event that is played at a table station."""

    device: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_TABLE_NAME_LENGTH,
            description="The table for which the device was paired.",
            extra=PRINTABLE,
        ),
    ]
    players: Annotated[list[NameField], Meta(min_length=2, max_length=4, description="In the order of play.")]
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None
    clock: ClockField | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for label in (self.device, *self.players):
            check_printable(label)


class GameAtStation(Struct, frozen=True):
    """A game of an event that a station is to play: its place, its players in the order of play, its rules."""

    game: Annotated[str, Meta(description="What the game's `open` event names as `bound`.")]
    event: Annotated[str, Meta(description="The name of the event.")]
    round: int
    table: int
    number: Annotated[int, Meta(description="Which game of the two entrants in this round.")]
    players: list[str]
    rules: str
    options: Annotated[dict[str, str], Meta(description="The options that differ from the rule set's.")]


class GamesAtStation(Struct, frozen=True):
    """The games of events that a station has yet to play, or to send."""

    games: list[GameAtStation]


class StationBound(Struct, frozen=True):
    """A game that was bound to a station, by the id under which its result is looked up."""

    game: str
    device: int


def bind_station(services: Services, client: RegisteredClient, request: BindStation, now: int) -> Reply:
    """Give a game of an event to the device of this table; it may move to another device until it is sent.

    `device` is the table for which the device was paired, and `game` of the reply the id to find it by.
    """
    rules = rules_of_game(request.rules, request.options, request.clock, len(request.players))
    if len(set(request.players)) < len(request.players):
        raise Problem("bad-request", '"players": two of one name, which the record of the game could not tell apart')
    named = [each for each in services.devices.list(client) if each.table == request.device and not each.is_director]
    if len(named) != 1:
        found = "two devices are" if named else "no device is"
        raise Problem("no-device", f'"device": {found} paired for this table; GET /v1/devices lists them')
    table = EventTable(request.event, request.title, request.round, request.table, request.game, request.draw)
    # A game at a station and a sealed game of the same table have two ids.
    id = services.games.event_game_id(f"station {client.id}", table)
    told = StationTable(
        request.event,
        request.title,
        request.round,
        request.table,
        request.game,
        request.players,
        rules.id,
        changed_options(rules),
    )
    if services.bound_stations.is_full(client.id, named[0].id, id):
        raise Problem("table-bound", f"the device of this table has {MOST_UNSENT} games that it has yet to send")
    bound = services.bound_stations.bind(id, client.id, named[0].id, told, now)
    if bound.device != named[0].id:
        raise Problem("table-bound", "another device has sent this game already")
    return replies.private(StationBound(id, bound.device))


def list_station_games(services: Services, client: RegisteredClient, request: Nothing, now: int) -> Reply:
    """List the games of events that the calling device is to play."""
    games = [
        GameAtStation(
            each.id,
            each.table.title,
            each.table.round,
            each.table.table,
            each.table.game,
            each.table.players,
            each.table.rules,
            each.table.options,
        )
        for each in services.bound_stations.list(client.id, device_of(client).id)
    ]
    return replies.private(GamesAtStation(games))


def find_bound_game(services: Services, client: RegisteredClient, opened: OpenEvent) -> BoundStation | None:
    """Return the game of an event that a station has played; None where its names or rules are not those of the event.

    Such a game is kept all the same, and a director keys its result in.
    """
    bound = services.bound_stations.find(client.id, opened.bound) if opened.bound else None
    if bound is None or bound.device != device_of(client).id or opened.players != bound.table.players:
        return None
    rules = rule_set_with_options(bound.table.rules, bound.table.options)
    return bound if rule_set_with_options(opened.rules, opened.options) == rules else None


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


_Coordinate = Annotated[
    str, Meta(min_length=43, max_length=43, extra={EXPECTED: "32 bytes in base64url, a string of 43 characters"})
]


class PublicKey(Struct, forbid_unknown_fields=True, frozen=True):
    """A public key of ECDSA over P-256, as a JSON Web Key."""

    kty: Literal["EC"]
    crv: Literal["P-256"]
    x: _Coordinate
    y: _Coordinate


class RegisterKey(Struct, forbid_unknown_fields=True, frozen=True):
    """The public key of the calling device, whose private key never leaves it."""

    key: PublicKey


class RegisteredKey(Struct, frozen=True):
    """The key that a device has registered."""

    digest: Annotated[str, Meta(description="The SHA-256 of its uncompressed point, in base64url.")]


def register_key(services: Services, client: RegisteredClient, request: RegisterKey, now: int) -> Reply:
    """Register the public key of the calling device, once for each pairing."""
    try:
        point = read_point(request.key.x, request.key.y)
    except BadInput as err:
        raise Problem("bad-key", f'"key": {err}') from err
    if services.devices.register_key(device_of(client).id, point) != point:
        raise Problem("key-registered", "a device registers one key when it is paired; pair it again for another one")
    return replies.private(RegisteredKey(urlsafe_b64encode(sha256(point).digest()).decode().rstrip("=")))


def keep_station_game(services: Services, client: RegisteredClient, request: SendStationGame, now: int) -> Reply:
    """Keep a finished game of a table station with the boards of its club, once for its label.

    Signatures, digests, times and the record are verified; the record is replayed by the rules.

    The record has to be exact and to follow from the events. Where the game is the one of an event that its `open`
    event names as `bound`, with its players, rules, options and clock, its result is the event's. The body may have
    256 KiB; the same again gets the same reply.
    """
    known = keep_once(services, client, request.game, partial(_verify, services, client, request, now), now)
    events = [(each.text, each.signature) for each in request.events]
    if (known.kept.record, known.kept.events) != (request.record, events):
        raise Problem("board-kept", "a game is sent once; this label has another record or other events")
    if known.kept.bound is not None:
        services.bound_stations.keep(client.id, known.kept.bound, known.id)
    return registered_reply(known, request.game)


def _verify(services: Services, client: RegisteredClient, request: SendStationGame, now: int) -> KeptRecord:
    """Return what is kept of a game; raise a Problem with the first thing in it that does not fit."""
    key = device_of(client).signing_key
    if key is None:
        raise Problem("no-key", "POST /v1/device/key registers the key by which a device signs its games")
    events = read_events(request.events, DeviceKey(key))
    opened = events[0]
    assert isinstance(opened, OpenEvent)
    check_receipt(events, now)
    if opened.game != request.game:
        raise bad_events(0, "it opens a game of another label")
    rules = rule_set_with_options(opened.rules, opened.options)
    check_promises(opened, events)
    final = read_board(request.record)
    record = read_gcg(request.record.encode())
    standing = check_clocks(events)
    audit = check_record(record, rules, events)
    if [" ".join(name.split()) for name in opened.players] != [*final.players]:
        raise bad_events(0, "its players are not those of the record")
    bound = find_bound_game(services, client, opened)
    return KeptRecord(
        request.record,
        [*checked_plays(final, events)],
        final.rules.id,
        opened.players,
        len(final.words),
        report_of(opened, events, record, audit, standing),
        [(each.text, each.signature) for each in request.events],
        None if bound is None else bound.id,
    )
