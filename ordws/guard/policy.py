"""The limits of the guard, and the bound that follows from them (docs/guard.md Decision 3, Decision 4, Decision 5)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Final, get_type_hints

from ordws.errors import BadInput

DAY: Final = 86_400
"""A UTC day in seconds. Budgets are UTC days, because a bucket that refills lets two days' worth through in one day."""

PROMISED_UNITS_A_DAY: Final = 356
"""The number of words that one identity learns in a day at most, under any policy that is served."""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """All limits. A unit is a word outside the core list that is new to an identity within a day and an edition."""

    outside_a_day: Annotated[int, "units of an identity outside games, a UTC day"] = 20
    units_a_game: Annotated[int, "units of a game; in a sealed game, of all its seats together"] = 28
    games_a_day: Annotated[int, "games of an identity, a day"] = 12
    first_games_a_day: Annotated[int, "games of an unverified identity on its first day"] = 2
    ramp_days: Annotated[int, "days in which first_games_a_day grows to games_a_day"] = 30
    plays_a_game: Annotated[int, "plays of a game"] = 60
    invalid_a_game: Annotated[int, "plays of a game with a word that is not acceptable"] = 16
    units_a_seat: Annotated[int, "units that one seat of a sealed game may spend"] = 18
    invalid_a_seat: Annotated[
        int, "plays with a word that is not acceptable that one seat of a sealed game may make"
    ] = 10
    core_a_day: Annotated[int, "core words of an identity, which cost no unit, a day"] = 1_500
    operator_units_a_day: Annotated[
        int, "units of all players of an operator, unless `ordws clients units` sets another total"
    ] = 2_000
    new_players_a_day: Annotated[
        int, "new pseudonyms of an operator, a day, not counting paired devices of a verified one"
    ] = 20
    world_floor: Annotated[int, "units new to the world, of all unverified callers, a day: at least this,"] = 500
    world_percent: Annotated[int, "or this percentage of the median of 28 days,"] = 150
    world_ceiling: Annotated[int, "and never more than this"] = 1_500
    reserve_a_day: Annotated[int, "units new to the world, of all verified callers, a day"] = 10_000
    tightened_percent: Annotated[int, "percentage that is left of budgets of units during an alarm"] = 25

    @property
    def units_a_day(self) -> int:
        """The bound: the number of words that one identity learns in a day at most.

        It is a meter of its own, or the games that were opened yesterday would add up with those of today.
        """
        return self.games_a_day * self.units_a_game + self.outside_a_day

    def games_a_day_at_age(self, age_seconds: int) -> int:
        """Return the number of games a day that an identity of this age may open."""
        more = (self.games_a_day - self.first_games_a_day) * max(0, age_seconds) // (self.ramp_days * DAY)
        return min(self.games_a_day, self.first_games_a_day + more)

    def tightened_limit(self, limit: int) -> int:
        """Return what is left of a limit during an alarm.

        It is rounded up, so that an identity that may ask at all is not shut out.
        """
        # Negated twice, because // rounds down.
        return -(-limit * self.tightened_percent // 100)

    def check(self) -> None:
        """Raise BadInput, naming every fault, if the limits contradict each other or break the promised bound."""
        faults = [
            f'"{field.name}" is {value}, and may not be below {least}'
            for field in fields(self)
            if (value := getattr(self, field.name)) < (least := 1 if field.name == "ramp_days" else 0)
        ]
        if self.units_a_day > PROMISED_UNITS_A_DAY:
            faults.append(
                f"{self.units_a_day} units a day for an identity are more than the {PROMISED_UNITS_A_DAY} promised"
            )
        if self.first_games_a_day > self.games_a_day:
            faults.append(f'"first_games_a_day" is above "games_a_day", {self.games_a_day}')
        if self.world_floor > self.world_ceiling:
            faults.append(f'"world_floor" is above "world_ceiling", {self.world_ceiling}')
        if self.tightened_percent > 100:
            faults.append('"tightened_percent" is above 100')
        if faults:
            raise BadInput(f"the policy does not hold: {'; '.join(faults)}")


def limit_descriptions() -> dict[str, str]:
    """Return a description of each limit, by its name."""
    hints = get_type_hints(Policy, include_extras=True)
    return {field.name: hints[field.name].__metadata__[0] for field in fields(Policy)}
