"""`ordws tournament import`, `export` and `print`: events from and to other programs, and on paper."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import click

from ordws.cli.tournament.event import director_options, event_argument, json_option, print_facts, print_note
from ordws.desk.events import DeskEvent
from ordws.desk.print_sheets import SHEETS, PrintJob, render_sheet
from ordws.errors import BadInput, Missing
from ordws.tournament.counts import count_of
from ordws.tournament.exchange.event_sheet import (
    count_commas,
    enter_players,
    enter_rounds,
    first_day,
    sheet_of,
    turn_names,
)
from ordws.tournament.exchange.formats import FORMATS, format_of, read_text
from ordws.tournament.facts import Entered
from ordws.tournament.store import EventFile


@click.command("import")
@event_argument
@click.argument("source", metavar="CSV", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--format", "format_name", type=click.Choice([*FORMATS]), help="The format of the file [default: its extension]."
)
@click.option("--results", is_flag=True, help="Take rounds and results over too, into an event without entrants.")
@click.option("--turn-names", "is_turned", is_flag=True, help='Enter "Orr, Gus" as Gus Orr.')
@director_options
def import_file(
    event: EventFile,
    source: Path,
    format_name: str | None,
    results: bool,
    is_turned: bool,
    director: str,
    expected: int | None,
    command_id: str | None,
    as_json: bool,
) -> None:
    """Enter the players of a file: a list of names, CSV, tsh's .t, .tou, TRF or JSON; - is standard input.

    Who is entered already stays. A file with a fault is refused, with the line, and changes nothing.

    The JSON has version and facts, with number, kind and text.

    \b
    Example:
      ordws tournament import club.event entrants.csv
    """
    is_stdin = str(source) == "-"
    if not is_stdin and not source.is_file():
        raise Missing(f'there is no file "{source}"')
    name = format_name or ("csv" if is_stdin else format_of(source.name))
    shown = "standard input" if is_stdin else str(source)
    sheet = FORMATS[name].read(sys.stdin.read() if is_stdin else read_text(source.read_bytes()), file=shown)

    if is_turned:
        sheet = turn_names(sheet)
    elif commas := count_commas(sheet):
        has = count_of(commas, "name has", "names have")
        print_note(f'{has} a comma: --turn-names enters "Orr, Gus" as Gus Orr')

    entry = (enter_rounds if results else enter_players)(event.state, sheet, file=shown)
    if entry.already_there:
        there = len(entry.already_there)
        print_note(f"{there} of {len(sheet.players)} players {'is' if there == 1 else 'are'} entered already")
    now = int(time.time())
    facts = event.apply(*entry.commands, actor=director, now=now, command_id=command_id, expected=expected)
    print_facts(event, facts, as_json=as_json)
    entered = sum(isinstance(each.fact, Entered) for each in facts)
    if entered and not as_json:
        click.echo(f"{entered:,} entered")


@click.command("export")
@event_argument
@click.option("--format", "format_name", type=click.Choice([*FORMATS]), required=True, help="The format.")
@json_option
def export(event: EventFile, format_name: str, as_json: bool) -> None:
    """Write the event in a format that other programs read. With `--json` the text stands in an object.

    Its date is the day of the first round. The object has format, players and games (their numbers), and text.

    \b
    Example:
      ordws tournament export club.event --format t > a.t
    """
    sheet = sheet_of(event.state, date=first_day(event.facts))
    text = FORMATS[format_name].write(sheet)
    row = {"format": format_name, "players": len(sheet.players), "games": len(sheet.games), "text": text}
    click.echo(json.dumps(row, ensure_ascii=False) if as_json else text, nl=as_json)


@click.command("print")
@event_argument
@click.argument("what", type=click.Choice([*SHEETS]), metavar="WHAT")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The paper.")
@click.option("--round", "number", type=click.IntRange(1), metavar="N", help="The round [default: the last one].")
@click.option("--address", default="", metavar="URL", help="The players' page, for the QR codes of slips.")
@json_option
def print_sheets(event: EventFile, what: str, paper: str, number: int | None, address: str, as_json: bool) -> None:
    """Write a part of the event as a page of HTML for A4 or Letter, which any browser prints.

    WHAT is pairings, names (pairings by name), slips, standings, wallchart, scorecards, prizes, pictures or
    certificate.

    The JSON has sheet and html.

    \b
    Example:
      ordws tournament print club.event pairings > round1.html
    """
    if address and not address.startswith(("http://", "https://")):
        raise BadInput(f'"{address}" is no address of a page', hint="such as http://192.168.0.7:8020/tournament/event")
    certificate = DeskEvent("event", event).snapshot().certificate if what == "certificate" else None
    job = PrintJob(state=event.state, paper=paper, round=number, address=address, certificate=certificate)
    html = render_sheet(what, job).html
    click.echo(json.dumps({"sheet": what, "html": html}) if as_json else html, nl=as_json)
