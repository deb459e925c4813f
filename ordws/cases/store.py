"""The case files of an installation: one SQLite file of sealed facts in a hash chain, and their sealed exhibits.

A fact is encrypted under the key of the cases and bound to its number; its link is the SHA-256 of the link before and
of the fact. Facts are only appended. Exhibits are kept apart, by their SHA-256, so that those of a case that led to
nothing can be erased while the chain still verifies.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from ordws.atomic_files import SECRET_MODE, write_new
from ordws.cases import facts
from ordws.cases.commands import CaseStep
from ordws.cases.days import DAY_SECONDS
from ordws.cases.facts import Exhibit, FiledFact
from ordws.cases.register import PublicRegister, make_register
from ordws.cases.state import CaseState, fold_cases
from ordws.database import Database
from ordws.errors import BadInput, Broken, Missing
from ordws.instance import Instance
from ordws.referee.game_store import KEY_BYTES, RowCipher, derive_key

if TYPE_CHECKING:
    from sqlite3 import Connection

RETENTION_DAYS: Final = 400
"""Days after its end for which a case that led to nothing keeps its exhibits, as fair play keeps its numbers."""

_FIRST_LINK: Final = bytes(32)
_EXHIBIT_FIELDS: Final = ("subject", "digest", "reasons", "notice", "answer", "appeal", "note")
"""The fields of facts that name exhibits."""

_SCHEMA: Final = """
    pragma journal_mode = wal;
    begin immediate;
    create table if not exists facts (number integer primary key, fact blob not null, link blob not null) strict;
    create table if not exists exhibits (digest text primary key, exhibit blob not null) strict, without rowid;
    commit;
