"""Paired devices: who asks without a key, because a director let the device in by a code that works once.

A code is one of 30^8 (6.6e11), lives 15 minutes and is taken once. Wrong codes of all callers together are at most 300
a minute: no more than 4,800 guesses meet a code, one chance in 136 million. Where one code is live at every moment of a
day, its 432,000 guesses find one with a chance of 1 in 1.5 million; where 50 are, of 1 in 30,000.
"""

from __future__ import annotations

import hmac
import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from ordws.database import Database
from ordws.errors import BadInput
from ordws.identity import schema
from ordws.identity.register import COLUMNS, Client, Device, read_client

CODE_SECONDS: Final = 900
MOST_CODES: Final = 6
"""Live ones of a client."""
MOST_DEVICES: Final = 100
"""Live ones of a client, with its live codes."""
MOST_WRONG: Final = 300
"""Wrong codes a minute, of all callers together."""
KEPT_SECONDS: Final = 400 * 86_400
"""How long a device that is let in no more is remembered, and how long a browser keeps what it was given."""
TOO_MANY: Final = f"{MOST_CODES} codes that were not used yet, or {MOST_DEVICES} devices, are the most there may be"
LONGEST_NAME: Final = 64
TEST: Final = "test."
"""How the tokens of devices begin that a test client has."""

_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without those that are taken for another: 0 O 1 I L U
_LENGTH: Final = 8
_BETWEEN: Final = dict.fromkeys(map(ord, " \t\r\n\u00a0-\u2010\u2011\u2012\u2013\u2014"))
_SECRET_BYTES: Final = 32
_MINUTE: Final = 60
_DEVICE: Final = "devices.id, place, paired, logged"
_HOLDER: Final = (
    f"select {COLUMNS}, {_DEVICE} from devices join clients on clients.id = devices.client"
    " where digest = ? and devices.revoked is null and clients.revoked is null"
)
_TAKE: Final = (
    "delete from codes where digest = ? and ends > ?"
    " and exists (select 1 from clients where id = client and revoked is null)"
    " returning client, place, logged, (select is_test from clients where id = client)"
)
_MISS: Final = "insert into guesses values (?, 1) on conflict (minute) do update set wrong = wrong + 1"
_PAIR: Final = "insert into devices (client, place, digest, paired, logged) values (?, ?, ?, ?, ?)"


class Code(NamedTuple):
    """What a director types into a device, or has typed; it is shown this once."""

    text: str
    table: str
    ends: int


class Paired(NamedTuple):
    """A device that was let in, and what it is known by from now on; the token is kept nowhere here."""

    client: Client
    token: str


class Flooded(NamedTuple):
    """Too many wrong codes came this minute, of whomever, so that none is looked at."""

    retry_after_seconds: int


