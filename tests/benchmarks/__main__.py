"""`make bench`: measure every promised figure over the fetched dictionaries, record it and write its pages.

`python -m tests.benchmarks serving scaling` measures these parts alone, and writes nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Final

from builders.build import Material
from builders.public_lists import read_public_lists
from ordws.instance import Sources
from tests.benchmarks import (
    auditing,
    console_latency,
    definitions,
    formatives,
    gate,
    in_process,
    inflection,
    meter_storage,
    mining,
    open_recipe,
    precision,
    redis_rate,
    rules_engine,
    scalability,
    sealed_turns,
    server_cpu,
    simulated_panel,
    verdict_timing,
    word_set,
)
from tests.benchmarks.figure import Figure, format_table, sort_figures, summarize_goals, write_json
from tests.benchmarks.page import describe_machine, update_page


class Bench:
    """The inputs that several parts share: the dictionaries, and the result of merging the open recipe."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources

    @cached_property
    def material(self) -> Material:
        return open_recipe.merge_open(self.sources)

    @property
    def settled(self) -> frozenset[str]:
        return self.material.merged.settled

    @cached_property
    def core(self) -> frozenset[str]:
        return read_public_lists(self.sources.debian / "scowl").core


PARTS: Final[dict[str, Callable[[Bench], Iterator[Figure]]]] = {
    "serving": lambda bench: server_cpu.measure(bench.settled, bench.core),
    "gate": lambda _: gate.measure(),
    "calls": lambda _: in_process.measure(),
    "judging": lambda _: rules_engine.measure(),
    "wordset": lambda bench: word_set.measure(bench.settled, bench.material.merged.borderline),
    "recipe-build": lambda bench: open_recipe.measure_build(bench.sources),
    "auditing": lambda _: auditing.measure(),
    "console": lambda _: console_latency.measure(),
    "turns": lambda _: sealed_turns.measure(),
    "scaling": lambda bench: scalability.measure(bench.settled, bench.core),
    "timing": lambda _: verdict_timing.measure(),
    "meters": lambda _: meter_storage.measure(),
    "redis": lambda _: redis_rate.measure(),
    "mining": lambda _: mining.measure(),
    "recipe": lambda bench: open_recipe.measure(bench.material),
    "precision": lambda _: precision.measure(),
    "definitions": lambda bench: definitions.measure(bench.material.families),
    "inflection": lambda bench: inflection.measure(bench.sources),
    "formatives": lambda bench: formatives.measure(bench.sources),
    "panel": lambda bench: simulated_panel.measure(bench.material.families),
}


def main(wanted: list[str]) -> None:
    if strange := [name for name in wanted if name not in PARTS]:
        sys.exit(f'ordws: error: no part "{strange[0]}" in the benchmark; there are {", ".join(PARTS)}')
    print(f"  {describe_machine()}", file=sys.stderr)
    bench, began = Bench(Sources.locate()), monotonic()
    figures: list[Figure] = []
    for name in wanted or PARTS:
        begun, spent = monotonic(), processor_seconds()
        for figure in PARTS[name](bench):
            print(format_table([figure]), file=sys.stderr)
            figures.append(figure)
        took = f"{monotonic() - begun:.0f} s, {processor_seconds() - spent:.0f} s of processors"
        print(f"  {name}: {took}", file=sys.stderr, flush=True)
    print(format_table(sort_figures(figures)))
    print(f"{describe_machine()}; {monotonic() - began:.0f} s")
    if not wanted:
        print(summarize_goals(figures))
        write_json(sort_figures(figures), Path("bench.json"))
        update_page(Path())


def processor_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    return sum(os.times()[:4])


if __name__ == "__main__":
    main(sys.argv[1:])
