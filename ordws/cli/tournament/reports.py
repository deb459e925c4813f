"""The commands of `ordws tournament` that show how an event stands, check it, or undo something."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordws.cli.output import format_utc
from ordws.cli.tournament.event import (
    EventSender,
    director_options,
    file_argument,
    json_option,
    open_event,
    print_note,
    print_table,
)
from ordws.errors import BadInput

if TYPE_CHECKING:
    from ordws.tournament.state import TournamentState


@click.command("status")
@file_argument
@json_option
def status(file: Path, as_json: bool) -> None:
    """Show the rounds, the entrants and what is to be done next.

    \b
    Example:
      ordws tournament status club.event
    """
    from ordws.tournament.decide_rounds import find_missing

    with open_event(file) as event:
        state = event.state
    entrants: list[dict[str, Any]] = [
        {
            "number": each.number,
            "name": each.name,
            "club": each.club,
            "status": each.status,
            "has_member_number": bool(each.member),
        }
        for each in state.entrants.values()
    ]
    lost = len(find_missing(state))
    row = {
        "event": state.event.name,
        "rules": state.event.rules,
        "phase": state.phase,
        "round": state.last_round.number if state.last_round else 0,
        "rounds": state.rounds_planned,
        "games_a_round": state.event.games_a_round,
        "missing": lost,
        "entrants": entrants,
        "version": state.version,
    }
    if as_json:
        click.echo(json.dumps(row, ensure_ascii=False))
        return
    click.echo(f"{row['event']}, {row['rules']}: {row['phase']}, round {row['round']} of {row['rounds']}")
    if entrants:
        print_table(
            ("#", "name", "club", "status"),
            [(each["number"], each["name"], each["club"], each["status"]) for each in entrants],
            right=(0,),
        )
    click.echo(f"next: {next_step(state, lost)}")


def next_step(state: TournamentState, lost: int) -> str:
    """Return in words what a director does next, where `lost` results are missing."""
    if state.is_finished:
        return "nothing; the event is finished"
    if state.open_round is not None:
        return (
            f"key in {lost} {'result' if lost == 1 else 'results'}"
            if lost
            else f"close round {state.open_round.number}"
        )
    if len(state.entrants) < 2:
        return "enter players"
    if state.next_round > state.rounds_planned:
        return "finish"
    if len(state.present) < 2:
        return "check the entrants in"
    return f"draft and publish round {state.next_round}"


@click.command("standings")
@file_argument
@click.option("--after", type=click.IntRange(1), metavar="ROUND", help="As they were after this round.")
@json_option
def standings(file: Path, after: int | None, as_json: bool) -> None:
    """Show the standings: by winning percentage, then by points per turn. Results count as soon as they are keyed in.

    \b
    Example:
      ordws tournament standings club.event
    """
    from ordws.tournament.decide_rounds import get_round
    from ordws.tournament.standings import standings as standing_lines

    with open_event(file) as event:
        if after is not None:
            get_round(event.state, after)
        lines = standing_lines(event.state, after=after)
    if as_json:
        for line in lines:
            click.echo(json.dumps(line.to_json(), ensure_ascii=False))
        return
    print_table(
        ("rank", "name", "won", "tied", "lost", "games", "win %", "points", "turns", "PPT"),
        [line[:-1] for line in lines],
        right=(0, 2, 3, 4, 5, 6, 7, 8, 9),
    )


@click.command("history")
@file_argument
@json_option
def history(file: Path, as_json: bool) -> None:
    """Show everything that happened, with the numbers that undo takes.

    \b
    Example:
      ordws tournament history club.event
    """
    from ordws.tournament.facts import kind_of_fact
    from ordws.tournament.fold import find_undone
    from ordws.tournament.history import describe_facts, history_in_words

    with open_event(file) as event:
        facts = event.facts
    undone = find_undone(facts)
    sentences = describe_facts(facts, facts) if as_json else history_in_words(facts, facts)
    for each, words in zip(facts, sentences, strict=True):
        if as_json:
            row = {
                "number": each.number,
                "at": format_utc(each.at),
                "actor": each.actor,
                "kind": kind_of_fact(each.fact),
                "text": words,
                "undone": each.number in undone,
            }
            click.echo(json.dumps(row, ensure_ascii=False))
        else:
            mark = "undone: " if each.number in undone else ""
            click.echo(f"{each.number:>4}  {format_utc(each.at)}  {mark}{words}")


@click.command("undo")
@file_argument
@click.argument("number", type=int, required=False, metavar="[NUMBER]")
@director_options
def undo(
    file: Path,
    number: int | None,
    sender: EventSender,
) -> None:
    """Undo the last command, or the one that made fact NUMBER of the history. The history keeps both.

    A published round cannot be undone, but voided.

    \b
    Example:
      ordws tournament undo club.event
    """
    from ordws.tournament.commands import Undo

    sender.change(file, lambda _: [Undo(number=number, expected=sender.expected)])


@click.command("certificate")
@file_argument
@json_option
def certificate(file: Path, as_json: bool) -> None:
    """Show how near everybody's opponents are to the average player, beside 1,000 random schedules.

    \b
    Example:
      ordws tournament certificate club.event
    """
    from ordws.tournament.draft_problem import played_event

    with open_event(file) as event:
        if not event.state.live_rounds:
            raise BadInput("no round is published, so that there is nothing to certify")
        played = played_event(event.state, event.played_digest)
    from ordws.desk.print_texts import describe_certificate
    from ordws.tournament.certificate import certificate as make_certificate

    made = make_certificate(played)
    if as_json:
        click.echo(json.dumps(made.as_json()))
        return
    for text, value in describe_certificate(made):
        click.echo(f"{text}: {value}")


@click.command("verify")
@file_argument
@json_option
def verify(file: Path, as_json: bool) -> None:
    """Check every fact of the file and draw every round again; status 1 where a draw differs.

    \b
    Example:
      ordws tournament verify club.event
    """
    from ordws.tournament.counts import count_of
    from ordws.tournament.verification import verify_draws

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
