"""The draft of a round: from a problem to pairings, the bye, and notes for the director."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
from ordws.tournament.pairing.factors import circle_rounds, circle_starters
from ordws.tournament.pairing.lookahead import draft_with_schedule
from ordws.tournament.pairing.lots import Integers, draw_lots, lot_of_round
from ordws.tournament.pairing.matching import MOST_MATCHED, OpenRound, least_repeated_matching
from ordws.tournament.pairing.problem import Draft, DraftedPairing, PairingPlayer, PairingProblem
from ordws.tournament.pairing.strips import LargeRound, choose_bye, match_in_strips

Pair: TypeAlias = tuple[int, int]
_START_LOT: Final = 0x5EED


def draft_round(problem: PairingProblem) -> Draft:
    """Return the pairings of a round: equal for equal problems, on every machine (docs/tournaments.md).

    Whatever the constraints, everyone present is paired or has the bye, of which there is at most one. A constraint
    that cannot be kept and a repeat that cannot be avoided are said in the notes.
    """
    columns = columns_of(problem)
    fixed, notes = _put_together(problem)
    placed = {number for pair in fixed for number in pair}
    free = set(problem.present) - placed
    rows = np.array([row for row, player in enumerate(problem.players) if player.number in free], np.int64)
    matched, bye = _match_rows(problem, columns, rows)
    players = {player.number: player for player in problem.players}
    notes += _notes_on_matched(problem, players, matched)
    if bye is not None and players[bye].byes:
        notes.append(f"{{{bye}}} has another bye: nobody who had fewer could have it.")
    return Draft(_seat(problem, columns, [*fixed, *matched]), bye, tuple(notes))


def _put_together(problem: PairingProblem) -> tuple[list[Pair], list[str]]:
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


def _match_rows(problem: PairingProblem, columns: Columns, rows: Integers) -> tuple[list[Pair], int | None]:
    """Return the pairs of some rows, as numbers with the smaller in front, and who has the bye."""
    if len(rows) > MOST_MATCHED and 4 * problem.rounds <= len(rows):
        return _match_large(problem, columns, rows)
    field = open_round(problem, columns, rows)
    if not field.size:
        return [], None
    partners = draft_with_schedule(field, problem.rounds - problem.rounds_played - 1)
    if partners is None:
        partners = least_repeated_matching(field)
    starters = _starters(field, partners, is_tight=2 * problem.rounds > field.size)
    numbers = field.columns.numbers.tolist()
    pairs = [(numbers[row], numbers[partner]) for row, partner in enumerate(partners.tolist()) if starters[row]]
    bye = next((sum(pair) for pair in pairs if BYE in pair), None)
    return [pair for pair in pairs if BYE not in pair], bye


def _starters(field: OpenRound, partners: Integers, *, is_tight: bool) -> Integers:
    """Return 1 for each row that goes first: by the table of a round robin where it is one of its rounds, else by lot.

    Who started more often than the opponent goes second whatever this says.
    """
    if is_tight:
        for table, starters in zip(
            circle_rounds(field.size, field.seed), circle_starters(field.size, field.seed), strict=True
        ):
            if np.array_equal(table, partners):
                return np.asarray(starters)
    rows = np.arange(field.size)
    numbers = field.columns.numbers
    low, high = np.minimum(numbers, numbers[partners]), np.maximum(numbers, numbers[partners])
    lots = draw_lots(1, field.seed, field.lot, _START_LOT, low, high)
    return np.where(lots == (rows < partners), 1, 0)


def open_round(problem: PairingProblem, columns: Columns, rows: Integers) -> OpenRound:
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


def _match_large(problem: PairingProblem, columns: Columns, rows: Integers) -> tuple[list[Pair], int | None]:
    bye = None
    if len(rows) % 2:
        place = choose_bye(columns.take(rows))
        bye, rows = int(columns.numbers[rows[place]]), np.delete(rows, place)
    longest = max(len(problem.players[row].opponents) for row in rows)
    opponents = np.zeros((longest, len(rows)), np.int32)
    for place, row in enumerate(rows):
        met = problem.players[row].opponents
        opponents[: len(met), place] = met
    field = LargeRound(
        columns.take(rows),
        opponents,
        np.array(sorted((a << 32) + b for a, b in problem.forbidden), np.int64),
        balanced_cost if problem.games_a_round == 1 else meeting_cost,
        lot=lot_of_round(problem.rounds_played + 1, problem.redraws),
        seed=problem.seed,
    )
    pairs = match_in_strips(field)
    numbers = field.columns.numbers
    return list(zip(numbers[pairs.a].tolist(), numbers[pairs.b].tolist(), strict=True)), bye


def _notes_on_matched(problem: PairingProblem, players: dict[int, PairingPlayer], matched: Sequence[Pair]) -> list[str]:
    notes = []
    for a, b in sorted((min(pair), max(pair)) for pair in matched):
        if (a, b) in problem.forbidden:
            notes.append(f"{{{a}}} and {{{b}}} meet although they must not: the round cannot be paired otherwise.")
        meetings = zip(players[a].opponents, players[a].rounds_met, strict=True)
        if rounds := [met for opponent, met in meetings if opponent == b]:
            notes.append(f"{{{a}}} and {{{b}}} meet again (round {rounds[-1]}): no round without a repeat is left.")
    return notes


def _seat(problem: PairingProblem, columns: Columns, pairs: Sequence[Pair]) -> tuple[DraftedPairing, ...]:
    """Return pairs in the order of their tables, first in front who started less often."""
    if not pairs:
        return ()
    row_of = {int(number): row for row, number in enumerate(columns.numbers)}
    pairs = sorted(pairs, key=min)
    a, b = (np.array([row_of[pair[side]] for pair in pairs], np.int64) for side in (0, 1))
    a, b = seat(columns, a, b)
    drafted = []
    one, other = residual_after(columns, a, b), residual_after(columns, b, a)
    for first, second, x, y in zip(a.tolist(), b.tolist(), one.tolist(), other.tolist(), strict=True):
        player, opponent = problem.players[first], problem.players[second].number
        cost = math.sqrt((x * x + y * y) / 2) / POINT_UNITS
        drafted.append(DraftedPairing(player.number, opponent, opponent in player.opponents, cost))
    return tuple(drafted)


def seat(columns: Columns, a: Integers, b: Integers) -> tuple[Integers, Integers]:
    """Return the rows that go first and their opponents: who started less often, and `a` where that is equal."""
    swapped = columns.imbalance[a] > columns.imbalance[b]
    return np.where(swapped, b, a), np.where(swapped, a, b)
