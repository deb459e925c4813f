"""The prizes that wait while a case is open: what an event has to be told. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ordws.cases.state import CaseState


class PrizeChange(NamedTuple):
    """A prize of an entrant of an event that has to be held for a case, or need not be held any more."""

    entrant: int
    case: str
    is_held: bool


def prize_changes(
    cases: Iterable[CaseState], event: str, frozen: Mapping[int, frozenset[str]], due: int | None
) -> tuple[PrizeChange, ...]:
    """Return what to change in an event; `frozen` has the cases for which it holds prizes, by entrant.

    `due` is when the prizes of an on-line event that is over are pending no longer.
    """
    changes = []
    for state in cases:
        for held_event, entrant in state.held:
            is_frozen = state.case in frozen.get(entrant, frozenset())
            if held_event == event and is_frozen != state.holds_prizes_due(due):
                changes.append(PrizeChange(entrant, state.case, not is_frozen))
    return tuple(changes)
