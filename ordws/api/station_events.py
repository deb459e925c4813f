"""The events of a game at a table station: each is signed by the device, and names the digest of the one before it.

Times are in milliseconds since 1970, by the clock of the device. A device gives its word for them; that nothing was
changed, left out or added afterwards follows from signatures and digests (docs/stations.md 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ordws.api.problems import Problem
from ordws.api.requests import GameField, OptionValue
from ordws.identity.devices import DeviceKey
from ordws.records.score_sheet import MOST_PLAYERS

MAX_EVENTS: Final = 1_000
MAX_RECORD_LENGTH: Final = 40_000
MAX_WAIT_MS: Final = 5_000
"""The longest time between a play and its verdict that belongs to no player; after that the next clock runs."""

_MAX_TEXT_LENGTH: Final = 4_000
_SIGNATURE_LENGTH: Final = 86
_Seat = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]
_Name = Annotated[str, Meta(min_length=1, max_length=64)]
_Reason = Annotated[str, Meta(min_length=1, max_length=200)]
_Version = Annotated[int, Meta(ge=1, le=1_000)]
_Moment = Annotated[int, Meta(ge=0, le=2**47)]  # before the year 10000


class SignedEvent(Struct, forbid_unknown_fields=True, frozen=True):
    """The JSON text of an event, and its signature: ECDSA over P-256 with SHA-256, 64 bytes in base64url."""

    text: Annotated[str, Meta(max_length=_MAX_TEXT_LENGTH)]
    signature: Annotated[str, Meta(min_length=_SIGNATURE_LENGTH, max_length=_SIGNATURE_LENGTH)]


class SendStationGame(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A finished game of a table station: its label, its record, and all its signed events."""

    game: GameField
    record: Annotated[str, Meta(max_length=MAX_RECORD_LENGTH, description="The game record (GCG).")]
    events: Annotated[list[SignedEvent], Meta(min_length=1, max_length=MAX_EVENTS)]


class _Event(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, tag_field="kind"):
    """An event: its number from 0 on, its time, the digest of the event before it, and the clocks after it."""

    n: Annotated[int, Meta(ge=0, lt=MAX_EVENTS)]
    at: _Moment
    previous: str
    """The SHA-256 of the text of the event before it, in hexadecimal; empty for the first."""
    clocks: Annotated[list[_Moment], Meta(max_length=MOST_PLAYERS)]
    """The milliseconds that each player has used."""


class OpenEvent(_Event, frozen=True, kw_only=True, tag="open"):
    """The game that begins: its label, its rules, its players in the order of play."""

    version: Annotated[int, Meta(ge=1, le=1)]
    game: GameField
    rules: str
    options: dict[str, OptionValue]
    players: Annotated[list[_Name], Meta(min_length=2, max_length=MOST_PLAYERS)]
    bound: Annotated[str, Meta(max_length=32)] = ""
    """The game of an event that it is, by the id that the device was told; empty for any other."""


class OathEvent(_Event, frozen=True, kw_only=True, tag="oath"):
    """The oath of a player before the first tile, in the wording of this version."""

    player: _Seat
    version: _Version
    wording: str


class StartEvent(_Event, frozen=True, kw_only=True, tag="start"):
    """The start of the first clock."""


class SwapEvent(_Event, frozen=True, kw_only=True, tag="swap"):
    """A blank on the board that was swapped for the letter it stood for."""

    player: _Seat
    square: Annotated[list[Annotated[int, Meta(ge=0, le=20)]], Meta(min_length=2, max_length=2)]


class PlayEvent(_Event, frozen=True, kw_only=True, tag="play"):
    """A play, from its first new tile on: `8D WO.D`."""

    player: _Seat
    move: Annotated[str, Meta(max_length=32)]


class ChallengeEvent(_Event, frozen=True, kw_only=True, tag="challenge"):
    """A challenge of words of the play just made."""

    player: _Seat
    words: Annotated[list[Annotated[str, Meta(max_length=21)]], Meta(min_length=1, max_length=32)]


class VerdictEvent(_Event, frozen=True, kw_only=True, tag="verdict"):
    """The verdict on the play or challenge just before it; null where nobody could be asked, and the game went on."""

    of: Annotated[int, Meta(ge=0)]
    valid: bool | None
    by: Annotated[str, Meta(max_length=16)]
    """The judge, the published lists, or nobody."""


class LateVerdictEvent(_Event, frozen=True, kw_only=True, tag="late-verdict"):
    """The verdict that came when the game had gone on; null where the judge has none, as its budgets are spent."""

    of: Annotated[int, Meta(ge=0)]
    valid: bool | None


class ExchangeEvent(_Event, frozen=True, kw_only=True, tag="exchange"):
    """An exchange of so many tiles."""

    player: _Seat
    count: Annotated[int, Meta(ge=1, le=12)]


class PassEvent(_Event, frozen=True, kw_only=True, tag="pass"):
    """A pass."""

    player: _Seat


class StandEvent(_Event, frozen=True, kw_only=True, tag="stand"):
    """The statement that nobody challenges, or that a rejected play is not looked up."""


class CheckEvent(_Event, frozen=True, kw_only=True, tag="check"):
    """A check of the OSPD for a rejected play."""

    player: _Seat
    found: bool
    word: Annotated[str, Meta(max_length=21)] = ""


