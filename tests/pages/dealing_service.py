"""`ordws` with written chance: how a game is dealt follows from the file that `ORDWS_TEST_DEAL` names.

The file holds the tiles in the order in which they are drawn, as many as the bag holds; a draw that they do not tell,
as after an exchange, follows from them and from the tiles that are left. So all workers deal alike.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random

import ordws.api.services
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


ordws.api.services.SystemRandom = WrittenChance  # type: ignore[attr-defined]

if __name__ == "__main__":
    main()
