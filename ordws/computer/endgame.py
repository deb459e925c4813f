"""The end of a game in which nothing is unknown: the bag is empty, and the tiles left are the opponent's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ordws.computer.candidates import Breadth, RackPosition, RatedTurn, best_candidates, board_after
from ordws.computer.leaves import LeaveValues
from ordws.rules.move import Pass
from ordws.rules.tiles import face_value

MOST_POSITIONS: Final = 250
"""The most positions whose turns are looked for."""
MOST_VISITS: Final = 3_000
"""The most turns that are followed, those of positions that were met before included."""
BREADTH: Final = Breadth(candidates=16, plays=100, blanks=1, both=True)
"""How widely turns are followed, beside a pass."""
_LEAVES: Final = LeaveValues({})
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
            found = best_candidates(position, _LEAVES, BREADTH)
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
        turn = only or best_candidates(position, _LEAVES, BREADTH)[0]
        return Endgame(turn, turn.equity)
    return found
