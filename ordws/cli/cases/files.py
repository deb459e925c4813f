"""`ordws cases list`, `show` and `verify`."""

from __future__ import annotations

import json
from typing import Any

import click

from ordws.cases.facts import CaseFact, OpinionGiven, fields_of_fact, kind_of_fact
from ordws.cases.state import CaseState
from ordws.cases.views import due_day, opinions_for_keeper
from ordws.cli import instance_option
from ordws.cli.cases.keeper import Keeper, open_keeper
from ordws.cli.output import format_utc, printable
from ordws.errors import Missing

_DUE_PHASES = ("reviewers-needed", "notice-due", "decision-due", "publication-due", "entry-review-due")
_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")


@click.command("list")
@click.option("--due", is_flag=True, help="Only those that wait for a keeper.")
@_json_option
@instance_option
def list_command(due: bool, as_json: bool, instance: str | None) -> None:
    """List the cases in the order in which they were opened.

    The JSON has case, offence (cheating, quitting), opened, phase, ending, until, opinions, calibrated, minor and
    prizes_held. Phases are reviewers-needed, opinions, notice-due, time-to-answer, decision-due, time-to-appeal,
    publication-due, published, entry-review-due and closed; endings dismissed, dropped, not-established, overturned,
    struck and under-age.

    \b
    Example:
      ordws cases list --due
    """
    with open_keeper(instance) as keeper:
        for state in keeper.files.cases().values():
            if due and state.phase(keeper.now) not in _DUE_PHASES:
                continue
            line = _summary(keeper, state)
            click.echo(json.dumps(line) if as_json else _in_words(line))


@click.command("show")
@click.argument("case")
@click.option("--texts", is_flag=True, help="Print the texts too: letters, answers, reasons.")
@_json_option
@instance_option
def show_command(case: str, texts: bool, as_json: bool, instance: str | None) -> None:
    """Show a case with every step, its time and its actor.

    Opinions of a reading whose three are not in are listed without what they say.

    The JSON is that of `list`, with player, pseudonym, panel and steps (number, at, actor, step, and the fields of
    the step).

    \b
    Example:
      ordws cases show 2026-1 --texts
    """
    with open_keeper(instance) as keeper:
        state = keeper.files.find(case)
        try:
            names = keeper.files.subject(state)._asdict()
        except Missing:  # a case that led to nothing, whose names were erased
            names = {"player": None, "pseudonym": None}
        line = {**_summary(keeper, state), **names, "panel": list(state.panel)}
        steps = [
            {
                "number": each.number,
                "at": format_utc(each.at),
                "actor": each.actor,
                **_step(keeper, state, each.fact, texts),
            }
            for each in keeper.files.recorded()
            if each.case == case
        ]
    if as_json:
        click.echo(json.dumps({**line, "steps": steps}))
        return
    click.echo(_in_words(line))
    for step in steps:
        details = ", ".join(
            [
                f"{name} {_for_a_terminal(value)}"
                for name, value in step.items()
                if name not in ("number", "at", "actor", "step")
            ]
        )
        click.echo(
            f"{step['number']:>5}  {step['at']}  {step['actor']}: {step['step']}{': ' if details else ''}{details}"
        )


@click.command("verify")
@click.option("--head", metavar="LINK", help="A link that was noted or published before: it has to be in the chain.")
@instance_option
def verify_command(head: str | None, instance: str | None) -> None:
    """Verify the chain of steps and all exhibits, and print the last link, to be noted elsewhere.

    \b
    Example:
      ordws cases verify --head 3f0c...
    """
    with open_keeper(instance) as keeper:
        count = keeper.files.verify(head)
        click.echo(f"ordws: {count} steps verify", err=True)
        if head is None:
            click.echo(
                "ordws: whether later steps were cut off is not known: compare a link noted earlier, with --head",
                err=True,
            )
        click.echo(keeper.files.head)


def _summary(keeper: Keeper, state: CaseState) -> dict[str, Any]:
    """Return what a list says of a case."""
    return {
        "case": state.case,
        "offence": state.offence,
        "opened": format_utc(state.opened_at),
        "phase": state.phase(keeper.now),
        "ending": state.ending(keeper.now),
        "until": due_day(state, keeper.now) or None,
        "opinions": len(state.opinions_of(state.stage)),
        "calibrated": state.is_calibrated,
        "minor": state.is_minor,
        "prizes_held": state.holds_prizes and bool(state.held),
    }


def _step(keeper: Keeper, state: CaseState, fact: CaseFact, texts: bool) -> dict[str, Any]:
    """Return a step: its kind and fields; texts in place of digests where they are asked for."""
    fields = fields_of_fact(fact)
    if isinstance(fact, OpinionGiven):
        shown = {(each.stage, each.reviewer) for each in opinions_for_keeper(state)}
        if (fact.stage, fact.reviewer) not in shown:
            fields = {"stage": fact.stage, "reviewer": fact.reviewer}
    fields.pop("code", None)
    if texts:
        for name in ("reasons", "notice", "answer", "appeal", "note"):
            if fields.get(name):
                fields[name] = keeper.files.text(fields[name])
    return {"step": kind_of_fact(fact), **fields}


def _for_a_terminal(value: object) -> str:
    """Return a value as it is printed: a player's letter can neither steer the terminal nor look like another step."""
    lines = str(value).replace("\r\n", "\n").split("\n")
    return "\n         ".join([printable(line) for line in lines])


def _in_words(line: dict[str, Any]) -> str:
    words = [line["case"], line["offence"], line["ending"] or line["phase"]]
    words += [line["pseudonym"]] if line.get("pseudonym") else []
    words += [f"until {line['until']}"] if line["until"] else []
    words += [] if line["calibrated"] else ["uncalibrated"]
    words += ["under age"] if line["minor"] else []
    words += ["prizes held"] if line["prizes_held"] else []
    return "  ".join(words)
