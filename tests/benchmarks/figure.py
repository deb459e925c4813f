"""A measured figure with its goal, and its presentation as JSON and as a table."""

from __future__ import annotations

import json
import operator
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from time import monotonic, thread_time_ns
from typing import Any, NamedTuple, NoReturn

ROWS = range(1, 11)
"""The rows of the table of figures to reach."""

_COMPARISONS = {"<=": operator.le, ">=": operator.ge, "==": operator.eq}
_GOAL_LABELS = {True: "holds", False: "MISSED", None: ""}


class Figure(NamedTuple):
    """A measured value. `id` is a row of the table of figures to reach, or a name for a figure outside the table."""

    id: int | str
    figure: str
    value: float
    unit: str
    goal: str = ""
    """A comparison and a number, as `<= 4`; empty for a figure that only accompanies one with a goal."""

    @property
    def holds(self) -> bool | None:
        """True if the goal is reached; None without a goal."""
        if not self.goal:
            return None
        sign, number = self.goal.split()
        return bool(_COMPARISONS[sign](self.value, float(number)))


def time_interleaved(
    *runs: Callable[[Any], object], prepare: Callable[[], object] = lambda: None, rounds: int = 21
) -> list[float]:
    """Return the median nanoseconds of each run, taken in turn so that a slow moment of the machine hits each.

    Processor time of this thread is measured, which other programs lengthen least. Each call gets what `prepare` made
    for it alone, outside the time taken.
    """
    times: list[list[int]] = [[] for _ in runs]
    for _ in range(rounds):
        for run, taken in zip(runs, times, strict=True):
            prepared = prepare()
            start = thread_time_ns()
            run(prepared)
            taken.append(thread_time_ns() - start)
    return [median(taken) for taken in times]


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the smallest value that so many percent of the values do not exceed; 0 without values."""
    return sorted(values)[(len(values) * percent - 1) // 100] if values else 0.0


def sort_figures(figures: Sequence[Figure]) -> list[Figure]:
    """Return the rows of the table by their numbers, then all other figures in their order."""
    return sorted(figures, key=lambda figure: figure.id if isinstance(figure.id, int) else len(ROWS) + 1)


def write_json(figures: Sequence[Figure], path: Path) -> None:
    path.write_text(format_rows([{**figure._asdict(), "holds": figure.holds} for figure in figures]) + "\n", "utf-8")


def format_rows(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as a JSON list, one a line."""
    return "[\n" + ",\n".join([json.dumps(row, ensure_ascii=False) for row in rows]) + "\n]"


def read_results(path: Path) -> list[Figure]:
    """Return the figures of earlier runs; none without a file."""
    return read_rows(json.loads(path.read_text("utf-8"))) if path.exists() else []


def read_rows(rows: Iterable[Mapping[str, Any]]) -> list[Figure]:
    """Return the figures of the rows that `write_json` writes."""
    return [Figure(row["id"], row["figure"], row["value"], row["unit"], row["goal"]) for row in rows]


def merge_figures(before: Sequence[Figure], fresh: Sequence[Figure], field: str = "id") -> list[Figure]:
    """Return the figures in the order of their ids, fresh ones in place of earlier ones with the same in a field."""
    measured = {getattr(figure, field) for figure in fresh}
    kept = [figure for figure in before if getattr(figure, field) not in measured]
    return sorted([*kept, *fresh], key=lambda figure: str(figure.id))


def run_parts(
    parts: Mapping[str, Callable[[], Iterable[Figure]]], wanted: Sequence[str], results: Path, field: str = "id"
) -> NoReturn:
    """Measure the parts that are wanted, or all, and record them; exit with status 1 where a goal is missed.

    A figure replaces those of an earlier run with the same in a field.
    """
    if unknown := [name for name in wanted if name not in parts]:
        sys.exit(f"ordws: error: there is no part {' or '.join(unknown)}, but {', '.join(parts)}")
    figures: list[Figure] = []
    for name in wanted or parts:
        began = monotonic()
        figures += parts[name]()
        # Each part is recorded when it is done, since some take hours.
        write_json(merge_figures(read_results(results), figures, field), results)
        print(f"  {name}: {monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    print(format_table(figures))
    sys.exit(any(figure.holds is False for figure in figures))


def format_table(figures: Sequence[Figure]) -> str:
    """Return the figures as a table for people."""
    rows = [(str(f.id), f.figure, f"{f.value:g} {f.unit}".strip(), f.goal, _GOAL_LABELS[f.holds]) for f in figures]
    return align_cells(rows)


def align_cells(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as lines of a table whose columns are aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def summarize_goals(figures: Sequence[Figure]) -> str:
    """Return how many rows of the table hold with all of their figures, and which do not or were not measured."""
    rows = {row: [figure.holds for figure in figures if figure.id == row and figure.goal] for row in ROWS}
    held = [row for row, holding in rows.items() if holding and all(holding)]
    missed = [str(row) for row, holding in rows.items() if not all(holding)]
    absent = [str(row) for row, holding in rows.items() if not holding]
    remarks = [f"{what}: {', '.join(which)}" for what, which in (("missed", missed), ("not measured", absent)) if which]
    return "; ".join([f"{len(held)} of {len(ROWS)} rows hold", *remarks])
