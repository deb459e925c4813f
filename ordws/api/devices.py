"""Paired devices: how a director lets them in, and out again, and reads what was asked on them."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.judge_log import PAGE_SIZE, LoggedQuestion
from ordws.api.problems import DEVICE_COOKIE, Problem, bad_code, not_paired
from ordws.api.replies import HttpHeader, Reply
from ordws.api.requests import FindWords, NewDevice, Nothing, PairDevice, PathAndBody, WhichEntries
from ordws.api.services import Services
from ordws.api.words import fold_all
from ordws.identity.devices import COOKIE_SECONDS, TOO_MANY_DETAIL, TooManyGuesses
from ordws.identity.register import Device, RegisteredClient

_COOKIE_ATTRIBUTES: Final = "Path=/v1; HttpOnly; SameSite=Strict"
_DATE_TIME: Final = Meta(extra_json_schema={"format": "date-time"})
_MAX_ID_DIGITS: Final = 18


class PairedFor(Struct, frozen=True):
    """The table for which a device was paired, and in whose name it asks."""

    table: str
    club: str


class ThisDevice(Struct, frozen=True):
    """The device that asks: its table, in whose name it asks, and the edition that answers."""

    table: str
    club: str
    edition: str


class PairingCode(Struct, frozen=True):
    """A code that pairs one device, once. It is shown this once."""

    code: str
    table: str
    expires: Annotated[str, _DATE_TIME]


class DeviceEntry(Struct, frozen=True):
    """A paired device: its table, since when it is paired, and whether a log is kept of what is asked on it."""

    id: int
    table: str
    paired: Annotated[str, _DATE_TIME]
    log: bool


class DeviceList(Struct, frozen=True):
    """The devices that ask in a client's name."""

    devices: list[DeviceEntry]


class LogEntry(Struct, frozen=True):
    """A question that was judged at a table: so many words, each as a keyed hash, in an order of their own."""

    at: Annotated[str, _DATE_TIME]
    table: str
    words: int
    hashes: list[str]


class LogEntries(Struct, frozen=True):
    """Questions that were judged, the last one first."""

    entries: list[LogEntry]
    before: Annotated[
        str | None, Meta(description="What to send as `before` for those that came before them; null where none did.")
    ]


def pair_device(services: Services, request: PairDevice, now: int) -> Reply:
    """The device that sends a director's code is paired: it gets a cookie, by which it asks without a key."""
    paired = services.devices.pair(request.code, now)
    if isinstance(paired, TooManyGuesses):
        raise _too_many_guesses(paired)
    if paired is None:
        raise bad_code()
    device = _paired_device(paired.client)
    return _reply_with_header(_cookie(paired.token, COOKIE_SECONDS), PairedFor(device.table, paired.client.name))


def show_device(services: Services, client: RegisteredClient, request: Nothing, now: int) -> Reply:
    """Where the device that asks is paired."""
    return replies.private(ThisDevice(_paired_device(client).table, client.name, services.editions.current.name))


def forget_device(services: Services, client: RegisteredClient, request: Nothing, now: int) -> Reply:
    """The device that asks is not paired any more, and its cookie is cleared."""
    device = _paired_device(client)
    services.devices.revoke(client, device.id, now)
    return _reply_with_header(_cookie("", 0), PairedFor(device.table, client.name))


def invite_device(services: Services, client: RegisteredClient, request: NewDevice, now: int) -> Reply:
    """A code by which a device is paired for a table, once, within 15 minutes."""
    code = services.devices.issue_code(client, request.table, now, logged=request.log)
    if code is None:
        raise Problem("too-many-devices", TOO_MANY_DETAIL)
    return replies.created(PairingCode(code.text, code.table, replies.format_utc(code.ends)))


def list_devices(services: Services, client: RegisteredClient, request: Nothing, now: int) -> Reply:
    """The devices that are paired."""
    return replies.private(DeviceList([_device_entry(device) for device in services.devices.list(client)]))


def revoke_device(services: Services, client: RegisteredClient, request: PathAndBody[Nothing], now: int) -> Reply:
    """A device is not paired any more, at once and for ever."""
    number = request.path["id"]
    is_id = number.isascii() and number.isdecimal() and len(number) <= _MAX_ID_DIGITS
    device = services.devices.revoke(client, int(number), now) if is_id else None
    if device is None:
        raise Problem("not-found", "GET /v1/devices has the ids of the devices that are paired")
    return replies.private(_device_entry(device))


def read_log(services: Services, client: RegisteredClient, request: WhichEntries, now: int) -> Reply:
    """What was judged on devices that were paired with a log, without words and verdicts.

    Of a device and UTC day 2,000 questions are logged; what is judged beyond them is not.
    """
    return _log_entries(services.judge_log.read(client.id, before=_log_cursor(request)))


def find_in_log(services: Services, client: RegisteredClient, request: FindWords, now: int) -> Reply:
    """When and where just these words were judged together, in whatever order."""
    return _log_entries(services.judge_log.read(client.id, before=_log_cursor(request), words=fold_all(request.words)))


def _too_many_guesses(refused: TooManyGuesses) -> Problem:
    return Problem(
        "too-many-guesses",
        "so many wrong codes came in this second that none is looked at before the next",
        ("Retry-After", str(refused.retry_after_seconds)),
    )


def _paired_device(client: RegisteredClient) -> Device:
    if client.device is None:
        raise not_paired()
    return client.device


def _device_entry(device: Device) -> DeviceEntry:
    return DeviceEntry(device.id, device.table, replies.format_utc(device.paired), device.is_logged)


def _log_cursor(request: WhichEntries | FindWords) -> int | None:
    return None if request.before is None else int(request.before)


def _log_entries(logged: tuple[LoggedQuestion, ...]) -> Reply:
    entries = [LogEntry(replies.format_utc(each.at), each.table, each.words, [*each.hashes]) for each in logged]
    before = str(logged[-1].id) if len(logged) == PAGE_SIZE else None
    return replies.private(LogEntries(entries, before))


def _cookie(token: str, seconds: int) -> HttpHeader:
    """The door adds Secure where the request came over TLS."""
    return "Set-Cookie", f"{DEVICE_COOKIE}={token}; Max-Age={seconds}; {_COOKIE_ATTRIBUTES}"


def _reply_with_header(header: HttpHeader, shape: Struct) -> Reply:
    reply = replies.private(shape)
    return reply._replace(headers=(*reply.headers, header))
