"""`ordws fairplay run`, `report`, `calibrate` and `simulate`: figures of finished games, and the forms behind them."""

from __future__ import annotations

import json
import logging.config
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from ordws.api.settings import read_settings
from ordws.atomic_files import write_atomically
from ordws.cli import instance_option
from ordws.errors import BadInput
from ordws.fairplay.calibration import ChoiceInPerson, calibrate, choices_in_person
from ordws.fairplay.flags import create_store, open_store
from ordws.fairplay.forms import DEFAULT_FORMS, HonestForms, read_forms, write_forms
from ordws.fairplay.lexicons import Lexicons
from ordws.fairplay.looks import make_report, report_lines
from ordws.fairplay.milestones import FieldSize
from ordws.fairplay.positions import MOST_PLAYS, Positions, collect, ranked_positions
from ordws.fairplay.process import FairPlay, become_idle, open_queue
from ordws.fairplay.simulation import (
    CHEATS_OF_A_KIND,
    GOOD_GUESSERS,
    HONEST_PLAYERS,
    SEED,
    BatchCount,
    ResultFile,
    Task,
    false_flag_figures,
    plan,
    power_figures,
    remaining,
    run_all,
    write_false_flags,
)
from ordws.fairplay.store import FairPlayStore
from ordws.instance import Instance
from ordws.logs import LOGGING_CONFIG
from ordws.records.gcg import read_gcg
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


_RECORD: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("calibrate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=_RECORD)
@click.option("--dry-run", is_flag=True, help="Show what would change, and write nothing.")
@instance_option
def calibrate_command(files: tuple[Path, ...], dry_run: bool, instance: str | None) -> None:
    """Refit the honest forms on records (GCG) of games in person, as stations keep them, and put them into force.

    Each record needs the names and the racks of its players. At least 1,000 turns of 8 players are wanted, the
    strongest among them: nobody honest may lie above the ceiling that is fitted. Numbers of games that were taken with
    other forms are not counted any more: calibrate before the games that matter, then start `ordws fairplay run` anew.

    \b
    Example:
      ordws fairplay calibrate preliminary-round/*.gcg
    """
    harden()
    installation = Instance.locate(instance)
    forms = read_forms(installation.fairplay_forms)
    lexicons = Lexicons(installation)
    choices: list[ChoiceInPerson] = []
    with click.progressbar(files, label="records", file=sys.stderr) as bar:
        for file in bar:
            try:
                record = read_gcg(file.read_bytes())
            except BadInput as error:
                raise BadInput(f'"{file}" cannot be read: {error}', hint=error.hint) from error
            choices += choices_in_person(record, lambda rules: lexicons.current_reader(rules, forms))
    fitted = calibrate(choices, forms)
    click.echo(f"ordws: {fitted.turns} turns of {fitted.players} players")
    click.echo(f"ordws: {fitted.before:.4f} nats a turn before, {fitted.after:.4f} with the fitted forms")
    for name, value in fitted.forms.parameters._asdict().items():
        click.echo(f"ordws: {name}: {value}")
    if dry_run:
        return
    write_atomically(installation.fairplay_forms, write_forms(fitted.forms).encode())
    click.echo(f"ordws: honest forms {fitted.forms.version} are in force")
    click.echo("ordws: their false flags are not known before they are simulated: ordws fairplay simulate --in-force")


POSITIONS: Final = 3_000


@click.command("simulate")
@click.option("--folder", metavar="DIR", type=click.Path(path_type=Path), help="Where to keep what is done, to go on.")
@click.option("--honest", type=click.IntRange(0), help="Number of honest players [default: 300000].")
@click.option("--cheats", type=click.IntRange(0), help="Number of cheats of each kind and strength [default: 500].")
@click.option(
    "--good-guessers",
    type=click.IntRange(0),
    default=GOOD_GUESSERS,
    show_default=True,
    help="Number of honest players who try many doubtful words, of which 85 % are acceptable, and of 95 %.",
)
@click.option("--positions", type=click.IntRange(10), default=POSITIONS, show_default=True, help="Number of positions.")
@click.option("--seed", type=click.IntRange(1), help="The seed of the players [default: that of the figures].")
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="Processes, one a processor.")
@click.option(
    "--in-force",
    is_flag=True,
    help="Honest forms of the installation, not the shipped ones; keep their false flags for the report.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a list of figures instead of the table.")
@instance_option
def simulate(
    folder: Path | None,
    honest: int | None,
    cheats: int | None,
    good_guessers: int,
    positions: int,
    seed: int | None,
    processes: int,
    in_force: bool,
    as_json: bool,
    instance: str | None,
) -> int:
    """Let simulated players of graded vocabulary and attention play over positions of a made-up lexicon.

    Honest ones tell how many false flags a threshold stands for; cheats, after how many turns they are found. All
    follows from the seed. With --folder a simulation that was stopped goes on. Exit status 1 where a goal is missed;
    where so few players were simulated that more may still reach it, the line says "too few to tell".
    With --in-force the forms are those of the installation, and the false flags are kept for `ordws fairplay report`.

    \b
    Example:
      ordws fairplay simulate --honest 2000 --cheats 50
      ordws fairplay simulate --folder /var/tmp/fairplay --processes 2
      ordws fairplay simulate --in-force --cheats 0
    """
    installation = Instance.locate(instance) if in_force else None
    honest_forms = read_forms(installation.fairplay_forms) if installation else DEFAULT_FORMS
    counted = (HONEST_PLAYERS if honest is None else honest, CHEATS_OF_A_KIND if cheats is None else cheats)
    tasks = plan(*counted, good_guessers)
    counts = run_simulation(tasks, honest_forms, folder, positions, seed or SEED, processes)
    if installation and any(not task.strength for task in tasks):
        written = write_false_flags(counts, honest_forms, seed or SEED)
        write_atomically(installation.fairplay_false_flags, written.encode())
    figures = [*false_flag_figures(counts), *power_figures(counts)]
    if as_json:
        click.echo(json.dumps([figure.as_json() for figure in figures], indent=2))
    else:
        for figure in figures:
            line = f"{figure.id}  {figure.figure}: {figure.value:g} {figure.unit}  {figure.goal}  {figure.verdict}"
            click.echo(line.rstrip())
    return int(any(figure.verdict == "MISSED" for figure in figures))


def run_simulation(
    tasks: list[Task], forms: HonestForms, folder: Path | None, positions: int, seed: int, processes: int
) -> list[BatchCount]:
    """Return the counts of all batches, those that the folder has from before included, with a progress bar."""
    results = None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        results = ResultFile(folder / "results.jsonl", seed=seed, forms=forms, positions=positions)
    wanted = set(tasks)
    counts = [each for each in results.read() if each.task in wanted] if results else []
    kept = folder / f"positions-{positions}-{seed}.npz" if folder else None
    if kept and kept.exists():
        ranked = Positions.load(kept)
    else:
        with click.progressbar(length=positions, label="positions", file=sys.stderr) as bar:
            ranked = collect(ranked_positions(positions, MOST_PLAYS, seed, lambda _: bar.update(1)))
        if kept:
            ranked.save(kept)
    with click.progressbar(length=sum(task.players for task in tasks), label="players", file=sys.stderr) as bar:
        bar.update(sum(each.task.players for each in counts))
        for count in run_all(remaining(tasks, counts), ranked, forms, seed, processes):
            counts.append(count)
            if results:
                results.add(count)
            bar.update(count.task.players)
    return counts
