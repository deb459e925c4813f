"""Notes on a draft, for the director."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ordws.tournament.pairing.problem import PairingProblem

NumberPair: TypeAlias = tuple[int, int]
"""The numbers of two entrants."""


def put_together(problem: PairingProblem) -> tuple[list[NumberPair], list[str]]:
    """Return the pairs that the director has put together, and a note for each that cannot be."""
    present, fixed, notes = set(problem.present), [], []
    placed: set[int] = set()
    for a, b in sorted(problem.together):
        if not {a, b} <= present:
            notes.append(f"{{{a}}} and {{{b}}} cannot be put together: not both are here.")
        elif {a, b} & placed:
            notes.append(f"{{{a}}} and {{{b}}} cannot be put together: one of them is put together with another.")
        else:
            placed |= {a, b}
            fixed.append((a, b))
    return fixed, notes


def describe_draft(problem: PairingProblem, matched: Sequence[NumberPair], bye: int | None) -> list[str]:
    """Return a note for each broken constraint, each repeat that nobody asked for, and a second bye."""
    players = {player.number: player for player in problem.players}
    notes = []
    for a, b in sorted((min(pair), max(pair)) for pair in matched):
        if (a, b) in problem.forbidden:
            notes.append(f"{{{a}}} and {{{b}}} meet although they must not: the round cannot be paired otherwise.")
        meetings = zip(players[a].opponents, players[a].rounds_met, strict=True)
        if rounds := [met for opponent, met in meetings if opponent == b]:
            notes.append(f"{{{a}}} and {{{b}}} meet again (round {rounds[-1]}): no round without a repeat is left.")
    if bye is not None and players[bye].byes:
        notes.append(f"{{{bye}}} has another bye: nobody who had fewer could have it.")
    return notes
