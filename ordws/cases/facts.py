"""The facts of a case, of a closed list of kinds; everything else about the case is derived from them. Pure.

No fact holds a name or a text. Both are exhibits: kept beside the facts that have their SHA-256, so that the exhibits
of a case that led to nothing can be erased, and the chain of facts still verifies.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from ordws.public_register import Offence

Stage: TypeAlias = Literal["first", "decision", "appeal", "answer"]
"""The readings: of the evidence; of the evidence and the player's answer, for the decision; of an appeal.

Up to version 0.2 the three of the first reading were asked whether the pattern is established, and read the file again
after an answer: `answer` is that reading, and `first` has findings of both kinds.
"""

Finding: TypeAlias = Literal["established", "not-established"]
ReviewerFinding: TypeAlias = Literal["case-to-answer", "no-case-to-answer", "established", "not-established"]
ExhibitKind: TypeAlias = Literal["subject", "figures", "record", "notice", "answer", "appeal", "reasons", "note"]


class _FactBase(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    """The base of all kinds of facts, which are written as a JSON object with the name of the kind."""


class Opened(_FactBase, frozen=True, tag="opened"):
    """A keeper opens a case on a player, whom the exhibit `subject` names; from the notice on prizes are held."""

    subject: str
    offence: Offence
    is_minor: bool
    is_calibrated: bool
    """Whether the honest forms were fitted to games in person; without that nobody is given notice."""

    first_game: int
    """The second since 1970 at which the first game of the evidence ended; `last_game` that of the last."""

    last_game: int


class ExhibitAdded(_FactBase, frozen=True, tag="exhibit-added"):
    """Evidence joins the file; it is never replaced."""

    exhibit: ExhibitKind
    digest: str


class PrizeHeld(_FactBase, frozen=True, tag="prize-held"):
    """No prize of this event is paid to this entrant while the case is open."""

    event: str
    entrant: int


class ReviewersAssigned(_FactBase, frozen=True, tag="reviewers-assigned"):
    """Reviewers join a panel of three."""

    stage: Stage
    reviewers: tuple[str, ...]


class ReviewerLeft(_FactBase, frozen=True, tag="reviewer-left"):
    """A reviewer leaves a panel before giving an opinion: by an interest in the case, or taken off by a keeper."""

    stage: Stage
    reviewer: str


class OpinionGiven(_FactBase, frozen=True, tag="opinion-given"):
    """The opinion of a reviewer, who does not know the others'."""

    stage: Stage
    reviewer: str
    finding: ReviewerFinding
    reasons: str


class Dismissed(_FactBase, frozen=True, tag="dismissed"):
    """The first reading found no case to answer: the case is closed, and the player is not troubled."""


class NoticeGiven(_FactBase, frozen=True, tag="notice-given"):
    """The player is sent the notice with the evidence, and a code to answer with; the time to answer begins."""

    notice: str
    code: str
    """A keyed digest of the code."""


class AnswerReceived(_FactBase, frozen=True, tag="answer-received"):
    """The player answers, on the page or on paper; three read the file with the answer."""

    answer: str


class Decided(_FactBase, frozen=True, tag="decided"):
    """A keeper who is no reviewer of the case writes the decision of the three; the time to appeal begins.

    `reasons` is the whole decision as the player reads it.
    """

    keeper: str
    finding: Finding
    reasons: str


class Appealed(_FactBase, frozen=True, tag="appealed"):
    """The player appeals; `is_late` where a keeper admits an appeal after its time, for something new."""

    appeal: str
    is_late: bool = False


class AppealDecided(_FactBase, frozen=True, tag="appeal-decided"):
    """Three others have read the file: an appeal that is upheld overturns the decision."""

    keeper: str
    is_upheld: bool
    reasons: str


class EntryPublished(_FactBase, frozen=True, tag="entry-published"):
    """The decision is final, and its entry stands in the register."""


class EntryReviewed(_FactBase, frozen=True, tag="entry-reviewed"):
    """The entry was looked at again and stays, with a note where `note` has a digest."""

    note: str = ""


class EntryStruck(_FactBase, frozen=True, tag="entry-struck"):
    """The entry is taken out of the register."""

    reasons: str


class MarkedUnderAge(_FactBase, frozen=True, tag="marked-under-age"):
    """The player is found to be under age: no entry is published, and one that stands is taken out of the register."""

    reasons: str
    withdraws_entry: bool = False


class Dropped(_FactBase, frozen=True, tag="dropped"):
    """A keeper closes a case before its decision, as one that should not have been opened."""

    reasons: str


class ExhibitsErased(_FactBase, frozen=True, tag="erased"):
    """The exhibits of a case that led to nothing were erased when their time was over."""


CaseFact: TypeAlias = (
    Opened
    | ExhibitAdded
    | PrizeHeld
    | ReviewersAssigned
    | ReviewerLeft
    | OpinionGiven
    | Dismissed
    | NoticeGiven
    | AnswerReceived
    | Decided
    | Appealed
    | AppealDecided
    | EntryPublished
    | EntryReviewed
    | EntryStruck
    | MarkedUnderAge
    | Dropped
    | ExhibitsErased
)


class FiledFact(NamedTuple):
    """A fact as the store has it: its number in the chain from 1 on, its case, second since 1970, and actor."""

    number: int
    case: str
    at: int
    actor: str
    fact: CaseFact


class Exhibit(NamedTuple):
    """Bytes that belong to a case file; they are named by their SHA-256."""

    kind: ExhibitKind
    content: bytes

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def fields_of_fact(fact: CaseFact) -> dict[str, Any]:
    """Return the fields of a fact by name."""
    return msgspec.structs.asdict(fact)


def kind_of_fact(fact: CaseFact) -> str:
    """Return the name of a fact's kind, as the store keeps it."""
    return str(fact.__struct_config__.tag)
