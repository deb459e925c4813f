"""The most that each kind of caller may have answered on a UTC day, computed from the policy (docs/guard.md 3.2)."""

from __future__ import annotations

from typing import Final, NamedTuple

from ordws.guard.leak_report import bits_of
from ordws.guard.policy import SHARE_DIVISOR, Policy

GRANTED_UNITS: Final = 16_000
"""The total that stands for a keeper's in the documented table: that of an operator of a thousand games a day."""


class CallerBound(NamedTuple):
    """The words that a kind of caller may have answered on a day: outside the core list, and core words."""

    caller: str
    units: int
    core: int

    @property
    def bits(self) -> int:
        """The bits that the verdicts on them tell, at most, to somebody who has all public lists."""
        return bits_of(self.units, self.core)


def caller_bounds(policy: Policy, cap: int) -> tuple[CallerBound, ...]:
    """Return the bounds of all kinds of callers, given the units that unverified ones may spend together today."""
    total, games = policy.operator_units_a_day, policy.games_a_day
    first = policy.first_games_a_day
    young = policy.units_a_day_at_age(total, 0)
    share = max(policy.least_share, cap // SHARE_DIVISOR)
    core_share = max(policy.least_core_share, policy.world_core_cap(cap) // SHARE_DIVISOR)

    def unverified(caller: str, units: int, core: int) -> CallerBound:
        return CallerBound(caller, min(units, share, cap), min(core, core_share, policy.world_core_cap(cap)))

    return (
        unverified("home client, unverified, first day", policy.units_a_day_with(first), policy.core_a_day(first)),
        unverified("home client, unverified, grown", policy.units_a_day, policy.core_a_day(games)),
        CallerBound("home client, verified", policy.units_a_day, policy.core_a_day(games)),
        CallerBound("player or paired device of a verified operator", policy.units_a_day, policy.core_a_day(games)),
        unverified("operator, unverified, first day", young, policy.operator_core_a_day(young)),
        unverified("operator, unverified, grown", total, policy.operator_core_a_day(total)),
        CallerBound("operator, verified: a club with all its devices", total, policy.operator_core_a_day(total)),
        CallerBound(
            "operator, verified, with a total set by a keeper",
            GRANTED_UNITS,
            policy.operator_core_a_day(GRANTED_UNITS),
        ),
        CallerBound("all unverified callers together", cap, policy.world_core_cap(cap)),
        CallerBound("all guests together", policy.guest_units_a_day, policy.guest_core_a_day),
    )