"""


class _SealedFact(msgspec.Struct, frozen=True, array_like=True):
    """The part of a fact that is encrypted and chained."""

    case: str
    at: int
    actor: str
    fact: facts.CaseFact


class CaseSubject(NamedTuple):
    """The player of a case: the identity that fair play knows, and the name under which they played."""

    player: str
    pseudonym: str


class CaseFiles:
    """All cases of one installation; every call is one transaction, exact across processes, or raises StoreDown."""

    def __init__(self, path: Path, key: bytes) -> None:
        self._database = Database(path, "synchronous = full", "secure_delete = on")
        self._cipher = RowCipher(key, "cases")
        self._code_key = derive_key(key, "codes of cases")
        self._read: list[FiledFact] = []
        self._links: list[bytes] = [_FIRST_LINK]

    @classmethod
    def create(cls, path: Path, key: bytes) -> CaseFiles:
        """Open the case files at a path, and make the file if there is none."""
        files = cls(path, key)
        files._database.create(_SCHEMA)
        return files

    def close(self) -> None:
        self._database.close()

    def recorded(self) -> tuple[FiledFact, ...]:
        """Return all facts in order; raises Broken where the chain does not verify."""
        with self._database as db:
            self._catch_up(db)
            return tuple(self._read)

    def cases(self) -> dict[str, CaseState]:
        """Return the state of every case by its id, in the order in which they were opened."""
        return fold_cases(self.recorded())

    def find(self, case: str) -> CaseState:
        """Return the state of a case; raises Missing where there is none of this id."""
        state = self.cases().get(case)
        if state is None:
            raise Missing(f'there is no case "{case}"', hint="ordws cases list")
        return state

    @property
    def head(self) -> str:
        """The last link of the chain, in hexadecimal: whoever kept it can tell later that nothing before it changed."""
        self.recorded()
        return self._links[-1].hex()

    def verify(self, head: str | None = None) -> int:
        """Verify the chain and all exhibits, and return the number of facts.

        Raises Broken where something does not verify, or where `head`, a link that was noted before, is not among them.
        """
        number = len(self.recorded())
        if head is not None and head not in [link.hex() for link in self._links]:
            raise Broken("the link that was noted is not among those of the case files", hint="facts were taken out")
        with self._database as db:
            digests = [digest for (digest,) in db.execute("select digest from exhibits")]
        for digest in digests:
            self.exhibit(digest)
        return number

    def open_case(
        self, subject: CaseSubject, make: Callable[[str], facts.Opened], figures: Exhibit, actor: str, now: int
    ) -> CaseState:
        """Open a case with its figures; `make` returns its first fact from the digest of the exhibit of the subject."""
        # Salted, for a name has so few possibilities that its bare digest would tell it after it was erased.
        content = json.dumps([subject.player, subject.pseudonym, os.urandom(16).hex()]).encode()
        exhibit = Exhibit("subject", content)
        year = datetime.fromtimestamp(now, UTC).year

        def begin(states: dict[str, CaseState]) -> tuple[str, CaseStep]:
            count = sum(state.case.startswith(f"{year}-") for state in states.values())
            added = facts.ExhibitAdded(exhibit=figures.kind, digest=figures.digest)
            return f"{year}-{count + 1}", CaseStep((make(exhibit.digest), added), (exhibit, figures))

        return self._append(begin, actor, now)

    def take(self, case: str, step: Callable[[CaseState], CaseStep], actor: str, now: int) -> CaseState:
        """Take a step of a case: `step` is given its state while nobody else writes, and returns what to append."""

        def go_on(states: dict[str, CaseState]) -> tuple[str, CaseStep]:
            if case not in states:
                raise Missing(f'there is no case "{case}"', hint="ordws cases list")
            return case, step(states[case])

        return self._append(go_on, actor, now)

    def exhibit(self, digest: str) -> bytes:
        """Return the bytes of an exhibit; raises Missing where it was erased, Broken where it is another."""
        with self._database as db:
            row = db.execute("select exhibit from exhibits where digest = ?", (digest,)).fetchone()
        if row is None:
            raise Missing(f"exhibit {digest[:12]} was erased, or never kept")
        content = self._cipher.decrypt(f"exhibit {digest}", 0, row[0])
        if hashlib.sha256(content).hexdigest() != digest:
            raise Broken(f"exhibit {digest[:12]} has other content than its digest says")
        return content

    def text(self, digest: str) -> str:
        """Return the text of an exhibit; "(erased)" where it was erased."""
        try:
            return self.exhibit(digest).decode()
        except Missing:
            return "(erased)"

    def subject(self, state: CaseState) -> CaseSubject:
        """Return the player of a case; raises Missing where the name was erased."""
        return CaseSubject(*json.loads(self.exhibit(state.subject))[:2])

    def register(self, now: int) -> PublicRegister:
        """Return the register at a moment."""
        shown = [state for state in self.cases().values() if state.phase(now) == "published"]
        pseudonyms = {state.case: self.subject(state).pseudonym for state in shown}
        notes = {state.case: self.text(state.note) for state in shown if state.note}
        return make_register(self.recorded(), pseudonyms, notes, self.head, now)

    def digest_code(self, code: str) -> str:
        """Return the keyed digest of a player's code, as `NoticeGiven` has it."""
        return hmac.digest(self._code_key, code.encode(), "sha256").hex()

    def find_by_code(self, code: str) -> CaseState | None:
        """Return the case whose player has this code, None where there is none."""
        digest = self.digest_code(code)
        found = [each for each in self.cases().values() if hmac.compare_digest(each.code, digest)]
        return found[0] if found else None

    def erase_old(self, now: int) -> int:
        """Erase the exhibits of cases without an entry that ended 400 days ago, and return the number of exhibits."""
        before = now - RETENTION_DAYS * DAY_SECONDS
        recorded = self.recorded()
        last = {each.case: each.at for each in recorded}
        old = {case for case, state in fold_cases(recorded).items() if state.ending(now) and last[case] <= before}
        digests: set[str] = set()
        kept: set[str] = set()
        for each in recorded:
            fields = facts.fields_of_fact(each.fact)
            named = [fields[name] for name in _EXHIBIT_FIELDS if isinstance(fields.get(name), str)]
            (digests if each.case in old else kept).update(named)
        erased = 0
        with self._database as db:
            self._database.begin(db)
            for digest in sorted(digests - kept):
                erased += db.execute("delete from exhibits where digest = ?", (digest,)).rowcount
            db.execute("commit")
        return erased

    def _append(self, make: Callable[[dict[str, CaseState]], tuple[str, CaseStep]], actor: str, now: int) -> CaseState:
        """Append what `make` returns for the present states; while it runs nobody else writes."""
        if not actor.strip():
            raise BadInput("each step of a case has an actor", hint="--by NAME")
        with self._database as db:
            self._database.begin(db)
            self._catch_up(db)
            case, step = make(fold_cases(self._read))
            link = self._links[-1]
            for number, fact in enumerate(step.facts, start=len(self._read) + 1):
                plain = msgspec.json.encode(_SealedFact(case, now, actor, fact))
                link = _next_link(link, plain)
                sealed = self._cipher.encrypt("fact", number, plain)
                db.execute("insert into facts (number, fact, link) values (?, ?, ?)", (number, sealed, link))
            for exhibit in step.exhibits:
                sealed = self._cipher.encrypt(f"exhibit {exhibit.digest}", 0, exhibit.content)
                statement = "insert or ignore into exhibits (digest, exhibit) values (?, ?)"
                db.execute(statement, (exhibit.digest, sealed))
            db.execute("commit")
            self._catch_up(db)
            return fold_cases(self._read)[case]

    def _catch_up(self, db: Connection) -> None:
        """Read the facts that were appended since the last time, by whatever process, and verify their links."""
        statement = "select number, fact, link from facts where number > ? order by number"
        for number, sealed, link in db.execute(statement, (len(self._read),)).fetchall():
            if number != len(self._read) + 1:
                raise Broken(f"fact {len(self._read) + 1} of the case files is missing", hint="ordws restore")
            plain = self._cipher.decrypt("fact", number, sealed)
            if link != _next_link(self._links[-1], plain):
                raise Broken(f"fact {number} of the case files does not follow from the one before")
            self._links.append(link)
            each = msgspec.json.decode(plain, type=_SealedFact)
            self._read.append(FiledFact(number, each.case, each.at, each.actor, each.fact))


def _next_link(link: bytes, plain: bytes) -> bytes:
    return hashlib.sha256(link + plain).digest()


def open_case_files(instance: Instance) -> CaseFiles:
    """Open the case files of an installation, and make them and their key where there are none."""
    if not instance.keys.is_dir():
        raise Missing(f'no installation in "{instance.root}"', hint="ordws init makes one")
    instance.cases.parent.mkdir(mode=0o700, exist_ok=True)
    if not instance.cases_key.exists():
        if instance.cases.exists():
            raise Missing(f'no key at "{instance.cases_key}"', hint="ordws restore, from a backup")
        with suppress(FileExistsError):  # another process may make the key at the same moment
            write_new(instance.cases_key, os.urandom(KEY_BYTES), SECRET_MODE)
    return CaseFiles.create(instance.cases, instance.cases_key.read_bytes())
