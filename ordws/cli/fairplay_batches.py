"""The batches of `ordws fairplay simulate`: positions ranked once, results kept so that the work goes on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click

from ordws.fairplay.forms import HonestForms
from ordws.fairplay.positions import MOST_PLAYS, Positions, collect
from ordws.fairplay.ranked_plays import ranked_positions
from ordws.fairplay.simulation import BatchCount, ResultFile, Task, remaining, run_all

POSITIONS: Final = 3_000


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
