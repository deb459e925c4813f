"""Paired devices: who asks without a key, because a director let the device in by a code that works once.

A code is one of 30^10 (5.9e14), lives 15 minutes and is taken once. A process looks at no more than 600 wrong ones a
second: 540,000 guesses meet a code, one chance in 1.1e9. Where 50 codes are live at every moment of a day, the
5.2e7 guesses that each of 4 processes looks at find one of them with a chance of 1 in 57,000. Wrong guesses are
counted in memory alone, so that who guesses writes nothing and, at less than that, keeps nobody from pairing.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from ordws.database import Database
from ordws.errors import BadInput
from ordws.identity import schema
from ordws.identity.register import CLIENT_COLUMNS, LIVE_KEY_SQL, Device, RegisteredClient, read_client

CODE_LIFETIME_SECONDS: Final = 900
MAX_LIVE_CODES: Final = 6
"""Live ones of a client."""
MAX_DEVICES: Final = 100
"""Live ones of a client, with its live codes."""
MAX_PAIRED_PER_DAY: Final = 200
"""Of a client that are paired on a UTC day, with its live codes."""
MAX_WRONG_PER_SECOND: Final = 600
"""Wrong codes that a process looks at in a second, of all callers together."""
COOKIE_SECONDS: Final = 400 * 86_400
"""How long a browser keeps what it was given."""
TOO_MANY_DETAIL: Final = (
    f"{MAX_LIVE_CODES} codes that were not used yet, {MAX_DEVICES} devices, or {MAX_PAIRED_PER_DAY} paired on a UTC day are the"
    " most there may be"
)
MAX_TABLE_NAME_LENGTH: Final = 64
TEST_TOKEN_PREFIX: Final = "test."
"""How the tokens of devices begin that a test client has."""

_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without those that are taken for another: 0 O 1 I L U
_CODE_LENGTH: Final = 10
_SEPARATORS: Final = dict.fromkeys(map(ord, " \t\r\n\u00a0-\u2010\u2011\u2012\u2013\u2014"))
_SECRET_BYTES: Final = 32
_DAY: Final = 86_400
_DEVICE_COLUMNS: Final = "devices.id, place, paired, logged"
_CLIENT_IS_LIVE: Final = (
    f"clients.revoked is null and exists (select 1 from keys where keys.client = clients.id and {LIVE_KEY_SQL})"
)
_FIND_CLIENT: Final = (
    f"select {CLIENT_COLUMNS}, {_DEVICE_COLUMNS} from devices join clients on clients.id = devices.client"
    f" where digest = :digest and devices.revoked is null and {_CLIENT_IS_LIVE}"
)
_FIND_CODE: Final = (
    "select clients.id, place, logged, is_test from codes join clients on clients.id = codes.client"
    f" where digest = :digest and ends > :now and {_CLIENT_IS_LIVE}"
)
_COUNTS: Final = (
    "select (select count(*) from codes where client = :client),"
    " count(*) filter (where revoked is null), count(*) filter (where paired >= :midnight)"
    " from devices where client = :client"
)
_PAIR: Final = "insert into devices (client, place, digest, paired, logged) values (?, ?, ?, ?, ?)"


class DeviceCode(NamedTuple):
    """What a director types into a device, or has typed; it is shown this once."""

    text: str
    table: str
    ends: int


class PairedDevice(NamedTuple):
    """A device that was let in, and what it is known by from now on; the token is kept nowhere here."""

    client: RegisteredClient
    token: str


class TooManyGuesses(NamedTuple):
    """Too many wrong codes came this second, of whomever, so that none is looked at."""

    retry_after_seconds: int


class Devices:
    """The devices of all clients of one installation, in the file of its register."""

    def __init__(self, database: Database, pepper: bytes) -> None:
        self._database = database
        self._hmac = hmac.new(pepper, digestmod="sha256")
        self._lock = threading.Lock()
        self._second, self._wrong_codes = -1, 0

    @classmethod
    def open(cls, path: Path, pepper: bytes) -> Devices:
        """The devices in the register at path, with the tables of today."""
        database = Database(path)
        schema.migrate(database)
        return cls(database, pepper)

    def close(self) -> None:
        self._database.close()

    def issue_code(
        self,
        client: RegisteredClient,
        table: str,
        now: int,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        *,
        logged: bool = False,
    ) -> DeviceCode | None:
        """A code by which one device is paired, for a table; None where the client has as many as it may."""
        if not is_table_name(table):
            raise BadInput(
                f"a table's name has 1 to {MAX_TABLE_NAME_LENGTH} printable characters, not {json.dumps(table)}"
            )
        code, ends = write_code(random_bytes(_SECRET_BYTES)), now + CODE_LIFETIME_SECONDS
        with self._database as db:
            db.execute("begin immediate")
            db.execute("delete from codes where ends <= ?", (now,))
            counted = {"client": client.id, "midnight": now - now % _DAY}
            codes, devices, today = db.execute(_COUNTS, counted).fetchone()
            if (
                is_room := codes < MAX_LIVE_CODES
                and codes + devices < MAX_DEVICES
                and codes + today < MAX_PAIRED_PER_DAY
            ):
                row = (self._digest("code", code), client.id, table, logged, ends)
                db.execute("insert into codes (digest, client, place, logged, ends) values (?, ?, ?, ?, ?)", row)
            db.execute("commit")
        return DeviceCode(f"{code[:5]}-{code[5:]}", table, ends) if is_room else None

    def pair(
        self, code: str, now: int, random_bytes: Callable[[int], bytes] = secrets.token_bytes
    ) -> PairedDevice | TooManyGuesses | None:
        """The device that a code lets in; None for one that is wrong, used or expired, which are not told apart."""
        read = read_code(code)
        if read is None:
            return None
        if self._is_rate_limited(now):
            return TooManyGuesses(1)
        token = self._redeem(self._digest("code", read), now, random_bytes)
        if token is None:
            self._count_wrong_code(now)
            return None
        found = self.identify(token, now)
        return None if found is None else PairedDevice(found, token)

    def _redeem(self, digest: bytes, now: int, random_bytes: Callable[[int], bytes]) -> str | None:
        """What the device of a code is known by from now on; a code that is wrong is not waited for and not written."""
        with self._database as db:
            found = db.execute(_FIND_CODE, {"digest": digest, "now": now}).fetchone()
            if found is None:
                return None
            client, table, logged, is_test = found
            token = (TEST_TOKEN_PREFIX if is_test else "") + urlsafe_b64encode(
                random_bytes(_SECRET_BYTES)
            ).decode().rstrip("=")
            db.execute("begin immediate")
            if is_mine := db.execute("delete from codes where digest = ?", (digest,)).rowcount == 1:
                db.execute(_PAIR, (client, table, self._digest("device", token), now, logged))
            db.execute("commit")
        return token if is_mine else None

    def _is_rate_limited(self, now: int) -> bool:
        with self._lock:
            return self._second == now and self._wrong_codes >= MAX_WRONG_PER_SECOND

    def _count_wrong_code(self, now: int) -> None:
        with self._lock:
            if self._second != now:
                self._second, self._wrong_codes = now, 0
            self._wrong_codes += 1

    def identify(self, token: str, now: int) -> RegisteredClient | None:
        """The client in whose name a device asks, with the device; None for every kind of no.

        Of a client that has no live key any more, no device is let in.
        """
        with self._database as db:
            row = db.execute(_FIND_CLIENT, {"digest": self._digest("device", token), "now": now}).fetchone()
        return read_client(row[:-4])._replace(device=_device(row[-4:])) if row else None

    def list(self, client: RegisteredClient) -> tuple[Device, ...]:
        """The devices that ask in a client's name, in the order they were paired."""
        with self._database as db:
            rows = db.execute(
                f"select {_DEVICE_COLUMNS} from devices where client = ? and revoked is null order by id", (client.id,)
            ).fetchall()
        return tuple([_device(row) for row in rows])

    def revoke(self, client: RegisteredClient, device: int, now: int) -> Device | None:
        """From now on this device of the client is unknown; None where the client has no such device."""
        with self._database as db:
            row = db.execute(
                f"update devices set revoked = ? where client = ? and id = ? and revoked is null returning {_DEVICE_COLUMNS}",
                (now, client.id, device),
            ).fetchone()
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
                ("delete from devices where revoked <= ?", now - _DAY),
            ):
                swept += db.execute(statement, (before,)).rowcount
        return swept

    def _digest(self, kind: str, secret: str) -> bytes:
        keyed = self._hmac.copy()
        keyed.update(f"{kind}\x1f{secret}".encode("utf-8", "replace"))
        return keyed.digest()


def write_code(random_bytes: bytes) -> str:
    """Ten letters and digits, from so many random bytes that none of them is likelier than another."""
    number, code = int.from_bytes(random_bytes, "big"), ""
    while len(code) < _CODE_LENGTH:
        number, place = divmod(number, len(_ALPHABET))
        code += _ALPHABET[place]
    return code


def read_code(text: str) -> str | None:
    """The code in a text, written in either case and with or without spaces and hyphen; None where there is none."""
    code = text.translate(_SEPARATORS)
    is_code = len(code) == _CODE_LENGTH and code.isascii() and set(code.upper()) <= set(_ALPHABET)
    return code.upper() if is_code else None


def is_table_name(text: str) -> bool:
    return len(text) <= MAX_TABLE_NAME_LENGTH and text.isprintable() and bool(text.strip())


def _device(row: tuple[Any, ...]) -> Device:
    number, table, paired, logged = row
    return Device(number, table, paired, bool(logged))
