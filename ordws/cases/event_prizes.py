"""Prizes held and let go in the files of events, by what the case files say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from ordws.cases.state import CaseState
from ordws.cases.store import CaseFiles
from ordws.errors import Missing, OrdwsError
from ordws.tournament.facts import Frozen, Unfrozen
from ordws.tournament.personal_data import entrants_behind
from ordws.tournament.prizes import prizes_due
from ordws.tournament.store import EventFile

ACTOR: Final = "fair play"
"""The actor of these facts in an event, where a keeper's name would tell who is concerned with the case."""


class HeldPrizes(NamedTuple):
    """The outcome of telling events of their prizes."""

    failed: tuple[tuple[str, str], ...]
    """The events that could not be told, each with the reason."""

    under_age: tuple[tuple[str, str], ...]
    """The open cases, each with an event in which the player is under age, and which do not say so yet."""


def sync_prizes(files: CaseFiles, locate: Callable[[str], Path], now: int) -> HeldPrizes:
    """Hold and let go the prizes of all cases in their events; doing it again changes nothing.

    `locate` returns the file of an event. An event whose file is missing or damaged is told the next time.
    """
    cases = tuple(files.cases().values())
    failed: list[tuple[str, str]] = []
    under_age: dict[str, str] = {}
    for event in sorted({event for state in cases for event, _ in state.held}):
        try:
            with closing(EventFile.open(locate(event))) as event_file:
                frozen = {number: entrant.cases for number, entrant in event_file.state.entrants.items()}
                for change in _prize_changes(cases, event, frozen, prizes_due(event_file.state)):
                    event_file.apply(change, actor=ACTOR, now=now)
                minors = {(event, number) for number, entrant in event_file.state.entrants.items() if entrant.minor}
                open_cases = [state for state in cases if state.outcome is None and not state.is_minor]
                under_age |= {state.case: event for state in open_cases if minors & set(state.held)}
        except OrdwsError as error:
            failed.append((event, str(error)))
    return HeldPrizes(tuple(failed), tuple(under_age.items()))


def find_entrant(path: Path, name: str) -> int:
    """Return the number of an entrant of an event; raise Missing where nobody has this name."""
    with closing(EventFile.open(path)) as event_file:
        for entrant in event_file.state.entrants.values():
            if entrant.name == name:
                return entrant.number
    raise Missing(f'nobody called "{name}" has entered "{path.name}"', hint="names are written as they were entered")


def entrants_of_player(path: Path, player: str, players_key: bytes | None, since: int) -> set[int]:
    """Return the entrants of an event who were paired as this player of an operator, from `since` on (seconds).

    Without the key there are only those whom the desk has named by the event (`ordws.tournament.personal_data`).
    """
    with closing(EventFile.open(path)) as event_file:
        return entrants_behind(event_file.facts, player.rpartition("/")[2], players_key, since)


def is_entrant_minor(path: Path, number: int) -> bool:
    """Return whether an entrant of an event is marked as under age."""
    with closing(EventFile.open(path)) as event_file:
        return event_file.state.entrants[number].minor


def _prize_changes(
    cases: Iterable[CaseState], event: str, frozen: Mapping[int, frozenset[str]], due: int | None
) -> tuple[Frozen | Unfrozen, ...]:
    """Return what to change in an event; `frozen` has the cases for which it holds prizes, by entrant.

    `due` is when the prizes of an on-line event that is over are pending no longer.
    """
    changes: list[Frozen | Unfrozen] = []
    for state in cases:
        for held_event, entrant in state.held:
            is_frozen = state.case in frozen.get(entrant, frozenset())
            if held_event == event and is_frozen != state.holds_prizes_due(due):
                changes.append((Unfrozen if is_frozen else Frozen)(entrant=entrant, case=state.case))
    return tuple(changes)
