"""The most that callers of a kind may learn on a day, computed from the policy (docs/guard.md 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from ordws.guard.policy import SHARE_DIVISOR, Policy, alarm_level, unverified_cap
from tests.mining.attackers.attacks import CallerKind
from tests.mining.bench_rows import BenchRow


class Bounds(NamedTuple):
    """Words a UTC day: outside the core list, and core words."""

    outside: int
    core: int


def bounds_of(policy: Policy, callers: CallerKind, identities: int, cap: int) -> Bounds:
    """Return what so many identities may learn together, given the day's cap of units of unverified callers."""
    own = Bounds(policy.units_a_day, policy.core_a_day(policy.games_a_day))
    total = policy.operator_units_a_day
    operator = Bounds(
        min(own.outside * identities, total), min(own.core * identities, policy.operator_core_a_day(total))
    )
    match callers:
        case "verified":
            return Bounds(own.outside * identities, own.core * identities)
        case "pseudonyms" | "devices" | "directors":
            return operator
        case "guests":
            return Bounds(policy.guest_units_a_day, policy.guest_core_a_day)
        case "visitors":
            return Bounds(policy.visitor_units_a_day, policy.visitor_core_a_day)
        case "unverified-pseudonyms":
            return _shared(policy, operator, 1, cap)
        case "unverified":
            return _shared(policy, own, identities, cap)


def with_bounds(
    row: BenchRow, policy: Policy, callers: CallerKind, spent: Mapping[int, int], days: tuple[int, int]
) -> BenchRow:
    """Return the row with its bounds and, if unverified callers attack, the caps and alarm of their shared budget.

    `spent` has the units of unverified callers by UTC day, and `days` the first and the last day of the attack.
    """
    first, last = days
    caps = {each: unverified_cap(policy, spent, each) for each in (*spent, last)}
    bounds = bounds_of(policy, callers, row.identities, max(caps.values()))
    row = replace(row, outside_bound=bounds.outside, core_bound=bounds.core)
    if not callers.startswith("unverified"):
        return row
    alarm = min((each for each in spent if spent[each] >= alarm_level(caps[each])), default=None)
    return replace(
        row,
        world_cap_after=caps[last],
        units_per_day=max(spent.values(), default=0),
        world_alarm_on_day=None if alarm is None else alarm - first + 1,
    )


def _shared(policy: Policy, each: Bounds, clients: int, cap: int) -> Bounds:
    """Return the sum of what unverified clients take one after another, each of what those before it have left."""
    return Bounds(
        _sum_of_shares(each.outside, clients, cap, policy.least_share),
        _sum_of_shares(each.core, clients, policy.world_core_cap(cap), policy.least_core_share),
    )


def _sum_of_shares(each: int, clients: int, cap: int, least: int) -> int:
    left = cap
    for _ in range(clients):
        left -= min(each, left, max(left // SHARE_DIVISOR, least))
    return cap - left
