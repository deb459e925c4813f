"""`ordws tournament print`: an event on paper."""

from __future__ import annotations

import json

import click

from ordws.cli.tournament.event import event_argument, json_option
from ordws.desk.events import DeskEvent
from ordws.desk.print_sheets import SHEETS, PrintJob, render_sheet
from ordws.errors import BadInput
from ordws.tournament.store import EventFile


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
