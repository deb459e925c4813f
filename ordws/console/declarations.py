"""The yearly declaration of disinterest."""

from __future__ import annotations

from typing import Final

from ordws.console.access import Member

VALID_SECONDS: Final = 365 * 86_400
STATEMENTS: Final = (
    "I play in no rated or club tournament of a crossword game, and have not for two years.",
    "I do not study the word lists of such games.",
    "I sell no word list, and nobody pays me for a decision here.",
    "I hold no key of a game client of this word set.",
    "On a word in which I have an interest I recuse myself.",
)
"""The sentences that a curator declares once a year: who plays, sells or studies word lists has an interest in them."""


def has_valid_declaration(member: Member, now: int) -> bool:
    """Return whether a member has declared within a year; keepers, who do not vote, need not."""
    end = valid_until(member)
    return member.role == "keeper" or (end is not None and now < end)


def valid_until(member: Member) -> int | None:
    """Return the time at which a member's declaration expires; None where there is none, or none is needed."""
    return None if member.role == "keeper" or member.declared_at is None else member.declared_at + VALID_SECONDS
