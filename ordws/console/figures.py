"""The figures of a panel: computed from a copy of what is known, while votes go on, and kept for a while."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple

from ordws.console.room import Room
from ordws.curation.acts import CalibrationChosen, Done, Ruled
from ordws.curation.agreement import (
    Agreement,
    Counts,
    Kind,
    Pair,
    Share,
    agreement,
    by_month,
    by_pattern,
    earlier_rounds,
    in_shares,
    margins,
    pairwise,
    units_of,
)
from ordws.curation.ballot import Ballot
from ordws.curation.classes import pattern_of
from ordws.curation.forecast import Effort, Forecast, burn_down, efforts, forecast, votes_a_decision
from ordws.curation.influence import Steadiness, influence, steadiness
from ordws.curation.rounds import Matter

SOON: Final = 120
LONG: Final = 600
"""Figures are kept for so many seconds at least, for they take seconds themselves, and at most."""


class Known(NamedTuple):
    """What figures are computed from."""

    links: int
    matters: Mapping[str, Matter]
    acts: Sequence[Done]
    ballots: Sequence[Ballot]
    """On families that had more rounds than one; of the others the present round has all."""
    patterns: Mapping[str, str]
    pace: Sequence[tuple[int, str, float]]
    """When a card was answered, by whom, and in how many seconds."""
    panel: int
    day: str


@dataclass(frozen=True)
class Figures:
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
    pairs: Mapping[tuple[str, str], Pair]
    margins: Mapping[Counts, int]
    influence: Mapping[str, Share]
    steadiness: Mapping[str, Steadiness]
    kinds: Mapping[str, Kind]
    burned: Sequence[tuple[str, int]]
    forecast: Forecast | None
    efforts: Mapping[str, Effort]


class _Kept(NamedTuple):
    figures: Figures
    at: int


class Keep:
    """The figures that were computed last; one thread computes, and others are given what there is."""

    def __init__(self) -> None:
        self._busy = threading.Lock()
        self._kept: _Kept | None = None

    def figures(self, room: Room) -> Figures:
        """Those of the present, or of up to two minutes ago; of up to ten where nothing was appended since."""
        if (kept := self._kept) is not None and self._is_fresh(kept, room):
            return kept.figures
        if not self._busy.acquire(blocking=kept is None) and kept is not None:
            return kept.figures
        try:
            if self._kept is None or not self._is_fresh(self._kept, room):
                self._kept = _Kept(figures_of(known_to(room)), room.clock())
            return self._kept.figures
        finally:
            self._busy.release()

    def _is_fresh(self, kept: _Kept, room: Room) -> bool:
        age = room.clock() - kept.at
        if age < SOON:
            return True
        if age >= LONG:
            return False
        with room.reading() as ledger:
            return ledger.newest_link() == kept.figures.links


def known_to(room: Room) -> Known:
    """A copy of what a room knows now."""
    with room.reading() as ledger:
        matters, derivations = dict(room.matters), room.derivations
        links, acts = ledger.newest_link(), ledger.acts()
        ballots = ledger.ballots([base for base, matter in matters.items() if matter.round.number > 1])
    with room.accounts.reading() as db:
        pace = db.execute("SELECT at, curator, seconds FROM pace ORDER BY row").fetchall()
    patterns = {base: pattern for base, found in derivations.items() if (pattern := pattern_of(found)) is not None}
    return Known(links, matters, acts, ballots, patterns, pace, room.panel(), _day(room.clock()))


def figures_of(known: Known) -> Figures:
    """All figures; takes seconds where there are a hundred thousand families."""
    matters = list(known.matters.values())
    units = list(units_of(matters, earlier_rounds(matters, known.ballots, known.acts)))
    calibration = {base for done in known.acts if isinstance(done.act, CalibrationChosen) for base in done.act.families}
    ruled = {done.subject: done.at[:10] for done in known.acts if isinstance(done.act, Ruled)}
    outcomes = Counter([_outcome(matter) for matter in matters])
    return Figures(
        links=known.links,
        outcomes=outcomes,
        by_class=sum([bool(matter.ruled_by) and not matter.is_open for matter in matters]),
        whole=agreement(units),
        calibration=agreement([unit for unit in units if unit.family in calibration]),
        months=by_month(units),
        in_shares=in_shares(units),
        curators=sorted({curator for unit in units for curator in unit.votes}),
        pairs=pairwise(units),
        margins=margins(matters),
        influence=influence(matters, panel=known.panel),
        steadiness=steadiness(known.acts, known.matters),
        kinds=by_pattern(matters, units, known.patterns),
        burned=burn_down(matters, ruled),
        forecast=forecast(outcomes["open"], _evenings(known), votes_a_decision(matters)),
        efforts=efforts([(curator, seconds) for _, curator, seconds in known.pace]),
    )


def _outcome(matter: Matter) -> str:
    return "open" if matter.is_open or matter.decision is None else matter.decision.outcome


def _evenings(known: Known) -> list[int]:
    """How many cards were answered on each day on which some were, before today, which is not over."""
    cards = Counter([_day(at) for at, _, _ in known.pace])
    return [cards[day] for day in sorted(cards) if day < known.day]


def _day(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()
