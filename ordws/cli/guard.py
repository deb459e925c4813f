"""`ordws guard`: what keepers see of the guard."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

import click

from ordws.errors import OrdwsError

if TYPE_CHECKING:
    from ordws.guard.gate import Gate
    from ordws.instance import Instance

COMMANDS: Final = {
    "policy": "Every limit in force, and the bound that follows.",
    "report": "What each key, and the world, may have learned.",
    "trace": "Who explains a leaked list.",
    "calm": "End the alarms of a client that turned out to be honest.",
    "bench": "What attackers learn under this guard, and what honest players notice.",
}
"""Each is a click command named `command` in the module `guardNAME`."""

_EXPECTED_ERRORS: Final = (
    OrdwsError,
    click.ClickException,
    click.Abort,
    click.exceptions.Exit,
    OSError,
    ModuleNotFoundError,
)
"""What is an error of ours, or is told as one."""


class LazyGuardGroup(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found: click.Command = importlib.import_module(f"ordws.cli.guard{name}").command
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """What the command does; a mistake in it is told by its type and place, for its text could hold a word."""
        try:
            return super().invoke(ctx)
        except _EXPECTED_ERRORS:
            raise
        except Exception as error:  # noqa: BLE001 - beyond this line it would be printed, with its values
            from ordws.logs import redact_error

            raise click.ClickException(redact_error(error)) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group("guard", cls=LazyGuardGroup)
def command() -> None:
    """See what may be asked, what was, and who explains a list that leaked.

    \b
    Example:
      ordws guard report
    """


def open_gate(instance: Instance) -> Gate:
    """The gate of an installation as the service has it, over meters that are neither made nor changed here."""
    from ordws.api.services import open_meters
    from ordws.api.settings import read_settings
    from ordws.errors import Missing
    from ordws.guard.gate import Gate

    if not instance.meter_key.exists():
        raise Missing(f'no meter key at "{instance.meter_key}"', hint="ordws init")
    settings = read_settings(instance.settings)
    return Gate(settings.policy, open_meters(instance, settings), instance.meter_key.read_bytes())
