"""`ordws tournament print`: an event on paper."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from ordws.atomic_files import write_atomically
from ordws.cli.tournament.event import file_argument, json_option, open_event, print_note
from ordws.desk.desk_key import DeskKey, new_code
from ordws.desk.events import DeskEvent
from ordws.desk.pdf import find_chromium, write_pdf
from ordws.desk.print_sheets import SHEETS, EntryCode, PrintJob, PrintPage, render_codes, render_sheet
from ordws.desk.process import own_key_path
from ordws.errors import BadInput
from ordws.tournament.commands import IssueCode
from ordws.tournament.store import EventFile


@click.command("print")
@file_argument
@click.argument("what", type=click.Choice([*SHEETS, "codes"]), metavar="WHAT")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="A file that ends in .html or .pdf.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The paper.")
@click.option("--round", "number", type=click.IntRange(1), metavar="N", help="The round [default: the last one].")
@click.option("--address", default="", metavar="URL", help="The players' page, for QR codes of slips and codes.")
@click.option("--anew", is_flag=True, help="With codes: new ones for everybody, also for those who have one.")
@click.option("--key", type=click.Path(path_type=Path), metavar="FILE", help="With codes: the key of the desk.")
@click.option("--director", default="director", show_default=True, metavar="NAME", help="With codes: who does this.")
@json_option
def print_sheets(
    file: Path,
    what: str,
    out: Path | None,
    paper: str,
    number: int | None,
    address: str,
    anew: bool,
    key: Path | None,
    director: str,
    as_json: bool,
) -> None:
    """Print a part of the event as a page for A4 or Letter.

    WHAT is pairings, names (pairings by name), slips, standings, wallchart, scorecards, codes, prizes, pictures or
    certificate.

    A .pdf is made by a Chromium of this machine; without one the page is written as .html, for any browser to print.
    Entry codes are made and printed at once, since the event keeps none of them.

    The JSON has sheet, and html, or file with --out.

    \b
    Example:
      ordws tournament print club.event pairings --out round1.pdf
    """
    if out is not None and out.suffix.lower() not in (".html", ".pdf"):
        raise BadInput(f'"{out}" ends in neither .html nor .pdf')
    if address and not address.startswith(("http://", "https://")):
        raise BadInput(f'"{address}" is no address of a page', hint="such as http://192.168.0.7:8020/tournament/event")
    if (anew or key) and what != "codes":
        raise BadInput("--anew and --key concern codes alone")
    with open_event(file) as event:
        if what == "codes":
            page = _make_codes(event, paper, address, anew, key, director)
        else:
            certificate = DeskEvent("event", event).snapshot().certificate if what == "certificate" else None
            page = render_sheet(
                what,
                PrintJob(state=event.state, paper=paper, round=number, address=address, certificate=certificate),
            )
    if out is None:
        click.echo(json.dumps({"sheet": what, "html": page.html}) if as_json else page.html, nl=as_json)
        return
    chromium = find_chromium()
    if out.suffix.lower() == ".pdf" and chromium:
        write_pdf(page.html, out, chromium)
    else:
        if out.suffix.lower() == ".pdf":
            out = out.with_suffix(".html")
            print_note("there is no Chromium here to make a PDF: open the page in a browser and print it")
        write_atomically(out, page.html.encode())
    click.echo(json.dumps({"sheet": what, "file": str(out)}) if as_json else f"wrote {out}")


def _make_codes(event: EventFile, paper: str, address: str, anew: bool, key: Path | None, director: str) -> PrintPage:
    """Issue entry codes to players who have none, or to all anew, and return their cards."""
    desk_key = DeskKey.open(key or own_key_path())
    chosen = [each for each in event.state.entrants.values() if each.status != "withdrawn"]
    codes = {each.number: new_code() for each in chosen if anew or not each.code_digest}
    if not codes:
        raise BadInput("everybody has an entry code already", hint="make new ones for all with --anew")
    commands = [
        IssueCode(entrant=number, digest=desk_key.code_digest(event.state, code)) for number, code in codes.items()
    ]
    event.apply(*commands, actor=director, now=int(time.time()))
    cards = sorted([EntryCode(event.state.name_of(number), code) for number, code in codes.items()])
    return render_codes(PrintJob(state=event.state, paper=paper, address=address), cards)
