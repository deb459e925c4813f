"""How long cards take, and how many evenings are left: figures that tell no single decision."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil
from statistics import median
from typing import Final, NamedTuple

from ordws.console.accounts import Accounts
from ordws.curation.calibration import KNOWN, REPEATS
from ordws.curation.forecast import LONGEST, votes_a_decision
from ordws.curation.rounds import Matter

SNAPSHOT: Final = 600
"""The panel's figures are as old as that at most, and no younger in between: one decision does not show in them."""
SITTING: Final = 25 * 60
_CARD: Final = SITTING / 190
"""Seconds a card, until the panel's own are known. (EXPERIENCE A3)"""
_ENOUGH: Final = 20
"""With fewer votes cast nothing is forecast, and with fewer cards measured the panel's pace is not used."""
_LAST: Final = 2_000


class Snapshot(NamedTuple):
    """How far the panel was at a moment."""

    at: int
    decided: int
    families: int
    sessions: int | None
    """Evenings left for each curator; None while there is too little to go by."""


def note(accounts: Accounts, curator: str, seconds: float, now: int, *, kind: str = "card") -> None:
    """Write down how long a curator had a card before him."""
    with accounts.changing() as db:
        row = (now, curator, seconds, kind)
        db.execute("INSERT INTO pace (at, curator, seconds, kind) VALUES (?, ?, ?, ?)", row)


def measured(accounts: Accounts) -> tuple[int, float]:
    """How many of the panel's last cards count, and their median seconds.

    Nobody was at a card that took longer than a minute: it counts as none.
    """
    with accounts.reading() as db:
        sql = "SELECT seconds FROM pace WHERE seconds <= ? ORDER BY row DESC LIMIT ?"
        seconds = [taken for (taken,) in db.execute(sql, (LONGEST, _LAST)).fetchall()]
    return len(seconds), median(seconds) if seconds else 0.0


def snapshot(matters: Collection[Matter], seconds_a_card: tuple[int, float], panel: int, now: int) -> Snapshot:
    """The figures of this moment, with what was measured of the whole panel."""
    begun = [len(matter.ballots) for matter in matters if matter.is_open]
    decided = sum([not matter.is_open and not matter.is_contested for matter in matters])
    left = max(len(begun), len(begun) * votes_a_decision(matters) - sum(begun))
    cast = sum([len(matter.ballots) for matter in matters])
    sessions = evenings(left / panel, seconds_a_card) if cast >= _ENOUGH else None
    return Snapshot(now, decided, len(matters), sessions)


def evenings(votes: float, seconds_a_card: tuple[int, float]) -> int:
    """How many evenings of 25 minutes so many votes are, with the checks among them."""
    cards, seconds = seconds_a_card
    a_card = max(1.0, seconds) if cards >= _ENOUGH else _CARD
    return ceil(votes / (1 - REPEATS - KNOWN) * a_card / SITTING)


def sentence(sessions: int | None) -> str:
    """What is left, as a curator is told it."""
    match sessions:
        case None:
            return "too early to say how many evenings"
        case 0:
            return "nothing is left"
        case 1:
            return "about one more evening"
        case _:
            return f"about {sessions} more evenings"
