"""`make computer-values`: the values of leaves, learned by self-play, as `ordws/computer/leaves.toml` has them.

In each round the program plays itself by the values so far. What a leave brought is the score of the next own turn and
the value of what that one left; a ridge regression of it on the features of the leave gives the values of the next
round.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.computer.candidates import FEATURES, Breadth, LeaveValues, RatedTurn, best_candidates, features
from ordws.computer.choose import Choice, SeatTask, VisibleGame, position_of
from ordws.computer.words import PublicWords, Strength
from ordws.instance import Sources
from ordws.records.notation import MoveWithSwaps, write_move_with_swaps
from ordws.rules.ruleset import RULE_SETS, SCRABBLE_I_CLASSIC, SCRABBLE_O, RuleSet
from tests.benchmarks.computer import read_public_words
from tests.computer.dealt_games import DealtGame

TABLE: Final = Path("ordws/computer/leaves.toml")
SEED: Final = 20_261_127
ROUNDS: Final = 2
GAMES: Final = 400
_START: Final = {"?1": 25.0, "?2": 25.0, "?3": 25.0, "S1": 8.0}
"""The values that the first round plays by: for score alone it would keep no blank, and learn nothing of its value."""

_BREADTH: Final = Breadth(candidates=1, plays=100, blanks=1, both=False)
_RIDGE: Final = 20.0
"""The weight of a value of 0 in the regression, as so many leaves: tiles that are seldom held together need it."""


def learn(rules: RuleSet, words: PublicWords, games: int, rounds: int, seed: int) -> dict[str, float]:
    """Return the values of the features of leaves under a rule set."""
    values: dict[str, float] = _START
    for number in range(rounds):
        rows, brought = [], []
        for game in range(games):
            for leave, points in _play(rules, words, LeaveValues(values), f"{seed}/{rules.id}/{number}/{game}"):
                rows.append(features(leave))
                brought.append(points)
        values = fit(rows, brought)
        print(f"  {rules.id}: round {number + 1}, {len(rows)} leaves", file=sys.stderr, flush=True)
    return values


def fit(rows: list[list[str]], brought: list[float]) -> dict[str, float]:
    """Return the values of the features that explain best what the leaves brought, beyond what all brought."""
    index = {name: at for at, name in enumerate(FEATURES)}
    table = np.zeros((len(rows), len(FEATURES) + 1))
    table[:, -1] = 1
    for at, row in enumerate(rows):
        for name in row:
            table[at, index[name]] += 1
    weights = np.diag([*[_RIDGE] * len(FEATURES), 0.0])
    fitted = np.linalg.solve(table.T @ table + weights, table.T @ np.array(brought))
    return {name: round(float(fitted[at]), 1) for name, at in index.items()}


def _play(rules: RuleSet, words: PublicWords, leaves: LeaveValues, deal: str) -> Iterator[tuple[str, float]]:
    """Play a game, and yield each leave with what it brought, as long as the bag fills a rack."""
    turns: tuple[list[tuple[int, RatedTurn]], ...] = ([], [])
    graph = words.graph(rules, Strength.CLUB)

    def take(seat: int, view: VisibleGame) -> Choice:
        if view.task is not SeatTask.MOVE and view.task is not SeatTask.CHALLENGE:
            return Choice("-")
        best = best_candidates(position_of(view, graph), leaves, _BREADTH)[0]
        turns[seat].append((view.bag, best))
        return Choice(write_move_with_swaps(MoveWithSwaps(best.swaps, best.move)))

    DealtGame(rules, words, deal).play((lambda view: take(0, view), lambda view: take(1, view)))
    for taken in turns:
        for (_, before), (bag, after) in pairwise(taken):
            if bag >= rules.rack_size:
                yield before.leave, after.score + leaves[after.leave]


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
