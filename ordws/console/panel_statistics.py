"""The statistics of a panel: computed once a day and once a week from the ledger as it was, while votes go on.

A member who voted must not learn from a figure how others voted. Counts of families are therefore those of the last
midnight, UTC. What is computed from ballots is that of a Monday, covers 30 families or more wherever it names a
curator, and is replaced only when 30 more families have been decided: no two versions differ by a single ballot.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

from ordws.console.access import VOTERS
from ordws.console.accounts import read_card_times
from ordws.console.state import ConsoleState
from ordws.curation.acts import CalibrationChosen, DecidedByClass, RecordedAct
from ordws.curation.agreement import (
    Agreement,
    Consistency,
    PairAgreement,
    PatternSummary,
    Share,
    VoteCounts,
    agreement,
    agreement_by_month,
    consistency,
    decision_margins,
    earlier_rounds,
    in_shares_by_month,
    influence,
    pairwise_agreement,
    rated_units,
    summarize_by_pattern,
)
from ordws.curation.decision import MIN_PANEL_SIZE, Ballot
from ordws.curation.family import FamilyStanding
from ordws.curation.family_classes import class_pattern
from ordws.curation.forecast import (
    CardTime,
    Forecast,
    burn_down,
    card_times,
    cards_by_evening,
    forecast,
    votes_per_decision,
)
from ordws.curation.voting_rounds import FamilyState

MIN_FAMILIES: Final = 30
"""The families, or cards, that a figure about a curator covers at least, and by which two versions of it differ."""
_DAYS_A_WEEK: Final = 7


class StatisticsSource(NamedTuple):
    """A copy of the state after the last link before a day, from which statistics are computed."""

    day: str
    family_states: Mapping[str, FamilyState]
    acts: Sequence[RecordedAct]
    ballots: Sequence[Ballot]
    """The ballots on families with several rounds; the states of all others hold theirs."""
    patterns: Mapping[str, str]
    """The pattern of each family's class, by its base."""
    pace: Sequence[tuple[int, str, float]]
    """The time, curator and seconds of each answered card."""
    panel: int
    everyday_use: Mapping[str, float]
    """How many of a million words that people write are forms of each family."""


@dataclass(frozen=True)
class DailyFigures:
    """The counts of families at the last midnight, and what is left."""

    outcomes: Mapping[str, int]
    by_class: int
    """The number of decisions made by classes."""
    burned: Sequence[tuple[str, int]]
    forecast: Forecast | None
    waiting: Mapping[FamilyStanding, float]
    """How many of a million words that people write are forms of open families, by standing."""


@dataclass(frozen=True)
class WeeklyTables:
    """The figures computed from ballots; those that cover fewer than 30 families are left out."""

    day: str
    """The Monday at whose beginning these figures were those of the ledger."""
    whole: Agreement
    calibration: Agreement | None
    months: Mapping[str, Agreement]
    in_shares: Mapping[str, Mapping[str, Share]]
    curators: Sequence[str]
    pairs: Mapping[tuple[str, str], PairAgreement]
    margins: Mapping[VoteCounts, int]
    influence: Mapping[str, Share]
    steadiness: Mapping[str, Consistency]
    kinds: Mapping[str, PatternSummary]
    efforts: Mapping[str, CardTime]


class PanelStatistics(NamedTuple):
    """The statistics that the pages show on a day; None for the tables before there are any."""

    day: str
    figures: DailyFigures
    tables: WeeklyTables | None


class StatisticsCache:
    """The statistics of the day; one thread computes them, and all others get those of the day before meanwhile."""

    def __init__(self) -> None:
        self._busy = threading.Lock()
        self._cached: PanelStatistics | None = None

    def get(self, state: ConsoleState) -> PanelStatistics:
        """Return the statistics of this day, UTC."""
        day = state.timestamp()[:10]
        if (cached := self._cached) is not None and cached.day == day:
            return cached
        # Only the first request of all waits for another thread: there is nothing old that it could get.
        if not self._busy.acquire(blocking=cached is None) and cached is not None:
            return cached
        try:
            if self._cached is None or self._cached.day != day:
                with state.reading() as ledger:
                    monday = find_release(ledger.vote_decisions_by_day(), day)
                tables = self._cached.tables if self._cached else None
                if monday is not None and (tables is None or tables.day != monday):
                    tables = compute_tables(collect_source(state, monday))
                self._cached = PanelStatistics(day, compute_figures(collect_source(state, day)), tables)
            return self._cached
        finally:
            self._busy.release()


