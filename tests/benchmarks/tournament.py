"""`make tournament-bench`: drafts, their quality and their correctness, ranks and the file of an event, as A1 to A7.

`python -m tests.benchmarks.tournament drafts quality` measures some parts alone, and leaves the rows of the others as
they are in tournament.json.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from time import thread_time
from typing import Final

import rustworkx

from ordws.tournament.certificate import Certificate, certify
from ordws.tournament.pairing.draft import draft_round
from ordws.tournament.simulation import Drawn, SimulatedEvent, draw_average, simulate_event
from tests.benchmarks.dutch_pairing import DutchPairing
from tests.benchmarks.figure import Figure, run_parts
from tests.benchmarks.tournament_store import measure_kills, measure_ranks, measure_two_directors
from tests.tournament.pairing_oracle import (
    PlayedByDrafts,
    all_rounds,
    has_schedule,
    pairs_of_draft,
    price,
    random_problem,
)

LARGEST: Final = 1_000_000
DRAFT_GOALS: Final = {200: 0.2, 500: 1, 1_000: 3}
QUALITY_GOALS: Final = {(40, 8): 0.42, (100, 15): 0.18, (200, 20): 0.15}
BRUTE_CASES: Final = 1_000
EVENTS: Final = 10_000
MOST_PLAYERS: Final = 20
"""Of the ten thousand events, most of which go near the round robin, where drafts are hardest."""


def measure_drafts() -> Iterator[Figure]:
    """A1: the longest draft of ten rounds, and of twenty at a million players, in processor time."""
    for players, goal in DRAFT_GOALS.items():
        times, _ = time_drafts(players, 10)
        figure = f"longest draft of 10 rounds, {players:,} players"
        yield Figure("A1", figure, round(max(times), 3), "s", f"<= {goal}")
    code = "from tests.benchmarks.tournament import print_largest; print_largest()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    row, where = json.loads(done.stdout), f"{LARGEST:,} players x 20 rounds"
    yield Figure("A1", f"longest draft by the clock, {where}", row["clock"], "s", "<= 10")
    yield Figure("A1", f"the same in processor time, {where}", row["processor"], "s")
    # A row is replaced by its text, so that the load is a figure of its own.
    yield Figure("A1", f"processes that shared the processors meanwhile, {where}", round(row["load"]), "")
    yield Figure("A1", f"memory of the event, {where}", row["memory_mb"], "MB", "<= 1000")
    yield Figure("A1", f"rms residual, {where}", row["rms_residual"], "PPT")
    yield Figure("A4", f"repeats, {where}", row["repeats"], "", "== 0")
    yield Figure("A5", f"worst imbalance of starts, {where}", row["worst_start_imbalance"], "", "<= 2")


def time_drafts(players: int, rounds: int) -> tuple[list[float], list[tuple[SimulatedEvent, float]]]:
    """Return the processor seconds of each draft, and the rounds with their seconds by the clock."""
    times: list[float] = []

    def draw(event: SimulatedEvent) -> Drawn:
        began = thread_time()
        drawn = draw_average(event)
        times.append(thread_time() - began)
        return drawn

    return times, list(simulate_event(players, rounds, 1, draw))


def print_largest() -> None:
    """Print the figures of the largest event as JSON: in a process of its own, whose memory is measured."""
    times, rounds = time_drafts(LARGEST, 20)
    event, _ = rounds[-1]
    made = certify(event.meetings(), 1, event.digest(), 0)
    row = {
        "processor": round(max(times), 2),
        "clock": round(max(seconds for _, seconds in rounds), 2),
        "load": os.getloadavg()[0],
        "memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1_024 / 1e6),
        "rms_residual": round(made.rms_residual, 3),
        "repeats": made.repeats,
        "worst_start_imbalance": made.worst_start_imbalance,
    }
    print(json.dumps(row))


def measure_quality() -> Iterator[Figure]:
    """A2: root mean square of the residuals, over several events, beside random and Swiss pairing."""
    for (players, rounds), goal in QUALITY_GOALS.items():
        events = 4_000 // (players * rounds // 8)
        where = f"{players} x {rounds}, mean of {events} events"
        made = [_certify(players, rounds, seed, "average") for seed in range(1, events + 1)]
        yield _mean_rms(f"rms residual, {where}", made, f"<= {goal}")
        yield Figure("A2", f"worst residual, {where}", round(fmean(each.worst_residual for each in made), 3), "PPT")
        worst = max(each.worst_start_imbalance for each in made)
        yield Figure("A5", f"worst imbalance of starts, {where}", worst, "", "<= 2")
        drawn = [_certify(players, rounds, seed, "random") for seed in range(1, events + 1)]
        yield _mean_rms(f"the same events, opponents by lot, {players} x {rounds}", drawn)
        dutch = [_certify(players, rounds, seed, DutchPairing()) for seed in range(1, 4)]
        yield _mean_rms(f"three of them, FIDE's Dutch system by py4swiss, {players} x {rounds}", dutch)


def _certify(players: int, rounds: int, seed: int, method: object) -> Certificate:
    event: SimulatedEvent
    *_, (event, _) = simulate_event(players, rounds, seed, method)  # type: ignore[arg-type]
    return certify(event.meetings(), seed, event.digest(), 0)


def _mean_rms(figure: str, made: Sequence[Certificate], goal: str = "") -> Figure:
    return Figure("A2", figure, round(fmean(each.rms_residual for each in made), 3), "PPT", goal)


def measure_brute_force() -> Iterator[Figure]:
    """A3: drafts of up to ten players against every round that there is."""
    wrong = 0
    for case in range(BRUTE_CASES):
        chance = random.Random(case)
        problem = random_problem(chance, 10, games_a_round=chance.choice((1, 1, 2)))
        best = min(price(problem, whole) for whole in all_rounds(problem.present))
        wrong += price(problem, pairs_of_draft(draft_round(problem))) != best
    yield Figure("A3", f"of {BRUTE_CASES:,} drafts dearer than the cheapest of all rounds", wrong, "", "== 0")


def measure_repeats() -> Iterator[Figure]:
    """A4 and A5: ten thousand events at full attendance, up to one round less than players."""
    repeats, worst, byes = 0, 0, 0
    chance = random.Random(4)
    for seed in range(EVENTS):
        players = chance.randint(3, MOST_PLAYERS)
        rounds = max(1, players - 1 - (chance.randint(0, 3) if seed % 2 else chance.randint(0, players - 2)))
        *_, (event, _) = simulate_event(players, rounds, seed, "average")
        made = certify(event.meetings(), 1, "", 0)
        repeats += made.repeats
        byes += made.most_byes > 1
        worst = max(worst, made.worst_start_imbalance)
    of = f"in {EVENTS:,} events of 3 to {MOST_PLAYERS} players, up to R = N - 1"
    yield Figure("A4", f"repeats {of}", repeats, "", "== 0")
    yield Figure("A4", f"second byes {of}", byes, "", "== 0")
    yield Figure("A5", f"worst imbalance of starts {of}", worst, "", "<= 2")


def measure_absences() -> Iterator[Figure]:
    """A4: events with absences, the small against every round and every schedule, the others against a lower bound."""
    small, lost, rounds = 0, 0, 0
    for seed in range(1_000):
        chance = random.Random(seed)
        players = chance.randint(2, 10)
        event = PlayedByDrafts(chance, players, chance.randint(1, players), attendance=0.85)
        for left in range(event.problem.rounds, 0, -1):
            problem = event.gather()
            drafted = pairs_of_draft(draft_round(problem))
            rounds += 1
            small += price(problem, drafted)[1] > min(price(problem, whole)[1] for whole in all_rounds(problem.present))
            if players <= 8 and has_schedule(problem.present, event.met, left):
                pairs = frozenset(pair for pair in drafted if len(pair) == 2)
                lost += not has_schedule(problem.present, event.met | pairs, left - 1)
            event.play(draft_round(problem))
    yield Figure("A4", f"rounds of {rounds:,} with absences, N <= 10, with an avoidable repeat", small, "", "== 0")
    yield Figure("A4", "drafts of these, N <= 8, that spoilt a schedule without a repeat", lost, "", "== 0")
    above, drawn = 0, 0
    for seed in range(300):
        chance = random.Random(seed)
        event = PlayedByDrafts(chance, chance.randint(11, 40), 12, attendance=0.8)
        for _ in range(12):
            problem = event.gather()
            draft = draft_round(problem)
            drawn += 1
            above += sum(each.is_repeat for each in draft.pairings) > _fewest_repeats(problem.present, event.met)
            event.play(draft)
    yield Figure("A4", f"rounds of {drawn:,} with absences, N = 11 to 40, above the bound", above, "", "== 0")


def _fewest_repeats(present: Sequence[int], met: frozenset[frozenset[int]]) -> int:
    """Return the pairs that no matching of those who have not met can make."""
    graph: rustworkx.PyGraph[int, None] = rustworkx.PyGraph()
    graph.add_nodes_from(list(present))
    places = range(len(present))
    graph.add_edges_from_no_data(
        [(a, b) for a in places for b in places if a < b and frozenset((present[a], present[b])) not in met]
    )
    return len(present) // 2 - len(rustworkx.max_weight_matching(graph, max_cardinality=True))


PARTS: Final[dict[str, Callable[[], Iterator[Figure]]]] = {
    "drafts": measure_drafts,
    "quality": measure_quality,
    "brute": measure_brute_force,
    "repeats": measure_repeats,
    "absences": measure_absences,
    "ranks": measure_ranks,
    "kills": measure_kills,
    "directors": measure_two_directors,
}
"""What is measured, by name; a part replaces its own rows of an earlier run."""


if __name__ == "__main__":
    # Several parts have rows of one id.
    run_parts(PARTS, sys.argv[1:], Path("tournament.json"), "figure")
