"""One measured figure with its goal, and the two ways it is shown."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import Any, NamedTuple

_HOLDS = {"<=": operator.le, ">=": operator.ge, "==": operator.eq}


class Figure(NamedTuple):
    """`id` is a row of the table of figures to reach, or a name where the table has none; `value` in `unit`."""

    id: int | str
    figure: str
    value: float
    unit: str
    goal: str
    """A comparison and a number, as `<= 4`."""

    @property
    def holds(self) -> bool:
        sign, number = self.goal.split()
        return bool(_HOLDS[sign](self.value, float(number)))


def interleaved(
    *runs: Callable[[Any], object], prepare: Callable[[], object] = lambda: None, rounds: int = 21
) -> list[float]:
    """Median nanoseconds of each run, taken in turn so that a slow moment of the machine hits each.

    Each call gets what `prepare` made for it alone, outside the time taken.
    """
    times: list[list[int]] = [[] for _ in runs]
    for _ in range(rounds):
        for run, taken in zip(runs, times, strict=True):
            prepared = prepare()
            start = perf_counter_ns()
            run(prepared)
            taken.append(perf_counter_ns() - start)
    return [median(taken) for taken in times]


def write_json(figures: Sequence[Figure], path: Path) -> None:
    rows = [
        {"id": f.id, "figure": f.figure, "value": f.value, "unit": f.unit, "goal": f.goal, "holds": f.holds}
        for f in figures
    ]
    path.write_text("[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n")


def tell(figures: Sequence[Figure]) -> str:
    """A table for people."""
    rows = [
        (str(f.id), f.figure, f"{f.value:g} {f.unit}".strip(), f.goal, "holds" if f.holds else "MISSED")
        for f in figures
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
