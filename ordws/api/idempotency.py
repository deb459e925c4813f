"""Requests that commit something and come twice get one answer. (GUARD, decision 15)

A caller who lost an answer sends the request again under the same Idempotency-Key. Answers are kept for a day, under
a key of this installation, by names that tell neither caller nor request.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple, Protocol, TypeAlias

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from ordws.api.problems import Problem
from ordws.api.replies import Reply
from ordws.database import Database

RETENTION_SECONDS: Final = 86_400
LEASE_SECONDS: Final = 5
"""How long a request is taken to be under way; who was killed meanwhile is not heard of again."""

MAX_CLOCK_SKEW_SECONDS: Final = 60
"""By how much the clock of another host, or of a request that waited less, may be ahead: a lease further on is void."""

MAX_KEY_LENGTH: Final = 255
REPLAYED_HEADER: Final = ("Idempotent-Replayed", "true")
MAX_REPLIES_PER_DAY: Final = 10_000
"""Answers that one process keeps for one client, with its devices, in a day: they take room, whatever they cost."""

_NONCE_BYTES: Final = 12
_SWEEP_BATCH: Final = 1_000
_SCHEMA: Final = """
    pragma journal_mode = wal;
    begin immediate;
    create table if not exists replies (name blob primary key, asked blob not null, reply blob, ends integer not null)
        strict, without rowid;
    commit;
"""

StoredReply: TypeAlias = tuple[bytes, bytes | None]
"""The digest of what was asked, and the sealed reply, or None while it is under way."""


class ReplyStore(Protocol):
    """Where replies stand; each verb is atomic, or raises StoreDown."""

    def begin(self, name: bytes, request_digest: bytes, now: int) -> StoredReply | None:
        """What stands under a name; where nothing does, the request is noted as under way, and None returned."""

    def finish(self, name: bytes, reply: bytes, now: int) -> None:
        """Keep a reply for a day."""

    def drop(self, name: bytes) -> None:
        """Forget a request that has committed nothing."""

    def sweep(self, now: int) -> int:
        """Forget what has ended; returns how much that was."""


class SqliteReplyStore:
    """Replies of one host."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path)

    @classmethod
    def create(cls, path: Path) -> SqliteReplyStore:
        """The store at path, made there if there is none."""
        store = cls(path)
        store._database.create(_SCHEMA)
        return store

    def close(self) -> None:
        self._database.close()

    def begin(self, name: bytes, request_digest: bytes, now: int) -> StoredReply | None:
        """What stands under a name; where nothing does, the request is noted as under way, and None returned."""
        with self._database as db:
            begun = db.execute(
                "insert into replies (name, asked, ends) values (?1, ?2, ?3) on conflict (name) do update"
                " set asked = excluded.asked, reply = null, ends = excluded.ends"
                " where ends <= ?4 or (reply is null and ends > ?5) returning 1",
                (name, request_digest, now + LEASE_SECONDS, now, now + LEASE_SECONDS + MAX_CLOCK_SKEW_SECONDS),
            ).fetchall()
            if begun:
                return None
            found: StoredReply = db.execute("select asked, reply from replies where name = ?", (name,)).fetchone()
            return found

    def finish(self, name: bytes, reply: bytes, now: int) -> None:
        """Keep a reply for a day."""
        with self._database as db:
            db.execute("update replies set reply = ?, ends = ? where name = ?", (reply, now + RETENTION_SECONDS, name))

    def drop(self, name: bytes) -> None:
        """Forget a request that has committed nothing."""
        with self._database as db:
            db.execute("delete from replies where name = ?", (name,))

    def sweep(self, now: int) -> int:
        """Forget what has ended; returns how much that was."""
        swept = 0
        while True:
            with self._database as db:
                ended = db.execute("select name from replies where ends <= ? limit ?", (now, _SWEEP_BATCH)).fetchall()
                db.execute("begin immediate")
                db.executemany("delete from replies where name = ?", ended)
                db.execute("commit")
            swept += len(ended)
            if len(ended) < _SWEEP_BATCH:
                return swept


class Caller(NamedTuple):
    """Who may ask for an answer again: a client, or one of its devices."""

    client: str
    device: int | None = None

    @property
    def name(self) -> str:
        return self.client if self.device is None else f"{self.client} device {self.device}"


class Idempotency:
    """The answers that may be asked for again."""

    def __init__(self, store: ReplyStore, key: bytes) -> None:
        self._store = store
        self._key = blake2b(b"names of idempotent replies", key=key, digest_size=32).digest()
        self._lock = threading.Lock()
        self._day, self._begun_by_client = -1, Counter[str]()
        self._cipher = AESGCMSIV(blake2b(b"idempotent replies", key=key, digest_size=32).digest())

    def begin(self, caller: Caller, route: str, key: str, body: bytes, now: int) -> bytes | Reply:
        """The answer that was given, or the name under which this request is under way from now on.

        A Problem where it is under way already, or the key came with another body before.
        """
        if not (1 <= len(key) <= MAX_KEY_LENGTH and key.isascii() and key.isprintable()):
            raise Problem("bad-request", f"an Idempotency-Key has 1 to {MAX_KEY_LENGTH} printable ASCII characters")
        if not self._count_against_limit(caller.client, now):
            raise Problem(
                "budget-spent",
                f"{MAX_REPLIES_PER_DAY} answers a day are kept; without an Idempotency-Key none is",
                ("Retry-After", str(RETENTION_SECONDS - now % RETENTION_SECONDS)),
                budget="replies",
            )
        name, asked = self._tag(caller.name, route, key), self._tag(caller.name, route, body.hex())
        found = self._store.begin(name, asked, now)
        if found is None:
            return name
        before, sealed = found
        if before != asked:
            raise Problem("idempotency-key-reused", "this Idempotency-Key came with another body before")
        if sealed is None:
            raise Problem("under-way", "the request with this Idempotency-Key is under way", ("Retry-After", "1"))
        return self._open(name, sealed)

    def end(self, name: bytes, reply: Reply | None, now: int) -> None:
        """Keep a reply that tells of something committed; None, or a refusal, has committed nothing."""
        if reply is None or not 200 <= reply.status < 300:
            self._store.drop(name)
        else:
            nonce = os.urandom(_NONCE_BYTES)
            self._store.finish(name, nonce + self._cipher.encrypt(nonce, msgspec.msgpack.encode(reply), name), now)

    def sweep(self, now: int) -> int:
        return self._store.sweep(now)

    def _count_against_limit(self, client: str, now: int) -> bool:
        day = now // RETENTION_SECONDS
        with self._lock:
            if self._day != day:
                self._day, self._begun_by_client = day, Counter()
            self._begun_by_client[client] += 1
            return self._begun_by_client[client] <= MAX_REPLIES_PER_DAY

    def _open(self, name: bytes, sealed: bytes) -> Reply:
        try:
            plain = self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], name)
        except InvalidTag:
            raise Problem("under-way", "the answer was lost, the key is free in a day", ("Retry-After", "1")) from None
        status, headers, body = msgspec.msgpack.decode(plain, type=tuple[int, tuple[tuple[str, str], ...], bytes])
        return Reply(status, (*headers, REPLAYED_HEADER), body)

    def _tag(self, *parts: str) -> bytes:
        return blake2b("\x1f".join(parts).encode(), key=self._key, digest_size=16).digest()
