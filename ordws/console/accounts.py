"""Accounts: who may sign in, their sessions, and what was refused. Votes and words are in the ledger alone."""

from __future__ import annotations

import os
import re
import secrets
import unicodedata
from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from ordws.atomic_files import SECRET_MODE, write_new
from ordws.console.access import STATEMENTS, VOTERS, Member, Role, Session
from ordws.curation.decision import is_name
from ordws.curation.sqlcipher import DRIVER, KEY_BYTES, key_pragmas
from ordws.database import Store, is_damage
from ordws.errors import BadInput, Broken, Missing, StoreDown
from ordws.frame import sessions
from ordws.frame.sessions import Connection, Lifetime
from ordws.instance import INIT_HINT, Instance
from ordws.retention import CONSOLE_SESSIONS, DAY


def read_member_name(text: str) -> str:
    """Return the name that a text gives, without spare spaces; raises BadInput where a ballot cannot carry it."""
    name = unicodedata.normalize("NFC", _collapse_spaces(text))
    if not is_name(name):
        raise BadInput(f'"{text}" is not a valid name: 1 to 100 printable characters, the first none of = + - @')
    return name


def fold_member_name(text: str) -> str:
    """Return the form that two names share which people take for one: capitals, widths and spaces do not count."""
    # Folding the case of a compatible form can give an incompatible one, so it is normalized once more.
    folded = unicodedata.normalize("NFKC", _collapse_spaces(text)).casefold()
    return unicodedata.normalize("NFKC", folded)


def _collapse_spaces(text: str) -> str:
    return re.sub(" +", " ", text.strip())


SCHEMA: Final = f"""
    pragma journal_mode = wal;
    begin immediate;
    create table if not exists members (
        name text primary key,
        folded text not null unique,
        role text not null check (role in ('keeper', 'chair', 'curator', 'reviewer')),
        handle text not null,
        since integer not null,
        ended integer,
        declared integer,
        password text,
        totp text,
        totp_step integer not null default 0
    ) strict;
    create table if not exists declarations (
        row integer primary key, member text not null, at integer not null, text text not null
    ) strict;
    create table if not exists passkeys (
        id text primary key,
        member text not null,
        public_key text not null,
        uses integer not null,
        label text not null,
        since integer not null
    ) strict;
    create table if not exists invitations (
        digest text primary key,
        name text not null,
        folded text not null unique,
        role text not null,
        handle text not null,
        by text,
        ends integer not null
    ) strict;
    create table if not exists enrolments (
        digest text primary key, name text not null, secret text not null, ends integer not null
    ) strict;
    create table if not exists incidents (
        row integer primary key, at integer not null, kind text not null, member text
    ) strict;
    create index if not exists incidents_by_kind on incidents (kind, at);
    create table if not exists pace (
        row integer primary key,
        at integer not null,
        curator text not null,
        seconds real not null,
        kind text not null
    ) strict;
    create index if not exists pace_by_curator on pace (curator);
    {sessions.SESSIONS_SCHEMA};
    {sessions.DEVICES_SCHEMA};
    commit;
"""


LIFETIME: Final = Lifetime(most=CONSOLE_SESSIONS.seconds, idle=2 * 3_600)

_PATIENCE_SECONDS: Final = 10.0
"""The time to wait for another process: a member at a slow disk would rather wait than be refused."""

MAX_INCIDENTS_A_DAY: Final = 1_000
"""Incidents of one kind that are recorded a day for each member, and for all strangers together.

A flood of refused requests must not fill the disk.
"""


@dataclass(frozen=True)
class MemberAccount:
    """A member as keepers see them."""

    member: Member
    since: int
    ended: int | None
    passkeys: int
    has_password: bool
    locked_until: int
    """The time from which passwords from unknown devices are tried again; 0 or past where they are not locked."""


@dataclass(frozen=True)
class IncidentCount:
    """The number of refused requests of one kind on one day, UTC."""

    day: str
    kind: str
    count: int


