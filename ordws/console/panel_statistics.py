"""The figures of a panel: computed from a copy of what is known, while votes go on, and kept for a while."""

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
"""Figures are kept for so many seconds at least, for they take seconds themselves, and at most."""


class StatisticsSource(NamedTuple):
    """What figures are computed from."""

    links: int
    matters: Mapping[str, FamilyState]
    acts: Sequence[RecordedAct]
    ballots: Sequence[Ballot]
    """On families that had more rounds than one; of the others the present round has all."""
    patterns: Mapping[str, str]
    pace: Sequence[tuple[int, str, float]]
    """When a card was answered, by whom, and in how many seconds."""
    panel: int
    day: str


@dataclass(frozen=True)
class PanelStatistics:
    """What the pages show of a panel. Nothing in it tells how a family stands that is being voted on."""

    links: int
    outcomes: Mapping[str, int]
    by_class: int
    """How many of the decisions a class brought about."""
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
    figures: PanelStatistics
    at: int


class StatisticsCache:
    """The figures that were computed last; one thread computes, and others are given what there is."""

    def __init__(self) -> None:
        self._busy = threading.Lock()
        self._cached: _CachedStatistics | None = None

    def get(self, state: ConsoleState) -> PanelStatistics:
        """Those of the present, or of up to two minutes ago; of up to ten where nothing was appended since."""
        if (kept := self._cached) is not None and self._is_fresh(kept, state):
            return kept.figures
        if not self._busy.acquire(blocking=kept is None) and kept is not None:
            return kept.figures
        try:
            if self._cached is None or not self._is_fresh(self._cached, state):
                self._cached = _CachedStatistics(compute_statistics(collect_source(state)), state.clock())
            return self._cached.figures
        finally:
            self._busy.release()

    def _is_fresh(self, cached: _CachedStatistics, state: ConsoleState) -> bool:
        age = state.clock() - cached.at
        if age < MIN_CACHE_SECONDS:
            return True
        if age >= MAX_CACHE_SECONDS:
            return False
        with state.reading() as ledger:
            return ledger.last_link_number() == cached.figures.links


def collect_source(state: ConsoleState) -> StatisticsSource:
    """A copy of what a room knows now."""
    with state.reading() as ledger:
        matters, derivations = dict(state.matters), state.derivations
        links, acts = ledger.last_link_number(), ledger.acts()
        ballots = ledger.ballots([base for base, matter in matters.items() if matter.round.number > 1])
    with state.accounts.connection() as db:
        pace = db.execute("SELECT at, curator, seconds FROM pace ORDER BY row").fetchall()
    patterns = {base: pattern for base, found in derivations.items() if (pattern := class_pattern(found)) is not None}
    return StatisticsSource(links, matters, acts, ballots, patterns, pace, state.panel_size(), _iso_date(state.clock()))


def compute_statistics(source: StatisticsSource) -> PanelStatistics:
    """All figures; takes seconds where there are a hundred thousand families."""
    matters = list(source.matters.values())
    units = list(rated_units(matters, earlier_rounds(matters, source.ballots, source.acts)))
    calibration = {
        base for done in source.acts if isinstance(done.act, CalibrationChosen) for base in done.act.families
    }
    ruled = {done.subject: done.at[:10] for done in source.acts if isinstance(done.act, DecidedByClass)}
    outcomes = Counter([_outcome(matter) for matter in matters])
    return PanelStatistics(
        links=source.links,
        outcomes=outcomes,
        by_class=sum([bool(matter.decided_by_class) and not matter.is_open for matter in matters]),
        whole=agreement(units),
        calibration=agreement([unit for unit in units if unit.family in calibration]),
        months=agreement_by_month(units),
        in_shares=in_shares_by_month(units),
        curators=sorted({curator for unit in units for curator in unit.votes}),
        pairs=pairwise_agreement(units),
        margins=decision_margins(matters),
        influence=influence(matters, panel=source.panel),
        steadiness=consistency(source.acts, source.matters),
        kinds=summarize_by_pattern(matters, units, source.patterns),
        burned=burn_down(matters, ruled),
        forecast=forecast(outcomes["open"], _cards_by_evening(source), votes_per_decision(matters)),
        efforts=card_times([(curator, seconds) for _, curator, seconds in source.pace]),
    )


def _outcome(matter: FamilyState) -> str:
    return "open" if matter.is_open or matter.decision is None else matter.decision.outcome


def _cards_by_evening(source: StatisticsSource) -> list[int]:
    """How many cards were answered on each day on which some were, before today, which is not over."""
    cards = Counter([_iso_date(at) for at, _, _ in source.pace])
    return [cards[day] for day in sorted(cards) if day < source.day]


def _iso_date(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()
