"""The acts of curation: everything that happens beside ballots, of a closed list of kinds. Pure.

Each act is one row of the ledger, with a subject and an actor. The subject of an act on a family is its base; of an act
on a class, the name of the class; of a nomination, the word; else it is empty.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from ordws.curation.decision import Vote


class _ActBase(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """The base of all kinds of acts, which are written as a JSON object with the name of the kind."""


class BallotRetracted(_ActBase, frozen=True, tag="retracted"):
    """A curator takes back a ballot of theirs while its family is undecided."""

    ballot: str


class Recused(_ActBase, frozen=True, tag="recused"):
    """A curator has an interest in the family and does not vote on it."""

    reason: str = ""


class CheckAnswered(_ActBase, frozen=True, tag="checked"):
    """The answer to a card that was shown as a check on the curator. It counts for no decision."""

    id: str
    purpose: Literal["repeat", "known"]
    vote: Vote
    forms: tuple[str, ...] = ()
    reason: str = ""


class CheckRetracted(_ActBase, frozen=True, tag="unchecked"):
    """A curator takes back such an answer, without knowing that the card was a check."""

    id: str


class DiscussionOpened(_ActBase, frozen=True, tag="discussion-opened"):
    """The chair puts a contested family up for discussion."""


class CommentAdded(_ActBase, frozen=True, tag="said"):
    """A curator adds a comment to the discussion of a family."""

    text: str


class SecondVote(_ActBase, frozen=True, tag="second-vote"):
    """The chair ends a discussion, and a second blind round begins."""


class Reopened(_ActBase, frozen=True, tag="reopened"):
    """A keeper begins a new blind round on a decided family; the earlier decision holds until the round decides."""

    reason: str


class DecidedByClass(_ActBase, frozen=True, tag="ruled"):
    """A family is decided as a member of a class; the decision is appended in the same link."""

    class_: str = msgspec.field(name="class")


class ClassDecisionReverted(_ActBase, frozen=True, tag="reverted"):
    """The decision of its class no longer holds for a family, whose state is what it was before."""

    class_: str = msgspec.field(name="class")


ClassVerdict: TypeAlias = Literal["in", "out"]


class ClassProposed(_ActBase, frozen=True, tag="class-proposed"):
    """A class is proposed to be decided alike, if an audit of these sample families supports the verdict."""

    pattern: str
    verdict: ClassVerdict
    sample: tuple[str, ...]


class ClassHeld(_ActBase, frozen=True, tag="class-held"):
    """A curator objects to a class, which cannot be adopted before the objection is released."""

    reason: str = ""


class ClassReleased(_ActBase, frozen=True, tag="class-released"):
    """The chair or a keeper settles the objections to a class."""

    reason: str


class ClassAdopted(_ActBase, frozen=True, tag="class-adopted"):
    """A keeper adopts a class; the decisions on its families are appended in the same link."""


class ClassReverted(_ActBase, frozen=True, tag="class-reverted"):
    """A keeper reverts a class, and with it its decisions."""

    reason: str


class CalibrationChosen(_ActBase, frozen=True, tag="calibration-chosen"):
    """The families that every curator votes on first are drawn."""

    families: tuple[str, ...]


class Nominated(_ActBase, frozen=True, tag="nominated"):
    """A player or a curator asks for a word to be looked at, in or out."""

    id: str
    reason: str
    is_curator: bool = False


class NominationClosed(_ActBase, frozen=True, tag="nomination-closed"):
    """A keeper answers the nomination with this id."""

    id: str
    answer: Literal["reopened", "raised", "overridden", "dismissed"]
    reason: str = ""


class PriorityRaised(_ActBase, frozen=True, tag="raised"):
    """A family is to be voted on before others, because somebody waits for it."""


class EditionSealed(_ActBase, frozen=True, tag="edition-sealed"):
    """An edition was sealed from the console."""

    number: int


class EditionRolledBack(_ActBase, frozen=True, tag="edition-taken-back"):
    """The words of an earlier edition were sealed again, under the next number."""

    number: int
    words_of: int
    reason: str


Act: TypeAlias = (
    BallotRetracted
    | Recused
    | CheckAnswered
    | CheckRetracted
    | DiscussionOpened
    | CommentAdded
    | SecondVote
    | Reopened
    | DecidedByClass
    | ClassDecisionReverted
    | ClassProposed
    | ClassHeld
    | ClassReleased
    | ClassAdopted
    | ClassReverted
    | CalibrationChosen
    | Nominated
    | NominationClosed
    | PriorityRaised
    | EditionSealed
    | EditionRolledBack
)

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final[msgspec.json.Decoder[Act]] = msgspec.json.Decoder(Act)


class RecordedAct(NamedTuple):
    """An act as a row of the ledger."""

    link: int
    at: str
    subject: str
    actor: str
    act: Act


def kind_of(act: Act) -> str:
    """Return the name of an act's kind, as the ledger stores it."""
    return str(act.__struct_config__.tag)


def write_act(act: Act) -> str:
    """Return an act as the JSON text of its row."""
    return _ENCODER.encode(act).decode()


def read_act(text: str) -> Act:
    """Read an act from its row; raise msgspec.ValidationError for a kind that a newer version of ordws wrote."""
    return _DECODER.decode(text)
