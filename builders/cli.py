"""The command `ordws-build`: fetch the open dictionaries, and build an edition from dictionaries and decisions."""

from __future__ import annotations

import gc
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

from ordws.cli import instance_option, run
from ordws.errors import BadInput, BadSource, Missing
from ordws.fold import find_fold
from ordws.instance import Instance, Sources
from ordws.process_setup import protect_memory

sources_option = click.option(
    "--sources", metavar="DIR", help="The folder of the dictionaries [default: $ORDWS_SOURCES, else ./sources]."
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ordws", prog_name="ordws-build")
def ordws_build() -> None:
    """Merge dictionaries and curators' decisions into a sealed edition.

    \b
    Example:
      ordws-build fetch && ordws-build run
    """


@ordws_build.command()
@sources_option
def fetch(sources: str | None) -> None:
    """Get the open dictionaries: four Debian packages, verified and unpacked, without root and without installing.

    After an interruption, run it again: it continues where it stopped and keeps what is there already.

    \b
    Example:
      ordws-build fetch --sources sources
    """
    from builders.fetch import fetch as fetch_all

    with progress_bar() as watch:
        fetch_all(Sources.locate(sources), print_status, watch, shutil.which("apt-get"))


@ordws_build.command(name="run")
@click.option("--recipe", metavar="FILE", help="A file, or: open, licensed [default: the last one, at first open].")
@sources_option
@instance_option
@click.option("--keep-going", is_flag=True, help="Report all malformed places; if there are any, nothing is sealed.")
@click.option(
    "--force",
    is_flag=True,
    help="Read everything again even if nothing changed, and allow to drop more than half of the words.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def run_recipe(
    recipe: str | None, sources: str | None, instance: str | None, keep_going: bool, force: bool, as_json: bool
) -> None:
    """Merge dictionaries and decisions, seal an edition, queue what is borderline for the curators.

    Prints counts only, no words.

    The JSON is the content of build.json: inputs, recipe, read, changed, edition, name, counts, seconds, losses,
    recipe_lines and links.

    \b
    Example:
      ordws-build run --recipe open
    """
    import msgspec

    from builders.build import build
    from builders.build_report import format_build_report, read_build_report
    from builders.frequency import find_zipf
    from builders.recipe import DEFAULT_RECIPE, read_recipe
    from ordws.cli.curation import open_ledger

    # A build makes millions of objects and no cycles: the search for cycles would take a tenth of its time.
    gc.disable()
    located = Instance.locate(instance)
    last = read_build_report(located.build_record)
    recipe_name = recipe or (last.recipe if last else DEFAULT_RECIPE)
    faults: list[BadSource] | None = [] if keep_going else None
    with open_ledger(located) as ledger:
        report = build(
            read_recipe(recipe_name),
            recipe_name,
            Sources.locate(sources),
            located,
            ledger,
            datetime.now(UTC),
            zipf=find_zipf,
            log=print_status,
            force=force,
            faults=faults,
        )
    click.echo(json.dumps(msgspec.to_builtins(report)) if as_json else format_build_report(report))


@ordws_build.command(name="explain")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@click.option("--recipe", metavar="FILE", default="open", help="A file, or: open, licensed [default: open].")
@sources_option
def explain_words(words: tuple[str, ...], recipe: str, sources: str | None) -> None:
    """Tell what the dictionaries of a recipe say of each WORD, which rule withheld it, and what becomes of it.

    Reads the dictionaries and no edition: what curators or keepers decided is not in it.

    \b
    Example:
      ordws-build explain brambles yuletide
    """
    from builders.explain import explain
    from builders.frequency import find_zipf
    from builders.recipe import read_recipe

    gc.disable()
    folded = {word: find_fold(word) for word in words}
    if unreadable := [word for word, fold in folded.items() if fold is None]:
        raise BadInput(f'"{unreadable[0]}" is no word of 2 to 21 letters')
    asked = list(dict.fromkeys(fold for fold in folded.values() if fold))
    for line in explain(asked, read_recipe(recipe), Sources.locate(sources), find_zipf, print_status):
        click.echo(line)


@ordws_build.command(name="take-back")
@click.option("--reason", required=True, help="The reason, which stays in the ledger. - reads it from standard input.")
@click.option("--keeper", help="The keeper who decides [default: your login name].")
@instance_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def roll_back_edition(reason: str, keeper: str | None, instance: str | None, as_json: bool) -> None:
    """Seal the words of the edition before the present one again, under the next number. Prints counts only.

    The decisions stay as they are: the next build with a change applies them again, unless the families are first voted
    on again, or overridden.

    The JSON has edition, name, taken_back, words_of and counts.

    \b
    Example:
      ordws-build take-back --reason "the wrong ballots were imported" && ordws publish
    """
    import msgspec

    from builders.seal_edition import format_rollback, roll_back
    from ordws.cli.curation import login_name, open_ledger

    located = Instance.locate(instance)
    text = sys.stdin.read() if reason == "-" else reason
    with open_ledger(located) as ledger:
        result = roll_back(located, ledger, reason=text, keeper=keeper or login_name(), now=datetime.now(UTC))
    click.echo(json.dumps(msgspec.to_builtins(result)) if as_json else format_rollback(result))


@ordws_build.group()
def reference() -> None:
    """Set the players' list of the editions to come, by which the OSPD is checked and Dover's forms are made.

    The core list stays as it is. Editions that were sealed before keep their list, and so do the games that run.
    """


@reference.command(name="use")
@click.argument("file", metavar="FILE")
@click.option("--name", required=True, help='The name that people read, such as "OSPD 7".')
@instance_option
def use_own_reference(file: str, name: str, instance: str | None) -> None:
    """Put your own list in the place of the open players' list, from the next build on.

    FILE has a word a line, or a word and its definition, in UTF-8. It is kept encrypted, and sealed into each edition;
    nobody is served a file of it. A list that you hold a licence for stays yours.

    The name has 1 to 40 letters, digits, spaces and . , ( ) + -. A file with a fault changes nothing, and its line is
    named.

    \b
    Example:
      ordws-build reference use ospd7.txt --name "OSPD 7" && ordws-build run
    """
    from ordws.lexicon.own_reference import read_list_file, store_own_reference

    own, repeats = read_list_file(Path(file), name)
    located = find_installation(instance)
    with located.seal_lock():
        store_own_reference(own, located.own_reference, located.own_reference_key)
    words = "1 word" if len(own.words) == 1 else f"{len(own.words):,} words"
    repeated = ", 1 line repeats a word" if repeats == 1 else f", {repeats:,} lines repeat a word" if repeats else ""
    click.echo(f"{own.name}: {words}{repeated}; ordws-build run seals it into the next edition")


@reference.command(name="open")
@instance_option
def use_open_reference(instance: str | None) -> None:
    """Go back to the open players' list, from the next build on.

    \b
    Example:
      ordws-build reference open && ordws-build run
    """
    from ordws.lexicon.own_reference import remove_own_reference

    located = find_installation(instance)
    with located.seal_lock():
        remove_own_reference(located.own_reference, located.own_reference_key)
    click.echo("the open players' list; ordws-build run seals the next edition with it")


def find_installation(folder: str | None) -> Instance:
    """Return the installation that builds editions; raises Missing where there is none."""
    located = Instance.locate(folder)
    if not located.ledger_key.exists():
        raise Missing(f'"{located.root}" builds no editions', hint="ordws init makes an installation that does")
    return located


def print_status(line: str) -> None:
    """Print what is being done to standard error."""
    click.echo(line, err=True)


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal; elsewhere the lines of `print_status` suffice."""
    if not sys.stderr.isatty():
        yield lambda received, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TransferSpeedColumn

    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("fetching", total=None)
        yield lambda received, total: bar.update(task, completed=received, total=total)


def main() -> None:
    """Run the command and exit with its status."""
    protect_memory()
    sys.exit(run(ordws_build, "ordws-build"))
