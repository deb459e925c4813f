"""The tables of the ledger, as a numbered list of migrations.

A migration adds tables, indexes or triggers and never alters a table, because the chain covers the columns as they are.
"""

from __future__ import annotations

from typing import Final

from ordws.curation.sqlcipher import Database, immediate_transaction
from ordws.errors import LedgerBroken

COLUMNS: Final = {
    "families": ("base", "standing"),
    "candidates": ("family", "word", "evidence"),
    "ballots": ("id", "family", "curator", "vote", "forms", "reason", "at"),
    "decisions": ("family", "outcome", "forms", "rest"),
    "overrides": ("word", "act", "keeper", "reason"),
    "acts": ("subject", "who", "act"),
}
"""The columns of each table in the order in which the chain hashes them. A family without standing, or a candidate
without evidence, is withdrawn. The newest row of a family, a candidate or an overridden word holds;
`voting_rounds.replay_family` finds out which decision of a family holds. Acts are those of `acts.py`, as JSON.
"""


def _append_only_triggers(table: str) -> tuple[str, str]:
    return (
        f"CREATE TRIGGER {table}_stay BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, 'the ledger appends'); END",
        f"CREATE TRIGGER {table}_last BEFORE DELETE ON {table} BEGIN SELECT RAISE(ABORT, 'the ledger appends'); END",
    )


_INITIAL_TABLES: Final = (
    "CREATE TABLE links (number INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL,"
    " counts TEXT NOT NULL, digest TEXT NOT NULL, hash TEXT NOT NULL) STRICT",
    "CREATE TABLE families (row INTEGER PRIMARY KEY, link INTEGER NOT NULL, base TEXT NOT NULL,"
    " standing TEXT CHECK (standing IN ('borderline', 'flagged'))) STRICT",
    "CREATE TABLE candidates (row INTEGER PRIMARY KEY, link INTEGER NOT NULL, family TEXT NOT NULL,"
    " word TEXT NOT NULL, evidence TEXT) STRICT",
    "CREATE TABLE ballots (row INTEGER PRIMARY KEY, link INTEGER NOT NULL, id TEXT NOT NULL UNIQUE,"
    " family TEXT NOT NULL, curator TEXT NOT NULL, vote TEXT NOT NULL CHECK (vote IN ('in', 'out', 'doubt')),"
    " forms TEXT NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL) STRICT",
    "CREATE TABLE decisions (row INTEGER PRIMARY KEY, link INTEGER NOT NULL, family TEXT NOT NULL,"
    " outcome TEXT NOT NULL CHECK (outcome IN ('in', 'out', 'contested')), forms TEXT NOT NULL,"
    " rest TEXT NOT NULL) STRICT",
    "CREATE TABLE overrides (row INTEGER PRIMARY KEY, link INTEGER NOT NULL, word TEXT NOT NULL,"
    " act TEXT NOT NULL CHECK (act IN ('add', 'exclude', 'lift')), keeper TEXT NOT NULL,"
    " reason TEXT NOT NULL CHECK (reason <> '')) STRICT",
    "CREATE INDEX families_by_base ON families (base)",
    "CREATE INDEX candidates_by_family ON candidates (family)",
    "CREATE INDEX ballots_by_family ON ballots (family)",
    "CREATE INDEX decisions_by_family ON decisions (family)",
    *[
        statement
        for table in ("links", "families", "candidates", "ballots", "decisions", "overrides")
        for statement in _append_only_triggers(table)
    ],
)
_ACTS_TABLE: Final = (
    "CREATE TABLE acts (row INTEGER PRIMARY KEY, link INTEGER NOT NULL, subject TEXT NOT NULL, who TEXT NOT NULL,"
    " act TEXT NOT NULL) STRICT",
    "CREATE INDEX acts_by_subject ON acts (subject)",
    "CREATE INDEX acts_by_who ON acts (who)",
    "CREATE INDEX ballots_by_curator ON ballots (curator)",
    *_append_only_triggers("acts"),
)

MIGRATIONS: Final = (_INITIAL_TABLES, _ACTS_TABLE)


def migrate(db: Database) -> None:
    """Bring the tables up to this version; raise LedgerBroken unless they are exactly what the migrations make."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise LedgerBroken("the ledger was made by a newer version of ordws")
    if version < len(MIGRATIONS):
        with immediate_transaction(db):
            for statement in [statement for migration in MIGRATIONS[version:] for statement in migration]:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    # The chain covers the rows; this covers the triggers that keep them from being changed. SQLite stores the text of
    # each statement as it was written, and no text for the indexes that it makes itself.
    statements = {sql for (sql,) in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    if statements != {statement for migration in MIGRATIONS for statement in migration}:
        raise LedgerBroken("a table or trigger of the ledger was altered")
