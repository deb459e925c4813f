"""The budgets of guests: what their games hold of the shared units and give back (docs/guard.md Decision 18)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ordws.guard.meter_set import NO_LIMIT, MeterSet, make_meter_set
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import GUESTS, BudgetName, Charge, ClientMeters, Identity, Mark, Meter

_UNIT_BUDGETS: Final[tuple[BudgetName, ...]] = ("units", "game", "seat")
_BASE_UNIT_BUDGETS: Final[tuple[BudgetName, ...]] = ("units", "game")
"""A base is charged to the game too, since the game holds all that it may spend, but to no seat of it."""


class HeldMeters(NamedTuple):
    """The meters that tell how much a guests' game holds, and how much of it is spent."""

    units: Meter
    core: Meter
    given_back: Meter
    """The meter that lets a game give back once."""
    spent_units: Meter
    spent_core: Meter


class GuestPricing:
    """The meters of guests' games under one policy, all of which have one owner, and the charges of a whole game.

    A game holds its units and core words on the day on which it is opened and, until it is over, on the day after, into
    which it may run. So the games of one day never spend more than the budget of that day, whenever they were opened.
    """

    def __init__(self, policy: Policy, keyed_hash: Callable[..., bytes], short_hash: Callable[..., str]) -> None:
        self.policy = policy
        self._keyed_hash = keyed_hash
        self._short_hash = short_hash

    def key(self, client: str) -> str:
        """Return the key with which the names of a game's meters begin."""
        return f"{GUESTS}.{self._short_hash('guest', client)}"

    def mark(self, key: str, ends: int) -> Mark:
        """Return the mark of a game that holds something, which ends when the game expires."""
        return Mark(self._keyed_hash("guest-game", key), ends)

    def shared(self, day: int) -> tuple[Meter, Meter]:
        """Return the meters of the units and of the core words that all guests' games of a day hold."""
        ends, policy = (day + 1) * DAY, self.policy
        return (
            Meter(f"{GUESTS}/{day}/guests", policy.guest_units_a_day, ends),
            Meter(f"{GUESTS}/{day}/guests-core", policy.guest_core_a_day, ends),
        )

    def meter_set(self, identity: Identity, seat: int | None, day: int) -> MeterSet:
        """Return the meters of a game. Those of the game itself last until the end of the next day."""
        policy, key, midnight, ends = self.policy, self.key(identity.client), (day + 1) * DAY, (day + 2) * DAY
        units, core = policy.units_a_game, policy.core_a_guest_game
        if identity.is_alarming:
            units, core = policy.tightened_limit(units), policy.tightened_limit(core)
        meters: dict[BudgetName, Meter] = {
            "units": Meter(f"{key}/{day}/units", policy.units_a_game, midnight),
            "game": Meter(f"{key}/game/game", units, ends),
            "game-core": Meter(f"{key}/game/game-core", core, ends),
            "plays": Meter(f"{key}/game/plays", policy.plays_a_game, ends),
            "invalid": Meter(f"{key}/game/invalid", policy.invalid_a_game, ends),
        }
        if seat is not None:
            seat_units = policy.tightened_limit(policy.units_a_seat) if identity.is_alarming else policy.units_a_seat
            meters["seat"] = Meter(f"{key}/game.{seat}/seat", seat_units, ends)
            meters["seat-invalid"] = Meter(f"{key}/game.{seat}/seat-invalid", policy.invalid_a_seat, ends)
        asked = Meter(f"{GUESTS}/{day}/core", NO_LIMIT, midnight)
        own = ClientMeters(meters["units"], meters["game-core"], Meter(f"{key}/{day}/games", NO_LIMIT, midnight))
        return make_meter_set(
            key,
            meters,
            unit_budgets=_UNIT_BUDGETS,
            unit_budgets_of_bases=_BASE_UNIT_BUDGETS,
            core_meters=(meters["game-core"], asked),
            own_meters=own,
            client_meters=own,
            expected=(meters["units"], meters["game"], meters["game-core"], asked),
        )._replace(long_kept=(meters["units"].name, asked.name))

    def held(self, key: str, opened: int) -> HeldMeters:
        """Return the meters of what a game holds that was opened on that day."""
        ends, policy = (opened + 2) * DAY, self.policy
        return HeldMeters(
            Meter(f"{key}/{opened}/held", policy.units_a_game, ends),
            Meter(f"{key}/{opened}/held-core", policy.core_a_guest_game, ends),
            Meter(f"{key}/{opened}/given-back", 1, ends),
            Meter(f"{key}/game/game", policy.units_a_game, ends),
            Meter(f"{key}/game/game-core", policy.core_a_guest_game, ends),
        )

    def holding_charge(self, key: str, expires: int, day: int) -> Charge:
        """Return the charge that holds what a new game may spend, on its first day and on the day after.

        The limit of what the game itself holds refuses the charge a second time.
        """
        held = self.held(key, day)
        (units, core), (later_units, later_core) = self.shared(day), self.shared(day + 1)
        meters = (units, core, later_units, later_core, held.units, held.core)
        amounts = {meter.name: held.core.limit if meter.name.endswith("core") else held.units.limit for meter in meters}
        kept = (units.name, core.name, later_units.name, later_core.name, held.units.name)
        return Charge(meters, amounts, (self.mark(key, expires),), long_kept=kept)

    def returning_charge(
        self, key: str, opened: int, day: int, *, held: tuple[int, int], spent: tuple[int, int]
    ) -> Charge:
        """Return the charge with which a game that is over gives back what it did not spend.

        `held` and `spent` are units and core words. What the game may still spend is charged to it in the same moment,
        so that nothing can be asked in it any more, and the charge is refused where more was spent meanwhile, or where
        the game gave back before. Nothing is spent on the day after if the game is over on its first day.
        """
        meters = self.held(key, opened)
        amounts = {meters.given_back.name: 1}
        own = [meters.given_back]
        left = [max(0, most - used) for most, used in zip(held, spent, strict=True)]
        for meter, most, used in zip((meters.spent_units, meters.spent_core), held, spent, strict=True):
            # A keeper may have changed the policy since the game was opened.
            own.append(meter._replace(limit=max(meter.limit, most)))
            amounts[meter.name] = max(0, own[-1].limit - used)
        shared = []
        for each in range(day, opened + 2):
            given = held if each > day else left
            for meter, amount in zip(self.shared(each), given, strict=True):
                shared.append(meter._replace(limit=NO_LIMIT))
                amounts[meter.name] = -amount
        # The meter that lets it happen once comes first, and all have one owner.
        return Charge((*own, *shared), amounts, ())
