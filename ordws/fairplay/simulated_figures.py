"""The findings of a simulation, as figures with their bounds and goals: C3 and C4 (docs/fairplay.md 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import exp, lgamma, log
from typing import Final, NamedTuple

from ordws.fairplay.false_flags import CountAtThreshold, FalseFlagCounts
from ordws.fairplay.forms import HonestForms
from ordws.fairplay.milestones import EVENT_MILESTONES, EVENT_PLAYERS
from ordws.fairplay.population import GAMBLE_SUCCESS, STRENGTHS, Cheat
from ordws.fairplay.simulation import GOOD_GUESSES, IN_USE, LENGTHS, THRESHOLDS, BatchCount

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
