"""`ordws cases rehearse`: a made-up case from its flag to the register, in an installation that is thrown away."""

from __future__ import annotations

import random
import secrets
import shlex
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from ordws.atomic_files import write_atomically
from ordws.cases.commands import PHASE_TEXTS, add_exhibit, panel_gap
from ordws.cases.exhibits import record_exhibit
from ordws.cases.pages.app import REVIEWERS, create_rehearsal_app
from ordws.cases.pages.case_view import ReviewState
from ordws.cases.state import CaseState
from ordws.cases.store import open_case_files
from ordws.cli.cases import SUBCOMMANDS, command
from ordws.cli.cases.keeper import Keeper, Rehearsal
from ordws.cli.cases.opening import open_on_flag
from ordws.cli.listening import parse_host_and_port
from ordws.console.accounts import make_accounts
from ordws.errors import OrdwsError
from ordws.fairplay.rehearsal_games import PLAYER, make_rehearsal_games
from ordws.frame.process import serving_in_thread
from ordws.instance import Instance
from ordws.listeners import resolve_address
from ordws.retention import DAY

_KEEPER: Final = "Kay"
_REVIEWERS: Final = ("Rita", "Rob", "Rose", "Ruth", "Sam", "Sue", "Sid")
_RECORDS: Final = 4
_NOT_HERE: Final = ("serve", "rehearse")


@click.command("rehearse")
@click.option("--bind", metavar="HOST:PORT", default="127.0.0.1:8012", show_default=True, help="Where to listen.")
@click.option("--origin", metavar="URL", help="The pages' address in browsers [default: http://localhost:PORT].")
@click.option("--seed", type=click.IntRange(1), help="The seed of the games [default: drawn].")
def rehearse_command(bind: str, origin: str | None, seed: int | None) -> None:
    """Try the way of a case with a panel, on simulated games, and throw it away.

    A player is made up, who asks a program on most turns, and a case is opened on the flag. Reviewers open their links;
    you are the keeper, and type the commands of `ordws cases` or take those that are proposed. Days pass when you say
    so. Whatever happens, no real case, account or register is touched.

    \b
    Example:
      ordws cases rehearse
    """
    host, port = parse_host_and_port(bind, "--bind")
    address, port = resolve_address(host, port)
    url = (origin or f"http://localhost:{port}").rstrip("/")
    clock = Rehearsal()
    with _interrupted_by_signals(), TemporaryDirectory(prefix="ordws-rehearsal-") as folder:
        instance = Instance(Path(folder) / "instance")
        instance.make_folders()
        instance.tournaments.mkdir()
        case = _open_case(instance, clock, seed or random.randrange(1, 1 << 31))
        write_atomically(instance.reviewers_address, url.encode())
        with _serve(instance, clock, address, port, url):
            _lead(instance, clock, case)
    click.echo("ordws: the rehearsal is over, and nothing of it is kept", err=True)


@contextmanager
def _interrupted_by_signals() -> Iterator[None]:
    """Let a closed terminal and SIGTERM end the block as Ctrl-C does, so that its folder is thrown away then too."""
    signals = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, signal.default_int_handler) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)


def _open_case(instance: Instance, clock: Rehearsal, seed: int) -> str:
    """Simulate games until their player is flagged, and open a case on the flag, with some of the records."""
    click.echo("ordws: simulating games", err=True)
    simulated = make_rehearsal_games(instance, clock(), seed)
    games, flag = len(simulated.records), simulated.flag
    click.echo(f"ordws: {games} games, and a flag at {flag.milestone} turns", err=True)
    with closing(open_case_files(instance)) as files:
        keeper = Keeper(instance, files, _KEEPER, clock())
        case = open_on_flag(keeper, flag, PLAYER, is_minor=False).case
        for record in simulated.records[:_RECORDS]:
            exhibit = record_exhibit(record, PLAYER.replace(" ", "-"))
            files.take(case, partial(add_exhibit, exhibit=exhibit, now=clock()), _KEEPER, clock())
    return case


