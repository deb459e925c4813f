"""`make fairplay-bench`: the move generator, fair play's statistics and secrecy, and rule 14, as C1 to C6 and D1.

`python -m tests.benchmarks.fairplay speed` measures one part alone, and leaves the rows of the others as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from ordws.instance import Sources
from tests.benchmarks import fairplay_secrecy, move_generation, simulated_players, unplayed_round
from tests.benchmarks.figure import Figure, run_parts

PARTS: Final[dict[str, Callable[[], Iterator[Figure]]]] = {
    "agreement": lambda: move_generation.measure_agreement(move_generation.read_words(Sources.locate())),
    "speed": lambda: move_generation.measure_speed(move_generation.read_words(Sources.locate())),
    "players": simulated_players.measure,
    "leaks": fairplay_secrecy.measure_leaks,
    "traffic": fairplay_secrecy.measure_traffic,
    "round": unplayed_round.measure,
}
"""What is measured, by name, the first two from the fetched dictionaries; no two parts have figures of one id."""

if __name__ == "__main__":
    run_parts(PARTS, sys.argv[1:], Path("fairplay.json"))
