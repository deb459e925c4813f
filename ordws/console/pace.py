"""The pace of the panel and the evenings that are left: figures that reveal no single decision."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil
from statistics import median
from typing import Final, NamedTuple

from ordws.console.accounts import Accounts
from ordws.curation.calibration import KNOWN_RATE, REPEAT_RATE
from ordws.curation.forecast import MAX_CARD_SECONDS, votes_per_decision
from ordws.curation.voting_rounds import FamilyState

EVENING_SECONDS: Final = 25 * 60
_DEFAULT_CARD_SECONDS: Final = EVENING_SECONDS / 190
"""The seconds that a card takes, until the panel's own are known: 190 families are one evening of 25 minutes."""
_MIN_SAMPLE: Final = 20
"""With fewer votes cast nothing is forecast, and with fewer cards measured the panel's own pace is not used."""
_CARDS_MEASURED: Final = 2_000
"""The panel's pace is measured on its latest cards, so that it follows the panel as that gets faster."""


class PanelProgress(NamedTuple):
    """The panel's progress at one moment."""

    decided: int
    families: int
    evenings_left: int | None
    """The evenings that each curator still needs; None before there are enough votes for a forecast."""


def record_card_time(accounts: Accounts, curator: str, seconds: float, now: int, *, kind: str = "card") -> None:
    """Record the seconds that a curator looked at a card."""
    with accounts.transaction() as db:
        row = (now, curator, seconds, kind)
        db.execute("INSERT INTO pace (at, curator, seconds, kind) VALUES (?, ?, ?, ?)", row)


def measure_pace(accounts: Accounts, before: int) -> tuple[int, float]:
    """Return the number of the panel's latest cards before a time that count, and their median seconds.

    A card that took longer than a minute does not count: its curator was away.
    """
    with accounts.connection() as db:
        sql = "SELECT seconds FROM pace WHERE seconds <= ? AND at < ? ORDER BY row DESC LIMIT ?"
        seconds = [taken for (taken,) in db.execute(sql, (MAX_CARD_SECONDS, before, _CARDS_MEASURED)).fetchall()]
    return len(seconds), median(seconds) if seconds else 0.0


def measure_progress(family_states: Collection[FamilyState], pace: tuple[int, float], panel: int) -> PanelProgress:
    """Return the progress of families in these states; `pace` is as `measure_pace` gives it, `panel` its size."""
    cast_on_open = [len(family_state.ballots) for family_state in family_states if family_state.is_open]
    decided = sum([not family_state.is_open and not family_state.is_contested for family_state in family_states])
    if sum([len(family_state.ballots) for family_state in family_states]) < _MIN_SAMPLE:
        return PanelProgress(decided, len(family_states), evenings_left=None)
    # Each open family needs one more vote at least.
    votes = max(len(cast_on_open), len(cast_on_open) * votes_per_decision(family_states) - sum(cast_on_open))
    cards = votes / panel / (1 - REPEAT_RATE - KNOWN_RATE)  # some cards are checks, which decide nothing
    measured, median_seconds = pace
    card_seconds = max(1.0, median_seconds) if measured >= _MIN_SAMPLE else _DEFAULT_CARD_SECONDS
    return PanelProgress(decided, len(family_states), ceil(cards * card_seconds / EVENING_SECONDS))


def evenings_left_text(count: int | None) -> str:
    """Return the evenings left as the queue's page says them."""
    match count:
        case None:
            return "too early to say how many evenings"
        case 0:
            return "nothing is left"
        case 1:
            return "about one more evening"
        case _:
            return f"about {count} more evenings"
