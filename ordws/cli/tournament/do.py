"""`ordws tournament do`: the line of the director's desk, from a terminal or a script."""

from __future__ import annotations

import json
import sys
import time
from typing import Final

import click

from ordws.cli.tournament.event import (
    director_options,
    event_argument,
    facts_as_json,
    print_note,
    print_table,
)
from ordws.cli.tournament.reports import print_standings
from ordws.desk.carry_out import carry_out
from ordws.desk.deeds import Doubtful
from ordws.desk.events import DeskEvent, Snapshot
from ordws.desk.line import LINES, parse_line
from ordws.errors import BadInput, OrdwsError
from ordws.tournament.pairing.problem import explain_bye, fill_names
from ordws.tournament.store import EventFile

_MOST_EXPLAINED: Final = 200
"""The number of pairings up to which a draft is explained on a terminal."""


# A line may begin with a sign, as that of a score below zero does: click would take it for an option.
@click.command("do", context_settings={"ignore_unknown_options": True})
@event_argument
@click.argument("typed", metavar="LINE...", nargs=-1, required=True)
@click.option("--sure", is_flag=True, help="Do what looks wrong, or cannot be undone, without another question.")
@director_options
def do(
    event: EventFile,
    typed: tuple[str, ...],
    sure: bool,
    director: str,
    expected: int | None,
    command_id: str | None,
    as_json: bool,
) -> None:
    """Do what each LINE says, as the line at the top of the director's desk does; "-" reads lines from standard input.

    Each line is carried out before the next is read, and the first that is refused ends the command.
    docs/tournaments.md 14 has all lines.

    `draft` prints the draft of the next round; its JSON has round, pairings (table, first, second, why) and bye, null
    in an even field. Of other lines it is an object each, with version, facts (number, kind, text) and said.

    \b
    Example:
      ordws tournament do club.event "enter Ann Lee; Riverside" "in ann"
      ordws tournament do club.event publish
      ordws tournament do club.event "3 412:398/13 371:380/13"
    """
    lines = [line for each in typed for line in (sys.stdin.read().splitlines() if each == "-" else [each])]
    if len(lines) > 1 and (command_id is not None or expected is not None):
        raise click.UsageError("--id and --expected are for one line")
    options = {"id": command_id or "", "seen": "" if expected is None else str(expected), "sure": "yes" if sure else ""}
    desk_event = DeskEvent("event", event)
    for number, line in enumerate(lines, 1):
        try:
            name, fields = parse_line(desk_event.snapshot().state, line)
            if name in _SHOWN:
                _SHOWN[name](desk_event.snapshot(), as_json)
                continue
            done = carry_out(desk_event, name, {**options, **fields}, actor=director, now=int(time.time()))
        except Doubtful as doubtful:
            raise BadInput(str(doubtful), hint="with --sure it is done all the same") from None
        except OrdwsError:
            if len(lines) > 1:
                print_note(f'"{line}" is refused; of {len(lines)} lines the {number - 1} before it were carried out')
            raise
        row = {"said": done.said, **facts_as_json(event, done.facts)}
        click.echo(json.dumps(row, ensure_ascii=False) if as_json else done.said)


def _print_draft(snapshot: Snapshot, as_json: bool) -> None:
    """Print the draft of the next round as docs/reference/commands.md has it, or as a table with the reasons."""
    drawn = snapshot.draft_as_json()
    for note in snapshot.draft.notes:
        print_note(fill_names(note, snapshot.names))
    if as_json:
        click.echo(json.dumps(drawn, ensure_ascii=False))
        return
    rows, bye = drawn["pairings"], snapshot.draft.bye
    click.echo(f"draft of round {drawn['round']}, not published yet")
    print_table(("table", "first", "second"), [[*row.values()][:3] for row in rows], right=(0,))
    if bye is not None:
        click.echo(f"bye: {drawn['bye']}")
    if len(rows) <= _MOST_EXPLAINED:
        click.echo()
        for row in rows:
            click.echo(f"table {row['table']}, told to {row['first']}: {row['why']}")
        if bye is not None:
            click.echo(explain_bye(snapshot.problem, bye, snapshot.names))


def _print_help(_: Snapshot, as_json: bool) -> None:
    """Print lines as a director types them, and what they do."""
    if as_json:
        click.echo(json.dumps([{"line": line, "does": does} for line, does in LINES], ensure_ascii=False))
    else:
        print_table(("line", "does"), LINES)


def _print_standings(snapshot: Snapshot, as_json: bool) -> None:
    print_standings(snapshot.state, as_json=as_json)


_SHOWN: Final = {"draft": _print_draft, "standings": _print_standings, "help": _print_help}
"""What a line shows that changes nothing, by the name of its deed."""
