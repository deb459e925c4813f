"""Paired devices: how a director lets them in, and out again, and reads what was asked on them."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from ordws.desk import replies
from ordws.desk.judgelog import MOST_AT_ONCE, Logged
from ordws.desk.problems import COOKIE, Problem, bad_code, not_paired
from ordws.desk.replies import Header, Reply
from ordws.desk.requests import FindWords, NewDevice, Nothing, PairDevice, Placed, WhichEntries
from ordws.desk.wiring import Services
from ordws.desk.words import fold_all
from ordws.identity.devices import KEPT_SECONDS, TOO_MANY, Flooded
from ordws.identity.register import Client, Device

_KEPT: Final = "Path=/v1; HttpOnly; SameSite=Strict"
_MOMENT: Final = Meta(extra_json_schema={"format": "date-time"})
_LONGEST_ID: Final = 18


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
    expires: Annotated[str, _MOMENT]


class DeviceEntry(Struct, frozen=True):
    """A paired device: its table, since when it is paired, and whether a log is kept of what is asked on it."""

    id: int
    table: str
    paired: Annotated[str, _MOMENT]
    log: bool


class DeviceList(Struct, frozen=True):
    """The devices that ask in a client's name."""

    devices: list[DeviceEntry]


class LogEntry(Struct, frozen=True):
    """A question that was judged at a table: so many words, each as a keyed hash, in an order of their own."""

    at: Annotated[str, _MOMENT]
    table: str
    words: int
    hashes: list[str]


class LogEntries(Struct, frozen=True):
    """Questions that were judged, the last one first."""

    entries: list[LogEntry]
    before: Annotated[
        str | None, Meta(description="What to send as `before` for those that came before them; null where none did.")
    ]


def pair_device(services: Services, asked: PairDevice, now: int) -> Reply:
    """The device that sends a director's code is paired: it gets a cookie, by which it asks without a key."""
    paired = services.devices.pair(asked.code, now)
    if isinstance(paired, Flooded):
        raise _too_many_guesses(paired)
    if paired is None:
        raise bad_code()
    device = _device(paired.client)
    return _with(_cookie(paired.token, KEPT_SECONDS), PairedFor(device.table, paired.client.name))


def show_device(services: Services, client: Client, asked: Nothing, now: int) -> Reply:
    """Where the device that asks is paired."""
    return replies.private(ThisDevice(_device(client).table, client.name, services.editions.current.name))


def forget_device(services: Services, client: Client, asked: Nothing, now: int) -> Reply:
    """The device that asks is not paired any more, and its cookie is cleared."""
    device = _device(client)
    services.devices.revoke(client, device.id, now)
    return _with(_cookie("", 0), PairedFor(device.table, client.name))


def invite_device(services: Services, client: Client, asked: NewDevice, now: int) -> Reply:
    """A code by which a device is paired for a table, once, within 15 minutes."""
    code = services.devices.invite(client, asked.table, now, logged=asked.log)
    if code is None:
        raise Problem("too-many-devices", TOO_MANY)
    return replies.created(PairingCode(code.text, code.table, replies.utc(code.ends)))


def list_devices(services: Services, client: Client, asked: Nothing, now: int) -> Reply:
    """The devices that are paired."""
    return replies.private(DeviceList([_entry(device) for device in services.devices.list(client)]))


def revoke_device(services: Services, client: Client, asked: Placed[Nothing], now: int) -> Reply:
    """A device is not paired any more, at once and for ever."""
    number = asked.path["id"]
    is_id = number.isascii() and number.isdecimal() and len(number) <= _LONGEST_ID
    device = services.devices.revoke(client, int(number), now) if is_id else None
    if device is None:
        raise Problem("not-found", "GET /v1/devices has the ids of the devices that are paired")
    return replies.private(_entry(device))


def read_log(services: Services, client: Client, asked: WhichEntries, now: int) -> Reply:
    """What was judged on devices that were paired with a log, without words and verdicts.

    Of a device and UTC day 2,000 questions are logged; what is judged beyond them is not.
    """
    return _entries(services.judge_log.read(client.id, before=_before(asked)))


def find_in_log(services: Services, client: Client, asked: FindWords, now: int) -> Reply:
    """When and where just these words were judged together, in whatever order."""
    return _entries(services.judge_log.read(client.id, before=_before(asked), words=fold_all(asked.words)))


def _too_many_guesses(flooded: Flooded) -> Problem:
    return Problem(
        "too-many-guesses",
        "so many wrong codes came in this second that none is looked at before the next",
        ("Retry-After", str(flooded.retry_after_seconds)),
    )


def _device(client: Client) -> Device:
    if client.device is None:
        raise not_paired()
    return client.device


def _entry(device: Device) -> DeviceEntry:
    return DeviceEntry(device.id, device.table, replies.utc(device.paired), device.is_logged)


def _before(asked: WhichEntries | FindWords) -> int | None:
    return None if asked.before is None else int(asked.before)


def _entries(logged: tuple[Logged, ...]) -> Reply:
    entries = [LogEntry(replies.utc(each.at), each.table, each.words, [*each.hashes]) for each in logged]
    before = str(logged[-1].id) if len(logged) == MOST_AT_ONCE else None
    return replies.private(LogEntries(entries, before))


def _cookie(token: str, seconds: int) -> Header:
    """The door adds Secure where the request came over TLS."""
    return "Set-Cookie", f"{COOKIE}={token}; Max-Age={seconds}; {_KEPT}"


def _with(header: Header, shape: Struct) -> Reply:
    reply = replies.private(shape)
    return reply._replace(headers=(*reply.headers, header))
