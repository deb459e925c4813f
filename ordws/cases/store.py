"""The case files of an installation: the steps of all cases as one sealed journal, and the register made of them.

The commands of the journal are the cases. A fact names at most one exhibit by its SHA-256. The exhibit is the personal
text of the fact, so that those of a case that led to nothing can be erased.

An entry of the register has the name under which somebody played, the class of offence, and dates. It is left out while
a late appeal is heard, from three years after somebody last looked at it until somebody has looked again, and for good
where the player is found to be under age.
"""

from __future__ import annotations

import hmac
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ordws.cases import facts
from ordws.cases.commands import CaseStep
from ordws.cases.facts import Exhibit, FiledFact
from ordws.cases.state import CaseState, date_text, fold_cases
from ordws.errors import BadInput, Missing
from ordws.instance import INIT_HINT, Instance
from ordws.journal import GENESIS_HASH, Journal, NewFact, StoredFact
from ordws.public_register import PublicRegister, RegisterEntry, YearCounts
from ordws.retention import EXHIBITS
from ordws.row_cipher import RowCipher, derive_key, open_key


def make_register(
    recorded: Iterable[FiledFact],
    pseudonyms: Mapping[str, str],
    notes: Mapping[str, str],
    head: str,
    now: int,
) -> PublicRegister:
    """Return the register at a moment; pseudonyms and the texts of notes are given by case."""
    recorded = tuple(recorded)
    shown = [state for state in fold_cases(recorded).values() if state.phase(now) == "published"]
    entries = [_entry(state, pseudonyms[state.case], notes.get(state.case, "")) for state in shown]
    entries.sort(key=lambda entry: (entry.published, entry.pseudonym))
    return PublicRegister(made=date_text(now), entries=tuple(entries), years=count_years(recorded), head=head)


def count_years(recorded: Iterable[FiledFact]) -> tuple[YearCounts, ...]:
    """Return the counts of each year in which anything was done, the first one first."""
    counts: dict[int, Counter[str]] = {}
    known: set[str] = set()
    for each in recorded:
        if name := _counted_as(each.fact):
            year = counts.setdefault(datetime.fromtimestamp(each.at, UTC).year, Counter())
            year[name] += 1
            year["opened"] += each.case not in known
            known.add(each.case)
    return tuple([YearCounts(year=year, **counts[year]) for year in sorted(counts)])


def last_public(recorded: Sequence[FiledFact]) -> int:
    """Return the number of the last fact that the register shows in any form, 0 before there is one."""
    return next((each.number for each in reversed(recorded) if _counted_as(each.fact)), 0)


def write_register(register: PublicRegister) -> bytes:
    """Return the register as JSON."""
    return msgspec.json.format(msgspec.json.encode(register), indent=1) + b"\n"


def _entry(state: CaseState, pseudonym: str, note: str) -> RegisterEntry:
    assert state.decision is not None
    assert state.published_at is not None
    assert state.looked_at is not None
    return RegisterEntry(
        pseudonym=pseudonym,
        offence=state.offence,
        first_game=date_text(state.first_game),
        last_game=date_text(state.last_game),
        decided=date_text(state.decision.at),
        published=date_text(state.published_at),
        looked_at=date_text(state.looked_at),
        note=note,
    )


def _counted_as(fact: facts.CaseFact) -> str | None:
    """Return the name of the count that a fact belongs to, None where it belongs to none, and shows nowhere."""
    match fact:
        case facts.Dismissed():
            return "dismissed"
        case facts.Dropped():
            return "dropped"
        case facts.NoticeGiven():
            return "notices"
        case facts.AnswerReceived():
            return "answers"
        case facts.Decided():
            return "established" if fact.finding == "established" else "not_established"
        case facts.Appealed():
            return "appeals"
        case facts.AppealDecided():
            return "overturned" if fact.is_upheld else None
        case facts.EntryPublished():
            return "published"
        case facts.EntryStruck() | facts.MarkedUnderAge(withdraws_entry=True):
            return "struck"
        case _:
            return None


_FACT: Final[msgspec.json.Decoder[facts.CaseFact]] = msgspec.json.Decoder(facts.CaseFact)


class CaseSubject(NamedTuple):
    """The player of a case: the identity that fair play knows, and the name under which they played."""

    player: str
    pseudonym: str