class Accounts(Store):
    """The accounts of one application, in an encrypted file in which other modules have tables too."""

    SCHEMA = SCHEMA
    DRIVER = DRIVER
    PRAGMAS = ("synchronous = full",)

    def __init__(self, path: Path, key: bytes) -> None:
        super().__init__(path, *key_pragmas(path, key), patience_seconds=_PATIENCE_SECONDS)

    @classmethod
    def open(cls, path: Path, key: bytes) -> Self:
        """Open the accounts of an installation; make an empty file where there is none.

        Raises Broken where a page is damaged, or the key is another.
        """
        try:
            accounts = cls.create(path, key)
            faults = accounts._all("pragma cipher_integrity_check")
        except StoreDown as err:
            if is_damage(err):
                raise Broken(f"{path.name} does not read: wrong key, or damaged") from err
            raise
        if faults:
            raise Broken(f"{path.name}: {len(faults)} pages are damaged")
        return accounts

    def connection(self) -> AbstractContextManager[Connection]:
        """Lend the connection while no other thread uses it; each statement is a transaction."""
        return self._database

    def transaction(self) -> AbstractContextManager[Connection]:
        """Lend the connection for one transaction, which is on disk when the block ends, or undone if it raises."""
        return self._transaction()

    def add_member(self, name: str, role: Role, now: int) -> None:
        """Add a member, who cannot sign in before they have a credential."""
        with self.transaction() as db:
            insert_member(db, name, role, secrets.token_hex(32), now)

    def record_declaration(self, name: str, now: int, statements: Iterable[str] = STATEMENTS) -> None:
        """Record the yearly declaration of disinterest, with its text as it reads now."""
        with self.transaction() as db:
            db.execute("UPDATE members SET declared = ? WHERE name = ?", (now, name))
            text = "\n".join(statements)
            db.execute("INSERT INTO declarations (member, at, text) VALUES (?, ?, ?)", (name, now, text))

    def active_members(self) -> list[Member]:
        """Return the members whose account has not ended."""
        return [account.member for account in self.all_accounts() if account.ended is None]

    def voters(self) -> list[Member]:
        """Return the active curators and chairs."""
        return [member for member in self.active_members() if member.role in VOTERS]

    def all_accounts(self) -> list[MemberAccount]:
        """Return all accounts, ended ones included, by name."""
        with self.connection() as db:
            rows = db.execute(
                "SELECT name, role, declared, since, ended, (SELECT count(*) FROM passkeys WHERE member = name),"
                " password IS NOT NULL, ifnull(locked_until, 0)"
                " FROM members LEFT JOIN devices ON holder = name AND digest = '' ORDER BY name"
            ).fetchall()
        return [MemberAccount(Member(*row[:3]), row[3], row[4], row[5], bool(row[6]), row[7]) for row in rows]

    def find_member(self, name: str) -> Member:
        """Return the active member of this name, however it is capitalised; raises Missing where there is none."""
        for member in self.active_members():
            if fold_member_name(member.name) == fold_member_name(name):
                return member
        raise Missing(f'there is no account "{name}"', hint="ordws accounts list")

    def end_account(self, name: str, now: int) -> None:
        """End an account with its credentials and sessions; its name is never given again.

        Raises BadInput for the last keeper, without whom nobody could invite members.
        """
        with self.transaction() as db:
            keepers = db.execute("SELECT name FROM members WHERE role = 'keeper' AND ended IS NULL").fetchall()
            if keepers == [(name,)]:
                raise BadInput(f'"{name}" is the last keeper', hint="invite another first")
            db.execute("UPDATE members SET ended = ? WHERE name = ?", (now, name))
            remove_credentials(db, name)
            # The links that a keeper has made must not work after the keeper has left.
            db.execute("DELETE FROM invitations WHERE by = ? OR name = ?", (name, name))

    def unlock(self, name: str) -> None:
        """Allow the next attempt to sign in by password at once, from any device."""
        with self.transaction() as db:
            sessions.forgive_holder(db, name)

    def begin_session(self, name: str, now: int) -> tuple[str, Session]:
        """Begin a session of a member; return the value of its cookie, and the session."""
        with self.transaction() as db:
            cookie = sessions.begin_session(db, name, now, LIFETIME)
        session = self.find_session(cookie, now)
        if session is None:
            raise Missing(f'there is no account "{name}"')
        return cookie, session

    def find_session(self, cookie: str, now: int, *, refresh: bool = True) -> Session | None:
        """Return the session of a cookie; None where it is unknown or has ended, or its member's account has.

        With `refresh`, the request counts as use, from which the idle time runs anew.
        """
        with self.connection() as db:
            stored = sessions.find_session(db, cookie, now, LIFETIME, refresh=refresh)
            if stored is None:
                return None
            sql = "SELECT name, role, declared FROM members WHERE name = ? AND ended IS NULL"
            row = db.execute(sql, (stored.holder,)).fetchone()
        return Session(Member(*row), stored.csrf, stored.since) if row else None

    def end_session(self, cookie: str) -> None:
        with self.transaction() as db:
            sessions.end_session(db, cookie)

    def end_sessions(self, name: str, *, except_cookie: str = "") -> None:
        """End all sessions of a member except the one of this cookie."""
        with self.transaction() as db:
            sessions.end_sessions(db, name, except_cookie=except_cookie)

    def end_all_links(self) -> None:
        """End all sessions, invitations and enrolments, which may have been used up since a backup."""
        with self.transaction() as db:
            for table in ("sessions", "invitations", "enrolments"):
                db.execute(f"DELETE FROM {table}")

    def is_known_device(self, name: str, token: str) -> bool:
        """Return whether the member of a name, however it is typed, has signed in from the device with this token."""
        with self.connection() as db:
            row = db.execute("SELECT name FROM members WHERE folded = ?", (fold_member_name(name),)).fetchone()
            return row is not None and row[0] in sessions.find_holders(db, token)

    def find_device(self, token: str) -> str:
        """Return the token of a device; empty where no member has signed in from it."""
        with self.connection() as db:
            return token if sessions.find_holders(db, token) else ""

    def remember_device(self, name: str, token: str, now: int) -> str:
        """Remember that a member has signed in from a device; return its token."""
        with self.transaction() as db:
            return sessions.remember_device(db, name, token, now)

    def record_incident(self, incident: str, member: str | None, now: int) -> None:
        """Record the kind of a refused request, and nothing of its content."""
        with self.transaction() as db:
            insert_incident(db, incident, member, now)

    def incident_counts(self) -> list[IncidentCount]:
        """Count the refused requests by day and kind, the newest day first."""
        with self.connection() as db:
            rows = db.execute(
                "SELECT date(at, 'unixepoch'), kind, count(*) FROM incidents GROUP BY 1, 2 ORDER BY 1 DESC, 2"
            ).fetchall()
        return [IncidentCount(*row) for row in rows]


