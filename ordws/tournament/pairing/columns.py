"""The players of a round as columns of whole numbers, and what it costs two of them to meet.

For player i with the opponents o so far: S = sum(d_o) and M = sum(T_o), where T are turns and d the points above what
the field makes in as many turns. After a meeting with j the opponents of i stand (S + d_j) / (M + T_j) from the field,
and the cost is the square of that, for both, times the opponents that each has then. All is integer arithmetic, so that
a draft is the same on every machine.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ordws.tournament.pairing.lots import Integers
from ordws.tournament.pairing.problem import PairingProblem

PSEUDO_TURNS: Final = 12
"""Turns at the field's pace that are added to everyone's own for the pairing, since a few turns tell little."""
POINT_UNITS: Final = 1 << 10
"""Units of a point, and of a point per turn."""
MOST_COST: Final = (1 << 41) - 1
START_LIMIT: Final = 1 << 40
"""What it costs two to meet of whom one would have started three times more, or less, than replied."""
START_PENALTY: Final = POINT_UNITS * POINT_UNITS
"""What an equal imbalance of starts costs: as much as opponents that are a point per turn off."""
BYE: Final = 0
"""The number in the row of the bye; entrants are numbered from 1."""


class Columns(NamedTuple):
    """One row a player; `numbers` ascend. Opponents are rows of these columns, -1 where there is none yet."""

    numbers: Integers
    above: Integers
    """Points above the field's in as many turns, in units, drawn towards 0 for the pairing."""
    turns: Integers
    met_above: Integers
    """The sum of `above` over all opponents."""
    met_turns: Integers
    meetings: Integers
    imbalance: Integers
    """Starts less replies."""
    byes: Integers

    def take(self, rows: Integers) -> Columns:
        """Return the columns of some rows, in their order."""
        return Columns(*(column[rows] for column in self))


def points_above(points: Integers, turns: Integers) -> Integers:
    """Return how many units each player made above the field in as many turns, drawn towards 0 by the pseudo-turns."""
    all_points, all_turns = int(points.sum()), int(turns.sum())
    if all_turns == 0:
        return np.zeros_like(points)
    above = (points * all_turns - all_points * turns) * POINT_UNITS // all_turns
    return above * turns // (turns + PSEUDO_TURNS)


def columns_of(problem: PairingProblem) -> Columns:
    """Return the columns of all players of a problem."""
    players = problem.players
    row_of = {player.number: row for row, player in enumerate(players)}
    points, turns, starts, replies, byes = (
        np.array([getattr(player, name) for player in players], np.int64)
        for name in ("points", "turns", "starts", "replies", "byes")
    )
    above = points_above(points, turns)
    met = [np.array([row_of[opponent] for opponent in player.opponents], np.int64) for player in players]
    return Columns(
        numbers=np.array([player.number for player in players], np.int64),
        above=above,
        turns=turns,
        met_above=np.array([above[rows].sum() for rows in met], np.int64),
        met_turns=np.array([turns[rows].sum() for rows in met], np.int64),
        meetings=np.array([len(rows) for rows in met], np.int64),
        imbalance=starts - replies,
        byes=byes,
    )


def with_bye(columns: Columns) -> Columns:
    """Return the columns with the bye as their last row: to meet it changes nobody's opponents."""
    with_row = Columns(*(np.append(column, 0) for column in columns))
    with_row.meetings[-1] = -1  # so that the bye's own opponents weigh nothing
    return with_row


def residual_after(columns: Columns, a: Integers, b: Integers) -> Integers:
    """Return how far the opponents of rows `a` stand from the field once they met `b`, in units of a point per turn."""
    turns = np.maximum(columns.met_turns[a] + columns.turns[b], 1)
    # One division of numbers below 2^53 is rounded alike everywhere, and takes a third of a whole-number division.
    residual: Integers = ((columns.met_above[a] + columns.above[b]) / turns).astype(np.int64)
    return residual


def meeting_cost(columns: Columns, a: Integers, b: Integers) -> Integers:
    """Return what it costs rows `a` and `b` to meet, row by row; the arrays are broadcast."""
    one, other = residual_after(columns, a, b), residual_after(columns, b, a)
    cost = one * one * (columns.meetings[a] + 1) + other * other * (columns.meetings[b] + 1)
    limited: Integers = np.minimum(cost, MOST_COST)
    return limited


def balanced_cost(columns: Columns, a: Integers, b: Integers, penalty: int = START_PENALTY) -> Integers:
    """Return the cost of a meeting with a penalty for an equal imbalance of starts.

    Where it is equal one of the two comes farther from balance, whoever starts.
    """
    equal = (columns.imbalance[a] == columns.imbalance[b]) & (columns.numbers[a] != BYE) & (columns.numbers[b] != BYE)
    off = np.where(equal, np.abs(columns.imbalance[a]), 0)
    cost: Integers = np.minimum(meeting_cost(columns, a, b) + off * penalty, START_LIMIT - 1)
    cost += (off >= 2) * START_LIMIT
    return cost
