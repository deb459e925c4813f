"""The kinds of findings that an audit reports: a closed list (docs/reference/records.md)."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple


class FindingKind(Enum):
    """The subject of a finding; those of INEXACT_KINDS make a record inexact, the others leave it exact."""

    SCORE = "score"
    """A move's points are not those that its tiles make."""
    TOTAL = "total"
    """A total is not the sum of the total before and the points."""
    PLACEMENT = "placement"
    """Tiles do not lie as the rules ask, or a blank is swapped that is not there."""
    WITHDRAWAL = "withdrawal"
    """A play is taken back that was not just made, or for other points than it made."""
    END = "end"
    """Points for unplayed tiles or for overtime are not those that the rules give."""
    DEDUCTION = "deduction"
    """A check of the OSPD was not lawful, or cost other points than it costs."""
    SAME_NICK = "same-nick"
    """Two players have the same nick, so that a line does not tell whose it is."""

    RACK = "rack"
    """A rack lacks a tile played from it, has too many, or tiles that cannot be left."""
    BAG = "bag"
    """More of a letter lies on the board than there is; or an exchange from too low a bag."""
    CHALLENGE = "challenge"
    """Points for a challenge that the challenge rule does not give, or that follow no play."""
    LAYOUT = "layout"
    """Another premium layout is named, or the scores fit it."""
    LETTERS = "letters"
    """The tiles are those of another language or game."""
    ENCODING = "encoding"
    """The text does not have the encoding that it declares, or is not ISO 8859-1 and declares nothing."""
    PLAYER = "player"
    """A line names a player who is not declared, or a player is declared twice."""
    TURN = "turn"
    """It was another player's turn."""
    LINE = "line"
    """A line or a part of it cannot be understood."""
    MISPLACED = "misplaced"
    """A line stands where it means nothing."""
    UNFINISHED = "unfinished"
    """The record stops before the game has ended, or before the unplayed tiles are counted."""
    RULES = "rules"
    """The rules that the record names are not known, or the scores fit another rule set."""


INEXACT_KINDS: Final = frozenset(
    {
        FindingKind.SCORE,
        FindingKind.TOTAL,
        FindingKind.PLACEMENT,
        FindingKind.WITHDRAWAL,
        FindingKind.END,
        FindingKind.DEDUCTION,
        FindingKind.SAME_NICK,
    }
)


class AuditFinding(NamedTuple):
    """A discrepancy: its line and kind, what is written and what was computed, and a sentence."""

    line: int
    kind: FindingKind
    written: int | str | None
    computed: int | str | None
    message: str
