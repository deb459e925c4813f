"""The plays of recorded positions as numbers, for simulations of how people choose: no word and no square leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from ordws.fairplay.recorded_games import RULES, SEED, RecordedTurn, draw_played_words, honest_games
from ordws.fairplay.synthetic_lexicon import make_lexicon
from ordws.movegen.graph import Graph
from ordws.movegen.moves import generate
from ordws.movegen.swaps import after_swaps
from ordws.movegen.words import words_for
from ordws.records.cgp import read_board
from ordws.rules.board import EMPTY
from ordws.rules.judge import judge
from ordws.rules.move import Legal


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
