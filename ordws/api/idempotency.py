"""Idempotency keys: a request that commits something and is sent twice is carried out once (docs/guard.md Decision 15).

A caller who lost a reply sends the request again under the same Idempotency-Key and gets the stored reply. Replies are
stored for a day, encrypted, under names that reveal neither the caller nor the request.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from ordws.api.problems import Problem
from ordws.api.replies import Reply
from ordws.api.requests import bad_request, describe_value
from ordws.database import Store
from ordws.errors import StoreDown
from ordws.retention import REPLIES

_log = logging.getLogger("ordws.api")
LEASE_SECONDS: Final = 5
"""The time that a request counts as under way; after it, the worker is taken to have been killed."""

MAX_CLOCK_SKEW_SECONDS: Final = 60
"""The time by which another host's clock may be ahead; a lease that ends later than that allows is void."""

MAX_KEY_LENGTH: Final = 255
MAX_REPLIES_PER_DAY: Final = 10_000
"""The number of replies that are stored for one caller in a day, over all workers and hosts.

Replies take room even where the questions cost no units.
"""

MAX_BYTES_PER_DAY: Final = 3_000_000
"""The bytes that the replies of one caller take in the store in a day.

Twelve games of 60 plays with replies of 2 KB take 1.44 MB; a play of thirteen long words has a reply of 25 KB.
"""

MAX_SEAT_BYTES_PER_DAY: Final = 500_000
"""The same for a seat that is played without a key: forty plays with replies of 12 KB."""

MAX_OPERATOR_BYTES_PER_DAY: Final = 30_000_000
"""The same for the own key of a verified operator, which asks for all its players: 240 games of 60 such plays."""

ENTRY_BYTES: Final = 48
"""The bytes of an entry beside its encrypted reply: its name, the digest of its request, its end, and their lengths."""

_NONCE_BYTES: Final = 12

StoredReply: TypeAlias = tuple[bytes, bytes | None]
"""The digest of a request, and its encrypted reply, or None while the request is under way."""


class StoredSum(NamedTuple):
    """The number of replies stored for a caller in a day, and the bytes that they take."""

    replies: int = 0
    size: int = 0


class ReplyStore(Protocol):
    """A store of replies; each method is atomic, or raises StoreDown."""

    def begin(self, name: bytes, request_digest: bytes, now: int) -> StoredReply | None:
        """Return the entry under a name; where there is none, enter the request as under way and return None."""

    def end(self, name: bytes, caller: bytes, reply: bytes, now: int) -> None:
        """Store the reply of a request for a day, and add it to the sum of its caller."""

    def drop(self, name: bytes) -> None:
        """Delete the entry of a request that has committed nothing."""

    def stored_today(self, caller: bytes, now: int) -> StoredSum:
        """Return what was stored for a caller today, UTC."""

    def sweep(self, now: int) -> int:
        """Delete expired entries and return their number."""


