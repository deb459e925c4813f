"""`ordws guard`: what the guard enforces and has recorded, for keepers."""

from __future__ import annotations

from typing import Any, Final

import click

from ordws.api.services import open_meters
from ordws.api.settings import read_settings
from ordws.cli import LazyGroup
from ordws.errors import Missing, OrdwsError
from ordws.guard.gate import Gate
from ordws.instance import Instance
from ordws.logs import redact_error

_EXPECTED_ERRORS: Final = (
    OrdwsError,
    click.ClickException,
    click.Abort,
    click.exceptions.Exit,
    OSError,
    ModuleNotFoundError,
)
"""Exceptions that `ordws.cli.run` reports; any other is a mistake in a command."""


_SUBCOMMANDS: Final = {
    "policy": ("guard_policy", "Show every limit in force, and the bound that follows."),
    "report": ("guard_report", "Show what each key, and all together, may have learned."),
    "trace": ("guard_trace", "Rank the callers who could explain a leaked list."),
    "reset-detectors": ("guard_reset_detectors", "End the alarms of a client that turned out to be honest."),
    "calm": ("guard_reset_detectors", "The older name of reset-detectors."),
    "new-meters": ("guard_new_meters", "Begin with new meters where the old ones were lost."),
}


class RedactedGroup(LazyGroup):
    """A group of subcommands whose mistakes reveal no word."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand; report a mistake in it by its type and place, since its text could hold a word."""
        try:
            return super().invoke(ctx)
        except _EXPECTED_ERRORS:
            raise
        except Exception as error:  # noqa: BLE001 - beyond this line it would be printed, with its values
            raise click.ClickException(redact_error(error)) from None


@click.group("guard", cls=RedactedGroup, package="ordws.cli", table=_SUBCOMMANDS)
def command() -> None:
    """Show what may be asked and what was, trace a leaked list, and end false alarms.

    \b
    Example:
      ordws guard report
    """


def open_gate(instance: Instance) -> Gate:
    """Return the gate of an installation as the service has it, over the meters that exist; none are created."""
    if not instance.meter_key.exists():
        raise Missing(f'no meter key at "{instance.meter_key}"', hint="ordws init")
    settings = read_settings(instance.settings)
    return Gate(settings.policy, open_meters(instance, settings), instance.meter_key.read_bytes())