class CatchEvent(_Event, frozen=True, kw_only=True, tag="catch"):
    """A play of an earlier turn, counted from 0, that a director found bad (docs/rules.md 9.3)."""

    turn: Annotated[int, Meta(ge=0)]


class TimeUpEvent(_Event, frozen=True, kw_only=True, tag="time-up"):
    """The end of a player's time."""

    player: _Seat


class AdjustEvent(_Event, frozen=True, kw_only=True, tag="adjust"):
    """A score that a director changed."""

    player: _Seat
    points: Annotated[int, Meta(ge=-999, le=999)]
    reason: _Reason


class NeutraliseEvent(_Event, frozen=True, kw_only=True, tag="neutralise"):
    """Time that a director gave back to a player."""

    player: _Seat
    milliseconds: Annotated[int, Meta(ge=1, le=7_200_000)]
    reason: _Reason


class OverdrawEvent(_Event, frozen=True, kw_only=True, tag="overdraw"):
    """Tiles drawn beyond a full rack, which went back into the bag."""

    player: _Seat
    count: Annotated[int, Meta(ge=1, le=6)]
    mixed: bool = False
    returned: Annotated[str, Meta(max_length=12)] = ""


class LeaveEvent(_Event, frozen=True, kw_only=True, tag="leave"):
    """A player who resigned."""

    player: _Seat


class EndEvent(_Event, frozen=True, kw_only=True, tag="end"):
    """The end that the players agreed on."""

    out: _Seat | None
    counts: bool


class UnplayedEvent(_Event, frozen=True, kw_only=True, tag="unplayed"):
    """The tiles left on the racks."""

    racks: Annotated[list[Annotated[str, Meta(max_length=12)]], Meta(max_length=MOST_PLAYERS)]


class ProposeEvent(_Event, frozen=True, kw_only=True, tag="propose"):
    """A play with the tiles that the other player could not play, empty for none (docs/rules.md 9.5)."""

    player: _Seat
    move: Annotated[str, Meta(max_length=32)]


class AttestEvent(_Event, frozen=True, kw_only=True, tag="attest"):
    """The word of a player, after the game, that the result is right and the oath was kept."""

    player: _Seat
    version: _Version
    wording: str


class CloseEvent(_Event, frozen=True, kw_only=True, tag="close"):
    """The end of a game that a director closed, though a player has not attested it."""

    reason: _Reason


StationEvent: TypeAlias = (
    OpenEvent
    | OathEvent
    | StartEvent
    | SwapEvent
    | PlayEvent
    | ChallengeEvent
    | VerdictEvent
    | LateVerdictEvent
    | ExchangeEvent
    | PassEvent
    | StandEvent
    | CheckEvent
    | CatchEvent
    | TimeUpEvent
    | AdjustEvent
    | NeutraliseEvent
    | OverdrawEvent
    | LeaveEvent
    | EndEvent
    | UnplayedEvent
    | ProposeEvent
    | AttestEvent
    | CloseEvent
)
_DECODER: Final[msgspec.json.Decoder[StationEvent]] = msgspec.json.Decoder(StationEvent)


def read_events(signed: Sequence[SignedEvent], key: DeviceKey) -> list[StationEvent]:
    """Return the events of a chain; raise a Problem naming the first that this key did not sign, or that misfits."""
    events: list[StationEvent] = []
    previous, before = "", 0
    for number, (text, signature) in enumerate([(each.text, each.signature) for each in signed]):
        if not key.has_signed(text, signature):
            raise bad_events(number, "its signature is not that of the key of this device")
        try:
            event = _DECODER.decode(text)
        except (msgspec.DecodeError, msgspec.ValidationError) as err:
            raise bad_events(number, "it is no event of this version") from err
        if event.n != number or event.previous != previous:
            raise bad_events(number, "it does not follow the one before it")
        if event.at < before:
            raise bad_events(number, "its time lies before that of the one before it")
        if (fault := _find_fault(events, event)) is not None:
            raise bad_events(number, fault)
        events.append(event)
        previous, before = sha256(text.encode()).hexdigest(), event.at
    return events


def _find_fault(earlier: Sequence[StationEvent], event: StationEvent) -> str | None:
    """Return what an event refers to that is not there; None where it fits those before it."""
    if not earlier:
        return None if isinstance(event, OpenEvent) else "the first event opens the game"
    opened = earlier[0]
    assert isinstance(opened, OpenEvent)
    if isinstance(event, OpenEvent):
        return "a game is opened once"
    if getattr(event, "player", 0) >= len(opened.players) or len(event.clocks) != len(opened.players):
        return "it has a player who is not in the game"
    match event:
        case VerdictEvent(of=number):
            is_answer = number == event.n - 1 and isinstance(earlier[-1], PlayEvent | ChallengeEvent | ProposeEvent)
            return None if is_answer else "a verdict stands behind what was asked"
        case LateVerdictEvent(of=number):
            verdicts = [each for each in earlier if isinstance(each, VerdictEvent | LateVerdictEvent)]
            given = [each.valid for each in verdicts if each.of == number]
            return None if given == [None] else "there is one late verdict on what had none"
        case _:
            return None


def bad_events(number: int, detail: str) -> Problem:
    """Return the problem of the event of this number, counted from 0 as the events count themselves."""
    return Problem("bad-events", f'"events", event {number}: {detail}')
