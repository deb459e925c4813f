"""Carry the case files and accounts of an installation of version 0.2 over to the forms that they have since.

    python deploy/upgrade_0_2.py INSTANCE

Stop `ordws-cases` and `ordws-curate` first. The facts of all cases are written anew, in their order, with their times
and actors. The first fact of the journal has the links of the old chain, so that a link that was noted or published
before still verifies. The old file stays beside the new one as `cases.db.0.2`, with everything that the new one erases
later: delete it when the new one is in a backup.

Accounts keep everything but the browsers from which somebody had signed in, which are known again after the next time.

Ledger, clients, devices, play links, events and kept games have the format of before, and need nothing.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import click
import msgspec

from ordws.cases.facts import CaseFact, ExhibitsErased, fields_of_fact
from ordws.cases.store import CaseFiles, write_fact
from ordws.curation.sqlcipher import DRIVER, key_pragmas
from ordws.database import Database
from ordws.errors import BadInput, Broken, OrdwsError
from ordws.instance import Instance
from ordws.journal import UPGRADED, NewFact
from ordws.row_cipher import RowCipher

FORMAT = 4
"""The number that accounts have had since in `user_version`; files made later have none."""


class OldFact(msgspec.Struct, frozen=True, array_like=True):
    """A fact as version 0.2 encrypted and chained it."""

    case: str
    at: int
    actor: str
    fact: CaseFact


def read_old(path: Path, cipher: RowCipher) -> tuple[list[OldFact], list[str], dict[str, str]]:
    """Return the facts, the links of their chain, and the exhibits by their digests; raise Broken for a false link."""
    facts, links, link = [], [], bytes(32)
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("select number, fact, link from facts order by number").fetchall()
        stored = db.execute("select digest, exhibit from exhibits").fetchall()
    # The last connection that is closed moves the write-ahead log into the file, which is then copied alone.
    if path.with_name(path.name + "-wal").exists():
        raise BadInput(f'"{path}" is in use by another process: stop ordws-cases first')
    for expected, (number, sealed, after) in enumerate(rows, 1):
        plain = cipher.decrypt("fact", number, sealed)
        link = sha256(link + plain).digest()
        if (number, after) != (expected, link):
            raise Broken(f"fact {expected} of the case files does not follow from the one before")
        facts.append(msgspec.json.decode(plain, type=OldFact))
        links.append(link.hex())
    exhibits = {digest: cipher.decrypt(f"exhibit {digest}", 0, sealed).decode() for digest, sealed in stored}
    return facts, links, exhibits


def convert(facts: list[OldFact], links: list[str], exhibits: dict[str, str]) -> list[NewFact]:
    """Return the facts of the journal: the links of the old chain, its facts, and what was erased before."""
    last = facts[-1].at
    converted: list[NewFact] = [(last, "upgrade", "", UPGRADED, " ".join(links), "")]
    erased: dict[str, None] = {}
    for each in facts:
        fields = fields_of_fact(each.fact)
        kept = [exhibits[value] for value in fields.values() if isinstance(value, str) and value in exhibits]
        if fields.get("subject") and not kept:
            erased[each.case] = None
        converted.append(write_fact(each.case, each.fact, each.actor, each.at, *kept))
    return [*converted, *[write_fact(case, ExhibitsErased(), "upgrade", last) for case in erased]]


def upgrade_cases(path: Path, key: bytes) -> str:
    """Write the case files at a path anew, and return what was done."""
    new, old = path.with_name("cases.db.new"), path.with_name("cases.db.0.2")
    with closing(sqlite3.connect(path)) as db:
        if db.execute("pragma application_id").fetchone() == (CaseFiles.APPLICATION_ID,):
            return "the case files are a journal already"
    facts, links, exhibits = read_old(path, RowCipher(key, "cases"))
    new.unlink(missing_ok=True)
    with closing(CaseFiles(new, key)) as files:
        with files.writing(new=True) as added:
            added += convert(facts, links, exhibits) if facts else []
        files.verify()
        shutil.copy2(path, old)
        owner = path.stat()
        os.chown(new, owner.st_uid, owner.st_gid)
        # A kill before this line leaves copies alone; after it the new file is in force.
        new.replace(path)
        return (
            f"carried over {len(facts)} steps of cases; the old head is in the first, and the new one is {files.head}"
        )


def upgrade_accounts(path: Path, key: bytes) -> str:
    """Give the tables of accounts at a path their present form, and return what was done."""
    database = Database(path, *key_pragmas(path, key), driver=DRIVER)
    with closing(database), database as db:
        database.begin(db)
        (version,) = db.execute("pragma user_version").fetchone()
        if version in (0, FORMAT):
            return f"the accounts in {path.name} have their present form already"
        if version != FORMAT - 1:
            raise BadInput(f"the accounts in {path.name} are older than version 0.2: start version 0.2 once")
        db.execute("alter table sessions rename column member to holder")
        db.execute("alter table devices rename column member to holder")
        # Their digests had been bound to a member.
        db.execute("delete from devices where digest <> ''")
        db.execute(f"pragma user_version = {FORMAT}")
        db.execute("commit")
        return f"carried over the accounts in {path.name}"


@click.command()
@click.argument("instance")
def main(instance: str) -> None:
    """Carry the case files and accounts of INSTANCE, of version 0.2, over to this version."""
    old = Instance(Path(instance))
    for path, key, upgrade in (
        (old.cases, old.cases_key, upgrade_cases),
        (old.console, old.console_key, upgrade_accounts),
        (old.reviewers, old.reviewers_key, upgrade_accounts),
    ):
        try:
            done = upgrade(path, key.read_bytes()) if path.exists() else f"there is no {path.name} to carry over"
        except (OrdwsError, OSError, sqlite3.Error) as error:
            raise click.ClickException(f"{error}; nothing was changed in {path.name}") from error
        click.echo(done)


if __name__ == "__main__":
    main()
