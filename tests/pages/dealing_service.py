"""`ordws` with written chance and a clock that tests move on.

How a game is dealt follows from the file that `ORDWS_TEST_DEAL` names. It holds the tiles in the order in which they
are drawn, as many as the bag holds; a draw that they do not tell, as after an exchange, follows from them and from the
tiles that are left. So all workers deal alike. The file that `ORDWS_TEST_AHEAD` names holds the seconds by which the
clock of the games is ahead.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import ordws.api.services
import ordws.referee.moments
from ordws.cli import main


class WrittenChance:
    """A source of chance that draws the same tiles from the same bag."""

    def sample(self, population: Sequence[str], k: int) -> list[str]:
        order = Path(os.environ["ORDWS_TEST_DEAL"]).read_text("ascii")
        if k == len(order) < len(population):
            return list(order)
        left = order[len(order) - len(population) :]
        if sorted(left) == sorted(population):
            return list(left[:k])
        return Random(f"{order} {''.join(population)}").sample(population, k)


class ClocksAhead:
    """The clocks of this host, ahead by the seconds in the file."""

    def time_ns(self) -> int:
        return time.time_ns() + self._ahead_ns()

    def clock_gettime_ns(self, clock: int) -> int:
        return time.clock_gettime_ns(clock) + self._ahead_ns()

    def _ahead_ns(self) -> int:
        return 1_000_000_000 * int(Path(os.environ["ORDWS_TEST_AHEAD"]).read_text("ascii"))


ordws.api.services.SystemRandom = WrittenChance  # type: ignore[attr-defined]
ordws.referee.moments.time = ClocksAhead()  # type: ignore[attr-defined]

if __name__ == "__main__":
    main()
