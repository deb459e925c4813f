"""The tables of the register, and how the one table that was there before becomes two."""

from __future__ import annotations

from typing import Final

from ordws.database import Database

TABLES: Final = (
    """
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
    ) strict
    """,
    """
    create table if not exists keys (
        id integer primary key autoincrement,
        digest blob not null unique,
        client integer not null references clients (id),
        created integer not null,
        expires integer,
        revoked integer
    ) strict
    """,
    "create index if not exists keys_by_client on keys (client)",
)
_ONE_TABLE: Final = "select 1 from pragma_table_info('clients') where name = 'digest'"
SPLIT: Final = (
    "alter table clients rename to one_table",
    *TABLES,
    "insert into clients (id, name, kind, created, revoked, verified)"
    " select id, name, kind, created, revoked, verified from one_table order by id",
    "insert into keys (digest, client, created) select digest, id, created from one_table order by id",
    "drop table one_table",
)


def make(database: Database) -> None:
    """Make the register's file and tables, where they are not there yet."""
    database.create("pragma journal_mode = wal")
    migrate(database)
    with database as db:
        db.execute("begin immediate")
        for statement in TABLES:
            db.execute(statement)
        db.execute("commit")


def migrate(database: Database) -> None:
    """Give each client of a register that had one key a client its row and its key's.

    One transaction, and asked again inside it: of processes that come at once, the first one does it.
    """
    with database as db:
        if db.execute(_ONE_TABLE).fetchone() is None:
            return
        db.execute("begin immediate")
        if db.execute(_ONE_TABLE).fetchone() is not None:
            for statement in SPLIT:
                db.execute(statement)
        db.execute("commit")
