"""The register and the yearly counts, as a public document. Pure.

An entry has the name under which somebody played, the class of offence, and dates. It is left out while a late appeal
is heard, from three years after somebody last looked at it until somebody has looked again, and for good where the
player is found to be under age.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

import msgspec

from ordws.cases import facts
from ordws.cases.days import date_text
from ordws.cases.facts import FiledFact, Offence
from ordws.cases.state import CaseState, fold_cases

REGISTER_VERSION: Final = 1


class RegisterEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry of the register; dates are in the form 2026-11-23."""

    pseudonym: str
    offence: Offence
    first_game: str
    last_game: str
    decided: str
    published: str
    looked_at: str
    note: str = ""


class YearCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The number of steps that were taken in a year, whatever year their case was opened in."""

    year: int
    opened: int = 0
    dismissed: int = 0
    dropped: int = 0
    notices: int = 0
    answers: int = 0
    established: int = 0
    not_established: int = 0
    appeals: int = 0
    overturned: int = 0
    published: int = 0
    struck: int = 0

    def as_dict(self) -> dict[str, int]:
        """Return the year and its counts by name."""
        return msgspec.structs.asdict(self)


class PublicRegister(msgspec.Struct, frozen=True, kw_only=True):
    """The public document: the entries that stand, the counts, and the end of the chain of facts on that day."""

    made: str
    entries: tuple[RegisterEntry, ...]
    years: tuple[YearCounts, ...]
    head: str
    version: int = REGISTER_VERSION


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
    for each in recorded:
        year = counts.setdefault(datetime.fromtimestamp(each.at, UTC).year, Counter())
        if name := _counted_as(each.fact):
            year[name] += 1
    return tuple([YearCounts(year=year, **counts[year]) for year in sorted(counts)])


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
    """Return the name of the count that a fact belongs to, None where it belongs to none."""
    match fact:
        case facts.Opened():
            return "opened"
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
