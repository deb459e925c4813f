"""The commands of directors, players and programs, from which facts come. Pure.

`expected` is the number of the last fact of the event that the sender knew (`TournamentState.version`) or of the last
one about the command's subject; None where the sender did not look. If the subject has changed since, the command is
refused as an `EventConflict`. Entrants are named by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ordws.errors import BadInput
from ordws.tournament.facts import EventPairing, EventSettings, PairKind, RecordedFact, ResultSource, TableResult
from ordws.tournament.subjects import DRAFT, EVENT, Subject


class EventConflict(BadInput):
    """Somebody else changed what a command was about; `facts` came in between, and the message tells them in words."""

    def __init__(self, message: str, facts: Sequence[RecordedFact], *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.facts = tuple(facts)


@dataclass(frozen=True, kw_only=True)
class _CommandBase:
    """The base of all commands."""

    expected: int | None = None

    @property
    def subject(self) -> Subject:
        """The subject that the sender has looked at."""
        return EVENT


@dataclass(frozen=True, kw_only=True)
class Create(_CommandBase):
    """Begin an event: the first command of a file."""

    name: str
    rules: str
    rounds: int
    seed: int
    games_a_round: int = 1
    options: tuple[str, ...] = ()
    settings: EventSettings = EventSettings()  # noqa: RUF009 - frozen
    owner: str = ""


@dataclass(frozen=True, kw_only=True)
class Configure(_CommandBase):
    """Change the number of rounds, the settings or the name of the event; None leaves each as it is."""

    rounds: int | None = None
    name: str | None = None
    settings: EventSettings | None = None


@dataclass(frozen=True, kw_only=True)
class NameOperators(_CommandBase):
    """Say which operator the event belongs to, and which others may direct it; None leaves either as it is.

    `is_claim` names an owner only where there is none: of two operators who open an event, the first has it.
    """

    owner: str | None = None
    directors: tuple[str, ...] | None = None
    is_claim: bool = False


@dataclass(frozen=True, kw_only=True)
class Enter(_CommandBase):
    """Enter a player."""

    name: str
    club: str = ""
    minor: bool = False
    member: str = ""


@dataclass(frozen=True, kw_only=True)
class _EntrantCommand(_CommandBase):
    entrant: int

    @property
    def subject(self) -> Subject:
        return ("entrant", self.entrant)


@dataclass(frozen=True, kw_only=True)
class Rename(_EntrantCommand):
    """Put the name, the club, the age or the member number of an entrant right; None leaves each as it is."""

    name: str | None = None
    club: str | None = None
    minor: bool | None = None
    member: str | None = None


@dataclass(frozen=True, kw_only=True)
class Erase(_EntrantCommand):
    """Erase an entrant's personal data for good."""


@dataclass(frozen=True, kw_only=True)
class CheckIn(_EntrantCommand):
    """Say that an entrant is present."""


@dataclass(frozen=True, kw_only=True)
class CheckOut(_EntrantCommand):
    """Say that an entrant is not present for the next round."""


@dataclass(frozen=True, kw_only=True)
class Withdraw(_EntrantCommand):
    """Take an entrant out of the event."""

    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Return(_EntrantCommand):
    """Take an entrant who had withdrawn back into the event."""


@dataclass(frozen=True, kw_only=True)
class Agree(_EntrantCommand):
    """Record that an entrant accepted the conditions of the event."""

    version: str
    digest: str


@dataclass(frozen=True, kw_only=True)
class Freeze(_EntrantCommand):
    """Hold an entrant's prize back while a case is open."""

    case: str


@dataclass(frozen=True, kw_only=True)
class Unfreeze(_EntrantCommand):
    """Let an entrant's prize go when the case is closed."""

    case: str


@dataclass(frozen=True, kw_only=True)
class IssueCode(_EntrantCommand):
    """Record the keyed digest of an entrant's new entry code."""

    digest: str


@dataclass(frozen=True, kw_only=True)
class _DraftCommand(_CommandBase):
    @property
    def subject(self) -> Subject:
        return DRAFT


