"""The draft of a round: from a problem to pairings, the bye, and notes for the director."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from ordws.tournament.pairing.columns import BYE, POINT_UNITS, Columns, columns_of, residual_after
from ordws.tournament.pairing.lookahead import draft_with_schedule
from ordws.tournament.pairing.lots import Integers
from ordws.tournament.pairing.matching import MOST_MATCHED, least_repeated_matching
from ordws.tournament.pairing.notes import NumberPair, describe_draft, put_together
from ordws.tournament.pairing.opening import open_large_round, open_round
from ordws.tournament.pairing.problem import Draft, DraftedPairing, PairingProblem
from ordws.tournament.pairing.seating import drawn_starters, seat
from ordws.tournament.pairing.strips import choose_bye, match_in_strips


def draft_round(problem: PairingProblem) -> Draft:
    """Return the pairings of a round: equal for equal problems, on every machine (docs/tournaments.md).

    Whatever the constraints, everyone present is paired or has the bye, of which there is at most one. A constraint
    that cannot be kept and a repeat that cannot be avoided are said in the notes.
    """
    columns = columns_of(problem)
    together, notes = put_together(problem)
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
    return Draft(tuple(pairings), bye, (*notes, *describe_draft(problem, matched, bye)))


def _match_near_average(
    problem: PairingProblem, columns: Columns, rows: Integers
) -> tuple[list[NumberPair], int | None]:
    """Return pairs by a cheapest matching, or in strips where the field is too large for one."""
    if len(rows) > MOST_MATCHED and 4 * problem.rounds <= len(rows):
        return _match_large(problem, columns, rows)
    field = open_round(problem, columns, rows)
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
    pairs = match_in_strips(open_large_round(problem, columns, rows))
    numbers = columns.numbers[rows]
    return list(zip(numbers[pairs.a].tolist(), numbers[pairs.b].tolist(), strict=True)), bye


MATCHERS: Final[dict[str, Callable[[PairingProblem, Columns, Integers], tuple[list[NumberPair], int | None]]]] = {
    "average": _match_near_average
}
"""For each of `PAIRING_METHODS`, how the entrants in some rows are paired: their numbers, and who has the bye."""
