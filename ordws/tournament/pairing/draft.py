"""The draft of a round: from a problem to pairings, the bye, and notes for the director."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np

from ordws.tournament.pairing.columns import (
    BYE,
    POINT_UNITS,
    START_PENALTY,
    Columns,
    balanced_cost,
    columns_of,
    meeting_cost,
    residual_after,
    with_bye,
)
from ordws.tournament.pairing.lookahead import draft_with_schedule
from ordws.tournament.pairing.lots import Integers, lot_of_round
from ordws.tournament.pairing.matching import MOST_MATCHED, OpenRound, least_repeated_matching
from ordws.tournament.pairing.problem import Draft, DraftedPairing, PairingProblem
from ordws.tournament.pairing.seating import drawn_starters, seat
from ordws.tournament.pairing.strips import LargeRound, choose_bye, match_in_strips, pair_keys

NumberPair: TypeAlias = tuple[int, int]
"""The numbers of two entrants."""


def draft_round(problem: PairingProblem) -> Draft:
    """Return the pairings of a round: equal for equal problems, on every machine (docs/tournaments.md).

    Whatever the constraints, everyone present is paired or has the bye, of which there is at most one. A constraint
    that cannot be kept and a repeat that cannot be avoided are said in the notes.
    """
    columns = columns_of(problem)
    together, notes = _put_together(problem)
    free = set(problem.present) - {number for pair in together for number in pair}
    rows = np.array([row for row, player in enumerate(problem.players) if player.number in free], np.int64)
    matched, bye = MATCHERS[problem.method](problem, columns, rows)
    pairs = sorted([*together, *matched], key=min)
    row_of = {player.number: row for row, player in enumerate(problem.players)}
    sides = np.array([(row_of[a], row_of[b]) for a, b in pairs], np.int64).reshape(-1, 2)
    a, b = seat(columns, sides[:, 0], sides[:, 1])
    one, other = residual_after(columns, a, b), residual_after(columns, b, a)
    pairings = []
    for first, second, x, y in zip(a.tolist(), b.tolist(), one.tolist(), other.tolist(), strict=True):
        player, opponent = problem.players[first], problem.players[second].number
        cost = math.sqrt((x * x + y * y) / 2) / POINT_UNITS
        pairings.append(DraftedPairing(player.number, opponent, opponent in player.opponents, cost))
    return Draft(tuple(pairings), bye, (*notes, *_describe_draft(problem, matched, bye)))


def _match_near_average(
    problem: PairingProblem, columns: Columns, rows: Integers
) -> tuple[list[NumberPair], int | None]:
    """Return pairs by a cheapest matching, or in strips where the field is too large for one."""
    if len(rows) > MOST_MATCHED and 4 * problem.rounds <= len(rows):
        return _match_large(problem, columns, rows)
    field = _open_round(problem, columns, rows)
    if not field.size:
        return [], None
    partners = draft_with_schedule(field, problem.rounds - problem.rounds_played - 1)
    if partners is None:
        partners = least_repeated_matching(field)
    starters = drawn_starters(field, partners, is_tight=2 * problem.rounds > field.size)
    numbers = field.columns.numbers.tolist()
    pairs = [(numbers[row], numbers[partner]) for row, partner in enumerate(partners.tolist()) if starters[row]]
    bye = next((sum(pair) for pair in pairs if BYE in pair), None)
    return [pair for pair in pairs if BYE not in pair], bye


def _match_large(problem: PairingProblem, columns: Columns, rows: Integers) -> tuple[list[NumberPair], int | None]:
    bye = None
    if len(rows) % 2:
        place = choose_bye(columns.take(rows))
        bye, rows = int(columns.numbers[rows[place]]), np.delete(rows, place)
    pairs = match_in_strips(_open_large_round(problem, columns, rows))
    numbers = columns.numbers[rows]
    return list(zip(numbers[pairs.a].tolist(), numbers[pairs.b].tolist(), strict=True)), bye


def _open_round(problem: PairingProblem, columns: Columns, rows: Integers) -> OpenRound:
    """Return the players of some rows as a field to be matched, with the bye where they are odd in number."""
    size = len(rows) + len(rows) % 2
    place = {int(number): place for place, number in enumerate(columns.numbers[rows])}
    last_met = np.zeros((size, size), np.int64)
    for here, row in enumerate(rows):
        player = problem.players[row]
        for opponent, met in zip(player.opponents, player.rounds_met, strict=True):
            if opponent in place:
                last_met[here, place[opponent]] = met
    forbidden = np.zeros((size, size), bool)
    for a, b in problem.forbidden:
        if a in place and b in place:
            forbidden[place[a], place[b]] = forbidden[place[b], place[a]] = True
    taken = columns.take(rows)
    # Where almost everyone meets everyone there is little to choose, neither of opponents nor of who starts.
    penalty = START_PENALTY if 2 * problem.rounds <= size else 16 * START_PENALTY
    return OpenRound(
        with_bye(taken) if len(rows) % 2 else taken,
        last_met,
        forbidden,
        penalty if problem.games_a_round == 1 else 0,
        lot=lot_of_round(problem.rounds_played + 1, problem.redraws),
        seed=problem.seed,
    )


def _open_large_round(problem: PairingProblem, columns: Columns, rows: Integers) -> LargeRound:
    """Return the players of some rows, even in number, as a field to be matched in strips."""
    longest = max(len(problem.players[row].opponents) for row in rows)
    opponents = np.zeros((longest, len(rows)), np.int32)
    for place, row in enumerate(rows):
        met = problem.players[row].opponents
        opponents[: len(met), place] = met
    return LargeRound(
        columns.take(rows),
        opponents,
        pair_keys(*np.array(sorted(problem.forbidden), np.int64).reshape(-1, 2).T),
        balanced_cost if problem.games_a_round == 1 else meeting_cost,
        lot=lot_of_round(problem.rounds_played + 1, problem.redraws),
        seed=problem.seed,
    )


def _put_together(problem: PairingProblem) -> tuple[list[NumberPair], list[str]]:
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


def _describe_draft(problem: PairingProblem, matched: Sequence[NumberPair], bye: int | None) -> list[str]:
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


MATCHERS: Final[dict[str, Callable[[PairingProblem, Columns, Integers], tuple[list[NumberPair], int | None]]]] = {
    "average": _match_near_average
}
"""For each of `PAIRING_METHODS`, how the entrants in some rows are paired: their numbers, and who has the bye."""
