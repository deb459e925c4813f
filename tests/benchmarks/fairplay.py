"""`make fairplay-bench`: the move generator, fair play's statistics and secrecy, and rule 14, as C1 to C6 and D1.

`python -m tests.benchmarks.fairplay speed` measures one part alone, and leaves the rows of the others as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Final

from ordws.instance import Sources
from tests.benchmarks import fairplay_secrecy, move_generation, simulated_players, unplayed_round
from tests.benchmarks.figure import Figure, format_table, read_results, write_json

PARTS: Final[dict[str, Callable[[Sources], Iterator[Figure]]]] = {
    "agreement": lambda sources: move_generation.measure_agreement(move_generation.read_words(sources)),
    "speed": lambda sources: move_generation.measure_speed(move_generation.read_words(sources)),
    "players": lambda _: simulated_players.measure(),
    "leaks": lambda _: fairplay_secrecy.measure_leaks(),
    "traffic": lambda _: fairplay_secrecy.measure_traffic(),
    "round": lambda _: unplayed_round.measure(),
}
"""What is measured, by name, from the fetched dictionaries; no two parts have figures of one id."""

RESULTS: Final = Path("fairplay.json")


def main(wanted: list[str]) -> None:
    """Measure the parts that are wanted, or all, and record them; status 1 where a goal is missed."""
    if unknown := [name for name in wanted if name not in PARTS]:
        sys.exit(f"ordws: error: there is no part {' or '.join(unknown)}, but {', '.join(PARTS)}")
    sources = Sources.locate()
    figures: list[Figure] = []
    for name in wanted or PARTS:
        began = monotonic()
        figures += PARTS[name](sources)
        # Each part is recorded when it is done, since some take hours.
        write_json(merge_figures(read_results(RESULTS), figures), RESULTS)
        print(f"  {name}: {monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    print(format_table(figures))
    sys.exit(any(figure.holds is False for figure in figures))


def merge_figures(before: list[Figure], fresh: list[Figure]) -> list[Figure]:
    """Return the figures with fresh ones in place of all earlier ones of the same ids, in the order of the ids."""
    measured = {figure.id for figure in fresh}
    kept = [figure for figure in before if figure.id not in measured]
    return sorted([*kept, *fresh], key=lambda figure: str(figure.id))


if __name__ == "__main__":
    main(sys.argv[1:])
