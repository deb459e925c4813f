"""Verify that the rounds of an event are those that its draws give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ordws.tournament.draft_problem import event_pairings, problem_of
from ordws.tournament.facts import Published, RecordedFact
from ordws.tournament.fold import fold
from ordws.tournament.pairing.draft import draft_round


@dataclass(frozen=True)
class DrawReport:
    """The number of rounds that were drawn again, voided ones too, and what differs, in words."""

    rounds: int
    faults: tuple[str, ...]


def verify_draws(facts: Sequence[RecordedFact]) -> DrawReport:
    """Draw every published round again, from the facts before it, and compare."""
    faults = []
    published = [each for each in facts if isinstance(each.fact, Published)]
    for each in published:
        assert isinstance(each.fact, Published)
        drawn = draft_round(problem_of(fold(facts[: each.number - 1])))
        if (event_pairings(drawn), drawn.bye) != (each.fact.pairings, each.fact.bye):
            faults.append(f"round {each.fact.round}, published as fact {each.number}, is not what the draw gives")
    return DrawReport(len(published), tuple(faults))
