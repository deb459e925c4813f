"""From a problem to the columns and tables that a round is matched from."""

from __future__ import annotations

import numpy as np

from ordws.tournament.pairing.columns import START_PENALTY, Columns, balanced_cost, meeting_cost, with_bye
from ordws.tournament.pairing.lots import Integers, lot_of_round
from ordws.tournament.pairing.matching import OpenRound
from ordws.tournament.pairing.problem import PairingProblem
from ordws.tournament.pairing.strips import LargeRound, pair_keys


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


def open_large_round(problem: PairingProblem, columns: Columns, rows: Integers) -> LargeRound:
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