class SqliteReplyStore(Store):
    """The replies of one host."""

    SCHEMA = """
        pragma journal_mode = wal;
        begin immediate;
        create table if not exists replies (
            name blob primary key, asked blob not null, reply blob, ends integer not null
        ) strict, without rowid;
        create table if not exists stored (
            caller blob, day integer, replies integer not null, size integer not null, primary key (caller, day)
        ) strict, without rowid;
        commit;
    """
    SWEEPS = (
        "delete from replies where name in (select name from replies where ends <= ? limit 1000)",
        f"delete from stored where (day + 1) * {REPLIES.seconds} <= ?",
    )

    def begin(self, name: bytes, request_digest: bytes, now: int) -> StoredReply | None:
        """Return the entry under a name; where there is none, enter the request as under way and return None."""
        with self._database as db:
            # A lease that ends too far ahead was written by a clock that was wrong, and is taken over.
            begun = db.execute(
                "insert into replies (name, asked, ends) values (?1, ?2, ?3) on conflict (name) do update"
                " set asked = excluded.asked, reply = null, ends = excluded.ends"
                " where ends <= ?4 or (reply is null and ends > ?5) returning 1",
                (name, request_digest, now + LEASE_SECONDS, now, now + LEASE_SECONDS + MAX_CLOCK_SKEW_SECONDS),
            ).fetchall()
            if begun:
                return None
            stored: StoredReply = db.execute("select asked, reply from replies where name = ?", (name,)).fetchone()
            return stored

    def end(self, name: bytes, caller: bytes, reply: bytes, now: int) -> None:
        """Store the reply of a request for a day, and add it to the sum of its caller."""
        with self._transaction() as db:
            db.execute("update replies set reply = ?, ends = ? where name = ?", (reply, now + REPLIES.seconds, name))
            db.execute(
                "insert into stored (caller, day, replies, size) values (?, ?, 1, ?) on conflict (caller, day)"
                " do update set replies = replies + 1, size = size + excluded.size",
                (caller, now // REPLIES.seconds, len(reply) + ENTRY_BYTES),
            )

    def drop(self, name: bytes) -> None:
        """Delete the entry of a request that has committed nothing."""
        self._run("delete from replies where name = ?", (name,))

    def stored_today(self, caller: bytes, now: int) -> StoredSum:
        """Return what was stored for a caller today, UTC."""
        sql = "select replies, size from stored where caller = ? and day = ?"
        row = self._one(sql, (caller, now // REPLIES.seconds))
        return StoredSum(*row) if row else StoredSum()


class Caller(NamedTuple):
    """The caller that may repeat a request: a client, or one of its devices."""

    client: str
    device: int | None = None
    max_bytes: int = MAX_BYTES_PER_DAY
    """The bytes of replies that may be stored for it in a day."""

    seat: str = ""
    """The token of the seat for which it asks, or the generation of its cookie.

    What one holder of a seat was told is not repeated to another.
    """

    @property
    def name(self) -> str:
        return self.client if self.device is None else f"{self.client} device {self.device}"


class Idempotency:
    """The stored replies of an installation, encrypted, and bound to caller, route and key."""

    def __init__(self, store: ReplyStore, key: bytes) -> None:
        self._store = store
        # Two keys are derived, so that names and ciphertexts are never made with the same one.
        self._key = blake2b(b"names of idempotent replies", key=key, digest_size=32).digest()
        self._cipher = AESGCMSIV(blake2b(b"idempotent replies", key=key, digest_size=32).digest())

    def run(self, caller: Caller, route: str, key: str, body: bytes, act: Callable[[], Reply], now: int) -> Reply:
        """Return the reply that is stored under a key, or act and store the reply."""
        begun = self.begin(caller, route, key, body, now)
        if isinstance(begun, Reply):
            return begun
        try:
            reply = act()
        except BaseException:
            # The key has to become free again, but the error of the action is the one to report.
            with suppress(StoreDown):
                self.end(caller, begun, None, now)
            raise
        try:
            self.end(caller, begun, reply, now)
        except StoreDown as err:
            # The action has been carried out and charged, so its reply is sent though it could not be stored.
            _log.warning("a reply was sent but not stored: a repeat under its idempotency key runs again: %s", err)
        return reply

    def begin(self, caller: Caller, route: str, key: str, body: bytes, now: int) -> bytes | Reply:
        """Return the reply of an earlier request, or the name under which this request is under way from now on.

        Raises a Problem where the request is under way already, or the key came with another body before.
        """
        if not (1 <= len(key) <= MAX_KEY_LENGTH and key.isascii() and key.isprintable()):
            expected = f"1 to {MAX_KEY_LENGTH} printable ASCII characters"
            raise bad_request(f"Idempotency-Key: got {describe_value(key)}, expected {expected}")
        # A body is hashed as hex digits, for its bytes may include the separator of the parts.
        name = self._tag(caller.name, caller.seat, route, key)
        request_digest = self._tag(caller.name, route, body.hex())
        stored = self._store.begin(name, request_digest, now)
        if stored is None:
            # What is under way meanwhile may exceed the limits a little.
            replies, size = self._store.stored_today(self._tag(caller.name), now)
            if replies < MAX_REPLIES_PER_DAY and size < caller.max_bytes:
                return name
            self._store.drop(name)
            raise Problem(
                "budget-spent",
                f"{MAX_REPLIES_PER_DAY} replies and {caller.max_bytes} bytes of them are stored for a caller in a day;"
                " a request without an Idempotency-Key needs none",
                retry_after=REPLIES.seconds - now % REPLIES.seconds,
                budget="replies",
            )
        earlier_digest, ciphertext = stored
        if earlier_digest != request_digest:
            raise Problem("idempotency-key-reused", "this Idempotency-Key came with another body before")
        if ciphertext is None:
            raise Problem("under-way", "the request with this Idempotency-Key is under way", retry_after=1)
        try:
            plain = self._cipher.decrypt(ciphertext[:_NONCE_BYTES], ciphertext[_NONCE_BYTES:], name)
        except InvalidTag:
            # The entry is damaged. Running the request again could carry it out twice.
            raise Problem("under-way", "the reply was lost, the key is free in a day", retry_after=1) from None
        # An earlier program stored a status and headers before the body; they follow from the action.
        return Reply(msgspec.msgpack.decode(plain, type=tuple[Any, Any, bytes])[2], is_repeated=True)

    def end(self, caller: Caller, name: bytes, reply: Reply | None, now: int) -> None:
        """Store a reply; None has committed nothing and frees the name."""
        if reply is None:
            self._store.drop(name)
            return
        nonce = os.urandom(_NONCE_BYTES)
        # The name is authenticated too, so that a reply cannot be moved to another request.
        plain = msgspec.msgpack.encode((None, None, reply.body))
        self._store.end(name, self._tag(caller.name), nonce + self._cipher.encrypt(nonce, plain, name), now)

    def _tag(self, *parts: str) -> bytes:
        return blake2b("\x1f".join(parts).encode(), key=self._key, digest_size=16).digest()
