"""The commands of directors, players and programs, from which facts come. Pure.

Most commands are facts that somebody proposes: `CheckedIn(entrant=3)` is added as it is, where the state allows it. The
others stand here: what they leave out, or what they lead to, follows from the state. Entrants are named by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ordws.errors import BadInput
from ordws.tournament import facts as f
from ordws.tournament.facts import EventSettings, RecordedFact, TableResult


class EventConflict(BadInput):
    """Somebody else changed what a command was about; `facts` came in between, and the message tells them in words."""

    def __init__(self, message: str, facts: Sequence[RecordedFact], *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.facts = tuple(facts)


@dataclass(frozen=True, kw_only=True)
class Configure:
    """Change the number of rounds, the settings or the name of the event; None leaves each as it is."""

    rounds: int | None = None
    name: str | None = None
    settings: EventSettings | None = None


@dataclass(frozen=True, kw_only=True)
class NameOperators:
    """Say which operator the event belongs to, and which others may direct it; None leaves either as it is.

    `is_claim` names an owner only where there is none: of two operators who open an event, the first has it.
    """

    owner: str | None = None
    directors: tuple[str, ...] | None = None
    is_claim: bool = False


@dataclass(frozen=True, kw_only=True)
class Enter:
    """Enter a player."""

    name: str
    club: str = ""
    minor: bool = False
    member: str = ""


@dataclass(frozen=True, kw_only=True)
class Rename:
    """Put the name, the club, the age or the member number of an entrant right; None leaves each as it is."""

    entrant: int
    name: str | None = None
    club: str | None = None
    minor: bool | None = None
    member: str | None = None


@dataclass(frozen=True, kw_only=True)
class PairLate:
    """Let a late entrant play the one who has the bye."""

    round: int
    entrant: int


@dataclass(frozen=True, kw_only=True)
class ClaimResult:
    """Tell a result as one of its players; the same from both is confirmed, another is disputed.

    `now` is in Unix seconds: a player tells one result so many times an hour.
    """

    round: int
    table: int
    game: int = 1
    result: TableResult
    entrant: int
    now: int = 0


@dataclass(frozen=True, kw_only=True)
class ConfirmResult:
    """Confirm a claimed result, as the opponent or (`entrant` None) as a director with a reason.

    It names what it confirms: the `result`, or the version in which the sender has read it.
    """

    round: int
    table: int
    game: int = 1
    entrant: int | None = None
    reason: str = ""
    result: TableResult | None = None


@dataclass(frozen=True, kw_only=True)
class Undo:
    """Undo the facts of one command, the one that made fact `number`; None is the last one that can be undone."""

    number: int | None = None


ChangeOfAttendance: TypeAlias = f.CheckedIn | f.CheckedOut | f.Withdrawn | f.Returned
ChangeOfStanding: TypeAlias = f.Agreed | f.Frozen | f.Unfrozen | f.CodeIssued
GameCommand: TypeAlias = f.Bound | f.Resulted | f.Reported | f.Corrected | ClaimResult | ConfirmResult
"""The commands about one game of a pairing."""

Command: TypeAlias = (
    f.Created
    | Configure
    | NameOperators
    | Enter
    | Rename
    | f.Erased
    | ChangeOfAttendance
    | ChangeOfStanding
    | f.Constrained
    | f.Unconstrained
    | f.Published
    | PairLate
    | f.Voided
    | f.Closed
    | f.Finished
    | f.Began
    | GameCommand
    | Undo
)
"""A director's `Resulted` names no player, and the `absent` of a `Published` are found."""
