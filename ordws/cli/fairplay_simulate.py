"""`ordws fairplay simulate`: false flags and power of the tests, by simulated players."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

import click

from ordws.atomic_files import write_atomically
from ordws.cli import instance_option
from ordws.fairplay.forms import DEFAULT_FORMS, HonestForms, read_forms
from ordws.fairplay.positions import MOST_PLAYS, Positions, collect
from ordws.fairplay.ranked_plays import ranked_positions
from ordws.fairplay.simulated_figures import false_flag_figures, power_figures, write_false_flags
from ordws.fairplay.simulation import (
    CHEATS_OF_A_KIND,
    GOOD_GUESSERS,
    HONEST_PLAYERS,
    SEED,
    BatchCount,
    ResultFile,
    Task,
    plan,
    remaining,
    run_all,
)
from ordws.instance import Instance

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
def command(
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
