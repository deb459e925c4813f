"""The `ordws` command: one module for each subcommand, imported when it is called, so that `--help` is instant.

What all of them share stands here: the option `--instance`, errors, times as text, and files that the caller names.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.errors import BadInput, OrdwsError
from ordws.process_setup import protect_memory

COMMANDS: Final = {
    "init": ("init", "Make an installation: keys, ledger, the first client key."),
    "serve": ("serve", "Serve the word judge over HTTP."),
    "stream": ("stream", "Tell players of new rows of their games, beside the service."),
    "computer": ("computer", "Play against people who practise, beside the service."),
    "judge": ("judge", "Give one verdict for all the words, on this machine."),
    "play": ("judge", "Judge and score one play, and explain each point."),
    "replay": ("records", "Audit game records."),
    "review": ("records", "Show the best plays from public words for each turn of game records."),
    "board": ("board", "Draw a position."),
    "home": ("home", "Rule on words at home, by your dictionary and the OSPD."),
    "rules": ("rules", "List the rule sets and their options."),
    "slip": ("rules", "Print a rule set on a slip, for the table."),
    "tiles": ("rules", "Print the tiles of a rule set on a sheet, to put a set together from."),
    "tournament": ("tournament", "Run an event: entries, pairings, results, standings."),
    "clients": (
        "clients",
        "Clients and keys: add, list, verify, rotate, revoke, units; devices: pair, devices, unpair, log.",
    ),
    "play-link": ("play_link", "Make or withdraw the links with which guests open games on /play."),
    "guard": ("guard", "Show limits and leakage; trace a leaked list; end false alarms."),
    "cases": ("cases", "Keep the case files of fair play, from a flag to the register."),
    "fairplay": (
        "fairplay",
        "Look for patterns of cheating and quitting in finished games: run, report, calibrate, simulate.",
    ),
    "curation": ("curation", "Import ballots, export decisions, and override words."),
    "curate": ("console", "Run the curators' console."),
    "accounts": ("console", "Accounts of the console and of case files: add, invite, list, unlock, sign-out, end."),
    "status": ("status", "Show the state of this installation in numbers."),
    "publish": ("editions", "Write the sealed edition for the serving hosts."),
    "keys": ("editions", "List and rotate the sealing keys."),
    "backup": ("backup", "Save everything that cannot be rebuilt in one encrypted file."),
    "restore": ("backup", "Restore an installation from a backup, with the recovery key."),
}
"""The module of each subcommand, and its one-line help."""

_EXTRA_OF_PACKAGE: Final = {
    "sqlcipher3": "build",
    "sqlite_utils": "build",
    "wordfreq": "build",
    "lemminflect": "build",
    "builders": "build",
    "argon2": "curate",
    "krippendorff": "curate",
    "numpy": "tournament",
    "rustworkx": "tournament",
    "pyotp": "curate",
    "webauthn": "curate",
    "httpx": "client",
    "redis": "cluster",
}

F = TypeVar("F", bound=Callable[..., Any])


class LazyGroup(click.Group):
    """A group that imports the module of a subcommand only when the subcommand is called."""

    def __init__(self, *args: Any, package: str, table: Mapping[str, tuple[str, str]], **settings: Any) -> None:
        """Take the package, and for each subcommand its module there and its one-line help.

        To ask a command for its help, click would have to import every module.
        """
        super().__init__(*args, **settings)
        self._package, self._table = package, table

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._table)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self._table:
            return None
        module = importlib.import_module(f"{self._package}.{self._table[name][0]}")
        return next(each for each in vars(module).values() if isinstance(each, click.Command) and each.name == name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self._table and not args[0].startswith("-"):
            near = get_close_matches(args[0], self._table, n=1)
            ctx.fail(f'there is no command "{args[0]}"' + (f'; did you mean "{near[0]}"?' if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self._table.items()])


def _inherit_instance(ctx: click.Context, _: click.Parameter, value: str | None) -> str | None:
    """Return the value of `--instance`, or that given before the subcommand where it is not given again after it."""
    if ctx.obj is None:
        ctx.obj = {}
    if value is not None:
        ctx.obj["instance"] = value
    inherited: str | None = ctx.obj.get("instance")
    return inherited


def instance_option(command: F) -> F:
    """Add `--instance DIR`, passed to the command as `instance`."""
    return click.option(
        "--instance",
        metavar="DIR",
        callback=_inherit_instance,
        help="The installation's folder [default: $ORDWS_INSTANCE, else ./instance].",
    )(command)


@click.group(cls=LazyGroup, package=__name__, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@instance_option
@click.version_option(package_name="ordws", prog_name="ordws")
def ordws(instance: str | None) -> None:
    """Judge words by a secret list, and keep, build, seal and serve that list.

    \b
    Example:
      ordws judge word lovers
    """


def run(group: click.Command, name: str) -> int:
    """Run a command line and return its exit status; report every expected error on standard error, with status 2."""
    try:
        # click's standalone mode would end the process, and print its errors in a form of its own.
        status = group.main(prog_name=name, standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.UsageError as error:
        return fail(error.format_message(), hint=f"{error.ctx.command_path if error.ctx else name} --help")
    except click.ClickException as error:
        return fail(error.format_message())
    except click.Abort:
        return fail("interrupted before it was done")
    except OrdwsError as error:
        return fail(str(error), error.hint)
    except UnicodeError:
        # Python passes bytes that are not UTF-8 on as surrogates, which fail where they are first encoded.
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
    """Print an error on standard error, with a hint where there is one, and return exit status 2."""
    click.echo(f"ordws: error: {message}", err=True)
    if hint:
        click.echo(f"ordws: hint: {hint}", err=True)
    return 2


def main() -> None:
    """Run `ordws` and end the process with its exit status."""
    # Before anything is read, so that no core dump can hold a key or a word.
    protect_memory()
    sys.exit(run(ordws, "ordws"))


def format_utc(moment: int | None) -> str | None:
    """Return Unix seconds as RFC 3339 in UTC, or None for None."""
    return None if moment is None else f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%dT%H:%M:%SZ}"


def write_output_file(file: Path, data: bytes) -> None:
    """Write a file that everybody may read: atomically, at the target of a symbolic link; a device or pipe in place.

    Raises BadInput for a folder, and for a file in a folder that does not exist.
    """
    path = file.resolve()
    if path.is_dir():
        raise BadInput(f'"{file}" is a folder, not a file')
    if not path.parent.is_dir():
        raise BadInput(f'there is no folder "{file.parent}" to write "{file.name}" in')
    if path.exists() and not path.is_file():
        # Renaming a temporary file over /dev/stdout or a named pipe would replace it.
        with path.open("wb") as stream:
            stream.write(data)
    else:
        write_atomically(path, data, PUBLIC_MODE)


def printable(text: str) -> str:
    """Return the text with a replacement character for everything that could steer a terminal."""
    return "".join([letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text])