def find_release(decisions_by_day: Mapping[str, int], today: str) -> str | None:
    """Return the Monday whose tables are shown on a day; None before the first.

    It is the last Monday before which 30 families or more had been decided since the one whose tables came before.
    """
    by_monday: Counter[str] = Counter()
    for text, count in decisions_by_day.items():
        day = date.fromisoformat(text)
        by_monday[(day + timedelta(days=_DAYS_A_WEEK - day.weekday())).isoformat()] += count
    released, decided = None, 0
    for monday in sorted(by_monday):
        decided += by_monday[monday]
        if monday <= today and decided >= MIN_FAMILIES:
            released, decided = monday, 0
    return released


def collect_source(state: ConsoleState, day: str) -> StatisticsSource:
    """Return a copy of the console's state at the beginning of a day, UTC."""
    midnight = int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp())
    with state.reading() as ledger:
        link = ledger.last_link_before(day)
        family_states = ledger.families_at(link, state.family_states)
        derivations, everyday_use = state.derivations, state.everyday_use
        acts = ledger.acts(until=link)
        several = [base for base, each in family_states.items() if each.round.number > 1]
        ballots = ledger.ballots(several, until=link)
    pace = read_card_times(state.accounts, midnight)
    voters = [
        account
        for account in state.accounts.all_accounts()
        if account.member.role in VOTERS and account.since < midnight <= (account.ended or midnight)
    ]
    patterns = {base: pattern for base, each in derivations.items() if (pattern := class_pattern(each)) is not None}
    panel = max(MIN_PANEL_SIZE, len(voters))
    return StatisticsSource(day, family_states, acts, ballots, patterns, pace, panel, everyday_use)


def compute_figures(source: StatisticsSource) -> DailyFigures:
    """Compute the counts of a day."""
    family_states = list(source.family_states.values())
    ruled = {done.subject: done.at[:10] for done in source.acts if isinstance(done.act, DecidedByClass)}
    waiting: dict[FamilyStanding, float] = {"borderline": 0.0, "flagged": 0.0}
    for each in family_states:
        if each.standing is not None and (each.is_open or each.decision is None):
            waiting[each.standing] += source.everyday_use.get(each.base, 0.0)
    outcomes = Counter[str](
        ["open" if each.is_open or each.decision is None else each.decision.outcome for each in family_states]
    )
    return DailyFigures(
        outcomes=outcomes,
        by_class=sum([bool(each.decided_by_class) and not each.is_open for each in family_states]),
        burned=burn_down(family_states, ruled),
        forecast=forecast(outcomes["open"], cards_by_evening(source.pace), votes_per_decision(family_states)),
        waiting=waiting,
    )


def compute_tables(source: StatisticsSource) -> WeeklyTables:
    """Compute all that the ballots say, which takes seconds for a hundred thousand families."""
    family_states = list(source.family_states.values())
    units = list(rated_units(family_states, earlier_rounds(family_states, source.ballots, source.acts)))
    chosen = {base for done in source.acts if isinstance(done.act, CalibrationChosen) for base in done.act.families}
    calibration = agreement([unit for unit in units if unit.family in chosen])
    judged = Counter([curator for unit in units for curator in unit.votes])
    moved = influence(family_states, panel=source.panel)
    shares = in_shares_by_month(units)
    return WeeklyTables(
        day=source.day,
        whole=agreement(units),
        calibration=calibration if calibration.families >= MIN_FAMILIES else None,
        months={month: each for month, each in agreement_by_month(units).items() if each.families >= MIN_FAMILIES},
        in_shares={
            month: enough
            for month, each in shares.items()
            if (enough := {name: share for name, share in each.items() if share.total >= MIN_FAMILIES})
        },
        curators=sorted([curator for curator, count in judged.items() if count >= MIN_FAMILIES]),
        pairs={names: each for names, each in pairwise_agreement(units).items() if each.units >= MIN_FAMILIES},
        margins=decision_margins(family_states),
        influence={name: share for name, share in moved.items() if judged[name] >= MIN_FAMILIES},
        steadiness={
            name: Consistency(_or_none(each.repeats), _or_none(each.known_items))
            for name, each in consistency(source.acts, source.family_states).items()
            if max(each.repeats.total, each.known_items.total) >= MIN_FAMILIES
        },
        kinds={
            pattern: each
            for pattern, each in summarize_by_pattern(family_states, units, source.patterns).items()
            if each.decided >= MIN_FAMILIES
        },
        efforts={
            name: each
            for name, each in card_times([(curator, seconds) for _, curator, seconds in source.pace]).items()
            if each.cards >= MIN_FAMILIES
        },
    )


def _or_none(share: Share) -> Share:
    return share if share.total >= MIN_FAMILIES else Share(0, 0)
