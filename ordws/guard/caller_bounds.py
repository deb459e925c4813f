"""The most that each kind of caller may have answered on a UTC day, computed from the policy (docs/guard.md 3.2)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from ordws.client_kinds import CLIENT_KINDS, ClientKind
from ordws.guard.policy import SHARE_DIVISOR, Policy

GRANTED_UNITS: Final = 16_000
"""The total that stands for a keeper's in the documented table: that of an operator of a thousand games a day."""


class CallerBound(NamedTuple):
    """The words that a kind of caller may have answered on a day: outside the core list, and core words."""

    caller: str
    units: int
    core: int


class GrantedClient(NamedTuple):
    """A client as a keeper has let it in."""

    name: str
    kind: ClientKind
    is_verified: bool
    units: int | None
    """The total that a keeper has set for an operator."""


class GrantedLink(NamedTuple):
    """A play link to which a keeper has granted games of its own."""

    name: str
    games: int
    """The games a day that guests open by it."""


class OperatorGrant(NamedTuple):
    """The units and core words a day of all players of an operator."""

    name: str
    units_a_day: int
    core_a_day: int
    is_set: bool
    """Whether a keeper has set the total for this operator."""


class GrantedTogether(NamedTuple):
    """The units and core words that all verified clients together may have answered on a day."""

    clients: int
    units_a_day: int
    core_a_day: int


def operator_grants(policy: Policy, clients: Sequence[GrantedClient]) -> tuple[OperatorGrant, ...]:
    """Return what each operator among these clients may have answered on a day once it is grown."""
    grants = []
    for client in clients:
        if client.kind.names_players:
            own = policy.with_limits(client.kind.limits)
            total = own.operator_units_a_day if client.units is None else client.units
            grants.append(OperatorGrant(client.name, total, own.operator_core_a_day(total), client.units is not None))
    return tuple(grants)


def granted_together(policy: Policy, clients: Sequence[GrantedClient]) -> GrantedTogether:
    """Return what the verified ones among these clients may have answered on a day, all together."""
    verified = [client for client in clients if client.is_verified]
    operators = operator_grants(policy, verified)
    homes = [policy.with_limits(each.kind.limits) for each in verified if not each.kind.names_players]
    return GrantedTogether(
        len(verified),
        sum([each.units_a_day for each in homes]) + sum([each.units_a_day for each in operators]),
        sum([each.core_a_day(each.games_a_day) for each in homes]) + sum([each.core_a_day for each in operators]),
    )


def caller_bounds(policy: Policy, cap: int, links: Sequence[GrantedLink] = ()) -> tuple[CallerBound, ...]:
    """Return the bounds of all kinds of callers and of the guests of each of these links.

    `cap` is the number of units that unverified callers may spend together today.
    """
    share = max(policy.least_share, cap // SHARE_DIVISOR)
    core_share = max(policy.least_core_share, policy.world_core_cap(cap) // SHARE_DIVISOR)

    def unverified(caller: str, units: int, core: int) -> CallerBound:
        return CallerBound(caller, min(units, share, cap), min(core, core_share, policy.world_core_cap(cap)))

    keys: list[CallerBound] = []
    for kind in CLIENT_KINDS.values():
        own, title = policy.with_limits(kind.limits), kind.title
        games, first, total = own.games_a_day, own.first_games_a_day, own.operator_units_a_day
        if not kind.names_players:
            keys += [
                unverified(f"{title}, unverified, first day", own.units_a_day_with(first), own.core_a_day(first)),
                unverified(f"{title}, unverified, grown", own.units_a_day, own.core_a_day(games)),
                CallerBound(f"{title}, verified", own.units_a_day, own.core_a_day(games)),
            ]
            continue
        young, granted = own.units_a_day_at_age(total, 0), GRANTED_UNITS
        keys += [
            CallerBound(f"player or paired device of a verified {title}", own.units_a_day, own.core_a_day(games)),
            unverified(f"{title}, unverified, first day", young, own.operator_core_a_day(young)),
            unverified(f"{title}, unverified, grown", total, own.operator_core_a_day(total)),
            CallerBound(f"{title}, verified: a club with all its devices", total, own.operator_core_a_day(total)),
            CallerBound(f"{title}, verified, with a total set by a keeper", granted, own.operator_core_a_day(granted)),
        ]

    guests = (
        CallerBound("all guests of play links without a name", policy.guest_units_a_day, policy.guest_core_a_day),
        *[
            CallerBound(
                f"guests of play link {json.dumps(link.name)}, {link.games} games",
                link.games * policy.units_a_game,
                link.games * policy.core_a_guest_game,
            )
            for link in links
        ],
    )
    visitors = CallerBound("all visitors together", policy.visitor_units_a_day, policy.visitor_core_a_day)
    return (
        *keys,
        CallerBound("all unverified callers together", cap, policy.world_core_cap(cap)),
        *guests,
        visitors,
        CallerBound(
            "all callers without a key together",
            sum([each.units for each in (*guests, visitors)]),
            sum([each.core for each in (*guests, visitors)]),
        ),
    )
