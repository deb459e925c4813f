"""False flags and power, by simulated players over the same positions, as figures with bounds and goals.

It is seeded and resumable; the figures are C3 and C4 (docs/fairplay.md 6).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from math import exp, lgamma, log
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordws.errors import BadInput
from ordws.fairplay.flags import CountAtThreshold, FalseFlagCounts
from ordws.fairplay.forms import HonestForms, likelihoods
from ordws.fairplay.milestones import EVENT_MILESTONES, EVENT_PLAYERS, MILESTONES, FieldSize
from ordws.fairplay.population import GAMBLE_SUCCESS, STRENGTHS, Cheat, Population
from ordws.fairplay.positions import Positions
from ordws.fairplay.statistics import GainBounds, TurnTable, choice_gains

SEED: Final = 20_261_123
"""The seed of the figures, fixed before they were measured."""

HONEST_PLAYERS: Final = 300_000
GOOD_GUESSERS: Final = 0
GOOD_GUESSES: Final = (0.85, 0.95)
"""The shares of doubtful words that are acceptable, of honest players who try many: what a bound rests on otherwise."""

CHEATS_OF_A_KIND: Final = 500
LENGTHS: Final = (60, 120, 240, 480)
"""The numbers of turns for which power is told; the first is below every milestone."""

IN_USE: Final = FieldSize().threshold
THRESHOLDS: Final = (9.0, 10.0, IN_USE, 14.0, 16.0, 18.0)
"""The thresholds for which false flags are counted."""

_BATCH: Final = 1_000
_CHUNK: Final = 125
_EVENT_LENGTHS: Final = MILESTONES[:EVENT_MILESTONES]


class Task(NamedTuple):
    """A batch of players of one kind; `strength` is empty for honest players of all strengths."""

    number: int
    strength: str
    cheat: str
    players: int
    success: float = GAMBLE_SUCCESS
    """Of honest players, the share of doubtful words that are acceptable; those beyond the usual try many."""


class BatchCount(NamedTuple):
    """The count of a batch: by threshold and length, the players whose gain reached it, at that length or before.

    Of honest players the milestones alone count. `largest` is the largest gain that was worked out.
    """

    task: Task
    flagged: dict[str, dict[str, int]]
    largest: float


def plan(
    honest: int = HONEST_PLAYERS, cheats: int = CHEATS_OF_A_KIND, good_guessers: int = GOOD_GUESSERS
) -> list[Task]:
    """Return the batches of a simulation, which are the same whatever order they are run in."""
    kinds = [("", Cheat.NEVER.value, honest)]
    kinds += [(strength, cheat.value, cheats) for cheat in Cheat if cheat is not Cheat.NEVER for strength in STRENGTHS]
    tasks: list[Task] = []
    for strength, cheat, players in kinds:
        for first in range(0, players, _BATCH):
            tasks.append(Task(len(tasks), strength, cheat, min(_BATCH, players - first)))
    for success in GOOD_GUESSES:
        for first in range(0, good_guessers, _BATCH):
            tasks.append(Task(len(tasks), "", Cheat.NEVER.value, min(_BATCH, good_guessers - first), success))
    return tasks


class Simulator:
    """Everything that a batch needs, worked out once for the positions and the forms."""

    def __init__(self, positions: Positions, forms: HonestForms) -> None:
        self.forms = forms
        self._population = Population(positions)
        self._chosen = likelihoods(positions.plays, forms).astype(np.float32)
        self._engine = positions.plays.engine.astype(np.float32)

    def run(self, task: Task, seed: int = SEED) -> BatchCount:
        """Simulate the players of a batch; the result follows from the seed and the task alone."""
        rng = np.random.default_rng([seed, task.number, len(task.strength), len(task.cheat)])
        # Streams of random numbers belong to batches, so that the work can be shared out and taken up again.
        is_honest, cheat, people = not task.strength, Cheat(task.cheat), self._population
        # Of cheats the gains are worked out no further than to know whether they are flagged.
        bounds = GainBounds(below=min(THRESHOLDS)) if is_honest else GainBounds(below=IN_USE, above=IN_USE)
        lengths = _EVENT_LENGTHS if is_honest else LENGTHS
        gained = np.zeros((len(lengths), task.players))
        for first in range(0, task.players, _CHUNK):
            count = min(_CHUNK, task.players - first)
            if is_honest and task.success != GAMBLE_SUCCESS:
                players = people.good_guessers(count, max(LENGTHS), task.success, rng)
            elif is_honest:
                players = people.honest_players(count, max(LENGTHS), rng)
            else:
                players = people.players_of(task.strength, count, max(LENGTHS), rng)
            plays = people.play(players, cheat, rng)
            made = np.maximum(plays, 0)
            for at, length in enumerate(lengths):
                now = slice(0, length)
                table = TurnTable(self._chosen[made[:, now]], self._engine[made[:, now]], plays[:, now] < 0)
                gained[at, first : first + count] = choice_gains(table, self.forms, bounds).values
        return _count(task, lengths, gained)


def _count(task: Task, lengths: tuple[int, ...], gained: NDArray[Any]) -> BatchCount:
    flagged: dict[str, dict[str, int]] = {}
    for each in THRESHOLDS if not task.strength else (IN_USE,):
        reached = gained >= each
        # What is found before the first milestone is found by nobody, so it does not count later.
        by_length = {length: reached[at] for at, length in enumerate(lengths)}
        flagged[f"{each:.2f}"] = {
            str(length): int(
                np.any(
                    [by_length[other] for other in lengths if other == length or 120 <= other < length], axis=0
                ).sum()
            )
            for length in lengths
        }
    return BatchCount(task, flagged, round(float(gained.max()), 2))


def run_all(
    tasks: Iterable[Task], positions: Positions, forms: HonestForms, seed: int, processes: int = 1
) -> Iterator[BatchCount]:
    """Yield the counts of these batches as they are done, by so many processes."""
    tasks = [*tasks]
    if not tasks:
        return
    run = partial(Simulator(positions, forms).run, seed=seed)
    if processes == 1:
        yield from map(run, tasks)
        return
    _inherited.append(run)
    try:
        # Forked now, so that the processes share the tables instead of working them out again.
        with get_context("fork").Pool(processes) as pool:
            yield from pool.imap_unordered(_run_inherited, tasks)
    finally:
        _inherited.clear()


_inherited: Final[list[Callable[[Task], BatchCount]]] = []


def _run_inherited(task: Task) -> BatchCount:
    return _inherited[0](task)


class ResultFile:
    """The counts of the batches that are done, a line each, so that a simulation goes on where it was stopped."""

    def __init__(self, path: Path, *, seed: int, forms: HonestForms, positions: int) -> None:
        self._path = path
        self._head = {"seed": seed, "forms": forms.version, "positions": positions, "thresholds": list(THRESHOLDS)}

    def read(self) -> list[BatchCount]:
        """Return what is there; raises BadInput for the results of another seed or other forms."""
        if not self._path.exists():
            self._path.write_text(json.dumps(self._head) + "\n", "utf-8")
        lines = self._path.read_text("utf-8").split("\n")
        if not lines[0] or json.loads(lines[0]) != self._head:
            raise BadInput(f'"{self._path}" has the results of another simulation', hint="name another folder")
        # A line without its end was cut off when the simulation was stopped; its batch is done again.
        whole = lines[1:-1]
        if lines[-1]:
            self._path.write_text("\n".join([lines[0], *whole]) + "\n", "utf-8")
        written = [BatchCount(*json.loads(line)) for line in whole]
        return [each._replace(task=Task(*each.task)) for each in written]

    def add(self, count: BatchCount) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(count) + "\n")


def remaining(tasks: list[Task], done: list[BatchCount]) -> Iterator[Task]:
    """Yield the batches that are not done yet."""
    known = {each.task for each in done}
    yield from [task for task in tasks if task not in known]


FALSE_FLAGS_GOAL: Final = 1 / 50_000
POWER_GOALS: Final = {("weak", 240): 0.95, ("middle", 240): 0.90, ("strong", 240): 0.60}
LATE_GOAL: Final = 0.98
_LAST: Final = max(LENGTHS)


class SimulatedFigure(NamedTuple):
    """A figure as `bench.json` has them."""

    id: str
    figure: str
    value: float
    unit: str
    goal: str = ""
    within: tuple[float, float] = (0.0, 1.0)
    """The share of players that the count allows for, with 95 % confidence."""

    @property
    def verdict(self) -> str:
        """`holds`, `MISSED`, or `too few to tell` where more players may still reach the goal; "" without a goal."""
        if not self.goal:
            return ""
        sign, number = self.goal.split()
        low, high = self.within
        is_reached = self.value <= float(number) if sign == "<=" else self.value >= float(number)
        can_reach = low <= float(number) if sign == "<=" else high >= float(number)
        return "holds" if is_reached else "too few to tell" if can_reach else "MISSED"

    def as_json(self) -> dict[str, object]:
        """Return the figure as `bench.json` has it; `holds` is null where there are too few players to tell."""
        holds = {"holds": True, "MISSED": False}.get(self.verdict)
        return {**{name: value for name, value in self._asdict().items() if name != "within"}, "holds": holds}


def count_false_flags(counts: Sequence[BatchCount], success: float = GAMBLE_SUCCESS) -> tuple[CountAtThreshold, ...]:
    """Return the false flags at every threshold, the one in use first; nothing where no honest player was simulated.

    `success` is the share of doubtful words that are acceptable, of those who try them.
    """
    honest = [each for each in counts if not each.task.strength and each.task.success == success]
    players = sum([each.task.players for each in honest])
    if not players:
        return ()
    flagged = {
        threshold: sum([each.flagged[f"{threshold:.2f}"][str(_LAST)] for each in honest])
        for threshold in sorted(THRESHOLDS, key=lambda each: each != IN_USE)
    }
    return tuple(
        [
            CountAtThreshold(round(threshold, 2), count, players, float(f"{upper_bound(count, players):.3g}"))
            for threshold, count in flagged.items()
        ]
    )


def write_false_flags(counts: Sequence[BatchCount], forms: HonestForms, seed: int) -> str:
    """Return the false flags of a simulation as `read_false_flags` reads them."""
    rows = tuple(sorted(count_false_flags(counts)))
    return FalseFlagCounts(forms.version, seed, _LAST, rows).to_text()


def false_flag_figures(counts: Sequence[BatchCount]) -> Iterator[SimulatedFigure]:
    """Yield C3: the false flags at every threshold that was counted, the one in use first."""
    counts = [each for each in counts if not each.task.strength]
    for at, (threshold, flagged, players, bound) in enumerate(count_false_flags(counts)):
        use = f"in use for {EVENT_PLAYERS} players and {EVENT_MILESTONES} milestones, " if at == 0 else ""
        yield SimulatedFigure(
            "C3",
            f"false flags above {threshold:.1f} nats, {use}{flagged} of {players:,} honest players: 95 % bound",
            bound,
            "of players",
            f"<= {FALSE_FLAGS_GOAL:.5f}" if at == 0 else "",
            interval(flagged, players),
        )
    if not counts:
        return
    for success in GOOD_GUESSES:
        for _, flagged, players, bound in count_false_flags(counts, success)[:1]:
            yield SimulatedFigure(
                "C3",
                f"false flags in use, {flagged} of {players:,} honest players of whose many doubtful words"
                f" {success:.0%} are acceptable: 95 % bound",
                bound,
                "of players",
            )
    yield SimulatedFigure("C3", "largest gain of an honest player", max([each.largest for each in counts]), "nats")


def power_figures(counts: Sequence[BatchCount]) -> Iterator[SimulatedFigure]:
    """Yield C4: the share of each kind of cheats that is flagged, with an interval for each length."""
    for cheat, strength in product(Cheat, STRENGTHS):
        of_kind = [each for each in counts if (each.task.strength, each.task.cheat) == (strength, cheat.value)]
        players = sum([each.task.players for each in of_kind])
        for length in LENGTHS if players else ():
            flagged = sum([each.flagged[f"{IN_USE:.2f}"][str(length)] for each in of_kind])
            low, high = interval(flagged, players)
            goal = POWER_GOALS.get((strength, length), LATE_GOAL if length == _LAST else None)
            yield SimulatedFigure(
                "C4",
                f"{cheat.value}, {strength} player, {length} turns: flagged ({low:.3f} to {high:.3f})",
                round(flagged / players, 4),
                "of players",
                f">= {goal:.2f}" if goal and cheat is Cheat.THIRD else "",
                (low, high),
            )


def upper_bound(count: int, trials: int, confidence: float = 0.95) -> float:
    """Return the probability that is not exceeded with this confidence, one-sided and exact (Clopper, Pearson 1934)."""
    return 1.0 if count >= trials else _bisect(lambda p: _at_most(count, trials, p) > 1 - confidence)


def interval(count: int, trials: int) -> tuple[float, float]:
    """Return the two-sided interval of a probability, of 95 %."""
    side = 0.975
    low = 0.0 if count <= 0 else _bisect(lambda p: 1 - _at_most(count - 1, trials, p) < 1 - side)
    return low, upper_bound(count, trials, side)


def _bisect(is_below: Callable[[float], bool]) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return high


def _at_most(count: int, trials: int, p: float) -> float:
    """Return the probability of at most so many successes."""
    if p <= 0 or p >= 1:
        return float(p <= 0)
    every = lgamma(trials + 1)
    return sum(
        exp(every - lgamma(k + 1) - lgamma(trials - k + 1) + k * log(p) + (trials - k) * log(1 - p))
        for k in range(count + 1)
    )
