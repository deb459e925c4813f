"""The file of an event as commands take it, and the options that all commands of a director have."""

from __future__ import annotations

import json
import time
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click

if TYPE_CHECKING:
    from ordws.tournament.commands import Command
    from ordws.tournament.facts import RecordedFact
    from ordws.tournament.store import EventFile

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


director_option = click.option(
    "--director", default="director", show_default=True, metavar="NAME", help="Who does this."
)


def file_argument(command: F) -> F:
    """Add the argument FILE, passed to the command as `file`."""
    return click.argument("file", type=click.Path(path_type=Path))(command)


class EventSender(NamedTuple):
    """The director who sends a command, the version that they saw, its id, and whether they read JSON."""

    director: str
    expected: int | None = None
    command_id: str | None = None
    as_json: bool = False

    def change(self, file: Path, make_commands: Callable[[EventFile], Sequence[Command]]) -> None:
        """Carry out the commands that follow from an event as it is, and print what they changed."""
        with open_event(file) as event:
            self.show(event, self.apply(event, make_commands(event)))

    def apply(self, event: EventFile, commands: Sequence[Command]) -> list[RecordedFact]:
        """Carry commands out together, all or none, and return the facts that they added."""
        return event.apply(*commands, actor=self.director, now=int(time.time()), command_id=self.command_id)

    def show(self, event: EventFile, facts: Sequence[RecordedFact]) -> None:
        print_facts(event, facts, as_json=self.as_json)


def director_options(command: F) -> F:
    """Add `--director`, `--expected`, `--id` and `--json` to a command that changes an event, which gets a `sender`."""

    @wraps(command)
    def bundled(*, director: str, expected: int | None, command_id: str | None, as_json: bool, **rest: Any) -> Any:
        return command(sender=EventSender(director, expected, command_id, as_json), **rest)

    for option in (
        json_option,
        click.option("--id", "command_id", metavar="ID", help="Carry the command out once, however often it is sent."),
        click.option("--expected", type=click.IntRange(0), metavar="VERSION", help="The version that you have seen."),
        director_option,
    ):
        bundled = option(bundled)
    return cast(F, bundled)


def open_event(file: Path) -> closing[EventFile]:
    """Open an event for a `with` block."""
    from ordws.tournament.store import EventFile

    return closing(EventFile.open(file))


def print_facts(event: EventFile, facts: Sequence[RecordedFact], *, as_json: bool) -> None:
    """Print what was changed: a line a fact, or one JSON object with the version of the event and the facts."""
    from ordws.tournament.facts import kind_of_fact
    from ordws.tournament.history import describe_facts

    words = describe_facts(facts, event.facts)
    if as_json:
        rows = [
            {"number": each.number, "kind": kind_of_fact(each.fact), "text": text}
            for each, text in zip(facts, words, strict=True)
        ]
        click.echo(json.dumps({"version": event.state.version, "facts": rows}, ensure_ascii=False))
        return
    for text in words:
        click.echo(text)
    if not facts:
        click.echo("nothing to change: it is so already")


def print_note(text: str) -> None:
    """Print a remark on standard error, so that standard output stays what programs read."""
    click.echo(f"ordws: note: {text}", err=True)


def print_table(headings: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[int] = ()) -> None:
    """Print rows in columns under their headings; the columns with the indexes `right` are flush right."""
    texts = [[*headings], *[[str(cell) for cell in row] for row in rows]]
    widths = [max(map(display_width, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        cells = []
        for index, (text, width) in enumerate(zip(row, widths, strict=True)):
            padding = " " * (width - display_width(text))
            cells.append(padding + text if index in right else text + padding)
        click.echo("  ".join(cells).rstrip())


def display_width(text: str) -> int:
    """Return how many cells of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )
