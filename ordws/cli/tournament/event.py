"""The file of an event as commands take it, their options, how they print, and `ordws tournament new`."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.cells import cell_len

from ordws.cli.rules_option import variation_option
from ordws.rules.ruleset import DEFAULT_RULES_ID
from ordws.tournament.facts import Created, RecordedFact, kind_of_fact
from ordws.tournament.history import describe_facts
from ordws.tournament.store import EventFile

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


director_option = click.option(
    "--director", default="director", show_default=True, metavar="NAME", help="Who does this."
)


def event_argument(command: Callable[..., object]) -> Callable[..., None]:
    """Add the argument FILE, and pass on its event in place of it, which is closed when the command ends."""

    @click.argument("file", type=click.Path(path_type=Path))
    @wraps(command)
    def run(file: Path, **given: object) -> None:
        with closing(EventFile.open(file)) as event:
            command(event, **given)

    return run


def director_options(command: F) -> F:
    """Add `--director`, `--expected`, `--id` (as `command_id`) and `--json` to a command that changes an event."""
    for option in (
        json_option,
        click.option("--id", "command_id", metavar="ID", help="Carry the command out once, however often it is sent."),
        click.option("--expected", type=click.IntRange(0), metavar="VERSION", help="The version that you have seen."),
        director_option,
    ):
        command = option(command)
    return command


def facts_as_json(event: EventFile, facts: Sequence[RecordedFact]) -> dict[str, Any]:
    """Return the version of an event and what was changed, for programs."""
    words = describe_facts(facts, event.facts)
    rows = [
        {"number": each.number, "kind": kind_of_fact(each.fact), "text": text}
        for each, text in zip(facts, words, strict=True)
    ]
    return {"version": event.state.version, "facts": rows}


def print_facts(event: EventFile, facts: Sequence[RecordedFact], *, as_json: bool) -> None:
    """Print what was changed: a line a fact, or one JSON object with the version of the event and the facts."""
    changed = facts_as_json(event, facts)
    if as_json:
        click.echo(json.dumps(changed, ensure_ascii=False))
        return
    for row in changed["facts"]:
        click.echo(row["text"])
    if not facts:
        click.echo("nothing to change: it is so already")


def print_note(text: str) -> None:
    """Print a remark on standard error, so that standard output stays what programs read."""
    click.echo(f"ordws: note: {text}", err=True)


def print_table(headings: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[int] = ()) -> None:
    """Print rows in columns under their headings; the columns with the indexes `right` are flush right."""
    texts = [[*headings], *[[str(cell) for cell in row] for row in rows]]
    widths = [max(map(cell_len, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        cells = []
        for index, (text, width) in enumerate(zip(row, widths, strict=True)):
            padding = " " * (width - cell_len(text))
            cells.append(padding + text if index in right else text + padding)
        click.echo("  ".join(cells).rstrip())


@click.command("new")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--rounds", type=int, required=True, metavar="N", help="The number of rounds.")
@click.option("--name", metavar="TEXT", help="The name of the event [default: that of the file].")
@click.option("--rules", metavar="ID", default=DEFAULT_RULES_ID, show_default=True, help="The rule set.")
@variation_option
@click.option(
    "--games-a-round", type=int, default=1, show_default=True, metavar="N", help="1, or 2 with starts swapped."
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="Make all draws reproducible.")
@director_option
@json_option
def new(
    file: Path,
    rounds: int,
    name: str | None,
    rules: str,
    options: tuple[str, ...],
    games_a_round: int,
    seed: int | None,
    director: str,
    as_json: bool,
) -> None:
    """Begin an event in a new FILE.

    Its settings are lines: `ordws tournament do FILE "set on-line on"` ("set" alone names all of them).

    The JSON has event, rounds, rules, seed and version.

    \b
    Example:
      ordws tournament new club.event --rounds 5
    """
    create = Created(
        name=name if name is not None else file.stem,
        rules=rules,
        rounds=rounds,
        seed=secrets.randbits(53) if seed is None else seed,
        games_a_round=games_a_round,
        options=options,
    )
    with closing(EventFile.create(file, create, actor=director, now=int(time.time()))) as event:
        if as_json:
            made = event.state.event
            row = {"event": made.name, "rounds": made.rounds, "rules": made.rules, "seed": made.seed, "version": 1}
            click.echo(json.dumps(row, ensure_ascii=False))
        else:
            print_facts(event, event.facts, as_json=False)
