"""Paired devices: a director pairs and revokes them, and reads the log of their questions."""

from __future__ import annotations

from typing import Annotated, Final

import segno
from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.device_records import PAGE_SIZE, LoggedQuestion
from ordws.api.problems import DEVICE_COOKIE, Problem, not_paired, too_many_guesses
from ordws.api.replies import DATE_TIME, Cookie, Reply, TimeField
from ordws.api.requests import DIGITS, EXPECTED, NOT_BLANK, Nothing, PathAndBody, Sent, WordField
from ordws.api.services import Services
from ordws.api.words import fold_all
from ordws.client_kinds import CLIENT_KINDS
from ordws.fold import MAX_WORD_LENGTH
from ordws.identity.devices import (
    COOKIE_SECONDS,
    MAX_TABLE_NAME_LENGTH,
    SEEN_SECONDS,
    TooManyGuesses,
    describe_most_devices,
    is_table_name,
)
from ordws.identity.register import Device, RegisteredClient

# The cookie goes to the API alone, to no script, and with no request that a page of another site makes.
_KIND: Final = Meta(extra_json_schema={"enum": [*CLIENT_KINDS]})
_MAX_ID_DIGITS: Final = 18


CursorField = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=18,
        pattern="^[0-9]{1,18}$",
        description="The value of `before` in the page before.",
        extra=DIGITS,
    ),
]


class PairDevice(Struct, forbid_unknown_fields=True, frozen=True):
    """A code from a director."""

    code: Annotated[
        str, Meta(max_length=32, description="In either case, with or without a hyphen.", examples=["K7QXF-93MD2"])
    ]


class NewDevice(Struct, forbid_unknown_fields=True, frozen=True):
    """A table for which a device is to be paired."""

    table: Annotated[str, Meta(min_length=1, max_length=MAX_TABLE_NAME_LENGTH, examples=["Table 3"], extra=NOT_BLANK)]
    log: Annotated[bool, Meta(description="Whether its questions are logged, without their words.")] = False
    director: Annotated[
        bool, Meta(description="Whether it is the director's own device, which looks over finished boards.")
    ] = False
    address: (
        Annotated[
            str,
            Meta(
                max_length=200,
                pattern=r"^https?://[0-9A-Za-z.\-:\[\]]+/?$",
                description="The address of the service as the device reaches it, for a link and its QR code.",
                examples=["https://ordws.example"],
                extra={EXPECTED: "an address of at most 200 characters, as https://ordws.example"},
            ),
        ]
        | None
    ) = None

    def __post_init__(self) -> None:
        if not is_table_name(self.table):
            raise ValueError("not printable, or blank")


class WhichEntries(Struct, forbid_unknown_fields=True, frozen=True):
    """The page of the log to read."""

    before: CursorField | None = None


class FindWords(Struct, forbid_unknown_fields=True, frozen=True):
    """Words that were asked together, and the page of the log to read."""

    words: Annotated[list[WordField], Meta(min_length=1, max_length=MAX_WORD_LENGTH)]
    before: CursorField | None = None


class PairedFor(Struct, frozen=True):
    """The table that a device was paired for, and the name of its client."""

    table: str
    club: str


class ThisDevice(Struct, frozen=True):
    """The calling device: its table, the name and kind of its client, and the edition and list that are served."""

    table: str
    club: str
    kind: Annotated[str, _KIND]
    director: Annotated[bool, Meta(description="Whether it is the director's own, which looks over finished boards.")]
    edition: str
    reference: Annotated[str, Meta(description="The list that answers for the OSPD, by its name.")]
    signs: Annotated[bool, Meta(description="Whether it has registered a key, as a table station does.")]


class PairingCode(Struct, frozen=True):
    """A code that pairs one device, once. It is shown only once."""

    code: str
    table: str
    expires: TimeField
    link: Annotated[str | None, Meta(description="The page that pairs by this code, if `address` was sent.")] = None
    qr: Annotated[str | None, Meta(description="A QR code of that link: the `data:` address of an SVG picture.")] = None


class DeviceEntry(Struct, frozen=True):
    """A paired device: its table, the time of its pairing, and whether its questions are logged."""

    id: int
    table: str
    paired: TimeField
    log: bool
    director: bool
    seen: Annotated[
        str | None, DATE_TIME, Meta(description=f"Its last request, to within {SEEN_SECONDS // 60} minutes.")
    ]


class DeviceList(Struct, frozen=True):
    """The paired devices of a client, and how many it may have."""

    kind: Annotated[str, _KIND]
    most: int
    devices: list[DeviceEntry]


class LogEntry(Struct, frozen=True):
    """A question that was judged at a table: the number of its words, and their keyed hashes, sorted."""

    at: TimeField
    table: str
    words: int
    hashes: list[str]


class LogEntries(Struct, frozen=True):
    """A page of questions that were judged, newest first."""

    entries: list[LogEntry]
    before: Annotated[
        str | None, Meta(description="The value of `before` that asks for the next, older page; null on the last one.")
    ]


