"""The tables of accounts, and of all that belongs to them. Votes and words are in the ledger alone."""

from __future__ import annotations

from typing import Final

from ordws.frame import devices, sessions

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
    {sessions.SCHEMA};
    {devices.SCHEMA};
    commit;
"""
