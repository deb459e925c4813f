"""Every limit of the guard, and the bound that follows from them. (GUARD, decision 3)"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What one identity may ask. A unit is a word outside the core list, new to it within a day and an edition."""

    outside_a_day: int = 20
    units_a_game: int = 28
    games_a_day: int = 12
    core_a_day: int = 1_500

    @property
    def units_a_day(self) -> int:
        """The theorem: what one identity learns in a day at most.

        It is a meter of its own, or the games that were opened yesterday would add up with today's.
        """
        return self.games_a_day * self.units_a_game + self.outside_a_day
