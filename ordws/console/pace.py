"""The times of the cards that the panel has answered, from which the evenings that are left are forecast."""

from __future__ import annotations

from ordws.console.accounts import Accounts


def record_card_time(accounts: Accounts, curator: str, seconds: float, now: int, *, kind: str = "card") -> None:
    """Record the seconds that a curator looked at a card."""
    with accounts.transaction() as db:
        row = (now, curator, seconds, kind)
        db.execute("INSERT INTO pace (at, curator, seconds, kind) VALUES (?, ?, ?, ?)", row)


def read_card_times(accounts: Accounts, before: int) -> list[tuple[int, str, float]]:
    """Return the time, curator and seconds of each card answered before a time."""
    with accounts.connection() as db:
        rows = db.execute("SELECT at, curator, seconds FROM pace WHERE at < ? ORDER BY row", (before,))
        return list(rows)