@dataclass(frozen=True, kw_only=True)
class Constrain(_DraftCommand):
    """Forbid that two entrants meet, or put them together in the next draft; `round` limits that to one round."""

    a: int
    b: int
    constraint: PairKind
    reason: str = ""
    round: int | None = None


@dataclass(frozen=True, kw_only=True)
class Unconstrain(_DraftCommand):
    """End the constraints on two entrants."""

    a: int
    b: int


@dataclass(frozen=True, kw_only=True)
class Publish(_DraftCommand):
    """Publish a draft that was drawn from the state with the version `expected`."""

    round: int
    pairings: tuple[EventPairing, ...]
    bye: int | None = None


@dataclass(frozen=True, kw_only=True)
class _RoundCommand(_CommandBase):
    round: int

    @property
    def subject(self) -> Subject:
        return ("round", self.round)


@dataclass(frozen=True, kw_only=True)
class PairLate(_RoundCommand):
    """Let a late entrant play the one who has the bye."""

    entrant: int


@dataclass(frozen=True, kw_only=True)
class VoidRound(_RoundCommand):
    """Take the last round back; `began` are the tables that had begun, beside those with results."""

    reason: str
    began: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CloseRound(_RoundCommand):
    """End a round whose results are all in."""


@dataclass(frozen=True, kw_only=True)
class Finish(_CommandBase):
    """End the event."""


@dataclass(frozen=True, kw_only=True)
class _TableCommand(_RoundCommand):
    table: int

    @property
    def subject(self) -> Subject:
        return ("round", self.round, self.table)


@dataclass(frozen=True, kw_only=True)
class Begin(_TableCommand):
    """Say that the players of a pairing have begun."""


@dataclass(frozen=True, kw_only=True)
class GameCommand(_TableCommand):
    """The base of commands about one game of a pairing."""

    game: int = 1


@dataclass(frozen=True, kw_only=True)
class Bind(GameCommand):
    """Bind a game of a pairing to a sealed game or a table station."""

    sealed_game: str = ""
    device: str = ""


@dataclass(frozen=True, kw_only=True)
class RecordResult(GameCommand):
    """Key in a result as a director."""

    result: TableResult


@dataclass(frozen=True, kw_only=True)
class ReportResult(GameCommand):
    """Tell the result of a sealed game or a station, with the digest of its record."""

    result: TableResult
    source: ResultSource
    digest: str


@dataclass(frozen=True, kw_only=True)
class ClaimResult(GameCommand):
    """Tell a result as one of its players; the same from both is confirmed, another is disputed.

    `now` is in Unix seconds: a player tells one result so many times an hour.
    """

    result: TableResult
    entrant: int
    now: int = 0


@dataclass(frozen=True, kw_only=True)
class ConfirmResult(GameCommand):
    """Confirm a claimed result, as the opponent or (`entrant` None) as a director with a reason.

    It names what it confirms: the `result`, or by `expected` the version in which the sender has read it.
    """

    entrant: int | None = None
    reason: str = ""
    result: TableResult | None = None


@dataclass(frozen=True, kw_only=True)
class CorrectResult(GameCommand):
    """Replace a result that was wrong."""

    result: TableResult
    reason: str


@dataclass(frozen=True, kw_only=True)
class Undo(_CommandBase):
    """Undo the facts of one command, the one that made fact `number`; None is the last one that can be undone."""

    number: int | None = None


Command: TypeAlias = (
    Create
    | Configure
    | NameOperators
    | Enter
    | Rename
    | Erase
    | CheckIn
    | CheckOut
    | Withdraw
    | Return
    | Agree
    | Freeze
    | Unfreeze
    | IssueCode
    | Constrain
    | Unconstrain
    | Publish
    | PairLate
    | VoidRound
    | CloseRound
    | Finish
    | Begin
    | Bind
    | RecordResult
    | ReportResult
    | ClaimResult
    | ConfirmResult
    | CorrectResult
    | Undo
)
