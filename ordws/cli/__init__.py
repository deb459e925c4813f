"""`ordws`: one module a command, loaded when it is called, so that `--help` is instant."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from ordws.errors import OrdwsError
from ordws.hardening import protect_memory

COMMANDS: Final = {
    "init": "Make an instance: keys, ledger, the first client key.",
    "serve": "Serve the word judge over HTTP.",
    "judge": "One verdict for all the words, on this machine.",
    "play": "Judge and score one play, and explain each point.",
    "replay": "Audit game records.",
    "board": "Draw a position.",
    "home": "Rule on words at home, by your dictionary and the players' reference.",
    "rules": "The rule sets and their options.",
    "slip": "A rule set on a slip, for the table.",
    "clients": "Who may ask: add, list, verify, rotate, revoke, units; devices: pair, devices, unpair, log.",
    "guard": "The bound, what has leaked, who explains a leaked list, and what attackers learn.",
    "curation": "Ballots, decisions and overrides as files.",
    "curate": "Open the curators' console.",
    "curators": "Who may sign in to it: add, invite, list, unlock, end.",
    "status": "What this instance holds, in numbers.",
    "publish": "Hand the sealed edition to serving hosts.",
    "keys": "List and rotate the sealing keys.",
    "backup": "Write everything into one encrypted file.",
    "restore": "Bring a backup back, with the recovery key.",
}
"""Each is a click command named `command` in the module of its name."""

_EXTRA_OF_PACKAGE: Final = {
    "sqlcipher3": "build",
    "sqlite_utils": "build",
    "wordfreq": "build",
    "lemminflect": "build",
    "builders": "build",
    "argon2": "curate",
    "krippendorff": "curate",
    "numpy": "curate",
    "pyotp": "curate",
    "segno": "curate",
    "webauthn": "curate",
    "redis": "cluster",
    "limits": "bench",
}

F = TypeVar("F", bound=Callable[..., Any])


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"ordws.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _inherit_instance(ctx: click.Context, _: click.Parameter, value: str | None) -> str | None:
    """An option given before the command holds for the command too, unless it is given there again."""
    if ctx.obj is None:
        ctx.obj = {}
    if value is not None:
        ctx.obj["instance"] = value
    known: str | None = ctx.obj.get("instance")
    return known


def instance_option(command: F) -> F:
    """`--instance DIR`, given to the command as `instance`."""
    return click.option(
        "--instance",
        metavar="DIR",
        callback=_inherit_instance,
        help="The installation's folder [default: $ORDWS_INSTANCE, else ./instance].",
    )(command)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@instance_option
@click.version_option(package_name="ordws", prog_name="ordws")
def ordws(instance: str | None) -> None:
    """The word judge nobody can read: keep, build, seal and serve an ORDWS.

    \b
    Example:
      ordws judge word lovers
    """


def run(group: click.Command, name: str) -> int:
    """Run a command line; every error of ours or click's is a sentence on standard error, and status 2."""
    try:
        status = group.main(prog_name=name, standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.UsageError as error:
        return fail(error.format_message(), hint=f"{error.ctx.command_path if error.ctx else name} --help")
    except click.ClickException as error:
        return fail(error.format_message())
    except click.Abort:
        return fail("stopped before it was done")
    except OrdwsError as error:
        return fail(str(error), error.hint)
    except UnicodeError:
        return fail("an argument is not valid text")
    except OSError as error:
        return fail(f'"{error.filename}": {error.strerror}' if error.filename else str(error))
    except ModuleNotFoundError as error:
        extra = _EXTRA_OF_PACKAGE.get((error.name or "").split(".")[0])
        if extra is None:
            raise
        return fail(f'this command needs the extra "{extra}"', hint=f"pip install '.[{extra}]'")
    return status if isinstance(status, int) else 0


def fail(message: str, hint: str | None = None) -> int:
    """Say on standard error what went wrong and, where it is known, what to do."""
    click.echo(f"ordws: error: {message}", err=True)
    if hint:
        click.echo(f"ordws: hint: {hint}", err=True)
    return 2


def main() -> None:
    protect_memory()
    sys.exit(run(ordws, "ordws"))
