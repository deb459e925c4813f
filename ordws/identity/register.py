"""The clients of one installation and the form of their keys, of which it stores keyed digests alone.

A key is a prefix, 256 random bits, and a checksum that catches typing errors.
"""

from __future__ import annotations

import json
import secrets
import shlex
import sqlite3
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from ordws.client_kinds import CLIENT_KINDS, ClientKind
from ordws.errors import BadInput
from ordws.identity.schema import RegisterStore

LIVE_PREFIX: Final = "ordws_live_"
TEST_PREFIX: Final = "ordws_test_"
_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_PAIRS: Final = tuple(high + low for high in _DIGITS for low in _DIGITS)
SECRET_BYTES: Final = 32
_SECRET_LENGTH: Final = 43  # 62 ** 43 > 2 ** 256
_CHECKSUM_LENGTH: Final = 6  # 62 ** 6 > 2 ** 32
_LENGTH: Final = len(LIVE_PREFIX) + _SECRET_LENGTH + _CHECKSUM_LENGTH


def write_key(secret: bytes, *, test: bool = False) -> str:
    """Write 32 secret bytes as a key; a test key is for the toy word set and touches no live meter."""
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a key carries {SECRET_BYTES} bytes, not {len(secret)}")
    number, digits = int.from_bytes(secret, "big"), ""
    while len(digits) < _SECRET_LENGTH:
        number, digit = divmod(number, 62)
        digits = _DIGITS[digit] + digits
    unchecked = (TEST_PREFIX if test else LIVE_PREFIX) + digits
    return unchecked + _checksum(unchecked)


def is_key(text: str) -> bool:
    """Return True where the prefix, the length and the checksum are those of a key, registered or not."""
    return (
        len(text) == _LENGTH
        and text.isascii()
        and text.startswith((LIVE_PREFIX, TEST_PREFIX))
        and _checksum(text[:-_CHECKSUM_LENGTH]) == text[-_CHECKSUM_LENGTH:]
    )


