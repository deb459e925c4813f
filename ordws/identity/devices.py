"""Paired devices: phones and tablets that send requests without a key, paired by a director's code that works once.

A code is one of 30^10 (5.9e14), lives 15 minutes and pairs one device. A process checks at most 600 wrong codes a
second, so that a code meets 540,000 guesses, a chance of 1 in 1.1e9. Where 50 codes are live at every moment of a day,
the 5.2e7 guesses that each of 4 processes checks find one of them with a chance of 1 in 57,000. Wrong guesses are
counted in memory alone: guessing writes nothing and, below the limit, keeps nobody from pairing.

By its public key what a device did without a connection can be told from inventions. The device makes the pair of keys
itself, with WebCrypto, and no script can read the private one. Keys are ECDSA over P-256 with SHA-256; a signature is
the 64 bytes that WebCrypto gives, r and then s.
"""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from ordws.errors import BadInput, StoreDown
from ordws.identity.register import CLIENT_COLUMNS, LIVE_KEY_SQL, Device, RegisteredClient, read_client
from ordws.identity.schema import RegisterStore
from ordws.retention import CODES, DAY, DEVICES
from ordws.sender_limits import RateLimiter

_SIZE: Final = 32
_UNCOMPRESSED: Final = b"\x04"
_ALGORITHM: Final = ECDSA(SHA256())


class DeviceKey:
    """A public key of P-256, read from the 65 bytes of its uncompressed point."""

    def __init__(self, point: bytes) -> None:
        self._key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)

    def has_signed(self, text: str, signature: str) -> bool:
        """Return whether a signature, 64 bytes in base64url, is that of a text under this key."""
        raw = _read_bytes(signature, 2 * _SIZE)
        if raw is None:
            return False
        r, s = int.from_bytes(raw[:_SIZE], "big"), int.from_bytes(raw[_SIZE:], "big")
        try:
            self._key.verify(encode_dss_signature(r, s), text.encode(), _ALGORITHM)
        except InvalidSignature:
            return False
        return True


def read_point(x: str, y: str) -> bytes:
    """Return the point of the coordinates of a JSON Web Key, in base64url; raises BadInput for none of P-256."""
    parts = [_read_bytes(text, _SIZE) for text in (x, y)]
    point = b"".join([_UNCOMPRESSED, *(part for part in parts if part is not None)])
    try:
        DeviceKey(point)
    except ValueError as err:
        raise BadInput("the coordinates are not those of a point of P-256") from err
    return point


def _read_bytes(text: str, size: int) -> bytes | None:
    """Return so many bytes from base64url without padding; None for any other text."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4)) if text.isascii() else b""
    except (NotBase64, ValueError):
        return None
    return raw if len(raw) == size else None


MAX_WRONG_PER_SECOND: Final = 600
"""The number of wrong codes that a process checks in a second, from all callers together."""
MAX_WRONG_PER_ADDRESS: Final = 60
"""The number of wrong codes that a process checks in a second from one address, so that none uses up the total."""


class TooManyGuesses(NamedTuple):
    """The refusal to check a code because too many wrong codes came in this second, from its address or in all."""

    retry_after_seconds: int


def limit_guesses() -> RateLimiter:
    """Return a limiter of codes; one that turns out to be right is forgiven."""
    return RateLimiter(MAX_WRONG_PER_ADDRESS, total_limit=MAX_WRONG_PER_SECOND, window_seconds=1)


MAX_LIVE_CODES: Final = 24
"""The number of live codes that a client may have."""
MAX_PAIRED_PER_DAY: Final = 200
"""The number of devices paired on a UTC day and live codes that a client may have together."""
SEEN_SECONDS: Final = 300
"""The time for which a device that was seen is not written again, since each write ends the caches of client keys."""
COOKIE_SECONDS: Final = 400 * 86_400
"""The time that a browser keeps a device's token; browsers cap it at 400 days."""
MAX_TABLE_NAME_LENGTH: Final = 64
TEST_TOKEN_PREFIX: Final = "test."
"""The prefix of the tokens of a test client's devices, by which metrics tell them apart without a look-up."""