class Devices:
    """The devices of all clients of one installation, in the file of its register."""

    def __init__(self, database: Database, pepper: bytes) -> None:
        self._database = database
        self._hmac = hmac.new(pepper, digestmod="sha256")

    @classmethod
    def open(cls, path: Path, pepper: bytes) -> Devices:
        """The devices in the register at path, with the tables of today."""
        database = Database(path)
        schema.migrate(database)
        return cls(database, pepper)

    def close(self) -> None:
        self._database.close()

    def invite(
        self, client: Client, table: str, now: int, chance: Callable[[int], bytes] = secrets.token_bytes, *,
        logged: bool = False,
    ) -> Code | None:  # fmt: skip
        """A code by which one device is paired, for a table; None where the client has as many as it may."""
        if not is_table_name(table):
            raise BadInput(f"a table's name has 1 to {LONGEST_NAME} printable characters, not {json.dumps(table)}")
        code, ends = write_code(chance(_SECRET_BYTES)), now + CODE_SECONDS
        with self._database as db:
            db.execute("begin immediate")
            db.execute("delete from codes where ends <= ?", (now,))
            (codes,) = db.execute("select count(*) from codes where client = ?", (client.id,)).fetchone()
            (devices,) = db.execute(
                "select count(*) from devices where client = ? and revoked is null", (client.id,)
            ).fetchone()  # fmt: skip
            if is_room := codes < MOST_CODES and codes + devices < MOST_DEVICES:
                row = (self._digest("code", code), client.id, table, logged, ends)
                db.execute("insert into codes (digest, client, place, logged, ends) values (?, ?, ?, ?, ?)", row)
            db.execute("commit")
        return Code(f"{code[:4]}-{code[4:]}", table, ends) if is_room else None

    def pair(
        self, code: str, now: int, chance: Callable[[int], bytes] = secrets.token_bytes
    ) -> Paired | Flooded | None:  # fmt: skip
        """The device that a code lets in; None for one that is wrong, used or expired, which are not told apart."""
        read = read_code(code)
        if read is None:
            return None
        minute, token = now // _MINUTE, urlsafe_b64encode(chance(_SECRET_BYTES)).decode().rstrip("=")
        with self._database as db:
            db.execute("begin immediate")
            if db.execute("select 1 from guesses where minute = ? and wrong >= ?", (minute, MOST_WRONG)).fetchone():
                db.execute("rollback")
                return Flooded((minute + 1) * _MINUTE - now)
            taken = db.execute(_TAKE, (self._digest("code", read), now)).fetchone()
            if taken is None:
                db.execute(_MISS, (minute,))
            else:
                client, table, logged, is_test = taken
                token = TEST + token if is_test else token
                db.execute(_PAIR, (client, table, self._digest("device", token), now, logged))
            db.execute("commit")
        found = self.identify(token)
        return None if found is None else Paired(found, token)

    def identify(self, token: str) -> Client | None:
        """The client in whose name a device asks, with the device; None for every kind of no."""
        with self._database as db:
            row = db.execute(_HOLDER, (self._digest("device", token),)).fetchone()
        return read_client(row[:-4])._replace(device=_device(row[-4:])) if row else None

    def list(self, client: Client) -> tuple[Device, ...]:
        """The devices that ask in a client's name, in the order they were paired."""
        with self._database as db:
            rows = db.execute(
                f"select {_DEVICE} from devices where client = ? and revoked is null order by id", (client.id,)
            ).fetchall()  # fmt: skip
        return tuple([_device(row) for row in rows])

    def revoke(self, client: Client, device: int, now: int) -> Device | None:
        """From now on this device of the client is unknown; None where the client has no such device."""
        with self._database as db:
            row = db.execute(
                f"update devices set revoked = ? where client = ? and id = ? and revoked is null returning {_DEVICE}",
                (now, client.id, device),
            ).fetchone()  # fmt: skip
        return _device(row) if row else None

    def drop_codes(self) -> None:
        """From now on no code that was given works."""
        with self._database as db:
            db.execute("delete from codes")

    def sweep(self, now: int) -> int:
        """Forget what has ended; returns how many rows that was."""
        swept = 0
        with self._database as db:
            for statement, before in (
                ("delete from codes where ends <= ?", now),
                ("delete from guesses where minute < ?", now // _MINUTE),
                ("delete from devices where revoked <= ?", now - KEPT_SECONDS),
            ):
                swept += db.execute(statement, (before,)).rowcount
        return swept

    def _digest(self, kind: str, secret: str) -> bytes:
        keyed = self._hmac.copy()
        keyed.update(f"{kind}\x1f{secret}".encode("utf-8", "replace"))
        return keyed.digest()


def write_code(chance: bytes) -> str:
    """Eight letters and digits, from so many random bytes that none of them is likelier than another."""
    number, code = int.from_bytes(chance, "big"), ""
    while len(code) < _LENGTH:
        number, place = divmod(number, len(_LETTERS))
        code += _LETTERS[place]
    return code


def read_code(text: str) -> str | None:
    """The code in a text, written in either case and with or without spaces and hyphen; None where there is none."""
    code = text.translate(_BETWEEN)
    is_code = len(code) == _LENGTH and code.isascii() and set(code.upper()) <= set(_LETTERS)
    return code.upper() if is_code else None


def is_table_name(text: str) -> bool:
    return len(text) <= LONGEST_NAME and text.isprintable() and bool(text.strip())


def _device(row: tuple[Any, ...]) -> Device:
    number, table, paired, logged = row
    return Device(number, table, paired, bool(logged))
