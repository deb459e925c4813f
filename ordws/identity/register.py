"""Who may ask: the clients of one installation, their keys known by their digests alone."""

from __future__ import annotations

import hmac
import json
import secrets
import shlex
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from ordws.database import Database
from ordws.errors import BadInput, Broken, Missing
from ordws.identity import schema
from ordws.identity.client_key import SECRET_BYTES, is_key, write_key

ClientKind: TypeAlias = Literal["home", "operator"]
"""A home key asks for itself; an operator's asks for players, each under a pseudonym."""

Scope: TypeAlias = Literal["judge", "game"]
"""What a client may do: have words and plays judged, and have games played on the server."""

CLIENT_KINDS: Final[tuple[ClientKind, ...]] = get_args(ClientKind)
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
MAX_NAME_LENGTH: Final = 64
MAX_UNITS: Final = 1_000_000
MAX_LIVE_KEYS: Final = 2
PEPPER_BYTES: Final = 32
_SCHEME: Final = "Bearer "
_MAX_CACHED: Final = 16_384
CLIENT_COLUMNS: Final = "clients.id, name, kind, clients.created, clients.revoked, verified, units, scopes, is_test"
_FIND_HOLDER: Final = (
    f"select {CLIENT_COLUMNS}, expires from keys join clients on clients.id = keys.client"
    " where digest = ? and keys.revoked is null and clients.revoked is null"
)
LIVE_KEY_SQL: Final = "keys.revoked is null and (expires is null or expires > :now)"
"""Of a key, in SQL, at the moment `:now`."""


class Device(NamedTuple):
    """A phone or tablet on which a client asks without its key, as long as a director lets it."""

    id: int
    table: str
    """The name of the place where it lies."""
    paired: int
    is_logged: bool
    """Whether the director wanted to have a log of what it asks."""


class RegisteredClient(NamedTuple):
    """One registered client; times are in seconds since 1970."""

    id: int
    name: str
    kind: ClientKind
    created: int
    revoked: int | None
    verified: int | None
    units: int | None
    """An operator's daily total, where a keeper has set one; else the policy's holds."""
    scopes: frozenset[Scope]
    is_test: bool
    """A test client asks a toy set and touches no live meter."""
    device: Device | None = None
    """The device that asks in its name, where it is not the client itself."""


class KeyInfo(NamedTuple):
    """A key that a client has, without anything of the key itself."""

    created: int
    expires: int | None
    """The first second at which it is unknown; None where it never ends."""


class _KeyHolder(NamedTuple):
    client: RegisteredClient
    expires: int | None


