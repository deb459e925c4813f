"""A measured figure with its goal, and its presentation as JSON and as a table."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import thread_time_ns
from typing import Any, NamedTuple

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


def sort_figures(figures: Sequence[Figure]) -> list[Figure]:
    """Return the rows of the table by their numbers, then all other figures in their order."""
    return sorted(figures, key=lambda figure: figure.id if isinstance(figure.id, int) else len(ROWS) + 1)


def write_json(figures: Sequence[Figure], path: Path) -> None:
    rows = [
        {"id": f.id, "figure": f.figure, "value": f.value, "unit": f.unit, "goal": f.goal, "holds": f.holds}
        for f in figures
    ]
    path.write_text("[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n")


def read_results(path: Path) -> list[Figure]:
    """Return the figures of earlier runs; none without a file."""
    rows = json.loads(path.read_text("utf-8")) if path.exists() else []
    return [Figure(row["id"], row["figure"], row["value"], row["unit"], row["goal"]) for row in rows]


def format_table(figures: Sequence[Figure]) -> str:
    """Return the figures as a table for people."""
    rows = [(str(f.id), f.figure, f"{f.value:g} {f.unit}".strip(), f.goal, _GOAL_LABELS[f.holds]) for f in figures]
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
