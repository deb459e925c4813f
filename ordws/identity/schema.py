"""The file of the register, and the base of the stores that have tables in it."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import Final, Self

from ordws.database import Store
from ordws.errors import Broken, Missing

PEPPER_BYTES: Final = 32


class RegisterStore(Store):
    """A store of clients, devices or links, of whose secrets the file has digests under a pepper alone."""

    # Autoincrement: the id of a client or device, or the number of a play link, is never given again, for meters and
    # logs refer to it. The default of the scopes is what clients of registers without scopes may do; new clients have
    # theirs written.
    SCHEMA = """
        pragma journal_mode = wal;
        begin immediate;
        create table if not exists clients (
            id integer primary key autoincrement,
            name text not null unique,
            kind text not null,
            created integer not null,
            revoked integer,
            verified integer,
            units integer,
            scopes text not null default 'game judge',
            is_test integer not null default 0
        ) strict;
        create table if not exists keys (
            id integer primary key autoincrement,
            digest blob not null unique,
            client integer not null references clients (id),
            created integer not null,
            expires integer,
            revoked integer
        ) strict;
        create index if not exists keys_by_client on keys (client);
        create table if not exists devices (
            id integer primary key autoincrement,
            client integer not null references clients (id),
            place text not null,
            digest blob not null unique,
            paired integer not null,
            logged integer not null,
            revoked integer,
            director integer not null default 0,
            seen integer,
            signing_key blob
        ) strict;
        create table if not exists codes (
            digest blob primary key,
            client integer not null references clients (id),
            place text not null,
            logged integer not null,
            ends integer not null,
            director integer not null default 0
        ) strict, without rowid;
        create index if not exists devices_by_client on devices (client, paired);
        create table if not exists play_links (
            digest blob primary key,
            created integer not null
        ) strict, without rowid;
        create table if not exists play_link_grants (
            number integer primary key autoincrement,
            digest blob not null unique,
            name text not null unique,
            games integer not null
        ) strict;
        commit;
    """

    def __init__(self, path: Path, pepper: bytes) -> None:
        if len(pepper) != PEPPER_BYTES:
            raise Broken(f"the pepper has {len(pepper)} bytes, {PEPPER_BYTES} were expected")
        super().__init__(path)
        self._hmac = hmac.new(pepper, digestmod="sha256")

    @classmethod
    def open(cls, path: Path, pepper: bytes) -> Self:
        """Open the register at a path, with the tables that it lacks; raise Missing where there is none."""
        if not path.exists():
            raise Missing(f'no register of clients at "{path}"', hint="ordws init")
        return cls.create(path, pepper)

    def _digest(self, *parts: str) -> bytes:
        keyed = self._hmac.copy()  # copying takes half the time of creating
        keyed.update("\x1f".join(parts).encode("utf-8", "replace"))
        return keyed.digest()
