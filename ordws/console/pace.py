"""How long cards take, and how many evenings are left: figures that tell no single decision."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil
from statistics import median
from typing import Final, NamedTuple

from ordws.console.accounts import Accounts
from ordws.curation.calibration import KNOWN_RATE, REPEAT_RATE
from ordws.curation.forecast import MAX_CARD_SECONDS, votes_per_decision
from ordws.curation.voting_rounds import FamilyState

SNAPSHOT_SECONDS: Final = 600
"""The panel's figures are as old as that at most, and no younger in between: one decision does not show in them."""
EVENING_SECONDS: Final = 25 * 60
_DEFAULT_CARD_SECONDS: Final = EVENING_SECONDS / 190
"""Seconds a card, until the panel's own are known. (EXPERIENCE A3)"""
_MIN_SAMPLE: Final = 20
"""With fewer votes cast nothing is forecast, and with fewer cards measured the panel's pace is not used."""
_CARDS_MEASURED: Final = 2_000


class PanelProgress(NamedTuple):
    """How far the panel was at a moment."""

    at: int
    decided: int
    families: int
    evenings_left: int | None
    """Evenings left for each curator; None while there is too little to go by."""


def record_card_time(accounts: Accounts, curator: str, seconds: float, now: int, *, kind: str = "card") -> None:
    """Write down how long a curator had a card before him."""
    with accounts.transaction() as db:
        row = (now, curator, seconds, kind)
        db.execute("INSERT INTO pace (at, curator, seconds, kind) VALUES (?, ?, ?, ?)", row)


def measure_pace(accounts: Accounts) -> tuple[int, float]:
    """How many of the panel's last cards count, and their median seconds.

    Nobody was at a card that took longer than a minute: it counts as none.
    """
    with accounts.connection() as db:
        sql = "SELECT seconds FROM pace WHERE seconds <= ? ORDER BY row DESC LIMIT ?"
        seconds = [taken for (taken,) in db.execute(sql, (MAX_CARD_SECONDS, _CARDS_MEASURED)).fetchall()]
    return len(seconds), median(seconds) if seconds else 0.0


def measure_progress(matters: Collection[FamilyState], pace: tuple[int, float], panel: int, now: int) -> PanelProgress:
    """The figures of this moment, with what was measured of the whole panel."""
    begun = [len(matter.ballots) for matter in matters if matter.is_open]
    decided = sum([not matter.is_open and not matter.is_contested for matter in matters])
    left = max(len(begun), len(begun) * votes_per_decision(matters) - sum(begun))
    cast = sum([len(matter.ballots) for matter in matters])
    sessions = count_evenings(left / panel, pace) if cast >= _MIN_SAMPLE else None
    return PanelProgress(now, decided, len(matters), sessions)


def count_evenings(votes: float, pace: tuple[int, float]) -> int:
    """How many evenings of 25 minutes so many votes are, with the checks among them."""
    cards, seconds = pace
    a_card = max(1.0, seconds) if cards >= _MIN_SAMPLE else _DEFAULT_CARD_SECONDS
    return ceil(votes / (1 - REPEAT_RATE - KNOWN_RATE) * a_card / EVENING_SECONDS)


def evenings_left_text(count: int | None) -> str:
    """What is left, as a curator is told it."""
    match count:
        case None:
            return "too early to say how many evenings"
        case 0:
            return "nothing is left"
        case 1:
            return "about one more evening"
        case _:
            return f"about {count} more evenings"
