"""The register and the yearly counts, as a public document. Pure.

An entry has the name under which somebody played, the class of offence, and dates. It is left out while a late appeal
is heard, from three years after somebody last looked at it until somebody has looked again, and for good where the
player is found to be under age.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from ordws.cases import facts
from ordws.cases.days import date_text
from ordws.cases.facts import FiledFact
from ordws.cases.state import CaseState, fold_cases
from ordws.public_register import PublicRegister, RegisterEntry, YearCounts


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
