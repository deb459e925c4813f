"""`ordws tournament verify`: the chain of an event, and all its draws once more."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from ordws.cli.tournament.event import file_argument, json_option, open_event, print_note
from ordws.tournament.counts import count_of
from ordws.tournament.verification import verify_draws


@click.command("verify")
@file_argument
@json_option
def verify(file: Path, as_json: bool) -> None:
    """Check every fact of the file and draw every round again; status 1 where a draw differs.

    \b
    Example:
      ordws tournament verify club.event
    """
    with open_event(file) as event:
        facts, head, digest = event.facts, event.head, event.played_digest
    report = verify_draws(facts)
    if as_json:
        row = {**asdict(report), "facts": len(facts), "head": head, "played_digest": digest}
        click.echo(json.dumps(row, ensure_ascii=False))
    else:
        click.echo(f"{count_of(len(facts), 'fact follows', 'facts follow')} from each other, to {head}")
        click.echo(f"{count_of(report.rounds, 'round was', 'rounds were')} drawn again")
    for fault in report.faults:
        print_note(fault)
    click.get_current_context().exit(1 if report.faults else 0)
