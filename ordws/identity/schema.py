"""The tables of the register, and the migration of registers with earlier tables."""

from __future__ import annotations

from typing import Final

from ordws.database import Database

PLAY_LINKS: Final = """
    create table if not exists play_links (
        digest blob primary key,
        created integer not null
    ) strict, without rowid
    """
# Autoincrement: the id of a client or device is never given again, for meters and logs refer to it. The default of the
# scopes is what clients of registers without scopes may do; new clients have theirs written.
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
    """
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
    ) strict
    """,
    """
    create table if not exists codes (
        digest blob primary key,
        client integer not null references clients (id),
        place text not null,
        logged integer not null,
        ends integer not null,
        director integer not null default 0
    ) strict, without rowid
    """,
    "create index if not exists devices_by_client on devices (client, paired)",
    PLAY_LINKS,
)
_LACKS_DEVICES: Final = (
    "select 1 from pragma_table_info('clients') where name = 'id'"
    " and not exists (select 1 from sqlite_master where name = 'devices_by_client')"
)
_LACKS_DIRECTORS: Final = (
    "select 1 from pragma_table_info('devices') where name = 'id'"
    " and not exists (select 1 from pragma_table_info('devices') where name = 'seen')"
)
_LACKS_SIGNING_KEYS: Final = (
    "select 1 from pragma_table_info('devices') where name = 'id'"
    " and not exists (select 1 from pragma_table_info('devices') where name = 'signing_key')"
)
_LACKS_PLAY_LINKS: Final = (
    "select 1 from pragma_table_info('clients') where name = 'id'"
    " and not exists (select 1 from sqlite_master where name = 'play_links')"
)
ADD_SIGNING_KEYS: Final = "alter table devices add column signing_key blob"
ADD_DIRECTORS: Final = (
    "alter table devices add column director integer not null default 0",
    "alter table devices add column seen integer",
    "alter table codes add column director integer not null default 0",
)
_IS_ONE_TABLE: Final = "select 1 from pragma_table_info('clients') where name = 'digest'"
SPLIT_ONE_TABLE: Final = (
    "alter table clients rename to one_table",
    *TABLES,
    "insert into clients (id, name, kind, created, revoked, verified)"
    " select id, name, kind, created, revoked, verified from one_table order by id",
    "insert into keys (digest, client, created) select digest, id, created from one_table order by id",
    "drop table one_table",
)


def create(database: Database) -> None:
    """Create the register's file and tables, where they do not exist yet."""
    database.create("pragma journal_mode = wal")
    migrate(database)
    with database as db:
        db.execute("begin immediate")
        for statement in TABLES:
            db.execute(statement)
        db.execute("commit")


def migrate(database: Database) -> None:
    """Bring the tables up to date: with one key for each client, or without devices, their later columns, or links."""
    lacks = (_LACKS_DEVICES, _LACKS_DIRECTORS, _LACKS_SIGNING_KEYS, _LACKS_PLAY_LINKS)
    with database as db:
        if all(db.execute(each).fetchone() is None for each in lacks):
            return
        db.execute("begin immediate")
        # Asked again inside the transaction: another process may have migrated the tables while this one waited.
        if db.execute(_LACKS_DEVICES).fetchone() is not None:
            is_one_table = db.execute(_IS_ONE_TABLE).fetchone() is not None
            for statement in SPLIT_ONE_TABLE if is_one_table else TABLES:
                db.execute(statement)
        elif db.execute(_LACKS_DIRECTORS).fetchone() is not None:
            for statement in ADD_DIRECTORS:
                db.execute(statement)
        if db.execute(_LACKS_SIGNING_KEYS).fetchone() is not None:
            db.execute(ADD_SIGNING_KEYS)
        db.execute(PLAY_LINKS)
        db.execute("commit")
