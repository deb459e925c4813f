"""Every limit of the guard, and the bound that follows from them. (GUARD, decisions 3 to 5)"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Final, get_type_hints

from ordws.errors import BadInput

DAY: Final = 86_400
"""Budgets are UTC days: a bucket that refills lets two days' worth through in one."""

PROMISED_UNITS_A_DAY: Final = 356
"""What one identity learns in a day at most, under any policy that is served."""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What may be asked. A unit is a word outside the core list, new to an identity within a day and an edition."""

    outside_a_day: Annotated[int, "units of an identity outside a game, a UTC day"] = 20
    units_a_game: Annotated[int, "units of a game, of all its seats together where it is sealed"] = 28
    games_a_day: Annotated[int, "games of an identity, a day"] = 12
    first_games_a_day: Annotated[int, "games of an identity on its first day, unless it is verified"] = 2
    ramp_days: Annotated[int, "days in which these grow to games_a_day"] = 30
    plays_a_game: Annotated[int, "plays of a game"] = 60
    invalid_a_game: Annotated[int, "plays of a game with a word that is not acceptable"] = 16
    units_a_seat: Annotated[int, "of the units of a sealed game, what one seat may spend"] = 18
    invalid_a_seat: Annotated[int, "of the plays of a sealed game with such a word, how many one seat may make"] = 10
    core_a_day: Annotated[int, "core words of an identity, which cost no unit, a day"] = 1_500
    operator_units_a_day: Annotated[
        int, "units of all players of an operator, where `ordws clients units` sets no other total"
    ] = 2_000
    new_players_a_day: Annotated[
        int, "pseudonyms of an operator that were never seen before, a day; not the devices of a verified one"
    ] = 20
    world_floor: Annotated[int, "units new to the world, of all who are not verified: at least so many a day,"] = 500
    world_percent: Annotated[int, "or so many per cent of the median of 28 days,"] = 150
    world_ceiling: Annotated[int, "and never more than this"] = 1_500
    reserve_a_day: Annotated[int, "units new to the world, of all who are verified, a day"] = 10_000
    tightened_percent: Annotated[
        int, "per cent that are left of budgets of units while a sign of mining is in alarm"
    ] = 25

    @property
    def units_a_day(self) -> int:
        """The theorem: what one identity learns in a day at most.

        It is a meter of its own, or the games that were opened yesterday would add up with today's.
        """
        return self.games_a_day * self.units_a_game + self.outside_a_day

    def games_a_day_at_age(self, age_seconds: int) -> int:
        """How many games a day an identity of that age may open."""
        more = (self.games_a_day - self.first_games_a_day) * max(0, age_seconds) // (self.ramp_days * DAY)
        return min(self.games_a_day, self.first_games_a_day + more)

    def tightened_limit(self, limit: int) -> int:
        return -(-limit * self.tightened_percent // 100)

    def check(self) -> None:
        """Raises BadInput, naming every fault, where the limits contradict each other or break what is promised."""
        if faults := list(_faults(self)):
            raise BadInput(f"the policy does not hold: {'; '.join(faults)}")


def limit_descriptions() -> dict[str, str]:
    """What each limit is of, by its name."""
    hints = get_type_hints(Policy, include_extras=True)
    return {field.name: hints[field.name].__metadata__[0] for field in fields(Policy)}


def _faults(policy: Policy) -> list[str]:
    faults = [
        f'"{field.name}" is {value}, and may not be below {least}'
        for field in fields(policy)
        if (value := getattr(policy, field.name)) < (least := 1 if field.name == "ramp_days" else 0)
    ]
    if policy.units_a_day > PROMISED_UNITS_A_DAY:
        faults.append(
            f"{policy.units_a_day} units a day for an identity are more than the {PROMISED_UNITS_A_DAY} promised"
        )
    if policy.first_games_a_day > policy.games_a_day:
        faults.append(f'"first_games_a_day" is above "games_a_day", {policy.games_a_day}')
    if policy.world_floor > policy.world_ceiling:
        faults.append(f'"world_floor" is above "world_ceiling", {policy.world_ceiling}')
    if policy.tightened_percent > 100:
        faults.append('"tightened_percent" is above 100')
    return faults
