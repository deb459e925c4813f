"""How many evenings are left, as far as the panel's pace tells, and how long a card takes. Pure.

An evening is a day on which cards were answered. Nothing here asks how families that are open were voted, nor how far.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import fmean, median, stdev
from typing import Final, NamedTuple

from ordws.curation.agreement import is_decided_by_ballots
from ordws.curation.ballot import Ballot
from ordws.curation.voting_rounds import FamilyState

MAX_CARD_SECONDS: Final = 60.0
"""Seconds on a card beyond which somebody was not at it. (EXPERIENCE A3)"""
MIN_EVENINGS: Final = 3
"""With so few evenings behind it a forecast begins."""
RECENT_EVENINGS: Final = 20
"""The pace is that of so many evenings last."""
MAX_EVENINGS_AHEAD: Final = 1_000
_CHECK_SHARE: Final = 0.1
"""The share of cards that are silent repeats and known items, which decide nothing. (EXPERIENCE A3)"""
_SIMULATED_VOTES_PER_DECISION: Final = 2.44
"""Votes a decision of the simulated panel, which weigh as so many decisions of this one. (EXPERIENCE A3)"""
_PRIOR_WEIGHT: Final = 50
_Z_80: Final = 1.2816
"""Standard deviations on either side that hold 80 % of what may come."""


class ForecastPoint(NamedTuple):
    """How many families are expected to be open after so many more evenings, and what 80 % lies between."""

    evenings: int
    low: float
    middle: float
    high: float


class Forecast(NamedTuple):
    """When the queue will be empty, in evenings from now; None where that is further than anybody can see."""

    open: int
    families_per_evening: float
    """Families that the panel decides."""
    earliest: int | None
    evenings: int | None
    latest: int | None
    fan: tuple[ForecastPoint, ...]

    @property
    def sentence(self) -> str:
        """As a curator is told it."""
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
    """How long a card takes: the median of those that took no longer than a minute."""

    cards: int
    seconds: float


def forecast(open_families: int, cards_by_evening: Sequence[int], votes_per_decision: float) -> Forecast | None:
    """What is left, by the cards answered on each evening so far, the last of them last; None after too few evenings.

    Evenings are taken for independent draws of one kind, and their mean for known no better than their number allows.
    """
    recent = cards_by_evening[-RECENT_EVENINGS:]
    if len(recent) < MIN_EVENINGS:
        return None
    cards_a_family = votes_per_decision / (1 - _CHECK_SHARE)
    mean, spread = fmean(recent) / cards_a_family, stdev(recent) / cards_a_family
    fan: list[ForecastPoint] = []
    for evenings in range(MAX_EVENINGS_AHEAD + 1):
        off = _Z_80 * spread * sqrt(evenings + evenings**2 / len(recent))
        low, middle, high = [max(0.0, open_families - evenings * mean + by) for by in (-off, 0.0, off)]
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
    """How many votes a decision takes: of the simulated panel at first, and ever more of this one."""
    taken = [len(_deciding_ballots(matter)) for matter in families if is_decided_by_ballots(matter)]
    return (_SIMULATED_VOTES_PER_DECISION * _PRIOR_WEIGHT + sum(taken)) / (_PRIOR_WEIGHT + len(taken))


def burn_down(families: Iterable[FamilyState], decided_by_class: Mapping[str, str]) -> list[tuple[str, int]]:
    """How many of today's families were open after each day on which some were decided; the first line is before all.

    `ruled` says on which day a class decided a family.
    """
    days: Counter[str] = Counter()
    total = 0
    for matter in families:
        total += 1
        if not matter.is_open:
            deciding = _deciding_ballots(matter)
            days[decided_by_class.get(matter.base) or (deciding[-1].at[:10] if deciding else "")] += 1
    total -= days.pop("", 0)
    lines = [("", total)]
    for day in sorted(days):
        total -= days[day]
        lines.append((day, total))
    return lines


def card_times(timings: Iterable[tuple[str, float]]) -> dict[str, CardTime]:
    """How long a card takes each curator, by name, and under an empty name all of them; from names and seconds."""
    seconds: dict[str, list[float]] = {}
    for curator, taken in timings:
        if taken <= MAX_CARD_SECONDS:
            seconds.setdefault(curator, []).append(taken)
            seconds.setdefault("", []).append(taken)
    return {curator: CardTime(len(each), median(each)) for curator, each in sorted(seconds.items())}


def _deciding_ballots(family: FamilyState) -> Sequence[Ballot]:
    """The ballots up to the one that completed the votes of a decision: later ones came too late."""
    tallies = [*family.decision.forms.values(), family.decision.rest] if family.decision else []
    needed = max([tally.ins + tally.outs for tally in tallies], default=0)
    voted: set[str] = set()
    for place, ballot in enumerate(family.ballots, 1):
        if ballot.vote != "doubt":
            voted.add(ballot.curator)
        if len(voted) >= needed:
            return family.ballots[:place]
    return family.ballots
