"""Who may ask: the clients of one installation, their keys known by their digests alone."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from ordws.database import Database
from ordws.errors import BadInput, Broken, Missing
from ordws.identity.key import SECRET_BYTES, is_key, write_key

Kind: TypeAlias = Literal["home", "operator"]
"""A home key asks for itself; an operator's asks for players, each under a pseudonym."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
LONGEST_NAME: Final = 64
PEPPER_BYTES: Final = 32
_SCHEME: Final = "Bearer "
_SCHEMA: Final = """
    pragma journal_mode = wal;
    begin immediate;
    create table if not exists clients (
        id integer primary key autoincrement,
        name text not null unique,
        kind text not null,
        digest blob not null unique,
        created integer not null,
        revoked integer,
        verified integer
    ) strict;
    commit;
"""
_INSERT: Final = (
    "insert into clients (name, kind, digest, created) values (?, ?, ?, ?) on conflict (name) do nothing"
)
_COLUMNS: Final = "id, name, kind, created, revoked, verified"


class Client(NamedTuple):
    """One registered client; times are in seconds since 1970."""

    id: int
    name: str
    kind: Kind
    created: int
    revoked: int | None
    verified: int | None


class Register:
    """The clients of one installation. Keys are random, so a keyed digest protects them at rest."""

    def __init__(self, database: Database, pepper: bytes) -> None:
        if len(pepper) != PEPPER_BYTES:
            raise Broken(f"the pepper has {len(pepper)} bytes, {PEPPER_BYTES} were expected")
        self._database = database
        self._hmac = hmac.new(pepper, digestmod="sha256")

    @classmethod
    def create(cls, path: Path, pepper: bytes) -> Register:
        """The register at path, made there if there is none."""
        database = Database(path)
        database.create(_SCHEMA)
        return cls(database, pepper)

    @classmethod
    def open(cls, path: Path, pepper: bytes) -> Register:
        """The register that stands at path."""
        if not path.exists():
            raise Missing(f'no register of clients at "{path}"', hint="ordws init")
        return cls(Database(path), pepper)

    def close(self) -> None:
        self._database.close()

    def add(self, name: str, kind: Kind, now: int, chance: Callable[[int], bytes] = secrets.token_bytes) -> str:
        """Register a client and return its key, which is kept nowhere."""
        if not (1 <= len(name) <= LONGEST_NAME and name.isprintable()):
            raise BadInput(f'a client name has 1 to {LONGEST_NAME} printable characters, not {json.dumps(name)}')
        key = write_key(chance(SECRET_BYTES))
        row = (name, kind, self._digest(key), now)
        with self._database as db:
            added = db.execute(_INSERT, row).rowcount
        if not added:
            taken = f"there is a client {json.dumps(name)} already"
            raise BadInput(taken, hint="names of revoked clients are not given again")
        return key

    def list(self) -> tuple[Client, ...]:
        """All clients, also revoked ones, in the order they were added."""
        with self._database as db:
            return tuple(Client(*row) for row in db.execute(f"select {_COLUMNS} from clients order by id"))

    def revoke(self, name: str, now: int) -> None:
        """From now on the client's key is unknown; revoking twice keeps the first date."""
        self._stamp("update clients set revoked = coalesce(revoked, ?) where name = ?", name, now)

    def verify(self, name: str, now: int) -> None:
        """A keeper knows who this client is; verifying twice keeps the first date."""
        self._stamp("update clients set verified = coalesce(verified, ?) where name = ?", name, now)

    def identify(self, authorization: str) -> Client | None:
        """The client that an Authorization header speaks for; None for every kind of no.

        The file is asked each time, so that a revoked key stops at once in all workers. The comparison is by
        an index over digests under a secret pepper: its timing tells nothing of any key.
        """
        key = authorization[len(_SCHEME) :].strip()
        if authorization[: len(_SCHEME)].lower() != _SCHEME.lower() or not is_key(key):
            return None
        with self._database as db:
            row = db.execute(
                f"select {_COLUMNS} from clients where digest = ? and revoked is null", (self._digest(key),)
            ).fetchone()
        return None if row is None else Client(*row)

    def check(self) -> None:
        """Raises StoreDown where the register does not answer."""
        with self._database as db:
            db.execute("select id from clients limit 1").fetchone()

    def _stamp(self, update: str, name: str, now: int) -> None:
        with self._database as db:
            known = db.execute(update, (now, name)).rowcount
        if not known:
            raise BadInput(f'there is no client {json.dumps(name)}', hint="ordws clients list")

    def _digest(self, key: str) -> bytes:
        keyed = self._hmac.copy()  # half the time of a new one
        keyed.update(key.encode("ascii"))
        return keyed.digest()
