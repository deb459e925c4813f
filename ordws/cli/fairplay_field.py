"""The size of the field that the commands of fair play look at: given, or as `ordws fairplay run` was last given it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from ordws.fairplay.milestones import FieldSize
    from ordws.fairplay.store import FairPlayStore

F = TypeVar("F", bound=Callable[..., object])
_DEFAULT = "[default: as run was last given, else {}]"


def field_options(command: F) -> F:
    """Add `--players N` and `--milestones N`."""
    milestones = click.option(
        "--milestones",
        type=click.IntRange(1, 5),
        help=f"Milestones at which players are looked at {_DEFAULT.format(3)}.",
    )(command)
    return click.option(
        "--players", type=click.IntRange(1), help=f"Size of the field, for the threshold {_DEFAULT.format(200)}."
    )(milestones)


def size_of_field(store: FairPlayStore, players: int | None, milestones: int | None) -> FieldSize:
    """Return the size of the field: as it is given here, else as the store has it, else that of an event."""
    from ordws.fairplay.milestones import FieldSize

    kept = store.field() or FieldSize()
    return FieldSize(players or kept.players, milestones or kept.milestones)
