"""`make computer-bench`: the strengths of the computer player against each other, and the processor time of a turn.

Each deal is played from both seats, so that the luck of the draw weighs on both players alike. A comparison ends early
where its interval of 99 % leaves one half: looking often, an interval of 95 % would leave it by chance too often.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from statistics import fmean, median, stdev
from time import process_time
from typing import Final, NamedTuple

from builders.dover_charged import begin_dover_charged
from builders.public_lists import read_public_lists
from ordws.computer.candidates import RackPlays
from ordws.computer.choose import OWN_TURN, Choice, SeatTask, VisibleGame, choose
from ordws.computer.process import turn_seconds
from ordws.computer.words import PublicWords, Strength
from ordws.instance import Sources
from ordws.records.notation import MoveWithSwaps, write_move_with_swaps
from ordws.rules.ruleset import RULE_SETS, RuleSet
from tests.benchmarks.figure import Figure, format_table, percentile, write_json
from tests.computer.dealt_games import DealtGame, Player

RESULTS: Final = Path("computer.json")
HIGHEST: Final = "highest score"
COMPARISONS: Final = (("club", HIGHEST), ("strong", "club"), ("easy", "club"))
PAIRS: Final = {15: 200, 21: 40}
"""The pairs of games of a comparison, by the side of the board."""
_FIRST_LOOK: Final = 20


class Result(NamedTuple):
    """What a comparison came to, by pair of games."""

    wins: list[float]
    """The share of the two games that the first player won; a tie is half a win."""
    leads: list[float]
    """By how many points the first player was ahead, on the mean of both games."""
    points: tuple[float, float]
    """The points a turn of both players."""
    seconds: tuple[list[float], list[float]]
    """The processor time of each turn of both players."""


def read_public_words(sources: Sources) -> PublicWords:
    """Return the public lists of the fetched dictionaries."""
    lists = read_public_lists(sources.debian / "scowl")
    with begin_dover_charged(lists) as charged:
        return PublicWords(lists.core, lists.reference, lists.common, charged())


def interval(values: list[float], quantile: float = 1.96) -> tuple[float, float]:
    """Return the bounds of the mean of these values, of 95 % by default."""
    half = quantile * stdev(values) / sqrt(len(values))
    return fmean(values) - half, fmean(values) + half


def take_highest(view: VisibleGame, words: PublicWords) -> Choice:
    """Return the play that scores most, over the words of club; without a play, what club does."""
    choice = choose(view, words, Strength.CLUB, "")
    # Where plays are challenged, most turns are an answer to a play that stands.
    if view.task in (SeatTask.CHECK, SeatTask.PROPOSE) or choice.move in ("challenge", "-"):
        return choice
    turns = RackPlays(view.rules, words.graph(view.rules, Strength.CLUB), view.board, view.rack, OWN_TURN)
    for play, _, swaps in turns.moves[:1]:
        return Choice(write_move_with_swaps(MoveWithSwaps(swaps, play)))
    return choice


def compare(rules: RuleSet, words: PublicWords, names: tuple[str, str], pairs: int, seed: int) -> Result:
    """Play the pairs of a comparison."""
    result = Result([], [], (0, 0), ([], []))
    totals = [[0, 0], [0, 0]]

    def timed(which: int, deal: str) -> Player:
        def take(view: VisibleGame) -> Choice:
            began = process_time()
            if names[which] == HIGHEST:
                choice = take_highest(view, words)
            else:
                choice = choose(view, words, Strength(names[which]), deal)
            result.seconds[which].append(process_time() - began)
            return choice

        return take

    for number in range(pairs):
        deal, won, lead = f"{seed}/{rules.id}/{number}", 0.0, 0.0
        players = (timed(0, deal), timed(1, deal))
        for first in (0, 1):
            state = DealtGame(rules, words, deal).play((players[first], players[1 - first]))
            ahead = state.scores[first] - state.scores[1 - first]
            won, lead = won + (ahead > 0) / 2 + (ahead == 0) / 4, lead + ahead / 2
            for which in (0, 1):
                turns, points = state.turn_totals(which ^ first)
                totals[which] = [totals[which][0] + turns, totals[which][1] + points]
        result.wins.append(won)
        result.leads.append(lead)
        low, high = interval(result.wins, 2.58) if number + 1 >= _FIRST_LOOK else (0, 1)
        if not low <= 0.5 <= high:
            break
    first, second = [points / max(turns, 1) for turns, points in totals]
    return result._replace(points=(first, second))


def measure(rules: RuleSet, words: PublicWords, who: list[str], pairs: int, seed: int) -> Iterator[Figure]:
    """Yield the figures of a rule set, of the comparisons of these strengths."""
    for names in [each for each in COMPARISONS if each[0] in who]:
        result = compare(rules, words, names, pairs, seed)
        what = f"{rules.id}: {names[0]} against {names[1]}, {len(result.wins)} pairs"
        if names[0] == "easy":
            yield Figure(
                "computer",
                f"{what}: points a turn, of those of club",
                round(result.points[0] / result.points[1], 3),
                "",
                ">= 0.4",
            )
            yield Figure("computer", f"{what}: the same", round(result.points[0] / result.points[1], 3), "", "<= 0.6")
        else:
            low, high = interval(result.wins)
            bound = ("low", low, ">= 0.5") if names[1] == HIGHEST else ("high", high, ">= 0.5")
            yield Figure("computer", f"{what}: games won", round(fmean(result.wins), 3), f"({low:.3f} to {high:.3f})")
            yield Figure("computer", f"{what}: the {bound[0]} bound of 95 %", round(bound[1], 3), "", bound[2])
            low, high = interval(result.leads)
            yield Figure(
                "computer", f"{what}: points ahead", round(fmean(result.leads), 1), f"({low:.1f} to {high:.1f})"
            )
        for name, points, seconds in zip(names, result.points, result.seconds, strict=True):
            yield Figure("computer", f"{what}: points a turn of {name}", round(points, 1), "")
            if name != HIGHEST:
                most = f"<= {turn_seconds(rules):g}"
                typical = round(median(seconds), 4)
                yield Figure("computer", f"{what}: a turn of {name}, median", typical, "s of processor")
                yield Figure(
                    "computer",
                    f"{what}: the same, p99",
                    round(percentile(seconds, 99), 4),
                    "s of processor",
                    most,
                )


def main(arguments: list[str]) -> None:
    """Measure the rule sets that are wanted, or all; status 1 where a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.computer")
    parser.add_argument("rules", nargs="*", choices=[*RULE_SETS, []], help="rule sets (default: all)")
    parser.add_argument("--pairs", type=int, help="pairs of games (default: 200 on 15x15, 40 on 21x21)")
    parser.add_argument("--who", nargs="+", default=[each[0] for each in COMPARISONS], help="strengths (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the deals (default: 1)")
    options = parser.parse_args(arguments)
    words = read_public_words(Sources.locate())
    figures: list[Figure] = []
    for name in options.rules or RULE_SETS:
        rules = RULE_SETS[name]
        fresh = [*measure(rules, words, options.who, options.pairs or PAIRS[rules.layout.side], options.seed)]
        print(format_table(fresh), flush=True)
        figures += fresh
        write_json(figures, RESULTS)
    sys.exit(any(figure.holds is False for figure in figures))


if __name__ == "__main__":
    main(sys.argv[1:])
