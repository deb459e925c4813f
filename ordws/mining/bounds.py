"""The most that callers of a kind may learn on a day, computed from the policy (docs/guard.md 3.2)."""

from __future__ import annotations

from typing import NamedTuple

from ordws.guard.policy import SHARE_DIVISOR, Policy
from ordws.mining.attackers.attacks import CallerKind


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
        case "pseudonyms" | "devices":
            return operator
        case "unverified-pseudonyms":
            return _shared(policy, operator, 1, cap)
        case "unverified":
            return _shared(policy, own, identities, cap)


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
