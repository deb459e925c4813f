"""The statistics of a panel: computed from a copy of the console's state, while votes go on, and cached."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple

from ordws.console.state import ConsoleState
from ordws.curation.acts import CalibrationChosen, DecidedByClass, RecordedAct
from ordws.curation.agreement import (
    Agreement,
    PairAgreement,
    PatternSummary,
    Share,
    VoteCounts,
    agreement,
    agreement_by_month,
    decision_margins,
    earlier_rounds,
    in_shares_by_month,
    pairwise_agreement,
    rated_units,
    summarize_by_pattern,
)
from ordws.curation.ballot import Ballot
from ordws.curation.family_classes import class_pattern
from ordws.curation.forecast import CardTime, Forecast, burn_down, card_times, forecast, votes_per_decision
from ordws.curation.influence import Consistency, consistency, influence
from ordws.curation.voting_rounds import FamilyState

MIN_CACHE_SECONDS: Final = 120
MAX_CACHE_SECONDS: Final = 600
"""Statistics, which take seconds to compute, are cached for the first time at least, and for the second at most."""


class StatisticsSource(NamedTuple):
    """A copy of the state that statistics are computed from."""

    links: int
    family_states: Mapping[str, FamilyState]
    acts: Sequence[RecordedAct]
    ballots: Sequence[Ballot]
    """The ballots on families with several rounds; the states of all others hold theirs."""
    patterns: Mapping[str, str]
    """The pattern of each family's class, by its base."""
    pace: Sequence[tuple[int, str, float]]
    """The time, curator and seconds of each answered card."""
    panel: int
    day: str


@dataclass(frozen=True)
class PanelStatistics:
    """The statistics that the pages show of a panel; none of them reveals a vote on an open family."""

    links: int
    outcomes: Mapping[str, int]
    by_class: int
    """The number of decisions made by classes."""
    whole: Agreement
    calibration: Agreement
    months: Mapping[str, Agreement]
    in_shares: Mapping[str, Mapping[str, Share]]
    curators: Sequence[str]
    pairs: Mapping[tuple[str, str], PairAgreement]
    margins: Mapping[VoteCounts, int]
    influence: Mapping[str, Share]
    steadiness: Mapping[str, Consistency]
    kinds: Mapping[str, PatternSummary]
    burned: Sequence[tuple[str, int]]
    forecast: Forecast | None
    efforts: Mapping[str, CardTime]


class _CachedStatistics(NamedTuple):
    statistics: PanelStatistics
    at: int


class StatisticsCache:
    """The latest statistics; one thread computes new ones, and all others get the old ones meanwhile."""

    def __init__(self) -> None:
        self._busy = threading.Lock()
        self._cached: _CachedStatistics | None = None

    def get(self, state: ConsoleState) -> PanelStatistics:
        """Return statistics that are at most two minutes old, or ten where nothing was appended since."""
        if (cached := self._cached) is not None and self._is_fresh(cached, state):
            return cached.statistics
        # Only the first request of all waits for another thread: there is nothing old that it could get.
        if not self._busy.acquire(blocking=cached is None) and cached is not None:
            return cached.statistics
        try:
            if self._cached is None or not self._is_fresh(self._cached, state):
                self._cached = _CachedStatistics(compute_statistics(collect_source(state)), state.clock())
            return self._cached.statistics
        finally:
            self._busy.release()

    def _is_fresh(self, cached: _CachedStatistics, state: ConsoleState) -> bool:
        age = state.clock() - cached.at
        if age < MIN_CACHE_SECONDS:
            return True
        if age >= MAX_CACHE_SECONDS:
            return False
        with state.reading() as ledger:
            return ledger.last_link_number() == cached.statistics.links


def collect_source(state: ConsoleState) -> StatisticsSource:
    """Return a copy of the console's present state."""
    with state.reading() as ledger:
        family_states, derivations = dict(state.family_states), state.derivations
        links, acts = ledger.last_link_number(), ledger.acts()
        ballots = ledger.ballots(
            [base for base, family_state in family_states.items() if family_state.round.number > 1]
        )
    with state.accounts.connection() as db:
        pace = db.execute("SELECT at, curator, seconds FROM pace ORDER BY row").fetchall()
    patterns = {base: pattern for base, each in derivations.items() if (pattern := class_pattern(each)) is not None}
    return StatisticsSource(
        links, family_states, acts, ballots, patterns, pace, state.panel_size(), _iso_date(state.clock())
    )


def compute_statistics(source: StatisticsSource) -> PanelStatistics:
    """Compute all statistics, which takes seconds for a hundred thousand families."""
    family_states = list(source.family_states.values())
    units = list(rated_units(family_states, earlier_rounds(family_states, source.ballots, source.acts)))
    calibration = {
        base for done in source.acts if isinstance(done.act, CalibrationChosen) for base in done.act.families
    }
    ruled = {done.subject: done.at[:10] for done in source.acts if isinstance(done.act, DecidedByClass)}
    outcomes = Counter[str](
        ["open" if each.is_open or each.decision is None else each.decision.outcome for each in family_states]
    )
    # The cards of each past day on which some were answered; today is not over and would slow the forecast.
    cards = Counter([_iso_date(at) for at, _, _ in source.pace])
    cards_by_evening = [cards[day] for day in sorted(cards) if day < source.day]
    return PanelStatistics(
        links=source.links,
        outcomes=outcomes,
        by_class=sum(
            [bool(family_state.decided_by_class) and not family_state.is_open for family_state in family_states]
        ),
        whole=agreement(units),
        calibration=agreement([unit for unit in units if unit.family in calibration]),
        months=agreement_by_month(units),
        in_shares=in_shares_by_month(units),
        curators=sorted({curator for unit in units for curator in unit.votes}),
        pairs=pairwise_agreement(units),
        margins=decision_margins(family_states),
        influence=influence(family_states, panel=source.panel),
        steadiness=consistency(source.acts, source.family_states),
        kinds=summarize_by_pattern(family_states, units, source.patterns),
        burned=burn_down(family_states, ruled),
        forecast=forecast(outcomes["open"], cards_by_evening, votes_per_decision(family_states)),
        efforts=card_times([(curator, seconds) for _, curator, seconds in source.pace]),
    )


def _iso_date(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()