_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # without 0 O 1 I L U, which are easily misread
_CODE_LENGTH: Final = 10
_SEPARATORS: Final = dict.fromkeys(map(ord, " \t\r\n\u00a0-\u2010\u2011\u2012\u2013\u2014"))
_SECRET_BYTES: Final = 32
_DEVICE_COLUMNS: Final = "devices.id, place, paired, logged, director, seen, signing_key"
_DEVICE_FIELDS: Final = 7
_CLIENT_IS_LIVE: Final = (
    f"clients.revoked is null and exists (select 1 from keys where keys.client = clients.id and {LIVE_KEY_SQL})"
)
_FIND_CLIENT: Final = (
    f"select {CLIENT_COLUMNS}, {_DEVICE_COLUMNS} from devices join clients on clients.id = devices.client"
    f" where digest = :digest and devices.revoked is null and {_CLIENT_IS_LIVE}"
)
_FIND_CODE: Final = (
    "select clients.id, place, logged, director, is_test from codes join clients on clients.id = codes.client"
    f" where digest = :digest and ends > :now and {_CLIENT_IS_LIVE}"
)
_COUNTS: Final = (
    "select (select count(*) from codes where client = :client),"
    " count(*) filter (where revoked is null), count(*) filter (where paired >= :midnight)"
    " from devices where client = :client"
)
_ISSUE: Final = "insert into codes (digest, client, place, logged, director, ends) values (?, ?, ?, ?, ?, ?)"
_PAIR: Final = "insert into devices (client, place, digest, paired, logged, director) values (?, ?, ?, ?, ?, ?)"


class DeviceCode(NamedTuple):
    """A code that pairs one device with a table, and the time when it ends; it is shown once and stored as a digest."""

    text: str
    table: str
    ends: int


class PairedDevice(NamedTuple):
    """A newly paired device and the token that identifies it from now on; only the token's digest is stored."""

    client: RegisteredClient
    token: str


