"""The subjects of facts, by which two directors are kept from overwriting each other. Pure.

A subject is a tuple: ("event",), ("entrant", number), ("round", number) or ("round", number, table). The subject
("draft",) is that of the next draft: facts that change it are those on which the draft depends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeAlias

from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.state import TournamentState

Subject: TypeAlias = tuple[str | int, ...]

EVENT: Final[Subject] = ("event",)
DRAFT: Final[Subject] = ("draft",)


def subjects_of(fact: f.Fact) -> tuple[Subject, ...]:
    """Return the subjects whose state a fact changes, first the one that its sender has looked at."""
    match fact:
        case f.Created() | f.Configured() | f.Finished():
            return (EVENT, DRAFT)
        case f.Entered() | f.Renamed() | f.Erased() | f.Agreed() | f.Frozen() | f.Unfrozen() | f.CodeIssued():
            return (("entrant", fact.entrant),)
        case f.CheckedIn() | f.CheckedOut() | f.Withdrawn() | f.Returned():
            return (("entrant", fact.entrant), DRAFT)
        case f.Constrained() | f.Unconstrained():
            return (DRAFT, ("entrant", fact.a), ("entrant", fact.b))
        case f.Published():
            return (DRAFT, ("round", fact.round))
        case f.Voided() | f.Closed():
            return (("round", fact.round), DRAFT)
        case f.PairedLate():
            return (("round", fact.round), ("round", fact.round, fact.pairing.table), DRAFT)
        case f.Bound() | f.Began() | f.Disputed():
            return (("round", fact.round, fact.table),)
        case f.Resulted() | f.Reported() | f.Confirmed() | f.Corrected():
            return (("round", fact.round, fact.table), DRAFT)
        case f.Undone() | f.OperatorsNamed():
            return ()


def subject_of(command: c.Command) -> Subject:
    """Return the subject that the sender of a command has looked at."""
    match command:
        case c.Configure() | c.NameOperators() | c.Enter() | c.Undo():
            return EVENT
        case c.Rename():
            return ("entrant", command.entrant)
        case c.PairLate():
            return ("round", command.round)
        case c.ClaimResult() | c.ConfirmResult():
            return ("round", command.round, command.table)
        case _:
            return subjects_of(command)[0]


def version_of(state: TournamentState, subject: Subject) -> int:
    """Return the number of the last fact that changed a subject, 0 for a subject that there is not."""
    match subject:
        case ("draft",):
            return state.draft_version
        case ("entrant", int(number)):
            return state.entrants[number].version if number in state.entrants else 0
        case ("round", int(number)):
            found = state.find_round(number)
            return found.version if found else 0
        case ("round", int(number), int(table)):
            found = state.find_round(number)
            pairing = found.at_table(table) if found else None
            return pairing.version if pairing else 0
    return state.event_version


def touch(state: TournamentState, subject: Subject, version: int) -> TournamentState:
    """Return an own state with the version of a subject raised; a subject that there is not is left out."""
    match subject:
        case ("event",):
            return replace(state, event_version=version)
        case ("draft",):
            return replace(state, draft_version=version)
        case ("entrant", int(number)) if number in state.entrants:
            state.entrants[number] = state.entrants[number]._replace(version=version)
        case ("round", int(number), *table):
            found = state.find_round(number)
            if found is not None and not table:
                return state.with_round(found._replace(version=version))
            if found is not None and isinstance(table[0], int) and (pairing := found.at_table(table[0])) is not None:
                return state.with_round(found.with_pairing(pairing._replace(version=version)))
    return state


def overlap(one: Subject, other: Subject) -> bool:
    """Return True if a subject is the other or a part of it: a table is a part of its round."""
    return one[: len(other)] == other or other[: len(one)] == one
