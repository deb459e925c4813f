"""The common part of the commands of case files: the files, the keeper's name, texts, and what follows a step."""

from __future__ import annotations

import getpass
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path

import click

from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.cases.commands import PHASE_TEXTS, CaseStep, mark_under_age
from ordws.cases.event_prizes import sync_prizes
from ordws.cases.register import write_register
from ordws.cases.state import CaseState
from ordws.cases.store import CaseFiles, open_case_files
from ordws.cli import instance_option
from ordws.errors import BadInput
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
