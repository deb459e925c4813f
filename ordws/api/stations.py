"""Table stations: paired devices beside real boards, which keep a game and send it with their own signature.

A station asks for verdicts under the label of its game (`POST /v1/plays`), and is charged as a club's game is. What it
sends when the game is over is verified by the key that the device registered, and kept with the boards of its club.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Annotated, Literal

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.boards import RegisteredBoard, device_of, open_label, read_board
from ordws.api.devices import check_operator
from ordws.api.kept_games import KeptRecord, LatePlay, NeutralisedTime, StationReport
from ordws.api.problems import Problem
from ordws.api.replies import Reply
from ordws.api.services import Services
from ordws.api.station_events import (
    AttestEvent,
    ChallengeEvent,
    CloseEvent,
    LateVerdictEvent,
    NeutraliseEvent,
    OpenEvent,
    PlayEvent,
    SendStationGame,
    StationEvent,
    VerdictEvent,
    bad_events,
    read_events,
)
from ordws.api.station_record import Tiles, check_promises, check_record, new_tiles
from ordws.api.words import rule_set_with_options
from ordws.errors import BadInput
from ordws.identity.device_key import DeviceKey, read_point
from ordws.identity.register import RegisteredClient
from ordws.records.final_board import FinalBoard
from ordws.records.gcg import read_gcg

_Coordinate = Annotated[str, Meta(min_length=43, max_length=43)]


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
    """
    check_operator(client)
    device = device_of(client)
    events = [(each.text, each.signature) for each in request.events]
    known = services.kept_games.find_label(client.id, device.id, request.game)
    if known is None:
        kept = _verify(request, device.signing_key)
        open_label(services, client, request.game, now)
        known = services.kept_games.keep(client.id, device.id, device.table, request.game, kept, now)
    if (known.kept.record, known.kept.events) != (request.record, events):
        raise Problem("board-kept", "a game is sent once; this label has another record or other events")
    plays = len(read_board(known.kept.record).plays)
    return replies.created(RegisteredBoard(known.id, request.game, known.kept.words, plays))


def _verify(request: SendStationGame, key: bytes | None) -> KeptRecord:
    """Return what is kept of a game; raise a Problem with the first thing in it that does not fit."""
    if key is None:
        raise Problem("no-key", "POST /v1/device/key registers the key by which a device signs its games")
    events = read_events(request.events, DeviceKey(key))
    opened = events[0]
    assert isinstance(opened, OpenEvent)
    if opened.game != request.game:
        raise bad_events(0, "it opens a game of another label")
    rules = rule_set_with_options(opened.rules, opened.options)
    check_promises(opened, events)
    final = read_board(request.record)
    audit = check_record(read_gcg(request.record.encode()), rules, events)
    if [" ".join(name.split()) for name in opened.players] != [*final.players]:
        raise bad_events(0, "its players are not those of the record")
    report = _report(opened, events, [audit.totals[nick] for nick in audit.players])
    return KeptRecord(
        request.record,
        [*_checked_plays(final, events)],
        final.rules.id,
        opened.players,
        len(final.words),
        report,
        [(each.text, each.signature) for each in request.events],
    )


def _report(opened: OpenEvent, events: Sequence[StationEvent], scores: list[int]) -> StationReport:
    names = opened.players
    attested = {event.player for event in events if isinstance(event, AttestEvent)}
    closed = next((event.reason for event in events if isinstance(event, CloseEvent)), None)
    neutralised = [
        NeutralisedTime(names[event.player], event.milliseconds, event.reason, _moment(event.at))
        for event in events
        if isinstance(event, NeutraliseEvent)
    ]
    return StationReport(
        _moment(opened.at),
        _moment(events[-1].at),
        scores,
        events[-1].clocks,
        [*_late_plays(names, events)],
        neutralised,
        [player in attested for player in range(len(names))],
        closed,
    )


def _late_plays(names: Sequence[str], events: Sequence[StationEvent]) -> Iterator[LatePlay]:
    """Yield the plays, and the challenged ones, that had no verdict when the game went on."""
    late = {event.of: event.valid for event in events if isinstance(event, LateVerdictEvent)}
    for event in events:
        if isinstance(event, VerdictEvent) and event.valid is None:
            played = _play_before(events, event.of)
            yield LatePlay(played.move, names[played.player], _moment(played.at), late.get(event.of))


def _checked_plays(final: FinalBoard, events: Sequence[StationEvent]) -> Iterator[int]:
    """Yield the numbers, from 1 on, of the plays on the final board whose words all had a verdict."""
    judged: dict[tuple[int, Tiles], set[str] | None] = {}
    for event in events:
        if isinstance(event, VerdictEvent | LateVerdictEvent) and event.valid:
            asked, played = events[event.of], _play_before(events, event.of)
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