def _checksum(text: str) -> str:
    """Return the CRC-32 of a text as six digits of base 62."""
    number = zlib.crc32(text.encode("ascii"))
    # Two digits at a time, from a table: a request with a key that is not cached computes it.
    return _PAIRS[number // 62**4] + _PAIRS[number // 62**2 % 62**2] + _PAIRS[number % 62**2]


Scope: TypeAlias = Literal["judge", "game", "tournament"]
"""A permission: to have words and plays judged, games played on the server, or an event's games opened and read."""

SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
DEFAULT_SCOPES: Final[tuple[Scope, ...]] = ("judge", "game")
OPERATORS_SCOPE: Final[Scope] = "tournament"
"""The scope that operators alone may have: the games of an event are charged to its players."""
MAX_NAME_LENGTH: Final = 64
MAX_UNITS: Final = 1_000_000
MAX_LIVE_KEYS: Final = 2
_SCHEME: Final = "Bearer "
_MAX_CACHED: Final = 16_384
FRESH_SECONDS: Final = 0.01
"""The time for which cached holders of keys are used without another look at the file."""
_STALE_SECONDS: Final = 0.1
"""The same while a thread looks: under overload hundreds would wait for the lock of the connection."""
CLIENT_COLUMNS: Final = "clients.id, name, kind, clients.created, clients.revoked, verified, units, scopes, is_test"
_FIND_HOLDER: Final = (
    f"select {CLIENT_COLUMNS}, expires from keys join clients on clients.id = keys.client"
    " where digest = ? and keys.revoked is null and clients.revoked is null"
)
LIVE_KEY_SQL: Final = "keys.revoked is null and (expires is null or expires > :now)"
"""The SQL condition that a key is live at the time `:now`."""
_FIND_LIVE: Final = (
    f"select {CLIENT_COLUMNS} from clients where id = :client and revoked is null"
    f" and exists (select 1 from keys where keys.client = :client and {LIVE_KEY_SQL})"
)


class Device(NamedTuple):
    """A phone or tablet that sends a client's requests without its key, until a director revokes it."""

    id: int
    table: str
    """The name of the table where it lies."""
    paired: int
    is_logged: bool
    """True where the director wanted a log of the questions it asks."""
    is_director: bool = False
    """True where it is the director's own, which looks over finished boards."""
    seen: int | None = None
    """The time of its last request, to within `SEEN_SECONDS`; None before the first."""
    signing_key: bytes | None = None
    """The public key that it registered, as `DeviceKey` reads it; None before it did."""


class RegisteredClient(NamedTuple):
    """A registered client; times are in seconds since 1970."""

    id: int
    name: str
    kind: str
    """The name of its kind."""
    created: int
    revoked: int | None
    verified: int | None
    units: int | None
    """An operator's daily total, where a keeper has set one; otherwise the policy's applies."""
    scopes: frozenset[Scope]
    is_test: bool
    """True for a client of the toy word set, which touches no live meter."""
    device: Device | None = None
    """The device that sends the request, where it is not the client itself."""

    @property
    def terms(self) -> ClientKind:
        """The kind, with all that holds for its clients."""
        return CLIENT_KINDS[self.kind]


class KeyInfo(NamedTuple):
    """The dates of a key, without anything of the key itself."""

    created: int
    expires: int | None
    """The first second at which the key is invalid; None where it never expires."""


class _KeyHolder(NamedTuple):
    """A key as it is cached: its client, and the time when it expires."""

    client: RegisteredClient
    expires: int | None


class Register(RegisterStore):
    """The clients of one installation. Keys are random, so a keyed digest is enough to protect them at rest."""

    def __init__(self, path: Path, pepper: bytes) -> None:
        super().__init__(path, pepper)
        self._cache_hash = blake2b(key=pepper, digest_size=32, person=b"remembered")
        self._holders: dict[bytes, _KeyHolder] = {}
        self._found_before: set[bytes] = set()
        """The keys that were good when they were looked up last, by their digests in the cache."""
        self._cache_version: tuple[Any, ...] = ()
        self._fresh_since = float("-inf")
        self._is_refreshing = False

    def add(
        self,
        name: str,
        kind: str,
        now: int,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        *,
        test: bool = False,
        scopes: Collection[Scope] = DEFAULT_SCOPES,
        units: int | None = None,
        expires: int | None = None,
    ) -> str:
        """Register a client and return its first key, of which only a digest is stored."""
        if not (1 <= len(name) <= MAX_NAME_LENGTH and name.isprintable()):
            raise BadInput(f"a client name has 1 to {MAX_NAME_LENGTH} printable characters, not {json.dumps(name)}")
        _check_units(name, kind, units)
        if not scopes:
            raise BadInput(f"client {json.dumps(name)} has no scope, one of {', '.join(SCOPES)} was expected")
        if OPERATORS_SCOPE in scopes:
            _check_operator(name, kind)
        key = write_key(random_bytes(SECRET_BYTES), test=test)
        row = (name, kind, now, units, " ".join(sorted(scopes)), test)
        with self._transaction() as db:
            added = db.execute(
                "insert into clients (name, kind, created, units, scopes, is_test) values (?, ?, ?, ?, ?, ?)"
                " on conflict (name) do nothing returning id",
                row,
            ).fetchone()
            if added is None:
                taken = f"there is a client {json.dumps(name)} already"
                raise BadInput(taken, hint="the name of a revoked client cannot be used again")
            self._insert_key(db, added[0], key, now, expires)
        return key

    def add_key(
        self,
        name: str,
        now: int,
        expires: int | None = None,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> str:
        """Give a client one more key and return it; its other keys stay valid, so that it can switch when it likes."""
        with self._change_client(name) as (db, client):
            if client.revoked is not None:
                raise BadInput(f"client {json.dumps(name)} is revoked", hint="ordws clients add, under another name")
            parameters = {"id": client.id, "now": now}
            live = db.execute(f"select id from keys where client = :id and {LIVE_KEY_SQL}", parameters).fetchall()
            if len(live) >= MAX_LIVE_KEYS:
                hint = f"ordws clients revoke {shlex.quote(name)} --old-keys"
                raise BadInput(f"client {json.dumps(name)} has {MAX_LIVE_KEYS} live keys already", hint=hint)
            key = write_key(random_bytes(SECRET_BYTES), test=client.is_test)
            self._insert_key(db, client.id, key, now, expires)
        return key

    def revoke_old_keys(self, name: str, now: int) -> int:
        """Revoke all live keys of the client but the newest one, and return their number.

        Unused pairing codes are deleted, for a leaked key may have issued them; paired devices stay valid.
        """
        with self._change_client(name) as (db, client):
            db.execute("delete from codes where client = ?", (client.id,))
            return db.execute(
                f"update keys set revoked = :now where client = :id and {LIVE_KEY_SQL}"
                f" and id < (select max(id) from keys where client = :id and {LIVE_KEY_SQL})",
                {"id": client.id, "now": now},
            ).rowcount

    def list(self) -> tuple[RegisteredClient, ...]:
        """Return all clients, revoked ones too, in the order they were added."""
        return tuple([read_client(row) for row in self._all(f"select {CLIENT_COLUMNS} from clients order by id")])

    def live_keys(self, now: int) -> Mapping[int, tuple[KeyInfo, ...]]:
        """Return the keys that are valid now, oldest first, by the ids of their clients."""
        keys: dict[int, tuple[KeyInfo, ...]] = {}
        for client, created, expires in self._all(
            "select client, keys.created, expires from keys join clients on clients.id = keys.client"
            f" where clients.revoked is null and {LIVE_KEY_SQL} order by keys.id",
            {"now": now},
        ):
            keys[client] = (*keys.get(client, ()), KeyInfo(created, expires))
        return keys

    def revoke(self, name: str, now: int) -> None:
        """Revoke a client with all its keys; revoking twice keeps the first date."""
        with self._change_client(name) as (db, client):
            db.execute("update clients set revoked = coalesce(revoked, ?) where id = ?", (now, client.id))

    def verify(self, name: str, now: int) -> None:
        """Note that a keeper knows who this client is; verifying twice keeps the first date."""
        with self._change_client(name) as (db, client):
            db.execute("update clients set verified = coalesce(verified, ?) where id = ?", (now, client.id))

    def unverify(self, name: str) -> None:
        """Take back that a keeper knows who this client is."""
        with self._change_client(name) as (db, client):
            db.execute("update clients set verified = null where id = ?", (client.id,))

    def set_units(self, name: str, units: int | None) -> None:
        """Set an operator's daily total over all its players; None restores the policy's."""
        with self._change_client(name) as (db, client):
            _check_units(name, client.kind, units)
            db.execute("update clients set units = ? where id = ?", (units, client.id))

    def add_scope(self, name: str, scope: Scope) -> None:
        """Let a client do what a scope allows; twice changes nothing more."""
        with self._change_client(name) as (db, client):
            if scope == OPERATORS_SCOPE:
                _check_operator(name, client.kind)
            self._write_scopes(db, client, client.scopes | {scope})

    def remove_scope(self, name: str, scope: Scope) -> None:
        """Take a scope back; raise BadInput where it is the last one, since a client may do something or is revoked."""
        with self._change_client(name) as (db, client):
            if client.scopes <= {scope}:
                raise BadInput(f"client {json.dumps(name)} would have no scope left", hint="ordws clients revoke")
            self._write_scopes(db, client, client.scopes - {scope})

    def identify(self, authorization: str, now: int, *, may_search: bool = True) -> RegisteredClient | None:
        """Return the client whose key is in an Authorization header; None for every kind of invalid header or key.

        Without `may_search` only keys that were good before are looked up.

        Keys are compared by digests under a secret pepper, so that the timing reveals nothing about any key. What
        another process has changed is seen after `FRESH_SECONDS`, and under overload after a tenth of a second.
        """
        key = authorization[len(_SCHEME) :].strip()
        if authorization[: len(_SCHEME)].lower() != _SCHEME.lower():
            return None
        # BLAKE2b takes a quarter of the time of the stored digest, HMAC-SHA256, which is computed on a cache miss.
        keyed = self._cache_hash.copy()
        keyed.update(key.encode("utf-8", "surrogatepass"))
        cache_key = keyed.digest()
        holder = self._holders.get(cache_key)
        if holder is None and not ((may_search or cache_key in self._found_before) and is_key(key)):
            return None
        age = monotonic() - self._fresh_since
        if holder is None or age >= (_STALE_SECONDS if self._is_refreshing else FRESH_SECONDS):
            holder = self._find_holder(cache_key, key)
        return None if holder is None or (holder.expires is not None and holder.expires <= now) else holder.client

    def _find_holder(self, cache_key: bytes, key: str) -> _KeyHolder | None:
        """Return the holder of a key as the file has it now, and empty the cache if the file has changed."""
        self._is_refreshing = True
        try:
            with self._database as db:
                began = monotonic()
                version = (db, db.total_changes, *db.execute("pragma data_version").fetchone())
                if version != self._cache_version or len(self._holders) >= _MAX_CACHED:
                    self._cache_version, self._holders = version, {}
                    if len(self._found_before) >= _MAX_CACHED:
                        self._found_before = set()
                holder = self._holders.get(cache_key)
                if holder is None and (row := db.execute(_FIND_HOLDER, (self._digest(key),)).fetchone()) is not None:
                    holder = self._holders[cache_key] = _KeyHolder(read_client(row[:-1]), row[-1])
                if holder is None:
                    self._found_before.discard(cache_key)
                else:
                    self._found_before.add(cache_key)
                self._fresh_since = began
        finally:
            self._is_refreshing = False
        return holder

    def find(self, client: int, now: int) -> RegisteredClient | None:
        """Return the client with this id; None where it is revoked, or has no live key."""
        row = self._one(_FIND_LIVE, {"client": client, "now": now})
        return None if row is None else read_client(row)

    def check(self) -> None:
        """Raise StoreDown where the register does not answer."""
        self._one("select clients.id, keys.id from clients, keys limit 1")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection for a transaction that is committed at the end, and rolled back by an exception."""
        with super()._transaction() as db:
            yield db
        self._fresh_since = float("-inf")

    @contextmanager
    def _change_client(self, name: str) -> Iterator[tuple[sqlite3.Connection, RegisteredClient]]:
        """Lend the connection for a transaction, with the client of this name; raise BadInput where there is none."""
        with self._transaction() as db:
            row = db.execute(f"select {CLIENT_COLUMNS} from clients where name = ?", (name,)).fetchone()
            if row is None:
                raise BadInput(f"there is no client {json.dumps(name)}", hint="ordws clients list")
            yield db, read_client(row)

    def _insert_key(self, db: sqlite3.Connection, client: int, key: str, now: int, expires: int | None) -> None:
        row = (self._digest(key), client, now, expires)
        db.execute("insert into keys (digest, client, created, expires) values (?, ?, ?, ?)", row)

    def _write_scopes(self, db: sqlite3.Connection, client: RegisteredClient, scopes: Collection[Scope]) -> None:
        db.execute("update clients set scopes = ? where id = ?", (" ".join(sorted(scopes)), client.id))


def read_client(row: Sequence[Any]) -> RegisteredClient:
    """Return the client in a row of `CLIENT_COLUMNS`."""
    *columns, scopes, is_test = row
    return RegisteredClient._make((*columns, frozenset(scopes.split()), bool(is_test), None))


def _check_operator(name: str, kind: str) -> None:
    """Raise BadInput for a client other than an operator that is given the scope of operators."""
    if not CLIENT_KINDS[kind].names_players:
        raise BadInput(f"client {json.dumps(name)} is of kind {kind}: only operators have the scope {OPERATORS_SCOPE}")


def _check_units(name: str, kind: str, units: int | None) -> None:
    """Raise BadInput for a daily total that is out of range, or that a client other than an operator is given."""
    if units is None:
        return
    if not CLIENT_KINDS[kind].names_players:
        raise BadInput(f"client {json.dumps(name)} is of kind {kind}: only operators have a daily total")
    if not 0 <= units <= MAX_UNITS:
        raise BadInput(f'a daily total is 0 to {MAX_UNITS:,} units, not "{units}"')
