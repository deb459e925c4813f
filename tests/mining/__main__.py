"""`make guard-bench`: the mining benchmark, on a virtual clock against the real services."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ordws.api.settings import read_settings
from ordws.cli import run
from ordws.guard.policy import Policy
from tests.benchmarks.figure import align_cells
from tests.mining import bench
from tests.mining.attackers.attacks import ATTACKS
from tests.mining.bench_rows import HEADINGS, cells, write_json
from tests.mining.honest_tasks import FalseAlarmTask, HonestTask

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--policy", "settings", type=_FILE, help="A settings.toml, whose policy is attacked.")
@click.option("--quick", is_flag=True, help="Minutes, not an hour: one seed, fewer honest games.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of rows instead of the table.")
@click.option("--seed", type=click.IntRange(1), default=1, show_default=True, help="The seed of words and games.")
@click.option("--size", type=click.IntRange(500), help="Number of words in the made-up word set [default: 243458].")
@click.option("--identities", type=click.IntRange(1), multiple=True, help="Number of attackers; may be repeated.")
@click.option("--sybils", type=click.IntRange(2), help="Number of unverified attackers [default: 100].")
@click.option(
    "--proxies", type=click.IntRange(2), help="Addresses of one attacker of other rate limits [default: 1000]."
)
@click.option("--days", "flood_days", type=click.IntRange(1), help="Days of the flood [default: 120].")
@click.option(
    "--attack",
    "attacks",
    type=click.Choice(list(ATTACKS)),
    metavar="NAME",
    multiple=True,
    help="Run only this attack; may be repeated.",
)
@click.option(
    "--honest",
    "kinds",
    type=click.Choice(list(bench.FULL.games)),
    multiple=True,
    help="Play only honest games of this kind.",
)
@click.option("--homes", type=click.IntRange(1), help="Limit the honest identities of each kind.")
def command(
    settings: Path | None,
    quick: bool,
    as_json: bool,
    seed: int,
    attacks: tuple[str, ...],
    kinds: tuple[str, ...],
    homes: int | None,
    flood_days: int | None,
    **changes: int | tuple[int, ...] | None,
) -> int:
    """Attack a temporary installation in every known way, beside honest games and other rate limits.

    It leaves nothing behind, and needs neither network nor dictionaries. Words learned and bounds are totals over the
    identities of a row. Exit status 1 where an attacker learned more than its bound, or an honest player met a refusal
    or an alarm.
    """
    policy = read_settings(settings).policy if settings else Policy()
    given: dict[str, Any] = {**changes, "flood_days": flood_days, "quiet_days": flood_days}
    scale = (bench.QUICK if quick else bench.FULL)._replace(**{name: value for name, value in given.items() if value})
    tasks = bench.select_tasks(bench.make_tasks(bench.limit_honest_traffic(scale, kinds, homes), seed), attacks)
    with _Progress(len(tasks)) as progress:
        results = bench.run_all(tasks, progress.on_result, policy)
    rows = bench.make_rows(tasks, results)
    console = Console()
    lines: list[tuple[str, ...]] = [HEADINGS, *map(cells, rows)]
    if as_json:
        click.echo(write_json(rows))
    elif console.is_terminal:
        table = Table(*HEADINGS)
        for line in lines[1:]:
            table.add_row(*line)
        console.print(table)
    else:
        click.echo(align_cells(lines))
    faults = [fault for row in rows for fault in row.faults()]
    for fault in faults:
        click.echo(f"ordws: {fault}", err=True)
    return 1 if faults else 0


class _Progress:
    """A progress bar on standard error if that is a terminal, or a line for each result."""

    def __init__(self, total: int) -> None:
        self._console = Console(stderr=True)
        self._bar = Progress(console=self._console, disable=not self._console.is_terminal, transient=True)
        self._task = self._bar.add_task("attacking", total=total)
        self._done, self._total = 0, total

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def on_result(self, task: bench.BenchTask, result: bench.BenchResult) -> None:
        """Count a task as done, and show it."""
        self._done += 1
        # Started only now: the worker processes are forked before the first result, and must not inherit the thread
        # that draws the bar.
        self._bar.start()
        self._bar.advance(self._task)
        if self._console.is_terminal:
            return
        match task:
            case HonestTask():
                line = f"{task.policy}: honest games, {task.kind}"
            case FalseAlarmTask():
                line = f"alarms among {task.clients} honest clients, {task.group}"
            case _:
                line = f"{task.policy}: {task.attack}, {task.identities} identities"
        click.echo(f"{self._done}/{self._total} {line}", err=True)


if __name__ == "__main__":
    sys.exit(run(command, "python -m tests.mining"))