@contextmanager
def _serve(instance: Instance, clock: Rehearsal, address: str, port: int, url: str) -> Iterator[None]:
    """Serve the pages, and print a link for each seat at the table."""
    accounts = make_accounts(instance.reviewers, instance.reviewers_key)
    seats = {secrets.token_urlsafe(12): name for name in (*_REVIEWERS, _KEEPER)}
    for name in seats.values():
        accounts.add_member(name, "keeper" if name == _KEEPER else "reviewer", clock())
        accounts.record_declaration(name, clock(), REVIEWERS.statements)
    with (
        closing(ReviewState(open_case_files(instance), accounts, clock)) as state,
        serving_in_thread(create_rehearsal_app(state, seats, origin=url), address, port),
    ):
        click.echo("Open the link of your seat; open it again when you are signed out.")
        for token, name in seats.items():
            click.echo(f"  {name:<5} {'keeper  ' if name == _KEEPER else 'reviewer'}  {url}/as/{token}")
        click.echo(f"  the player, with the code of the letter  {url}/answer")
        yield


def _lead(instance: Instance, clock: Rehearsal, case: str) -> None:
    """Ask the keeper for one step after the other, until the case is over or they leave."""
    click.echo('Enter takes the step that is proposed. "wait 15" lets days pass, "quit" ends.')
    with closing(open_case_files(instance)) as files:
        while True:
            state = files.find(case)
            waiting = _opinions(state) if state.phase(clock()) == "opinions" else ""
            click.echo(f"\n{case}: {state.ending(clock()) or PHASE_TEXTS[state.phase(clock())]}{waiting}")
            proposed = _propose(state, clock())
            if proposed == "quit":
                click.echo("See the end on /answer and /hall first: quitting throws the case away.")
            try:
                line = click.prompt("keeper", default=proposed or "look again", show_default=True)
                if line == "quit" or not _carry_out(instance, clock, state, line):
                    return
            except click.Abort:  # the end of the input
                return


def _opinions(state: CaseState) -> str:
    given = state.opinions_of(state.stage)
    return f" ({len(given)} of 3; {', '.join([name for name in state.panel if name not in given])} to come)"


def _propose(state: CaseState, now: int) -> str:
    """Return the command of a keeper for what the case waits for; "" where it waits for reviewers."""
    case = state.case
    match state.phase(now):
        case "reviewers-needed":
            free = [name for name in _REVIEWERS if name not in state.ever_assigned]
            return " ".join(["assign", case, *free[: panel_gap(state).named]])
        case "notice-due":
            return f'notice {case} --contact "{_KEEPER}, at this table"'
        case "time-to-answer":
            return "wait 15"
        case "decision-due":
            return f"decide {case} {'established' if state.is_unanimous else 'not-established'}"
        case "time-to-appeal":
            return "wait 31"
        case "publication-due":
            return f"publish {case}"
        case "published" | "entry-review-due" | "closed":
            return "quit"
        case _:
            return ""


def _carry_out(instance: Instance, clock: Rehearsal, state: CaseState, line: str) -> bool:
    """Carry out a line of the keeper; mistakes are told, and the case stays as it was."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        click.echo(f"ordws: error: {error}", err=True)
        return True
    match words:
        case ["wait", days] if days.isdecimal() and len(days) < 5:
            clock.ahead += int(days) * DAY
        case ["look", "again"] | []:
            pass
        case ["decide", _, _]:
            reasons = click.prompt("reasons, which the player reads")
            is_heard = state.answered_at is not None or state.stage == "appeal"
            changed = click.prompt("what the player's words changed") if is_heard else ""
            _run(instance, clock, [*words, "--text", reasons, "--changed", changed, "--by", _KEEPER])
        case [name, *_] if name in SUBCOMMANDS and name not in _NOT_HERE:
            _run(instance, clock, words)
        case _:
            click.echo(f'ordws: error: "{words[0]}" is no step of a case; ordws cases --help names them', err=True)
    return True


def _run(instance: Instance, clock: Rehearsal, words: list[str]) -> None:
    """Run a command of `ordws cases` in the installation of the rehearsal, at its time."""
    try:
        obj = {"instance": str(instance.root), "rehearsal": clock}
        with suppress(click.exceptions.NoArgsIsHelpError):
            command.main(words, prog_name="ordws cases", standalone_mode=False, obj=obj)
    except (OrdwsError, OSError, click.ClickException) as error:
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        hint = getattr(error, "hint", None)
        click.echo(f"ordws: error: {text}{f'; {hint}' if hint else ''}", err=True)
