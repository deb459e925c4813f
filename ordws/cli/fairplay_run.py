"""`ordws fairplay run`, the process that takes finished games and writes their numbers, and `report` on these."""

from __future__ import annotations

import json
import logging.config
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, TypeVar

import click

from ordws.api.settings import read_settings
from ordws.cli import instance_option
from ordws.fairplay.finished_games import open_queue
from ordws.fairplay.flags import create_store, open_store
from ordws.fairplay.forms import read_forms
from ordws.fairplay.lexicons import Lexicons
from ordws.fairplay.milestones import FieldSize
from ordws.fairplay.process import FairPlay, become_idle
from ordws.fairplay.report import make_report, report_lines
from ordws.fairplay.store import FairPlayStore
from ordws.instance import Instance
from ordws.logs import LOGGING_CONFIG
from ordws.server import harden

F = TypeVar("F", bound=Callable[..., object])
_DEFAULT = "[default: as run was last given, else {}]"


def field_options(command: F) -> F:
    """Add `--players N` and `--milestones N`."""
    milestones = click.option(
        "--milestones",
        type=click.IntRange(1, 5),
        help=f"Milestones at which players are looked at {_DEFAULT.format(3)}.",
    )(command)
    return click.option(
        "--players", type=click.IntRange(1), help=f"Size of the field, for the threshold {_DEFAULT.format(200)}."
    )(milestones)


@click.command("run")
@click.option("--once", is_flag=True, help="Take what has finished, and end.")
@click.option("--every", type=click.IntRange(1), default=60, show_default=True, help="Seconds between two passes.")
@field_options
@instance_option
def run(once: bool, every: int, players: int | None, milestones: int | None, instance: str | None) -> None:
    """Take finished sealed games, write their numbers, and look at players at their milestones, until SIGTERM.

    It runs on the host that holds the opening key, has no listener, and gets only the time that nobody else wants. It
    writes numbers, never words, to fairplay.db, encrypted under keys/fairplay.key, and keeps them for 400 days. Games
    that were taken are not taken again, so it can be ended and started at any time within a day. A game that cannot be
    read is named and put aside, and tried again in the next pass. The size of the field is remembered.

    \b
    Example:
      ordws fairplay run --once
      ordws fairplay run --players 1000
    """
    harden()
    logging.config.dictConfig(LOGGING_CONFIG)
    installation = Instance.locate(instance)
    forms = read_forms(installation.fairplay_forms)
    queue = open_queue(installation, read_settings(installation.settings).store.redis)
    store = create_store(installation)
    size = size_of_field(store, players, milestones)
    store.keep_field(size)
    fair_play = FairPlay(queue, Lexicons(installation), store, forms, size.threshold, size.milestones)
    become_idle()
    note = "calibrated" if forms.calibrated else "uncalibrated: nobody may be accused"
    with _stop_on_signals() as stop:
        if once:
            click.echo(f"ordws: {note}: {fair_play.take_games(int(time.time()))}")
            return
        click.echo(f"ordws: fair play is running, {note}", err=True)
        fair_play.run(time.time, stop, every)


@contextmanager
def _stop_on_signals() -> Iterator[threading.Event]:
    """Lend an event that SIGTERM or SIGINT sets, so that what is under way is ended first; then both act as before."""
    stop = threading.Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@click.command("report")
@field_options
@click.option("--json", "as_json", is_flag=True, help="Print one object instead of lines.")
@instance_option
def report(players: int | None, milestones: int | None, as_json: bool, instance: str | None) -> None:
    """Show how many games and players were looked at, what raises a flag, and the flags.

    As long as the honest forms were not refitted on games in person, every line says "uncalibrated": nobody may be
    accused then. A flag asks people to look; it decides nothing. The bound of false flags is that of the honest
    forms in force, and is missing until these were simulated (`ordws fairplay simulate --in-force`).

    The JSON has calibrated, forms, games, players, players_at_milestones, fewest_games, field (players, milestones),
    threshold, planned_share, false_flags (threshold, flagged, players, bound, turns; null where not simulated),
    false_flags_missing (then why, in words) and flags (number, player, kind, turns, games, calibrated, forms, bands,
    raised).

    \b
    Example:
      ordws fairplay report
      ordws fairplay report --json
    """
    installation = Instance.locate(instance)
    with closing(open_store(installation)) as store:
        made: dict[str, Any] = make_report(store, installation, size_of_field(store, players, milestones))
    if as_json:
        click.echo(json.dumps(made, indent=2))
        return
    for line in report_lines(made):
        click.echo(line)


def size_of_field(store: FairPlayStore, players: int | None, milestones: int | None) -> FieldSize:
    """Return the size of the field: as it is given here, else as the store has it, else that of an event."""
    kept = store.field() or FieldSize()
    return FieldSize(players or kept.players, milestones or kept.milestones)
