"""Positions of recorded games with their ranked plays, for simulated players (docs/fairplay.md 6).

They are generated once and kept as numbers: no word and no square leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ordws.errors import BadInput
from ordws.fairplay.forms import Integers, RankedPlays
from ordws.fairplay.recorded_games import RULES, SEED, RecordedTurn, draw_played_words, honest_games
from ordws.fairplay.synthetic_lexicon import make_lexicon
from ordws.movegen.graph import Graph
from ordws.movegen.moves import after_swaps, generate, words_for
from ordws.records.notation import read_board
from ordws.rules.board import EMPTY
from ordws.rules.judge import judge
from ordws.rules.move import Legal

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


def ranked_positions(
    count: int, most_plays: int, seed: int, progress: Callable[[int], object] = lambda done: None
) -> Iterator[list[tuple[int, int, int]]]:
    """Yield the best plays of so many positions of the recorded games, over the true words of their lexicon.

    A play is its score, the tier of its rarest word from 0 on, and the number of its tiles. `progress` is called with
    the number of positions done.
    """
    lexicon = make_lexicon(SEED)
    graph = Graph.from_words(words_for(RULES, draw_played_words(lexicon)))
    turns = [turn for game in honest_games() for turn in game.turns]
    chosen = Random(seed).sample(turns, min(count, len(turns)))
    for done, turn in enumerate(chosen, start=1):
        yield rank_plays(turn, graph, lexicon.tiers, most_plays)
        progress(done)


def rank_plays(
    turn: RecordedTurn, graph: Graph, tiers: Mapping[str, int], most_plays: int
) -> list[tuple[int, int, int]]:
    """Return the best plays of a turn as numbers, the best one first."""
    board = read_board(turn.position)
    boards = {reached.squares: reached.board for reached in after_swaps(RULES, board, turn.rack)}
    plays = []
    for move in generate(RULES, graph, board, turn.rack)[:most_plays]:
        ruling = judge(RULES, boards[move.swaps], move.play)
        if isinstance(ruling, Legal):
            tier = max([tiers.get(word, 1) for word in ruling.words if len(word) > 2], default=1) - 1
            plays.append((move.score, tier, len(move.play.letters) - move.play.letters.count(EMPTY)))
    return plays
