"""`ordws guard bench`: the mining benchmark, on a virtual clock against the real desk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

HONEST_SORTS: Final = ("home", "duel", "club", "operator", "new")

if TYPE_CHECKING:
    from ordws.mining.bench import BenchResult, BenchTask, Scale
    from ordws.mining.bench_rows import BenchRow


@click.command("bench")
@click.option("--quick", is_flag=True, help="Two minutes instead of fifteen: one seed, fewer honest games.")
@click.option("--json", "as_json", is_flag=True, help="A list of rows instead of the table.")
@click.option("--seed", type=click.IntRange(1), default=1, show_default=True, help="Of the world and of chance.")
@click.option("--size", type=click.IntRange(500), help="Words of the world [default: 243458].")
@click.option("--identities", "counts", type=click.IntRange(1), multiple=True, help="Of attackers; may be repeated.")
@click.option("--sybils", type=click.IntRange(2), help="Attackers who are not verified [default: 100].")
@click.option("--proxies", type=click.IntRange(2), help="Addresses of an attacker of the baselines [default: 1000].")
@click.option("--days", "flood_days", type=click.IntRange(1), help="Days of the flood [default: 120].")
@click.option("--attack", "attacks", multiple=True, metavar="NAME", help="This attack alone; may be repeated.")
@click.option(
    "--honest", "sorts", type=click.Choice(HONEST_SORTS), multiple=True, help="Honest games of this sort alone."
)
@click.option("--homes", type=click.IntRange(1), help="Honest identities of a sort at most.")
def command(quick: bool, as_json: bool, seed: int, attacks: tuple[str, ...], **changes: Any) -> None:
    """Attack a temporary installation in every way known, beside honest games and other limits.

    Nothing of it is left behind; it needs neither network nor dictionaries. Words learned and bounds are totals over
    the identities of a row.

    \b
    Example:
      ordws guard bench --quick
    """
    from ordws.mining.bench import make_rows, make_tasks, run_all, select_tasks
    from ordws.mining.bench_rows import write_json

    scale = _scale(quick, **changes)
    found = select_tasks(make_tasks(scale, seed), attacks)
    with _Progress(len(found)) as progress:
        results = run_all(found, progress.on_result)
    made = make_rows(found, results)
    if as_json:
        click.echo(write_json(made))
    else:
        _print_rows(made)


def _scale(
    quick: bool,
    *,
    size: int | None,
    counts: tuple[int, ...],
    sybils: int | None,
    proxies: int | None,
    flood_days: int | None,
    sorts: tuple[str, ...],
    homes: int | None,
) -> Scale:
    from ordws.mining.bench import FULL, QUICK, limit_honest_traffic

    scale = QUICK if quick else FULL
    given: dict[str, Any] = {
        "size": size,
        "identities": counts,
        "sybils": sybils,
        "proxies": proxies,
        "flood_days": flood_days,
        "quiet_days": flood_days,
    }
    scale = scale._replace(**{name: value for name, value in given.items() if value})
    return limit_honest_traffic(scale, sorts, homes)


class _Progress:
    """A bar on a terminal, and a line for each result elsewhere, on standard error."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._console = Console(stderr=True)
        self._bar = Progress(console=self._console, disable=not self._console.is_terminal, transient=True)
        self._task = self._bar.add_task("attacking", total=total)
        self._done, self._total = 0, total

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def on_result(self, task: BenchTask, result: BenchResult) -> None:
        self._done += 1
        self._bar.start()
        self._bar.advance(self._task)
        if not self._console.is_terminal:
            click.echo(f"{self._done}/{self._total} {_describe_task(task)}", err=True)


def _describe_task(task: BenchTask) -> str:
    from ordws.mining.bench import FalseAlarmTask, HonestTask

    match task:
        case HonestTask():
            return f"{task.policy}: honest games, {task.sort}"
        case FalseAlarmTask():
            return f"alarms among {task.identities} honest identities"
        case _:
            return f"{task.policy}: {task.attack}, {task.identities} identities"


def _print_rows(rows: Sequence[BenchRow]) -> None:
    from rich.console import Console
    from rich.table import Table

    from ordws.mining.bench_rows import HEADINGS, cells

    console = Console()
    lines: list[tuple[str, ...]] = [HEADINGS, *map(cells, rows)]
    if not console.is_terminal:
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
        return
    table = Table(*HEADINGS)
    for line in lines[1:]:
        table.add_row(*line)
    console.print(table)
