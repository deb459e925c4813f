"""A keeper at the case files: what their commands share, and `ordws cases list`, `show` and `verify`."""

from __future__ import annotations

import getpass
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click

from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.cases.commands import PHASE_TEXTS, CaseStep, mark_under_age
from ordws.cases.event_prizes import sync_prizes
from ordws.cases.facts import CaseFact, OpinionGiven, fields_of_fact, kind_of_fact
from ordws.cases.state import CaseState, due_day, opinions_for_keeper
from ordws.cases.store import CaseFiles, open_case_files, write_register
from ordws.cli import format_utc, instance_option, printable
from ordws.errors import BadInput, Missing
from ordws.instance import Instance


@dataclass
class Rehearsal:
    """The clock of a rehearsal, in seconds since 1970: a keeper moves it ahead, so that nobody waits for a deadline."""

    ahead: int = 0

    def __call__(self) -> int:
        return int(time.time()) + self.ahead


@dataclass(frozen=True)
class Keeper:
    """A keeper at the case files of an installation, and the present second."""

    instance: Instance
    files: CaseFiles
    name: str
    now: int

    def take(self, case: str, step: Callable[[CaseState], CaseStep], actor: str = "") -> CaseState:
        """Take a step of a case as this keeper, or as somebody for whom it is keyed in, and say what comes next."""
        state = self.files.take(case, step, actor or self.name, self.now)
        self.update()
        ending = state.ending(self.now)
        click.echo(f"case {case}: {ending or PHASE_TEXTS[state.phase(self.now)]}", err=True)
        return state

    def update(self) -> None:
        """Hold and let go prizes, mark who is under age in an event, and write the register, where anything is new."""
        told = sync_prizes(self.files, self.locate_event, self.now)
        for event, reason in told.failed:
            click.echo(f'ordws: warning: "{event}" could not be told of prizes: {reason}', err=True)
        for case, event in told.under_age:
            reasons = f'The entrant is under age in "{event}".'
            with suppress(BadInput):  # another keeper has marked it a moment ago
                self.files.take(case, partial(mark_under_age, reasons=reasons), self.name, self.now)
                click.echo(f"case {case}: the player is under age, and is not named in the register", err=True)
        written = write_register(self.files.register(self.now))
        if not self.instance.register.exists() or self.instance.register.read_bytes() != written:
            write_atomically(self.instance.register, written, PUBLIC_MODE)

    def locate_event(self, event: str) -> Path:
        """Return the file of an event: one of the installation's by name, any other by its path."""
        return Path(event) if "/" in event or event.endswith(".db") else self.instance.tournament(event)


@contextmanager
def open_keeper(instance: str | None, keeper: str | None = None) -> Iterator[Keeper]:
    """Open the case files of an installation; steps are taken in the name of the keeper."""
    located, rehearsal = Instance.locate(instance), find_rehearsal()
    with closing(open_case_files(located)) as files:
        yield Keeper(located, files, keeper or getpass.getuser(), rehearsal() if rehearsal else int(time.time()))


def find_rehearsal() -> Rehearsal | None:
    """Return the rehearsal of which this command is a part; None where the case is a real one."""
    found: Rehearsal | None = (click.get_current_context().find_root().obj or {}).get("rehearsal")
    return found


def as_keeper(command: Callable[..., object]) -> Callable[..., None]:
    """Add `--by NAME` and `--instance DIR`, and pass on the keeper who takes the step in place of them."""

    @click.option("--by", "keeper", metavar="NAME", help="The keeper who takes the step [default: your login].")
    @instance_option
    @wraps(command)
    def run(keeper: str | None, instance: str | None, **given: object) -> None:
        with open_keeper(instance, keeper) as kept:
            command(kept, **given)

    return run


def text_option(command: Callable[..., object]) -> Callable[..., None]:
    """Add `--text TEXT` and `--file FILE`, one of which a step needs, and pass on the text in place of them."""

    @click.option("--text", metavar="TEXT", help="The text.")
    @click.option("--file", metavar="FILE", help="The file of the text; - for standard input.")
    @wraps(command)
    def run(text: str | None, file: str | None, **given: object) -> None:
        if (text is None) == (file is None):
            raise click.UsageError("give the text by --text or by --file")
        if file is not None:
            text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
        command(text=text, **given)

    return run


def pages_address(instance: Instance) -> str:
    """Return the address in browsers at which the reviewers' pages last ran."""
    address = instance.reviewers_address
    return address.read_text("utf-8").rstrip("/") if address.exists() else "http://localhost:8011"


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