class Register:
    """The clients of one installation. Keys are random, so a keyed digest protects them at rest."""

    def __init__(self, database: Database, pepper: bytes) -> None:
        if len(pepper) != PEPPER_BYTES:
            raise Broken(f"the pepper has {len(pepper)} bytes, {PEPPER_BYTES} were expected")
        self._database = database
        self._hmac = hmac.new(pepper, digestmod="sha256")
        self._cache_hash = blake2b(key=pepper, digest_size=32, person=b"remembered")
        self._holders: dict[bytes, _KeyHolder] = {}
        self._cache_version: tuple[Any, ...] = ()

    @classmethod
    def create(cls, path: Path, pepper: bytes) -> Register:
        """The register at path, made there if there is none."""
        database = Database(path)
        schema.create(database)
        return cls(database, pepper)

    @classmethod
    def open(cls, path: Path, pepper: bytes) -> Register:
        """The register that stands at path, with the tables of today."""
        if not path.exists():
            raise Missing(f'no register of clients at "{path}"', hint="ordws init")
        database = Database(path)
        schema.migrate(database)
        return cls(database, pepper)

    def close(self) -> None:
        self._database.close()

    def add(
        self,
        name: str,
        kind: ClientKind,
        now: int,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        *,
        test: bool = False,
        scopes: Collection[Scope] = SCOPES,
        units: int | None = None,
        expires: int | None = None,
    ) -> str:
        """Register a client and return its first key, which is kept nowhere."""
        _check_name(name)
        _check_units(name, kind, units)
        if not scopes:
            raise BadInput(f"client {json.dumps(name)} has no scope, one of {', '.join(SCOPES)} was expected")
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
                raise BadInput(taken, hint="names of revoked clients are not given again")
            self._insert_key(db, added[0], key, now, expires)
        return key

    def add_key(
        self,
        name: str,
        now: int,
        expires: int | None = None,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> str:
        """Give a client one more key and return it; those it has go on, so that it can change over in its own time."""
        with self._change_client(name) as (db, client):
            if client.revoked is not None:
                raise BadInput(f"client {json.dumps(name)} is revoked", hint="ordws clients add, under another name")
            mine = {"id": client.id, "now": now}
            live = db.execute(f"select id from keys where client = :id and {LIVE_KEY_SQL}", mine).fetchall()
            if len(live) >= MAX_LIVE_KEYS:
                hint = f"ordws clients revoke {shlex.quote(name)} --old-keys"
                raise BadInput(f"client {json.dumps(name)} has {MAX_LIVE_KEYS} live keys already", hint=hint)
            key = write_key(random_bytes(SECRET_BYTES), test=client.is_test)
            self._insert_key(db, client.id, key, now, expires)
        return key

    def revoke_old_keys(self, name: str, now: int) -> int:
        """From now on all keys of the client but the newest live one are unknown; returns how many that stopped.

        No code for a device works any more that any of its keys had given; devices that were paired go on.
        """
        with self._change_client(name) as (db, client):
            db.execute("delete from codes where client = ?", (client.id,))
            return db.execute(
                f"update keys set revoked = :now where client = :id and {LIVE_KEY_SQL}"
                f" and id < (select max(id) from keys where client = :id and {LIVE_KEY_SQL})",
                {"id": client.id, "now": now},
            ).rowcount

    def list(self) -> tuple[RegisteredClient, ...]:
        """All clients, also revoked ones, in the order they were added."""
        with self._database as db:
            return tuple(read_client(row) for row in db.execute(f"select {CLIENT_COLUMNS} from clients order by id"))

    def live_keys(self, now: int) -> Mapping[int, tuple[KeyInfo, ...]]:
        """The keys that are known at this moment, oldest first, by the ids of their clients."""
        found: dict[int, tuple[KeyInfo, ...]] = {}
        with self._database as db:
            for client, created, expires in db.execute(
                "select client, keys.created, expires from keys join clients on clients.id = keys.client"
                f" where clients.revoked is null and {LIVE_KEY_SQL} order by keys.id",
                {"now": now},
            ):
                found[client] = (*found.get(client, ()), KeyInfo(created, expires))
        return found

    def revoke(self, name: str, now: int) -> None:
        """From now on every key of the client is unknown; revoking twice keeps the first date."""
        with self._change_client(name) as (db, client):
            db.execute("update clients set revoked = coalesce(revoked, ?) where id = ?", (now, client.id))

    def verify(self, name: str, now: int) -> None:
        """A keeper knows who this client is; verifying twice keeps the first date."""
        with self._change_client(name) as (db, client):
            db.execute("update clients set verified = coalesce(verified, ?) where id = ?", (now, client.id))

    def unverify(self, name: str) -> None:
        """A keeper does not know any more who this client is."""
        with self._change_client(name) as (db, client):
            db.execute("update clients set verified = null where id = ?", (client.id,))

    def set_units(self, name: str, units: int | None) -> None:
        """Set an operator's daily total over all its players; None gives it the policy's again."""
        with self._change_client(name) as (db, client):
            _check_units(name, client.kind, units)
            db.execute("update clients set units = ? where id = ?", (units, client.id))

    def identify(self, authorization: str, now: int) -> RegisteredClient | None:
        """The client that an Authorization header speaks for; None for every kind of no.

        The comparison is by digests under a secret pepper: its timing tells nothing of any key.
        """
        key = authorization[len(_SCHEME) :].strip()
        if authorization[: len(_SCHEME)].lower() != _SCHEME.lower():
            return None
        brief = self._cache_key(key)
        if brief not in self._holders and not is_key(key):
            return None
        with self._database as db:
            holder = self._cached_holders(db).get(brief) or self._find(db, brief, key)
        if holder is None or (holder.expires is not None and holder.expires <= now):
            return None
        return holder.client

    def check(self) -> None:
        """Raises StoreDown where the register does not answer."""
        with self._database as db:
            db.execute("select clients.id, keys.id from clients, keys limit 1").fetchone()

    def _cached_holders(self, db: sqlite3.Connection) -> dict[bytes, _KeyHolder]:
        """Who was found since the file last changed, by whichever process: a revoked key stops at once in all."""
        state = (db, db.total_changes, *db.execute("pragma data_version").fetchone())
        if state != self._cache_version or len(self._holders) >= _MAX_CACHED:
            self._cache_version, self._holders = state, {}
        return self._holders

    def _find(self, db: sqlite3.Connection, cache_key: bytes, key: str) -> _KeyHolder | None:
        row = db.execute(_FIND_HOLDER, (self._digest(key),)).fetchone()
        if row is None:
            return None
        holder = self._holders[cache_key] = _KeyHolder(read_client(row[:-1]), row[-1])
        return holder

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All that is done within is kept, or nothing of it where it raises."""
        with self._database as db:
            db.execute("begin immediate")
            yield db
            db.execute("commit")

    @contextmanager
    def _change_client(self, name: str) -> Iterator[tuple[sqlite3.Connection, RegisteredClient]]:
        """A transaction about the client of that name."""
        with self._transaction() as db:
            row = db.execute(f"select {CLIENT_COLUMNS} from clients where name = ?", (name,)).fetchone()
            if row is None:
                raise BadInput(f"there is no client {json.dumps(name)}", hint="ordws clients list")
            yield db, read_client(row)

    def _insert_key(self, db: sqlite3.Connection, client: int, key: str, now: int, expires: int | None) -> None:
        row = (self._digest(key), client, now, expires)
        db.execute("insert into keys (digest, client, created, expires) values (?, ?, ?, ?)", row)

    def _cache_key(self, text: str) -> bytes:
        """By what a key is remembered in this process alone: it takes a quarter of the time of its digest."""
        keyed = self._cache_hash.copy()
        keyed.update(text.encode("utf-8", "surrogatepass"))
        return keyed.digest()

    def _digest(self, key: str) -> bytes:
        keyed = self._hmac.copy()  # half the time of a new one
        keyed.update(key.encode("ascii"))
        return keyed.digest()


def read_client(row: Sequence[Any]) -> RegisteredClient:
    """The client in a row of `COLUMNS`."""
    *columns, scopes, is_test = row
    return RegisteredClient._make((*columns, frozenset(scopes.split()), bool(is_test), None))


def _check_name(name: str) -> None:
    if not (1 <= len(name) <= MAX_NAME_LENGTH and name.isprintable()):
        raise BadInput(f"a client name has 1 to {MAX_NAME_LENGTH} printable characters, not {json.dumps(name)}")


def _check_units(name: str, kind: ClientKind, units: int | None) -> None:
    """An operator's total may be set; any other client asks under the policy's numbers alone."""
    if units is None:
        return
    if kind != "operator":
        raise BadInput(f"client {json.dumps(name)} is of kind {kind}: only operators have a daily total")
    if not 0 <= units <= MAX_UNITS:
        raise BadInput(f'a daily total is 0 to {MAX_UNITS:,} units, not "{units}"')
