"""Positions with their ranked plays, for simulated players: generated once, kept as numbers (docs/fairplay.md 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ordws.errors import BadInput
from ordws.fairplay.choices import Integers, RankedPlays

MOST_PLAYS: Final = 96
"""The plays of a position that are kept, the best ones: hardly anybody looks further down."""

TIERS: Final = 6
"""The tiers of rarity by which simulated players know words, finer than the bands that public lists tell."""

BAND_OF_TIER: Final = np.array([0, 0, 1, 1, 2, 2])

NumberedPlay: TypeAlias = tuple[int, int, int]
"""The score of a play, the tier of its rarest word (0 to 5), and the number of its tiles."""


@dataclass(frozen=True)
class Positions:
    """Positions with their plays, and the tiers of the plays."""

    plays: RankedPlays
    tiers: Integers

    @property
    def count(self) -> int:
        return len(self.plays.starts) - 1

    @property
    def has_doubtful(self) -> NDArray[np.bool_]:
        """True, by position, where a play has a borderline word."""
        return np.asarray(np.add.reduceat(self.plays.is_borderline.astype(int), self.plays.starts[:-1]) > 0)

    def save(self, path: Path) -> None:
        """Write the numbers to a file; they name no word and no square."""
        arrays = {name: getattr(self.plays, name) for name in ("starts", "scores", "tiles")}
        with path.open("wb") as file:
            np.savez_compressed(file, tiers=self.tiers, **arrays)

    @classmethod
    def load(cls, path: Path) -> Positions:
        """Read what `save` wrote; raises BadInput for anything else."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                starts, scores, tiles, tiers = [arrays[name] for name in ("starts", "scores", "tiles", "tiers")]
        except (OSError, ValueError, KeyError) as err:
            raise BadInput(f'"{path}" has no positions: {err}', hint="delete it; they are generated anew") from err
        return cls(RankedPlays(starts, scores, BAND_OF_TIER[tiers], tiles), tiers)


def collect(positions: Iterable[Sequence[NumberedPlay]]) -> Positions:
    """Rank the plays of positions; those with fewer than two plays leave nothing to choose and are left out."""
    starts, rows = [0], []
    for plays in positions:
        if len(plays) > 1:
            rows.extend(sorted(plays, reverse=True)[:MOST_PLAYS])
            starts.append(len(rows))
    if not rows:
        raise BadInput("no position leaves a choice of plays")
    scores, tiers, tiles = np.array(rows, np.int16).T
    return Positions(RankedPlays(np.array(starts), scores, BAND_OF_TIER[tiers], tiles), tiers)
