"""Turns looked at further: answered by racks that the opponent might hold, and in the end by the one that is left.

The end is a game in which nothing is unknown: the bag is empty, and the tiles left are the opponent's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean, variance
from typing import Final, NamedTuple

from ordws.computer.candidates import Breadth, LeaveValues, RackPosition, RatedTurn, best_candidates, board_after
from ordws.rules.board import Board
from ordws.rules.move import Pass
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


MOST_POSITIONS: Final = 250
"""The most positions whose turns are looked for."""
MOST_VISITS: Final = 3_000
"""The most turns that are followed, those of positions that were met before included."""
ENDGAME_BREADTH: Final = Breadth(candidates=16, plays=100, blanks=1, both=True)
"""How widely turns are followed, beside a pass."""
_NO_LEAVES: Final = LeaveValues({})
_DEEPEST: Final = 16


class _Cut(Exception):
    """The search has used up its positions, or its time."""


class Endgame(NamedTuple):
    """A turn, and what it wins in points to the end, as far as it was searched."""

    turn: RatedTurn
    spread: float


class _Search:
    """A search to a depth, which is deepened until it comes to the end, or has used up its positions."""

    def __init__(self, is_time_up: Callable[[], bool]) -> None:
        self._left = MOST_POSITIONS
        self._is_time_up = is_time_up
        self._turns: dict[tuple[bytes, str], list[RatedTurn]] = {}
        self._visits = MOST_VISITS
        self.is_cut_short = False
        """Whether a line was not followed to its end."""

    def turns(self, position: RackPosition) -> list[RatedTurn]:
        """Return the turns that are followed, the most promising first."""
        key = (position.board.across, position.rack)
        if key not in self._turns:
            self._left -= 1
            if self._left < 0 or self._is_time_up():
                raise _Cut
            found = best_candidates(position, _NO_LEAVES, ENDGAME_BREADTH)
            stay = RatedTurn((), Pass(), 0, position.rack, 0.0)
            self._turns[key] = found if isinstance(found[-1].move, Pass) else [*found, stay]
        return self._turns[key]

    def spread(self, position: RackPosition, other: str, depth: int, low: float, high: float, passed: bool) -> float:
        """Return by how many points the player to move wins the rest of the game, as far as it matters here."""
        best = float("-inf")
        for turn in self.turns(position):
            value = self.spread_of(position, other, turn, depth, max(low, best), high, passed)
            best = max(best, value)
            if best >= high:
                break
        return best

    def spread_of(
        self, position: RackPosition, other: str, turn: RatedTurn, depth: int, low: float, high: float, passed: bool
    ) -> float:
        """Return the same of a turn."""
        self._visits -= 1
        if self._visits < 0:
            raise _Cut
        left = face_value(turn.leave)
        if not turn.leave:
            return turn.score + 2.0 * face_value(other)
        is_pass = isinstance(turn.move, Pass)
        if is_pass and passed:
            return face_value(other) - left
        if depth == 0:
            self.is_cut_short = True
            return turn.score + face_value(other) - left
        after = position._replace(board=board_after(position, turn), rack=other, other_face=left)
        return turn.score - self.spread(after, turn.leave, depth - 1, turn.score - high, turn.score - low, is_pass)


def play_endgame(
    position: RackPosition, other: str, is_time_up: Callable[[], bool], only: RatedTurn | None = None
) -> Endgame:
    """Return the best turn that was found against the rack of the opponent, or what `only` this one wins."""
    search = _Search(is_time_up)
    found: Endgame | None = None
    for depth in range(_DEEPEST):
        search.is_cut_short = False
        try:
            best: tuple[float, RatedTurn] | None = None
            turns = search.turns(position) if only is None else [only]
            for turn in turns if found is None else [found.turn, *[each for each in turns if each is not found.turn]]:
                low = best[0] if best else float("-inf")
                value = search.spread_of(position, other, turn, depth, low, float("inf"), passed=False)
                if best is None or value > best[0]:
                    best = (value, turn)
            assert best is not None
            found = Endgame(best[1], best[0])
        except _Cut:
            break
        if not search.is_cut_short:
            break
    if found is None:
        turn = only or best_candidates(position, _NO_LEAVES, ENDGAME_BREADTH)[0]
        return Endgame(turn, turn.equity)
    return found
