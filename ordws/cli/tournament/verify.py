"""`ordws tournament verify`: the chain of an event, and all its draws once more."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import click

from ordws.cli.tournament.event import event_argument, json_option, print_note
from ordws.tournament.counts import count_of
from ordws.tournament.draft_problem import played_event
from ordws.tournament.store import EventFile
from ordws.tournament.verification import verify_draws


@click.command("verify")
@event_argument
@click.option("--head", "noted", metavar="DIGEST", help="A digest of the certificate or of the players' page.")
@json_option
def verify(event: EventFile, noted: str | None, as_json: bool) -> None:
    """Check every fact of the file and draw every round again; status 1 where a draw differs, or a digest is not its.

    A file that was rewritten from some fact on, with new hashes, follows from itself as well: only a digest that was
    noted before tells. With --head the file has to hold it.

    The JSON has rounds, faults, facts, head, played_digest (the hash of the fact that ended the event) and
    holds_up_to (the fact up to which the digest of --head speaks, or null).

    \b
    Example:
      ordws tournament verify club.event
      ordws tournament verify club.event --head DIGEST
    """
    facts, head, digest, state = event.facts, event.head, event.played_digest, event.state
    held = None if noted is None else event.find_link(noted.strip().lower())
    report = verify_draws(facts)
    # A certificate from before it named the last link has a digest over the whole event, as it ended.
    if noted and held is None and noted.strip().lower() == played_event(state, digest).digest:
        held = len(facts)
    if noted is not None and held is None:
        fault = f"no fact has the digest {noted}: the file is not the one in which it was noted, or was rewritten"
        report = replace(report, faults=(*report.faults, fault))
    if as_json:
        row = {**asdict(report), "facts": len(facts), "head": head, "played_digest": digest, "holds_up_to": held}
        click.echo(json.dumps(row, ensure_ascii=False))
    else:
        click.echo(f"{count_of(len(facts), 'fact follows', 'facts follow')} from each other, to {head}")
        click.echo(f"{count_of(report.rounds, 'round was', 'rounds were')} drawn again")
        if held is not None:
            click.echo(f"facts 1 to {held} are those of which the digest was noted")
    if noted is None:
        print_note("whether facts were rewritten before this is not known: compare a digest noted earlier, with --head")
    elif held is not None and held < len(facts):
        print_note(f"of {count_of(len(facts) - held, 'fact', 'facts')} after it the digest says nothing")
    for fault in report.faults:
        print_note(fault)
    click.get_current_context().exit(1 if report.faults else 0)
