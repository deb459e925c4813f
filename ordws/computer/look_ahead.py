"""The best few turns looked at further: each is answered by racks that the opponent might hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean, variance
from typing import Final

from ordws.computer.candidates import Breadth, RackPosition, RatedTurn, best_candidates, board_after
from ordws.computer.leaves import LeaveValues
from ordws.rules.board import Board
from ordws.rules.tiles import face_value

ROUNDS: Final = ((8, 4), (4, 8), (2, 12))
"""Of how many turns, the best so far, so many further replies are looked at: 88 replies in all."""
REPLY: Final = Breadth(candidates=1, plays=40, blanks=1, both=False)
"""How widely a reply is looked for."""
_FEWEST: Final = 3
"""The fewest replies from which anything is concluded."""
_USUAL_DIFFERENCE: Final = 4.0
"""By how many points the replies to two turns usually differ in truth: a larger difference is doubted the more, the
more it varies from rack to rack."""


def look_ahead(
    position: RackPosition,
    candidates: list[RatedTurn],
    leaves: LeaveValues,
    draw_rack: Callable[[], str],
    is_time_up: Callable[[], bool],
    rounds: Sequence[tuple[int, int]] = ROUNDS,
) -> list[RatedTurn]:
    """Return the turns that were looked at, the best first, with what the opponent's replies take off their equity.

    Every turn is answered by the same racks, so that the luck of the draw does not decide between them. What counts is
    how much more the replies to a turn score than those to the first one.
    """
    replies: list[list[float]] = [[] for _ in candidates[: rounds[0][0]]]
    boards = [board_after(position, candidate) for candidate in candidates[: len(replies)]]

    def value(at: int) -> float:
        return candidates[at].equity - _sure_mean([a - b for a, b in zip(replies[at], replies[0], strict=False)])

    best = [*range(len(replies))]
    for most, more in rounds:
        # The first turn stays among them, for the others are compared with it.
        best = [0, *[at for at in best if at][: most - 1]]
        for _ in range(more):
            if is_time_up():
                break
            rack = draw_rack()
            for at in best:
                replies[at].append(_reply(position, candidates[at], boards[at], rack, leaves))
        best.sort(key=value, reverse=True)
    return [candidates[at]._replace(equity=value(at)) for at in best]


def _sure_mean(differences: list[float]) -> float:
    """Return the mean of these differences, the closer to 0 the less sure it is."""
    if len(differences) < _FEWEST:
        return 0.0
    doubt = variance(differences) / _USUAL_DIFFERENCE**2
    return fmean(differences) * len(differences) / (len(differences) + doubt)


def _reply(position: RackPosition, candidate: RatedTurn, board: Board, rack: str, leaves: LeaveValues) -> float:
    """Return the equity of the best reply of a rack; none if the turn has ended the game."""
    if not (candidate.leave or position.bag):
        return 0.0
    drawn = min(position.rules.rack_size - len(candidate.leave), position.bag)
    after = position._replace(board=board, rack=rack, bag=position.bag - drawn, other_face=face_value(candidate.leave))
    return best_candidates(after, leaves, REPLY)[0].equity
