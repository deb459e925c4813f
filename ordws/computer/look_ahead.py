"""The best few turns looked at further: each is answered by racks that the opponent might hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ordws.computer.candidates import Breadth, RackPosition, RatedTurn, best_candidates, board_after
from ordws.computer.leaves import LeaveValues
from ordws.rules.board import Board
from ordws.rules.tiles import face_value

ROUNDS: Final = ((8, 4), (4, 8), (2, 12))
"""Of how many turns, the best so far, so many further replies are looked at: 88 replies in all."""
REPLY: Final = Breadth(candidates=1, plays=40, blanks=1, both=False)
"""How widely a reply is looked for."""
_DOUBT: Final = 4.0
"""So many replies count half: the equity alone says what comes of the rest."""


def look_ahead(
    position: RackPosition,
    candidates: list[RatedTurn],
    leaves: LeaveValues,
    draw_rack: Callable[[], str],
    is_time_up: Callable[[], bool],
    rounds: Sequence[tuple[int, int]] = ROUNDS,
) -> list[RatedTurn]:
    """Return the turns that were looked at, the best first, with what the opponent's replies take off their equity.

    Every turn is answered by the same racks, so that the luck of the draw does not decide between them.
    """
    racks: list[str] = []
    replies: dict[int, list[float]] = {at: [] for at in range(min(len(candidates), rounds[0][0]))}
    boards = {at: board_after(position, candidates[at]) for at in replies}

    def value(at: int) -> float:
        taken = replies[at]
        doubtful = len(taken) / (len(taken) + _DOUBT)
        return candidates[at].equity - doubtful * sum(taken) / max(len(taken), 1)

    best = [*replies]
    for most, more in rounds:
        best = best[:most]
        racks += [draw_rack() for _ in range(more)]
        for number in range(len(racks) - more, len(racks)):
            if is_time_up():
                return [candidates[at] for at in best]
            for at in best:
                replies[at].append(_reply(position, candidates[at], boards[at], racks[number], leaves))
        best.sort(key=value, reverse=True)
    return [candidates[at]._replace(equity=value(at)) for at in best]


def _reply(position: RackPosition, candidate: RatedTurn, board: Board, rack: str, leaves: LeaveValues) -> float:
    """Return the equity of the best reply of a rack; none if the turn has ended the game."""
    if not (candidate.leave or position.bag):
        return 0.0
    drawn = min(position.rules.rack_size - len(candidate.leave), position.bag)
    after = position._replace(board=board, rack=rack, bag=position.bag - drawn, other_face=face_value(candidate.leave))
    return best_candidates(after, leaves, REPLY)[0].equity
