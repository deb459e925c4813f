"""Figures C1 and C2: the move generator beside the one that asked the engine about every play, over a real-size list.

The positions are those of seeded games in which every player makes the best move. The older generator is the oracle of
the tests: C1 compares every play of every position, in all rule sets, after every choice of swaps.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from random import Random
from typing import Final, NamedTuple

from builders.public_lists import read_public_lists
from ordws.instance import Sources
from ordws.movegen.graph import Graph
from ordws.movegen.moves import after_swaps, find_plays, generate, words_for
from ordws.rules.engine import engine_build
from ordws.rules.ruleset import RULE_SETS, RuleSet
from tests.benchmarks.figure import Figure, time_interleaved
from tests.movegen import oracle
from tests.movegen.positions import TurnPosition, play_positions

SEED: Final = 21
COMPARED: Final = 2_000
TIMED: Final = 200
ROUNDS: Final = 3
GOALS: Final = {"classic": "<= 1", "scrabble-o": "<= 3", "scrabble-i": "<= 10", "dover": "<= 10"}


class Differences(NamedTuple):
    """Plays that only one of two generators found, and those to which they give different scores."""

    missing: int = 0
    extra: int = 0
    unequal: int = 0


def read_words(sources: Sources) -> frozenset[str]:
    """Return the open players' list of the fetched dictionaries, about 247,000 words."""
    return read_public_lists(sources.debian / "scowl").reference


def measure(words: Iterable[str]) -> Iterator[Figure]:
    """Yield C1, C2 and what goes with them."""
    yield from measure_agreement(words)
    yield from measure_speed(words)


def measure_agreement(words: Iterable[str], positions: int = COMPARED) -> Iterator[Figure]:
    """Yield C1: what is missing, extra or of another score in so many positions of each rule set."""
    total, plays = Differences(), 0
    for rules in RULE_SETS.values():
        accepted = words_for(rules, words)
        graph, dawg = Graph.from_words(accepted), oracle.build_dawg(accepted)
        for position in islice(play_positions(rules, graph, Random(SEED)), positions):
            found, differences = compare(rules, graph, dawg, position)
            plays += found
            total = Differences(*[a + b for a, b in zip(total, differences, strict=True)])
        print(f"  {rules.id}: {plays:,} plays so far, {sum(total)} of them differ", file=sys.stderr, flush=True)
    sets = f"{positions:,} positions of each of {len(RULE_SETS)} rule sets"
    yield Figure("C1", f"plays missing of those that the oracle finds, {sets}", total.missing, "", "== 0")
    yield Figure("C1", "plays that the oracle does not find", total.extra, "", "== 0")
    yield Figure("C1", "plays with another score", total.unequal, "", "== 0")
    yield Figure("C1", "plays compared", plays, "")


def compare(rules: RuleSet, graph: Graph, dawg: oracle.Dawg, position: TurnPosition) -> tuple[int, Differences]:
    """Return the number of plays of a turn, and how the generator differs from the oracle."""
    plays, missing, extra, unequal = 0, 0, 0, 0
    for _, board, rack in after_swaps(rules, *position):
        found = find_plays(rules, graph, board, rack)
        scores = {found.play(number): found.score(number) for number in range(len(found))}
        expected = {play: legal.score for play, legal in oracle.generate_plays(rules, dawg, board, rack)}
        plays += len(found)
        missing += len(expected.keys() - scores.keys())
        # A play that is found twice is one too many.
        extra += len(scores.keys() - expected.keys()) + len(found) - len(scores)
        unequal += sum(scores[play] != expected[play] for play in scores.keys() & expected.keys())
    return plays, Differences(missing, extra, unequal)


def measure_speed(words: Iterable[str], positions: int = TIMED) -> Iterator[Figure]:
    """Yield C2: the mean of a turn, all its moves with their scores and the best first, beside the oracle's."""
    for name, goal in GOALS.items():
        rules = RULE_SETS[name]
        accepted = words_for(rules, words)
        graph, dawg = Graph.from_words(accepted), oracle.build_dawg(accepted)
        turns = list(islice(play_positions(rules, graph, Random(SEED)), positions))
        moves = rank_moves(rules, graph, turns, None)
        fast, listed = time_interleaved(
            partial(rank_moves, rules, graph, turns), partial(make_moves, rules, graph, turns), rounds=ROUNDS
        )
        (slow,) = time_interleaved(partial(run_oracle, rules, dawg, turns), rounds=1)
        what = f"{rules.layout.side}x{rules.layout.side} {name}{', with swaps' if rules.swap else ''}"
        yield Figure("C2", f"all moves of a turn, ranked, mean: {what}", _milliseconds(fast, positions), "ms", goal)
        yield Figure("C2", f"the same, each move made: {what}", _milliseconds(listed, positions), "ms")
        yield Figure("C2", f"the oracle, not ranked: {what}", _milliseconds(slow, positions), "ms")
        yield Figure("C2", f"times as fast as the oracle, {engine_build()}: {what}", round(slow / fast, 1), "x")
        yield Figure("C2", f"moves of a turn, mean: {what}", round(moves / positions), "")


# Nothing is kept from one turn to the next: the collector would go through a million tuples again and again.
def rank_moves(rules: RuleSet, graph: Graph, turns: list[TurnPosition], _: object) -> int:
    """Rank all moves of these turns, and return how many there are."""
    return sum(len(generate(rules, graph, *turn)) for turn in turns)


def make_moves(rules: RuleSet, graph: Graph, turns: list[TurnPosition], _: object) -> int:
    """Rank all moves of these turns and make an object of each, and return how many there are."""
    return sum(len(list(generate(rules, graph, *turn))) for turn in turns)


def run_oracle(rules: RuleSet, dawg: oracle.Dawg, turns: list[TurnPosition], _: object) -> int:
    """Generate all moves of these turns as the oracle does, and return how many there are."""
    return sum(
        1
        for turn in turns
        for _, board, rack in after_swaps(rules, *turn)
        for _ in oracle.generate_plays(rules, dawg, board, rack)
    )


def _milliseconds(nanoseconds: float, turns: int) -> float:
    return round(nanoseconds / turns / 1e6, 2)
