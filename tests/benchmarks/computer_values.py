"""`make computer-values`: the values of leaves, learned by self-play, as `ordws/computer/leaves.toml` has them.

In each round the program plays itself by the values so far. What a leave brought is the score of the next own turn and
the value of what that one left; a ridge regression of it on the features of the leave gives the values of the next
round.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.computer.candidates import Breadth, RatedTurn, best_candidates
from ordws.computer.choose import Choice, position_of
from ordws.computer.leaves import FEATURES, LeaveValues, features
from ordws.computer.visible_game import Decision, VisibleGame
from ordws.computer.words import PublicWords, Strength
from ordws.instance import Sources
from ordws.records.move_notation import MoveWithSwaps, write_move_with_swaps
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import RULE_SETS, SCRABBLE_I_CLASSIC, SCRABBLE_O
from tests.benchmarks.computer import read_public_words
from tests.computer.dealt_games import DealtGame

TABLE: Final = Path("ordws/computer/leaves.toml")
SEED: Final = 20_261_127
ROUNDS: Final = 2
GAMES: Final = 400
_START: Final = {"?1": 25.0, "?2": 25.0, "?3": 25.0, "S1": 8.0}
"""The values that the first round plays by: for score alone it would keep no blank, and learn nothing of its value."""

_SWEEPS: Final = 3
"""How often the values are fitted to all games so far in a round, each time by the values of the time before."""
_BREADTH: Final = Breadth(candidates=1, plays=100, blanks=1, both=False)
_RIDGE: Final = 20.0
"""The weight of a value of 0 in the regression, as so many leaves: tiles that are seldom held together need it."""


class Sample(NamedTuple):
    """A leave, the share of the tiles that were in the bag, and the score and the leave of the next own turn."""

    leave: str
    bag: float
    score: int
    next_leave: str


def learn(rules: RuleSet, words: PublicWords, games: int, rounds: int, seed: int) -> dict[str, float]:
    """Return the values of the features of leaves under a rule set."""
    values: dict[str, float] = _START
    samples: list[Sample] = []
    for number in range(rounds):
        for game in range(games):
            samples += _play(rules, words, LeaveValues(values), f"{seed}/{rules.id}/{number}/{game}")
        for _ in range(_SWEEPS):
            values = fit(samples, LeaveValues(values))
        print(f"  {rules.id}: round {number + 1}, {len(samples)} leaves", file=sys.stderr, flush=True)
    return values


def fit(samples: Sequence[Sample], leaves: LeaveValues) -> dict[str, float]:
    """Return the values that explain best what the leaves brought, beyond what any brought with as full a bag."""
    index = {name: at for at, name in enumerate(FEATURES)}
    table = np.zeros((len(samples), len(FEATURES) + 3))
    for at, sample in enumerate(samples):
        for name in features(sample.leave):
            table[at, index[name]] += 1
        table[at, -3:] = 1, sample.bag, sample.bag**2
    brought = np.array([sample.score + leaves[sample.next_leave] for sample in samples])
    weights = np.diag([*[_RIDGE] * len(FEATURES), 0.0, 1e-6, 1e-6])
    fitted = np.linalg.solve(table.T @ table + weights, table.T @ brought)
    return {name: round(float(fitted[at]), 1) for name, at in index.items()}


def _play(rules: RuleSet, words: PublicWords, leaves: LeaveValues, deal: str) -> Iterator[Sample]:
    """Play a game, and yield each leave with what it brought, as long as the bag fills a rack."""
    turns: tuple[list[tuple[int, RatedTurn]], ...] = ([], [])
    graph = words.graph(rules, Strength.CLUB)

    def take(seat: int, view: VisibleGame) -> Choice:
        if view.task is not Decision.MOVE and view.task is not Decision.CHALLENGE:
            return Choice("-")
        best = best_candidates(position_of(view, graph), leaves, _BREADTH)[0]
        turns[seat].append((view.bag, best))
        return Choice(write_move_with_swaps(MoveWithSwaps(best.swaps, best.move)))

    DealtGame(rules, words, deal).play((partial(take, 0), partial(take, 1)))
    for taken in turns:
        for (_, before), (bag, after) in pairwise(taken):
            if bag >= rules.rack_size:
                yield Sample(before.leave, bag / rules.scoop, after.score, after.leave)


def write_table(learned: Mapping[str, Mapping[str, float]], games: int, rounds: int, seed: int) -> None:
    """Write the values of all rule sets as the package reads them."""
    lines = [
        "# The values of leaves in points: each copy of a tile, vowels less consonants, Q with U.",
        f"# Made by `make computer-values`: {rounds} rounds of {games} games with each rule set, seed {seed}.",
    ]
    for rules_id, values in learned.items():
        lines += ["", f"[{rules_id}]", *[f'"{name}" = {value}' for name, value in values.items()]]
    write_atomically(TABLE, ("\n".join(lines) + "\n").encode(), PUBLIC_MODE)


def main(arguments: list[str]) -> None:
    """Learn the values of all rule sets and write them."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.computer_values")
    parser.add_argument("rules", nargs="*", default=[*RULE_SETS], help="rule sets (default: all)")
    parser.add_argument("--games", type=int, default=GAMES, help=f"games a round (default: {GAMES})")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds (default: {ROUNDS})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"the random seed (default: {SEED})")
    options = parser.parse_args(arguments)
    words = read_public_words(Sources.locate())
    learned = tomllib.loads(TABLE.read_text("utf-8"))
    for rules in [RULE_SETS[name] for name in options.rules]:
        if rules is not SCRABBLE_O:
            learned[rules.id] = learn(rules, words, options.games, options.rounds, options.seed)
        if rules is SCRABBLE_I_CLASSIC:
            # They are the same game as long as there are tiles in the bag (docs/rules.md 0.2).
            learned[SCRABBLE_O.id] = learned[rules.id]
        write_table(learned, options.games, options.rounds, options.seed)


if __name__ == "__main__":
    main(sys.argv[1:])
