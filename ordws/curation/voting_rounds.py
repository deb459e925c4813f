"""The present state of a family: its blind round, the ballots that count in it, the decision that holds. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Final, NamedTuple

from ordws.curation.acts import (
    BallotRetracted,
    ClassDecisionReverted,
    CommentAdded,
    DecidedByClass,
    DiscussionOpened,
    PriorityRaised,
    RecordedAct,
    Recused,
    Reopened,
    SecondVote,
)
from ordws.curation.decision import Ballot, Decision
from ordws.curation.family import FamilyStanding


class LinkedBallot(NamedTuple):
    """A ballot, and the number of the link in which it was appended."""

    link: int
    ballot: Ballot


class Round(NamedTuple):
    """A blind round of votes on a family."""

    number: int = 1
    after_link: int = 0
    """The ballots of later links count in the round."""
    is_second: bool = False
    """True if the round follows a discussion."""
    is_decided: bool = False


FIRST_ROUND: Final = Round()


@dataclass(frozen=True)
class FamilyState:
    """The state of one family."""

    base: str
    standing: FamilyStanding | None
    """None if the family was withdrawn from the queue."""
    forms: tuple[str, ...]
    """The forms at stake."""
    round: Round = FIRST_ROUND
    ballots: tuple[Ballot, ...] = ()
    """The ballots of this round that were not taken back, in order; after its decision also those cast too late."""
    decision: Decision | None = None
    """The decision that holds until the next: re-opening the family keeps it, reverting its class takes it back."""
    decided_by_class: str = ""
    """The class by which the family was decided; empty if ballots decided it."""
    recused: frozenset[str] = frozenset()
    is_discussed: bool = False
    is_raised: bool = False
    comments: tuple[RecordedAct, ...] = ()

    @property
    def is_open(self) -> bool:
        """True while votes are taken on the family."""
        return self.standing is not None and not self.round.is_decided

    @property
    def is_contested(self) -> bool:
        """True if the family waits for a discussion, or is discussed."""
        is_split = self.round.is_decided and self.decision is not None and self.decision.outcome == "contested"
        # A family that is split again in its second round is not discussed again: it stays out.
        return self.standing is not None and is_split and not self.round.is_second

    @property
    def can_lose_ballots(self) -> bool:
        """True if a ballot of this round may be taken back, though it has led to a decision.

        Those on a contested family are shown to the chair, and a class has not decided by ballots.
        """
        return not (self.is_contested or (self.round.is_decided and self.decided_by_class))

    @property
    def voters(self) -> frozenset[str]:
        """The curators who have voted in this round."""
        return frozenset(ballot.curator for ballot in self.ballots)


def replay_family(
    family: FamilyState,
    ballots: Iterable[LinkedBallot],
    decisions: Iterable[tuple[int, Decision]],
    acts: Iterable[RecordedAct],
) -> FamilyState:
    """Return the state of a family after all its events, from the state in which nothing has happened to it.

    The ballots, the decisions (each with its link) and the acts are those of this family, in order.
    """
    acts = list(acts)
    # Of one link the acts come first, since they lead to its decision: sorting keeps the order of equals.
    events: list[tuple[int, RecordedAct | Decision]] = [(recorded.link, recorded) for recorded in acts]
    events += decisions
    held: list[tuple[Decision, str]] = []
    deciding_class, retracted = "", set[str]()
    for link, event in sorted(events, key=itemgetter(0)):
        if isinstance(event, Decision):
            held.append((event, deciding_class))
            deciding_class, family = "", replace(family, round=family.round._replace(is_decided=True))
            continue
        match event.act:
            case DecidedByClass(class_=name):
                deciding_class = name
            case ClassDecisionReverted() if held and held[-1][1]:
                held.pop()
                family = replace(family, round=family.round._replace(is_decided=False))
            case Reopened():
                family = replace(family, round=Round(family.round.number + 1, link), is_discussed=False)
            case SecondVote():
                second = Round(family.round.number + 1, link, is_second=True)
                family = replace(family, round=second, is_discussed=False)
            case DiscussionOpened():
                family = replace(family, is_discussed=True)
            case Recused():
                family = replace(family, recused=family.recused | {event.actor})
            case PriorityRaised():
                family = replace(family, is_raised=True)
            case BallotRetracted(ballot=id):
                retracted.add(id)
                if family.round.is_decided:
                    # If the ballots that are left decide the round too, their decision follows in the same link.
                    held.pop()
                    family = replace(family, round=family.round._replace(is_decided=False))
            case _:
                pass
    counted = [each.ballot for each in ballots if each.link > family.round.after_link]
    decision, decided_by_class = held[-1] if held else (None, "")
    return replace(
        family,
        ballots=tuple([ballot for ballot in counted if ballot.id not in retracted]),
        decision=decision,
        decided_by_class=decided_by_class,
        comments=tuple([recorded for recorded in acts if isinstance(recorded.act, CommentAdded)]),
    )