def pair_device(services: Services, request: Sent[PairDevice], now: int) -> Reply:
    """Pair the calling device by a director's code; the cookie it gets stands for a key from then on.

    The code is read in either case, with or without its hyphen. The cookie is kept for 400 days. Of wrong codes 60 a
    second from one address are answered, and 600 from all.
    """
    paired = services.devices.pair(request.body.code, now, address=request.address)
    if isinstance(paired, TooManyGuesses):
        raise too_many_guesses(paired.retry_after_seconds)
    if paired is None:
        # The same for a code that is wrong, used or expired.
        raise Problem("bad-code", "the code is wrong, was used, or is older than 15 minutes")
    device = _paired_device(paired.client)
    return replies.private(PairedFor(device.table, paired.client.name), _cookie(paired.token, COOKIE_SECONDS))


def show_device(services: Services, client: RegisteredClient, request: Nothing, now: int) -> Reply:
    """Show where the calling device is paired."""
    device, edition = _paired_device(client), services.editions.current
    shown = (device.table, client.name, client.kind, device.is_director, edition.name, edition.reference_name)
    return replies.private(ThisDevice(*shown, signs=device.signing_key is not None))


def forget_device(services: Services, client: RegisteredClient, request: Nothing, now: int) -> Reply:
    """Unpair the calling device and clear its cookie."""
    device = _paired_device(client)
    services.devices.revoke(client, device.id, now)
    return replies.private(PairedFor(device.table, client.name), _cookie("", 0))


def invite_device(services: Services, client: RegisteredClient, request: NewDevice, now: int) -> Reply:
    """Issue a code that pairs one device for a table within 15 minutes.

    A home key pairs three devices of one household, and nothing more.

    The code is shown this once; `link` and `qr`, a picture as a `data:` address, are null without `address`. An
    operator has 24 unused codes, 100 devices (codes included) and 200 newly paired ones a UTC day.
    """
    if request.log or request.director:
        check_operator(client)
    code = services.devices.issue_code(client, request.table, now, logged=request.log, director=request.director)
    if code is None:
        raise Problem("too-many-devices", describe_most_devices(client))
    link = None if request.address is None else pairing_link(request.address, code.text)
    qr = None if link is None else segno.make_qr(link).svg_data_uri(scale=4, border=4, light="#fff")
    return replies.private(PairingCode(code.text, code.table, replies.format_utc(code.ends), link, qr))


def list_devices(services: Services, client: RegisteredClient, request: Nothing, now: int) -> Reply:
    """List the paired devices."""
    entries = [_device_entry(device) for device in services.devices.list(client)]
    return replies.private(DeviceList(client.kind, client.terms.most_devices, entries))


def revoke_device(services: Services, client: RegisteredClient, request: PathAndBody[Nothing], now: int) -> Reply:
    """Revoke the pairing of a device, at once and for good."""
    number = request.path["id"]
    # SQLite cannot take an integer of more than 64 bits.
    is_id = number.isascii() and number.isdecimal() and len(number) <= _MAX_ID_DIGITS
    device = services.devices.revoke(client, int(number), now) if is_id else None
    if device is None:
        raise Problem("not-found", "GET /v1/devices has the ids of the devices that are paired")
    return replies.private(_device_entry(device))


def read_log(services: Services, client: RegisteredClient, request: WhichEntries, now: int) -> Reply:
    """Read the log of the questions judged on devices that were paired with a log; it has no words and no verdicts.

    Questions without a word that is new to the device on that UTC day are logged up to 200 times a day.

    The last question comes first, 100 a page. Of the questions with a new word 2,000 a day are logged, more than the
    default budgets allow. `judge_log_days` says how long a log is kept.
    """
    check_operator(client)
    return _log_entries(services.judge_log.read(client.id, before=_log_cursor(request)))


def find_in_log(services: Services, client: RegisteredClient, request: FindWords, now: int) -> Reply:
    """Find the times and tables at which exactly these words were judged together, in any order."""
    check_operator(client)
    return _log_entries(services.judge_log.read(client.id, before=_log_cursor(request), words=fold_all(request.words)))


def check_operator(client: RegisteredClient) -> None:
    """Raise a Problem for a home client: a director's actions are for clubs and tournaments."""
    if not client.terms.names_players:
        raise Problem(
            "operators-only",
            "this is a home key, which pairs three devices of one household and nothing more; logs and finished boards"
            " are for the director of a club, whose key is of kind operator",
        )


def pairing_link(address: str, code: str) -> str:
    """Return the address of the page on which a device pairs by a code, given the service's address."""
    return f"{address.rstrip('/')}/judge#pair={code.replace('-', '')}"


def _paired_device(client: RegisteredClient) -> Device:
    if client.device is None:
        raise not_paired()
    return client.device


def _device_entry(device: Device) -> DeviceEntry:
    seen = None if device.seen is None else replies.format_utc(device.seen)
    paired = replies.format_utc(device.paired)
    return DeviceEntry(device.id, device.table, paired, device.is_logged, device.is_director, seen)


def _log_cursor(request: WhichEntries | FindWords) -> int | None:
    return None if request.before is None else int(request.before)


def _log_entries(logged: tuple[LoggedQuestion, ...]) -> Reply:
    entries = [LogEntry(replies.format_utc(item.at), item.table, item.words, [*item.hashes]) for item in logged]
    before = str(logged[-1].id) if len(logged) == PAGE_SIZE else None
    return replies.private(LogEntries(entries, before))


def _cookie(token: str, seconds: int) -> Cookie:
    return Cookie(DEVICE_COOKIE, token, seconds, "/v1", "Strict")