class CaseFiles(Journal):
    """All cases of one installation; every call is one transaction, exact across processes, or raises StoreDown."""

    APPLICATION_ID = 0x4F524346  # "ORCF"
    SUBJECT = "case files"
    _filed: list[FiledFact]
    _exhibits: dict[str, bytes]

    def __init__(self, path: Path, key: bytes) -> None:
        super().__init__(path, RowCipher(key, "cases"))
        self._code_key = derive_key(key, "codes of cases")

    @classmethod
    def create(cls, path: Path, key: bytes) -> CaseFiles:
        """Open the case files at a path, and make the file if there is none."""
        files = cls(path, key)
        if not files.is_begun:
            # Another process may make the file at the same moment.
            with suppress(BadInput), files.writing(new=True):
                pass
        return files

    def recorded(self) -> tuple[FiledFact, ...]:
        """Return all facts in order; raises Broken where the chain does not verify."""
        with self.reading():
            return tuple(self._filed)

    def cases(self) -> dict[str, CaseState]:
        """Return the state of every case by its id, in the order in which they were opened."""
        return fold_cases(self.recorded())

    def find(self, case: str) -> CaseState:
        """Return the state of a case; raises Missing where there is none of this id."""
        state = self.cases().get(case)
        if state is None:
            raise Missing(f'there is no case "{case}"', hint="ordws cases list")
        return state

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
        """Return the bytes of an exhibit; raises Missing where it was erased."""
        with self.reading():
            content = self._exhibits.get(digest)
        if content is None:
            raise Missing(f"exhibit {digest[:12]} was erased, or never kept")
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
        recorded = self.recorded()
        # The last link of all would change with each step of a case of which its player must not know yet.
        last = last_public(recorded)
        return make_register(recorded, pseudonyms, notes, self.hashes[last - 1] if last else GENESIS_HASH, now)

    def digest_code(self, code: str) -> str:
        """Return the keyed digest of a player's code, as `NoticeGiven` has it."""
        return hmac.digest(self._code_key, code.encode(), "sha256").hex()

    def find_by_code(self, code: str) -> CaseState | None:
        """Return the case whose player has this code, None where there is none."""
        digest = self.digest_code(code)
        found = [each for each in self.cases().values() if hmac.compare_digest(each.code, digest)]
        return found[0] if found else None

    def erase_old(self, actor: str, now: int, keep_seconds: int = EXHIBITS.seconds) -> int:
        """Erase the exhibits of cases without an entry that ended so long ago, and return the number of cases."""
        before = now - keep_seconds
        with self.writing() as added:
            last = {each.case: each for each in self._filed}
            for case, state in fold_cases(self._filed).items():
                is_erased = isinstance(last[case].fact, facts.ExhibitsErased)
                if state.ending(now) and last[case].at <= before and not is_erased:
                    added.append(write_fact(case, facts.ExhibitsErased(), actor, now))
        return len(added)

    def take_in(self, facts: list[StoredFact]) -> None:
        """Read facts, and the exhibits that were kept with them."""
        for each in facts:
            self._filed.append(FiledFact(each.number, each.command, each.at, each.actor, _FACT.decode(each.text)))
            if each.personal:
                content = each.personal.encode()
                self._exhibits[sha256(content).hexdigest()] = content

    def erased_by(self, number: int) -> list[int]:
        """Return the facts of the case whose exhibits the fact of this number has erased."""
        case = next(each.case for each in self._filed if each.number == number)
        return [each.number for each in self._filed if each.case == case and each.number < number]

    def forget(self) -> None:
        """Begin anew."""
        super().forget()
        self._filed, self._exhibits = [], {}

    def _append(self, make: Callable[[dict[str, CaseState]], tuple[str, CaseStep]], actor: str, now: int) -> CaseState:
        """Append what `make` returns for the present states; while it runs nobody else writes."""
        if not actor.strip():
            raise BadInput("each step of a case has an actor", hint="--by NAME")
        with self.writing() as added:
            case, step = make(fold_cases(self._filed))
            contents = {each.digest: each.content.decode() for each in step.exhibits}
            for fact in step.facts:
                exhibits = [contents[value] for value in facts.fields_of_fact(fact).values() if value in contents]
                added.append(write_fact(case, fact, actor, now, *exhibits))
        return self.find(case)


def write_fact(case: str, fact: facts.CaseFact, actor: str, now: int, exhibit: str = "") -> NewFact:
    """Return a step of a case, with the exhibit that it names, as the journal takes it."""
    return now, actor, case, facts.kind_of_fact(fact), msgspec.json.encode(fact).decode(), exhibit


def open_case_files(instance: Instance) -> CaseFiles:
    """Open the case files of an installation, and make them and their key where there are none."""
    if not instance.keys.is_dir():
        raise Missing(f'no installation in "{instance.root}"', hint=INIT_HINT)
    instance.cases.parent.mkdir(mode=0o700, exist_ok=True)
    return CaseFiles.create(instance.cases, open_key(instance.cases_key, instance.cases))
