"""`make fairplay-bench`: the move generator and the statistics of fair play, as figures C1 to C4 in fairplay.json.

`python -m tests.benchmarks.fairplay moves` measures one part alone, and writes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Final

from ordws.instance import Sources
from tests.benchmarks import move_generation
from tests.benchmarks.figure import Figure, format_table, write_json

PARTS: Final[dict[str, Callable[[Sources], Iterator[Figure]]]] = {
    "agreement": lambda sources: move_generation.measure_agreement(move_generation.read_words(sources)),
    "speed": lambda sources: move_generation.measure_speed(move_generation.read_words(sources)),
}
"""What is measured, by name, from the fetched dictionaries."""


def main(wanted: list[str]) -> None:
    """Measure the parts that are wanted, or all and write fairplay.json; status 1 where a goal is missed."""
    if unknown := [name for name in wanted if name not in PARTS]:
        sys.exit(f"ordws: error: there is no part {' or '.join(unknown)}, but {', '.join(PARTS)}")
    sources = Sources.locate()
    figures: list[Figure] = []
    for name in wanted or PARTS:
        began = monotonic()
        figures += PARTS[name](sources)
        print(f"  {name}: {monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    print(format_table(figures))
    if not wanted:
        write_json(figures, Path("fairplay.json"))
    sys.exit(any(figure.holds is False for figure in figures))


if __name__ == "__main__":
    main(sys.argv[1:])
