"""What happens in curation beside ballots: one row of the ledger each, of a closed list of kinds. Pure.

A row says on what (`subject`), by whom (`who`) and what (an `Act`). The subject of an act on a family is its base; of
one on a class, the class's name; of one on a word from outside, the word; else it is empty.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from ordws.curation.ballot import Vote


class _ActBase(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """What all kinds share: written as a JSON object that names its kind."""


class BallotRetracted(_ActBase, frozen=True, tag="retracted"):
    """A curator takes a ballot of his back while its family is undecided."""

    ballot: str


class Recused(_ActBase, frozen=True, tag="recused"):
    """A curator has an interest in the family and does not vote on it."""

    reason: str = ""


class CheckAnswered(_ActBase, frozen=True, tag="checked"):
    """The answer to a card that was shown to see how a curator judges. It counts for no decision."""

    id: str
    purpose: Literal["repeat", "known"]
    vote: Vote
    forms: tuple[str, ...] = ()
    reason: str = ""


class CheckRetracted(_ActBase, frozen=True, tag="unchecked"):
    """A curator takes back such an answer, not knowing that it was one."""

    id: str


class DiscussionOpened(_ActBase, frozen=True, tag="discussion-opened"):
    """The chair puts a contested family up for discussion."""


class CommentAdded(_ActBase, frozen=True, tag="said"):
    """A contribution to the discussion of a family."""

    text: str


class SecondVote(_ActBase, frozen=True, tag="second-vote"):
    """The chair ends a discussion: a second blind round begins."""


class Reopened(_ActBase, frozen=True, tag="reopened"):
    """A decided family is voted on once more, in a new blind round; until that decides, the decision before holds."""

    reason: str


class DecidedByClass(_ActBase, frozen=True, tag="ruled"):
    """A family is decided as one of a class; the decision is appended with it."""

    class_: str = msgspec.field(name="class")


class ClassDecisionReverted(_ActBase, frozen=True, tag="reverted"):
    """The ruling of its class no longer holds for a family, which is where it was before."""

    class_: str = msgspec.field(name="class")


class ClassProposed(_ActBase, frozen=True, tag="class-proposed"):
    """All families of a class are to be decided alike, if an audit of these families of it bears that out."""

    pattern: str
    verdict: Literal["in", "out"]
    sample: tuple[str, ...]


class ClassHeld(_ActBase, frozen=True, tag="class-held"):
    """Somebody objects: the class is not adopted before the chair or a keeper has released it."""

    reason: str = ""


class ClassReleased(_ActBase, frozen=True, tag="class-released"):
    """An objection to a class is settled."""

    reason: str


class ClassAdopted(_ActBase, frozen=True, tag="class-adopted"):
    """The class decides its families; the rulings are appended with it."""


class ClassReverted(_ActBase, frozen=True, tag="class-reverted"):
    """The class decides nothing any more."""

    reason: str


class CalibrationChosen(_ActBase, frozen=True, tag="calibration-chosen"):
    """The families that every curator votes on first."""

    families: tuple[str, ...]


class Nominated(_ActBase, frozen=True, tag="nominated"):
    """Somebody asks that a word be looked at, in or out."""

    id: str
    reason: str
    is_curator: bool = False


class NominationClosed(_ActBase, frozen=True, tag="nomination-closed"):
    """A keeper has dealt with what was nominated under that id."""

    id: str
    answer: Literal["reopened", "raised", "overridden", "dismissed"]
    reason: str = ""


class PriorityRaised(_ActBase, frozen=True, tag="raised"):
    """A family is voted on before others: somebody waits for it."""


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
    """An act as the ledger has it."""

    link: int
    at: str
    subject: str
    actor: str
    act: Act


def kind_of(act: Act) -> str:
    """The name of an act's kind, as the ledger has it."""
    return str(act.__struct_config__.tag)


def write_act(act: Act) -> str:
    return _ENCODER.encode(act).decode()


def read_act(text: str) -> Act:
    """Raises msgspec.ValidationError for a text that a newer version of ordws wrote."""
    return _DECODER.decode(text)
