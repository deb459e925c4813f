"""A forecast of the evenings that are left, from the panel's pace so far, and the time that a card takes. Pure.

An evening is a day on which cards were answered. Nothing in this module looks at the votes on open families, nor at
their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import fmean, median, stdev
from typing import Final, NamedTuple

from ordws.curation.agreement import is_decided_by_ballots
from ordws.curation.curator_cards import KNOWN_RATE, REPEAT_RATE
from ordws.curation.decision import Ballot
from ordws.curation.voting_rounds import FamilyState
from ordws.retention import DAY

MAX_CARD_SECONDS: Final = 60.0
"""The seconds on a card beyond which the curator was doing something else."""
MIN_EVENINGS: Final = 3
"""The evenings without which no forecast is made."""
RECENT_EVENINGS: Final = 20
"""The latest evenings, whose pace is taken for that of the future."""
MAX_EVENINGS_AHEAD: Final = 1_000
_SIMULATED_VOTES_PER_DECISION: Final = 2.44
"""The votes per decision of a simulated panel that stops at a lead of two: the estimate before there are decisions."""
_PRIOR_WEIGHT: Final = 50
"""The number of real decisions that weigh as much as the simulation."""
_Z_80: Final = 1.2816
"""The standard deviations on either side of the mean that hold 80 % of a normal distribution."""


class ForecastPoint(NamedTuple):
    """The families expected to be open after some more evenings, with the interval that holds 80 % of the outcomes."""

    evenings: int
    low: float
    middle: float
    high: float


class Forecast(NamedTuple):
    """The evenings until the queue is empty; None for a figure beyond a thousand evenings."""

    open: int
    families_per_evening: float
    """The families that the panel decides."""
    earliest: int | None
    evenings: int | None
    latest: int | None
    fan: tuple[ForecastPoint, ...]

    @property
    def sentence(self) -> str:
        """The forecast as curators see it."""
        match self.evenings:
            case None:
                return "many more evenings"
            case 0:
                return "nothing is left"
            case 1:
                return "about one more evening"
            case evenings:
                return f"about {evenings} more evenings"


class CardTime(NamedTuple):
    """The time that a card takes: the median of the cards that took at most a minute."""

    cards: int
    seconds: float


def cards_by_evening(answered: Iterable[tuple[int, str, float]]) -> list[int]:
    """Return how many cards were answered on each evening, in order, from the time, curator and seconds of each."""
    counts = Counter([at // DAY for at, _, _ in answered])
    return [counts[day] for day in sorted(counts)]


def forecast(open_families: int, cards_by_evening: Sequence[int], votes_per_decision: float) -> Forecast | None:
    """Forecast the rest of the queue from the cards answered on each evening; None if there are too few evenings.

    The evenings are in order, and taken to be independent and identically distributed. The interval includes the error
    of their mean.
    """
    recent = cards_by_evening[-RECENT_EVENINGS:]
    if len(recent) < MIN_EVENINGS:
        return None
    # Some cards are checks, which decide nothing.
    cards_per_family = votes_per_decision / (1 - REPEAT_RATE - KNOWN_RATE)
    mean, spread = fmean(recent) / cards_per_family, stdev(recent) / cards_per_family
    fan: list[ForecastPoint] = []
    for evenings in range(MAX_EVENINGS_AHEAD + 1):
        # The variance of the evenings to come, plus that of the mean pace, whose error grows with every evening.
        margin = _Z_80 * spread * sqrt(evenings + evenings**2 / len(recent))
        low, middle, high = [max(0.0, open_families - evenings * mean + each) for each in (-margin, 0.0, margin)]
        fan.append(ForecastPoint(evenings, low, middle, high))
        if high == 0:
            break
    return Forecast(
        open_families,
        mean,
        earliest=next((each.evenings for each in fan if each.low == 0), None),
        evenings=next((each.evenings for each in fan if each.middle == 0), None),
        latest=next((each.evenings for each in fan if each.high == 0), None),
        fan=tuple(fan),
    )


def votes_per_decision(families: Iterable[FamilyState]) -> float:
    """Estimate the votes per decision: at first those of a simulated panel, then more and more those of this one."""
    taken = [len(_deciding_ballots(family)) for family in families if is_decided_by_ballots(family)]
    return (_SIMULATED_VOTES_PER_DECISION * _PRIOR_WEIGHT + sum(taken)) / (_PRIOR_WEIGHT + len(taken))


def burn_down(families: Iterable[FamilyState], decided_by_class: Mapping[str, str]) -> list[tuple[str, int]]:
    """Return how many of today's families were open after each day with decisions; the first entry has an empty day.

    `decided_by_class` is the day on which a class decided a family, by base.
    """
    days: Counter[str] = Counter()
    total = 0
    for family in families:
        total += 1
        if not family.is_open:
            deciding = _deciding_ballots(family)
            days[decided_by_class.get(family.base) or (deciding[-1].at[:10] if deciding else "")] += 1
    # Families without a day, such as withdrawn ones, were never open in this chart.
    total -= days.pop("", 0)
    open_after = [("", total)]
    for day in sorted(days):
        total -= days[day]
        open_after.append((day, total))
    return open_after


def card_times(timings: Iterable[tuple[str, float]]) -> dict[str, CardTime]:
    """Return the card times of each curator, by name, and of all under an empty name, from names and seconds."""
    seconds: dict[str, list[float]] = {}
    for curator, taken in timings:
        if taken <= MAX_CARD_SECONDS:
            seconds.setdefault(curator, []).append(taken)
            seconds.setdefault("", []).append(taken)
    return {curator: CardTime(len(each), median(each)) for curator, each in sorted(seconds.items())}


def _deciding_ballots(family: FamilyState) -> Sequence[Ballot]:
    """Return the ballots up to the one that completed the decision; later ones came too late."""
    tallies = [*family.decision.forms.values(), family.decision.rest] if family.decision else []
    needed = max([tally.ins + tally.outs for tally in tallies], default=0)
    voted: set[str] = set()
    for count, ballot in enumerate(family.ballots, 1):
        # A curator who replaces a ballot is counted once, and a doubt is no vote.
        if ballot.vote != "doubt":
            voted.add(ballot.curator)
        if len(voted) >= needed:
            return family.ballots[:count]
    return family.ballots
