"""The limits of the guard, and the bounds that follow from them for each kind of caller.

The decisions are in docs/guard.md Decision 3, Decision 4, Decision 5, and the table of bounds in 3.2.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from statistics import median
from typing import Annotated, Final, NamedTuple, get_type_hints

from ordws.client_kinds import CLIENT_KINDS, ClientKind
from ordws.errors import BadInput

DAY: Final = 86_400
"""A UTC day in seconds. Budgets are UTC days, because a bucket that refills lets two days' worth through in one day."""

PROMISED_UNITS_A_DAY: Final = 356
"""The words outside the core list for which one identity is charged in a day at most, under any policy served."""
_PROMISED_WORLD_UNITS: Final = 1_500
_PROMISED_WORLD_CORE: Final = 6_000
"""What README says that all unverified callers together learn a day at most."""

FULL_CORE_UNITS: Final = 2_000
"""The units of an operator's total for which `operator_core_percent` holds: more games repeat more core words."""

SHARE_DIVISOR: Final = 4
"""One unverified client may spend a quarter of what all unverified callers together have left for it."""

VISITOR_SHARE_DIVISOR: Final = 5
"""The visitors at one address may spend a fifth of what all visitors together have a day."""

SHARE_STEPS: Final = 20
"""The steps of the shared cap in which a client's share follows what others spend."""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """All limits. A unit is a word outside the core list that is new to an identity on a UTC day.

    `games_a_day` x `units_a_game` + `outside_a_day` must not exceed 356 (docs/guard.md Decision 3). No limit may be
    negative; `ramp_days` and `units_a_new_player` are at least 1, `first_games_a_day` at most `games_a_day`,
    `world_floor` at most `world_ceiling`, `tightened_percent` at most 100, and `guest_units_a_day` is 0 or at least
    `units_a_game`. `ordws guard policy` shows all values in force.
    """

    outside_a_day: Annotated[int, "units of an identity outside games, a UTC day"] = 20
    units_a_game: Annotated[int, "units of a game; in a sealed game, of all its seats together"] = 28
    games_a_day: Annotated[int, "games of an identity, a day"] = 12
    first_games_a_day: Annotated[int, "games of an unverified identity on its first day"] = 2
    ramp_days: Annotated[int, "days in which first_games_a_day grows to games_a_day"] = 30
    plays_a_game: Annotated[int, "plays of a game"] = 60
    units_a_seat: Annotated[int, "units that one seat of a sealed game may spend"] = 18
    plays_a_seat: Annotated[int, "plays that one seat of a sealed game may make; doubts are none"] = 40
    core_a_game: Annotated[int, "core words new to an identity that day: for each game it may open,"] = 40
    core_outside_a_day: Annotated[int, "and this many besides"] = 60
    reference_a_day: Annotated[
        int, "words that an identity checks in an installation's own players' reference outside games, a day"
    ] = 60
    operator_units_a_day: Annotated[
        int, "units of all players of an operator, unless `ordws clients units` sets another total"
    ] = 2_000
    operator_core_percent: Annotated[
        int, "core words new to an operator that day, as a percentage of its total up to 2,000 units,"
    ] = 230
    operator_core_percent_beyond: Annotated[int, "and as a percentage of what its total has beyond"] = 45
    operator_reference_percent: Annotated[
        int, "words that all its players check in such a list outside games, a day, as a percentage of its units"
    ] = 40
    new_players_a_day: Annotated[int, "new pseudonyms of an operator, a day; a verified one has, if that is more,"] = 20
    units_a_new_player: Annotated[int, "one for this many units of its total"] = 16
    world_floor: Annotated[int, "units of all unverified callers, a day: at least this,"] = 500
    world_percent: Annotated[int, "or this percentage of the median of 28 days,"] = 150
    world_ceiling: Annotated[int, "and never more than this"] = 1_500
    world_core_percent: Annotated[int, "core words of all unverified callers, a day, as a percentage of that cap"] = 400
    guest_units_a_day: Annotated[
        int,
        "units of all guests of links without a name, a day, beside that cap; a game holds units_a_game; 0: no guests",
    ] = 250
    guest_games_an_address: Annotated[
        int, "games that guests may open from one address, of IPv6 its /64, a day, by links without a name"
    ] = 6
    visitor_units_a_day: Annotated[
        int, "units of all visitors together, a day, where pages judge for them; of one address a fifth"
    ] = 100
    visitor_core_a_day: Annotated[int, "their core words, a day; of one address a fifth"] = 1_000
    tightened_percent: Annotated[int, "percentage that is left of units and core words during an alarm"] = 25

    def with_limits(self, limits: tuple[tuple[str, int], ...]) -> Policy:
        """Return the policy for a kind of client to which these limits apply in place of its own."""
        return replace(self, **dict(limits)) if limits else self

    @property
    def units_a_day(self) -> int:
        """The bound: the words outside the core list that one identity is charged for in a day at most.

        It is a meter of its own, or the games that were opened yesterday would add up with those of today.
        """
        return self.units_a_day_with(self.games_a_day)

    def units_a_day_with(self, games: int) -> int:
        """Return the units a day, in all, of an identity that may open so many games."""
        return games * self.units_a_game + self.outside_a_day

    def core_a_day(self, games: int) -> int:
        """Return the number of core words a day of an identity that may open so many games."""
        return games * self.core_a_game + self.core_outside_a_day

    def operator_core_a_day(self, units: int) -> int:
        """Return the number of core words a day of an operator with this total of units."""
        full = min(units, FULL_CORE_UNITS)
        return (full * self.operator_core_percent + (units - full) * self.operator_core_percent_beyond) // 100

    def verified_new_players_a_day(self, units: int) -> int:
        """Return the number of new pseudonyms a day of a verified operator with this total of units."""
        return max(self.new_players_a_day, units // self.units_a_new_player)

    def units_a_day_at_age(self, units: int, age_seconds: int) -> int:
        """Return the part of its total of units that an unverified operator of this age has: it grows as games do."""
        return units * self.games_a_day_at_age(age_seconds) // max(1, self.games_a_day)

    @property
    def least_share(self) -> int:
        """The units that one unverified client may spend however little is left to it: those of its first games."""
        return self.first_games_a_day * self.units_a_game

    @property
    def least_core_share(self) -> int:
        """The core words that one unverified client may ask however few are left to it: those of its first games."""
        return self.first_games_a_day * self.core_a_game

    def world_core_cap(self, cap: int) -> int:
        """Return the number of core words a day of all unverified callers, given their cap of units."""
        return cap * self.world_core_percent // 100

    @property
    def core_a_guest_game(self) -> int:
        """The core words of a guests' game: those of an identity that may open one game."""
        return self.core_a_day(1)

    @property
    def guest_core_a_day(self) -> int:
        """The core words a day of all guests of links without a name, as many for a unit as unverified callers have."""
        return self.guest_units_a_day * self.world_core_percent // 100

    def whole_guest_games(self, units: int, core: int) -> int:
        """Return the number of guests' games that so many units and core words hold."""
        return max(0, min(units // max(1, self.units_a_game), core // max(1, self.core_a_guest_game)))

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
        faults = self._faults()
        for name, kind in CLIENT_KINDS.items():
            if kind.limits:
                faults += [f"for clients of kind {name}, {each}" for each in self.with_limits(kind.limits)._faults()]
        if faults:
            raise BadInput(f"the policy does not hold: {'; '.join(faults)}")

    def _faults(self) -> list[str]:
        faults = [
            f'"{field.name}" is {value}, and may not be below {least}'
            for field in fields(self)
            if (value := getattr(self, field.name)) < (least := int(field.name in ("ramp_days", "units_a_new_player")))
        ]
        if self.units_a_day > PROMISED_UNITS_A_DAY:
            faults.append(
                f"{self.units_a_day} units a day for an identity are more than the {PROMISED_UNITS_A_DAY} promised"
            )
        if self.first_games_a_day > self.games_a_day:
            faults.append(f'"first_games_a_day" is above "games_a_day", {self.games_a_day}')
        if self.world_floor > self.world_ceiling:
            faults.append(f'"world_floor" is above "world_ceiling", {self.world_ceiling}')
        if 0 < self.guest_units_a_day < self.units_a_game:
            faults.append(
                f'"guest_units_a_day" is below "units_a_game", {self.units_a_game}; 0 opens no game to guests'
            )
        if self.tightened_percent > 100:
            faults.append('"tightened_percent" is above 100')
        return faults

    def beyond_promise(self) -> list[str]:
        """Return in what all unverified callers together may learn more than README says: keepers may allow it."""
        core = self.world_core_cap(min(self.world_ceiling, _PROMISED_WORLD_UNITS))
        limits = (
            ("world_ceiling", self.world_ceiling, _PROMISED_WORLD_UNITS, "units"),
            ("world_core_percent", core, _PROMISED_WORLD_CORE, "core words"),
        )
        return [
            f'"{name}" gives all unverified callers up to {most:,} {what} a day, more than the {promised:,} of README'
            for name, most, promised, what in limits
            if most > promised
        ]


def limit_descriptions() -> dict[str, str]:
    """Return a description of each limit, by its name."""
    hints = get_type_hints(Policy, include_extras=True)
    return {field.name: hints[field.name].__metadata__[0] for field in fields(Policy)}


MEDIAN_WINDOW_DAYS: Final = 28


def unverified_cap(policy: Policy, spent: Mapping[int, int], day: int) -> int:
    """Return the cap of a day, given the units spent by day; days that are not known are left out.

    A day that came near its own cap does not count, or a flood would raise the cap of the following days.
    """
    caps: dict[int, int] = {}
    for each in [*sorted(known for known in spent if known < day), day]:
        window = range(each - MEDIAN_WINDOW_DAYS, each)
        quiet = [spent[known] for known in window if known in caps and spent[known] * 5 <= caps[known] * 4]
        grown = int(median(quiet)) * policy.world_percent // 100 if quiet else 0
        caps[each] = min(policy.world_ceiling, max(policy.world_floor, grown))
    return caps[day]


def alarm_level(cap: int) -> int:
    """Return the number of units from which keepers are alarmed: four fifths of the cap."""
    return cap * 4 // 5


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
