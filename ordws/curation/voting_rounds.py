"""Where a family stands: the blind round it is in, the ballots that count there, the decision that holds. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
from ordws.curation.ballot import Ballot
from ordws.curation.decision import Decision
from ordws.curation.family import FamilyStanding


class LinkedBallot(NamedTuple):
    """A ballot with the link that it was appended in."""

    link: int
    ballot: Ballot


class Round(NamedTuple):
    """A blind round of votes on a family."""

    number: int = 1
    after_link: int = 0
    """Ballots of later links count in it."""
    is_second: bool = False
    """Whether it follows a discussion."""
    is_decided: bool = False


FIRST_ROUND: Final = Round()


@dataclass(frozen=True)
class FamilyState:
    """One family as curation has it."""

    base: str
    standing: FamilyStanding | None
    """None for a family that was withdrawn."""
    forms: tuple[str, ...]
    """Those at stake."""
    round: Round = FIRST_ROUND
    ballots: tuple[Ballot, ...] = ()
    """Those of this round that nobody took back, in order; after its decision also those that came too late."""
    decision: Decision | None = None
    """What holds until the next: a re-opening leaves it, the reverting of a class's ruling takes it back."""
    decided_by_class: str = ""
    """The class that it was decided with; empty where ballots did."""
    recused: frozenset[str] = frozenset()
    is_discussed: bool = False
    is_raised: bool = False
    comments: tuple[RecordedAct, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether votes are taken."""
        return self.standing is not None and not self.round.is_decided

    @property
    def is_contested(self) -> bool:
        """Whether it waits for a discussion, or is in one: a second round that is still split stays out."""
        decided = self.round.is_decided and self.decision is not None and self.decision.outcome == "contested"
        return self.standing is not None and decided and not self.round.is_second

    @property
    def voters(self) -> frozenset[str]:
        """Who has voted in this round."""
        return frozenset(ballot.curator for ballot in self.ballots)


def replay_family(
    family: FamilyState,
    ballots: Iterable[LinkedBallot],
    decisions: Iterable[tuple[int, Decision]],
    acts: Iterable[RecordedAct],
) -> FamilyState:
    """A matter that nothing has happened to, after all that has."""
    acts = list(acts)
    held: list[tuple[Decision, str]] = []
    ruling = ""
    for _, event in _in_order(acts, decisions):
        if isinstance(event, Decision):
            held.append((event, ruling))
            ruling, family = "", replace(family, round=family.round._replace(is_decided=True))
            continue
        family = _apply_act(family, event)
        match event.act:
            case DecidedByClass(class_=name):
                ruling = name
            case ClassDecisionReverted() if held and held[-1][1]:
                held.pop()
                family = replace(family, round=family.round._replace(is_decided=False))
            case _:
                pass
    decision, decided_by_class = held[-1] if held else (None, "")
    return replace(
        family,
        ballots=_counted_ballots(family.round, ballots, acts),
        decision=decision,
        decided_by_class=decided_by_class,
        comments=tuple([act for act in acts if isinstance(act.act, CommentAdded)]),
    )


def _in_order(
    acts: list[RecordedAct], decisions: Iterable[tuple[int, Decision]]
) -> list[tuple[int, RecordedAct | Decision]]:
    """Acts and decisions by their links; of one link the acts first, for they bring the decision about."""
    events: list[tuple[int, RecordedAct | Decision]] = [(act.link, act) for act in acts]
    events += decisions
    return sorted(events, key=itemgetter(0))


def _apply_act(family: FamilyState, recorded: RecordedAct) -> FamilyState:
    """A matter after an act that brings no decision about and takes none back."""
    match recorded.act:
        case Reopened():
            return replace(family, round=Round(family.round.number + 1, recorded.link), is_discussed=False)
        case SecondVote():
            second = Round(family.round.number + 1, recorded.link, is_second=True)
            return replace(family, round=second, is_discussed=False)
        case DiscussionOpened():
            return replace(family, is_discussed=True)
        case Recused():
            return replace(family, recused=family.recused | {recorded.actor})
        case PriorityRaised():
            return replace(family, is_raised=True)
        case _:
            return family


def _counted_ballots(round: Round, ballots: Iterable[LinkedBallot], acts: Sequence[RecordedAct]) -> tuple[Ballot, ...]:
    back = {act.act.ballot for act in acts if isinstance(act.act, BallotRetracted)}
    return tuple([each.ballot for each in ballots if each.link > round.after_link and each.ballot.id not in back])