class Devices(RegisterStore):
    """The devices of all clients of one installation, in the file of its register."""

    def __init__(self, path: Path, pepper: bytes) -> None:
        super().__init__(path, pepper)
        self._guesses = limit_guesses()

    def issue_code(
        self,
        client: RegisteredClient,
        table: str,
        now: int,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        *,
        logged: bool = False,
        director: bool = False,
    ) -> DeviceCode | None:
        """Issue a code that pairs one device for a table; return None where the client has reached a limit.

        Only devices of an operator have a log or are the director's; for a home client both raise BadInput.
        """
        if (logged or director) and not client.terms.names_players:
            raise BadInput("a home key pairs devices of a household: logs and directors' devices are for operators")
        if not is_table_name(table):
            raise BadInput(
                f"a table's name has 1 to {MAX_TABLE_NAME_LENGTH} printable characters, not {json.dumps(table)}"
            )
        code, ends = write_code(random_bytes(_SECRET_BYTES)), now + CODES.seconds
        with self._transaction() as db:
            db.execute("delete from codes where ends <= ?", (now,))
            parameters = {"client": client.id, "midnight": now - now % DAY}
            codes, devices, today = db.execute(_COUNTS, parameters).fetchone()
            # Each live code may still become a device, so it counts as one.
            is_allowed = (
                codes < MAX_LIVE_CODES
                and codes + devices < client.terms.most_devices
                and codes + today < MAX_PAIRED_PER_DAY
            )
            if is_allowed:
                row = (self._digest("code", code), client.id, table, logged, director, ends)
                db.execute(_ISSUE, row)
        return DeviceCode(f"{code[:5]}-{code[5:]}", table, ends) if is_allowed else None

    def pair(
        self, code: str, now: int, random_bytes: Callable[[int], bytes] = secrets.token_bytes, *, address: str = ""
    ) -> PairedDevice | TooManyGuesses | None:
        """Pair a device by its code; return None for a code that is wrong, used or expired, without saying which.

        The address of the caller is kept for the second in which a wrong code came from it.
        """
        normal_code = read_code(code)
        if normal_code is None:
            return None
        if wait := self._guesses.acquire(address, now):
            return TooManyGuesses(wait)
        token = self._redeem(self._digest("code", normal_code), now, random_bytes)
        if token is None:
            return None
        self._guesses.forgive(address, now)
        client = self.identify(token, now)
        return None if client is None else PairedDevice(client, token)

    def _redeem(self, digest: bytes, now: int, random_bytes: Callable[[int], bytes]) -> str | None:
        """Exchange a code for a device's token; return None where the code is not live or was taken meanwhile."""
        # Read before the transaction begins, so that a wrong code waits for no writer and writes nothing.
        code_row = self._one(_FIND_CODE, {"digest": digest, "now": now})
        if code_row is None:
            return None
        client, table, logged, director, is_test = code_row
        secret = urlsafe_b64encode(random_bytes(_SECRET_BYTES)).decode().rstrip("=")
        token = f"{TEST_TOKEN_PREFIX}{secret}" if is_test else secret
        with self._transaction() as db:
            # Of two devices that send the same code, the one whose delete removes the row is paired.
            if is_first := db.execute("delete from codes where digest = ?", (digest,)).rowcount == 1:
                db.execute(_PAIR, (client, table, self._digest("device", token), now, logged, director))
        return token if is_first else None

    def identify(self, token: str, now: int) -> RegisteredClient | None:
        """Return the client with the device that has this token; None for every kind of invalid token.

        A device is valid only as long as its client has a live key.
        """
        row = self._one(_FIND_CLIENT, {"digest": self._digest("device", token), "now": now})
        if row is None:
            return None
        device = _device(row[-_DEVICE_FIELDS:])
        if device.seen is None or now - device.seen >= SEEN_SECONDS:
            # A register that another process is writing, or that cannot be written, keeps no device from asking.
            with suppress(StoreDown):
                self._run("update devices set seen = ? where id = ?", (now, device.id))
            device = device._replace(seen=now)
        return read_client(row[:-_DEVICE_FIELDS])._replace(device=device)

    def list(self, client: RegisteredClient) -> tuple[Device, ...]:
        """Return the paired devices of a client, in the order of their pairing."""
        statement = f"select {_DEVICE_COLUMNS} from devices where client = ? and revoked is null order by id"
        return tuple([_device(row) for row in self._all(statement, (client.id,))])

    def revoke(self, client: RegisteredClient, device: int, now: int) -> Device | None:
        """Revoke a device of the client and return it; None where the client has no such device."""
        row = self._one(
            "update devices set revoked = ? where client = ? and id = ? and revoked is null"
            f" returning {_DEVICE_COLUMNS}",
            (now, client.id, device),
        )
        return _device(row) if row else None

    def register_key(self, device: int, key: bytes) -> bytes:
        """Register the public key of a device unless it has one, and return the one that it has."""
        self._run("update devices set signing_key = ? where id = ? and signing_key is null", (key, device))
        registered: bytes = self._one("select signing_key from devices where id = ?", (device,))[0]
        return registered

    def drop_codes(self) -> None:
        """Invalidate every code that was issued and not used."""
        self._run("delete from codes")

    def sweep(self, now: int) -> int:
        """Delete expired codes, and devices a day after their revocation; return the number of rows."""
        codes = self._run("delete from codes where ends <= ?", (now,))
        # Devices count towards the pairings of their day, revoked or not.
        return codes + self._run("delete from devices where revoked <= ?", (now - DEVICES.seconds,))


def write_code(random_bytes: bytes) -> str:
    """Return a code of ten letters and digits, made of so many random bytes that all codes are equally likely."""
    number, code = int.from_bytes(random_bytes, "big"), ""
    while len(code) < _CODE_LENGTH:
        number, index = divmod(number, len(_ALPHABET))
        code += _ALPHABET[index]
    return code


def read_code(text: str) -> str | None:
    """Return the code in a text, in either case and with or without spaces and hyphens, or None where there is none."""
    code = text.translate(_SEPARATORS)
    is_code = len(code) == _CODE_LENGTH and code.isascii() and set(code.upper()) <= set(_ALPHABET)
    return code.upper() if is_code else None


def describe_most_devices(client: RegisteredClient) -> str:
    """Return in words how many devices a client may have."""
    most = client.terms.most_devices
    if not client.terms.names_players:
        return f"a home key pairs {most} devices of one household; a club asks for a key of kind operator"
    return (
        f"a client may have {MAX_LIVE_CODES} unused codes, {most} devices, and {MAX_PAIRED_PER_DAY} devices paired on a"
        " UTC day"
    )


def is_table_name(text: str) -> bool:
    return len(text) <= MAX_TABLE_NAME_LENGTH and text.isprintable() and bool(text.strip())


def _device(row: tuple[Any, ...]) -> Device:
    number, table, paired, logged, director, seen, key = row
    return Device(number, table, paired, bool(logged), bool(director), seen, key)