def open_accounts(instance: Instance) -> Accounts:
    """Open the accounts of the console; make its own key and database where they are missing.

    Raises Missing where there is no curation database.
    """
    if not instance.ledger_key.exists():
        raise Missing(f'no curation database in "{instance.root}"', hint=INIT_HINT)
    return make_accounts(instance.console, instance.console_key)


def make_accounts(path: Path, key_path: Path) -> Accounts:
    """Open a database of accounts; make it and its key where they are missing."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    if not key_path.exists():
        with suppress(FileExistsError):  # another process may make the key at the same moment
            write_new(key_path, os.urandom(KEY_BYTES), SECRET_MODE)
    return Accounts.open(path, key_path.read_bytes())


def insert_member(db: Connection, name: str, role: Role, handle: str, now: int) -> None:
    """Add a member within a transaction of the caller; raises BadInput for a bad name, or one that was ever taken."""
    name = read_member_name(name)
    if is_name_taken(db, name):
        raise BadInput(f'there is or was an account "{name}"', hint="names are not reused")
    db.execute(
        "INSERT INTO members (name, folded, role, handle, since) VALUES (?, ?, ?, ?, ?)",
        (name, fold_member_name(name), role, handle, now),
    )


def remove_credentials(db: Connection, name: str) -> None:
    """Remove all credentials, sessions and devices of a member within a transaction of the caller."""
    db.execute("DELETE FROM passkeys WHERE member = ?", (name,))
    db.execute("UPDATE members SET password = NULL, totp = NULL WHERE name = ?", (name,))
    sessions.end_sessions(db, name)
    sessions.forget_holder(db, name)


def is_name_taken(db: Connection, name: str) -> bool:
    """Return whether a member has or had a name that people would take for this one."""
    return db.execute("SELECT 1 FROM members WHERE folded = ?", (fold_member_name(name),)).fetchone() is not None


def find_person(db: Connection, name: str) -> tuple[str, Role, str] | None:
    """Return the name, role and handle of an active member, however capitalised; None where there is none."""
    sql = "SELECT name, role, handle FROM members WHERE folded = ? AND ended IS NULL"
    row: tuple[str, Role, str] | None = db.execute(sql, (fold_member_name(name),)).fetchone()
    return row


def insert_incident(db: Connection, incident: str, member: str | None, now: int) -> None:
    """Record a refused request within a transaction of the caller, up to MAX_INCIDENTS_A_DAY."""
    db.execute(
        "INSERT INTO incidents (at, kind, member) SELECT ?, ?, ? WHERE"
        " (SELECT count(*) FROM incidents WHERE kind = ? AND at >= ? AND member IS ?) < ?",
        (now, incident, member, incident, now - now % DAY, member, MAX_INCIDENTS_A_DAY),
    )


def record_card_time(accounts: Accounts, curator: str, seconds: float, now: int) -> None:
    """Record the seconds that a curator looked at a card."""
    with accounts.transaction() as db:
        row = (now, curator, seconds)
        # Nothing reads the column `kind`, which the table has in every installation.
        db.execute("INSERT INTO pace (at, curator, seconds, kind) VALUES (?, ?, ?, 'card')", row)


def read_card_times(accounts: Accounts, before: int) -> list[tuple[int, str, float]]:
    """Return the time, curator and seconds of each card answered before a time."""
    with accounts.connection() as db:
        rows = db.execute("SELECT at, curator, seconds FROM pace WHERE at < ? ORDER BY row", (before,))
        return list(rows)
