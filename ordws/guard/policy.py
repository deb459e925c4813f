"""Every limit of the guard, and the bound that follows from them. (GUARD, decisions 3 to 5)"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from ordws.errors import BadInput

DAY: Final = 86_400
"""Budgets are UTC days: a bucket that refills lets two days' worth through in one."""

PROMISED: Final = 356
"""What one identity learns in a day at most, under any policy that is served."""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What may be asked. A unit is a word outside the core list, new to an identity within a day and an edition."""

    outside_a_day: int = 20
    """Units of an identity outside a game."""
    units_a_game: int = 28
    games_a_day: int = 12
    first_games_a_day: int = 2
    """Games of an identity on its first day; they grow to `games_a_day` in `ramp_days`, unless it is verified."""
    ramp_days: int = 30
    plays_a_game: int = 60
    invalid_a_game: int = 16
    """Plays of a game with a word that is not acceptable."""
    units_a_seat: int = 18
    """Of the units of a sealed game, what one seat may spend, so that some are left to the others;"""
    invalid_a_seat: int = 10
    """and of its plays with a word that is not acceptable."""
    core_a_day: int = 1_500
    """Core words of an identity, which cost no unit."""
    operator_units_a_day: int = 2_000
    """Units of all players of an operator together, where its keeper has set no other total."""
    new_players_a_day: int = 20
    """Pseudonyms of an operator that were never seen before."""
    world_floor: int = 500
    """Units of all who are not verified together that nobody has asked before: at least so many a day,"""
    world_percent: int = 150
    """or so much of the median of the last 28 days,"""
    world_ceiling: int = 1_500
    """and never more than this."""
    reserve_a_day: int = 10_000
    """The same of all who are verified together."""
    tightened_percent: int = 25
    """What is left of the budgets of units where a sign of mining was seen."""

    @property
    def units_a_day(self) -> int:
        """The theorem: what one identity learns in a day at most.

        It is a meter of its own, or the games that were opened yesterday would add up with today's.
        """
        return self.games_a_day * self.units_a_game + self.outside_a_day

    def games_on(self, age_seconds: int) -> int:
        """How many games a day an identity of that age may open."""
        more = (self.games_a_day - self.first_games_a_day) * max(0, age_seconds) // (self.ramp_days * DAY)
        return min(self.games_a_day, self.first_games_a_day + more)

    def tightened(self, limit: int) -> int:
        return -(-limit * self.tightened_percent // 100)

    def check(self) -> None:
        """Raises BadInput, naming every fault, where the limits contradict each other or break what is promised."""
        if faults := list(_faults(self)):
            raise BadInput(f"the policy does not hold: {'; '.join(faults)}")


def _faults(policy: Policy) -> list[str]:
    faults = [
        f'"{field.name}" is {value}, and may not be below {least}'
        for field in fields(policy)
        if (value := getattr(policy, field.name)) < (least := 1 if field.name == "ramp_days" else 0)
    ]
    if policy.units_a_day > PROMISED:
        faults.append(f"{policy.units_a_day} units a day for an identity are more than the {PROMISED} promised")
    if policy.first_games_a_day > policy.games_a_day:
        faults.append(f'"first_games_a_day" is above "games_a_day", {policy.games_a_day}')
    if policy.world_floor > policy.world_ceiling:
        faults.append(f'"world_floor" is above "world_ceiling", {policy.world_ceiling}')
    if policy.tightened_percent > 100:
        faults.append('"tightened_percent" is above 100')
    return faults
