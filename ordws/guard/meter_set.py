"""The meters that the questions of one identity share on one day."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ordws.guard.price import BudgetName, ClientMeters, Mark, Meter

GAME_BUDGETS: Final[tuple[BudgetName, ...]] = ("game", "seat")
PLAY_BUDGETS: Final[tuple[BudgetName, ...]] = ("plays", "invalid", "seat-invalid")
OWN_LIST_BUDGETS: Final[tuple[BudgetName, ...]] = ("reference", "operator-reference")
NO_LIMIT: Final = 1 << 40
"""The limit of a meter that only counts."""


class MeterSet(NamedTuple):
    """The meters that all questions of an identity on one day share, outside games or in one game."""

    key: str
    meters: Mapping[BudgetName, Meter]
    """The meters that the identity is shown, by their budgets."""
    unit_meters: tuple[Meter, ...]
    """The meters that a unit is charged to."""
    unit_names: tuple[str, ...]
    """The names of `unit_meters`."""
    base_unit_names: tuple[str, ...]
    """Those of them that a base under Dover is charged to."""
    core_meters: tuple[Meter, ...]
    """The meters of the identity that a core word is charged to."""
    core_names: tuple[str, ...]
    """The names of `core_meters`."""
    own_meters: ClientMeters
    """The same meters of the identity itself as `client_meters` are of its client."""
    client_meters: ClientMeters
    """The meters that count all that the client asks, of whichever player."""
    game_meters: tuple[Meter, ...]
    """Those of `unit_meters` that belong to the game."""
    play_meters: tuple[Meter, ...]
    """The other meters of the game, which count plays."""
    game_mark: Mark | None
    """The mark of an open game, for a game of the client's own; None otherwise."""
    expected: tuple[Meter, ...]
    """The meters that most questions of the identity raise."""
    long_kept: tuple[str, ...]
    """The names of those that are kept for long, for the report and the trace."""


class WorldMeters(NamedTuple):
    """The meters of a day that all unverified callers draw on together."""

    units: Meter
    core: Meter
    client_core: Meter
    """The meter of what the client has asked of `core`: core words that were new to the player who asked them."""

    @property
    def names(self) -> tuple[str, ...]:
        return self.units.name, self.core.name


def make_meter_set(
    key: str,
    meters: Mapping[BudgetName, Meter],
    *,
    unit_budgets: tuple[BudgetName, ...],
    core_meters: tuple[Meter, ...],
    own_meters: ClientMeters,
    client_meters: ClientMeters,
    unit_budgets_of_bases: tuple[BudgetName, ...],
    game_mark: Mark | None = None,
    expected: tuple[Meter, ...] = (),
) -> MeterSet:
    """Return the set of these meters, given the budgets of a unit and of a base, as far as there are such."""
    unit_meters = tuple([meters[budget] for budget in unit_budgets if budget in meters])
    return MeterSet(
        key,
        meters,
        unit_meters=unit_meters,
        unit_names=tuple([meter.name for meter in unit_meters]),
        base_unit_names=tuple([meters[budget].name for budget in unit_budgets_of_bases if budget in meters]),
        core_meters=core_meters,
        core_names=tuple([meter.name for meter in core_meters]),
        own_meters=own_meters,
        client_meters=client_meters,
        game_meters=tuple([meters[budget] for budget in GAME_BUDGETS if budget in meters]),
        play_meters=tuple([meters[budget] for budget in PLAY_BUDGETS if budget in meters]),
        game_mark=game_mark,
        expected=expected,
        long_kept=(own_meters.units.name, *client_meters.names),
    )
