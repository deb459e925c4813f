"""The part of a game of two that one seat may see: all that the computer player chooses by."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from ordws.rules.board import Board
from ordws.rules.ruleset import RuleSet


class SeatTask(Enum):
    """The decision that is asked of a seat."""

    MOVE = "move"
    """A play, an exchange or a pass; a play that could be challenged stands with it."""
    REPLAY = "replay"
    """Another play or a pass, after a check of the OSPD."""
    CHALLENGE = "challenge"
    """To challenge the opponent's last play, or else to move."""
    CHECK = "check"
    """To check the OSPD for the own play, which was rejected, or to go on without."""
    PROPOSE = "propose"
    """A play with the opponent's tiles, or none (docs/rules.md 9.5)."""


class VisibleGame(NamedTuple):
    """The part of a game that a seat may see."""

    rules: RuleSet
    board: Board
    rack: str
    unseen: str
    """The tiles of the pool that the seat does not see, in any order (docs/rules.md 2.2.3)."""
    bag: int
    """The number of tiles in the bag."""
    other_count: int
    """The number of tiles on the opponent's rack."""
    other_rack: str | None = None
    """The opponent's rack where the rules show it."""
    lead: int = 0
    """The seat's score less the opponent's."""
    task: SeatTask = SeatTask.MOVE
    words: tuple[str, ...] = ()
    """The words in question of a challenge or a check; in Dover's check those left to name."""
    barred: frozenset[str] = frozenset()
    """Words of the seat's own plays that came off, which it tries no second time."""

    @property
    def known_other_rack(self) -> str | None:
        """The opponent's rack where it is shown, or follows from the tiles: nothing else is unseen."""
        if self.other_rack is not None:
            return self.other_rack
        return self.unseen if len(self.unseen) == self.other_count and not self.bag else None


def once_drawn(view: VisibleGame) -> VisibleGame:
    """Return the view as it is once the opponent has drawn, if the opponent's play is still in question."""
    drawn = min(view.rules.rack_size - view.other_count, view.bag) if view.task is SeatTask.CHALLENGE else 0
    return view._replace(bag=view.bag - drawn, other_count=view.other_count + drawn)
