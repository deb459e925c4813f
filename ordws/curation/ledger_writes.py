"""The ballot box: what is appended to a chain when somebody votes, takes a vote back, or asks for another round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from ordws.curation import ledger_state
from ordws.curation.acts import (
    Act,
    BallotRetracted,
    ClassAdopted,
    ClassDecisionReverted,
    ClassReverted,
    CommentAdded,
    DecidedByClass,
    DiscussionOpened,
    Reopened,
    SecondVote,
    write_act,
)
from ordws.curation.ballot import Ballot, is_name, is_reason
from ordws.curation.chain_link import Row
from ordws.curation.decision import NO_VOTES, Decision, Tally, decide
from ordws.curation.hash_chain import HashChain
from ordws.curation.voting_rounds import FamilyState
from ordws.errors import BadBallot, BadInput

ClassVerdict: TypeAlias = Literal["in", "out"]
_FamilyStates: TypeAlias = Mapping[str, FamilyState]


class Cast(NamedTuple):
    """What ballots brought about: how many are new, and what became of the families that those are on."""

    new: int
    known: int
    decided_in: int
    decided_out: int
    contested: int
    open: int
    late: int
    """New ballots on families that were decided before: kept, and not counted."""


def cast(chain: HashChain, ballots: Mapping[str, Ballot], at: str, *, panel: int, rounds: Mapping[str, int]) -> Cast:
    """See `Ledger.cast`."""
    with chain.transaction("ballots", at) as rows:
        matters = ledger_state.family_states(chain, {ballot.family for ballot in ballots.values()})
        new = _new_ballots(chain, ballots, matters, rounds)
        by_family: dict[str, list[Ballot]] = {}
        for ballot in new.values():
            by_family.setdefault(ballot.family, []).append(ballot)
        undecided = [matters[base] for base in sorted(by_family) if not matters[base].round.is_decided]
        found = [_decide(each, (*each.ballots, *by_family[each.base]), panel) for each in undecided]
        rows["ballots"] = [_ballot_row(ballot) for ballot in new.values()]
        rows["decisions"] = [_decision_row(each) for each in found if each.outcome != "open"]
    outcomes = Counter([each.outcome for each in found])
    return Cast(
        new=len(new),
        known=len(ballots) - len(new),
        decided_in=outcomes["in"],
        decided_out=outcomes["out"],
        contested=outcomes["contested"],
        open=outcomes["open"],
        late=sum(matters[ballot.family].round.is_decided for ballot in new.values()),
    )


def retract(chain: HashChain, id: str, curator: str, at: str, *, panel: int) -> None:
    """See `Ledger.retract`. What is left may decide the family: two in and one out, less the one out."""
    with chain.transaction("retraction", at) as rows:
        ballot = ledger_state.ballots_by_id(chain, [id]).get(id)
        if ballot is None or ballot.curator != curator:
            raise BadInput("there is no such vote of yours")
        matter = ledger_state.family_states(chain, [ballot.family])[ballot.family]
        if ballot not in matter.ballots:
            raise BadInput("the vote was taken back before, or its round is over")
        if matter.round.is_decided:
            raise BadInput("the family is decided", hint="it can be re-opened, with a reason")
        left = _decide(matter, [each for each in matter.ballots if each != ballot], panel)
        rows["acts"] = [_act_row(matter.base, curator, BallotRetracted(ballot=id))]
        rows["decisions"] = [_decision_row(left)] if left.outcome != "open" else []


def reopen(chain: HashChain, base: str, keeper: str, reason: str, at: str) -> None:
    """See `Ledger.reopen`."""
    _check_reason(reason)
    with chain.transaction("reopening", at) as rows:
        matter = _queued_family(chain, base)
        if matter.is_open:
            raise BadInput("the family is being voted on")
        rows["acts"] = [_act_row(base, keeper, Reopened(reason=reason.strip()))]


def open_discussion(chain: HashChain, base: str, chair: str, at: str) -> None:
    """See `Ledger.open_discussion`."""
    with chain.transaction("discussion", at) as rows:
        matter = _queued_family(chain, base)
        if not matter.is_contested or matter.is_discussed:
            raise BadInput("the family is not contested, or is being discussed")
        rows["acts"] = [_act_row(base, chair, DiscussionOpened())]


def add_comment(chain: HashChain, base: str, curator: str, text: str, at: str) -> None:
    """See `Ledger.say`."""
    _check_reason(text)
    with chain.transaction("discussion", at) as rows:
        if not _queued_family(chain, base).is_discussed:
            raise BadInput("the family is not being discussed")
        rows["acts"] = [_act_row(base, curator, CommentAdded(text=text.strip()))]


def open_second_vote(chain: HashChain, base: str, chair: str, at: str) -> None:
    """See `Ledger.vote_again`."""
    with chain.transaction("second vote", at) as rows:
        if not _queued_family(chain, base).is_discussed:
            raise BadInput("the family is not being discussed")
        rows["acts"] = [_act_row(base, chair, SecondVote())]


def adopt_class(
    chain: HashChain, name: str, verdict: ClassVerdict, bases: Collection[str], keeper: str, at: str
) -> int:
    """See `Ledger.adopt_class`. A class decides what nobody has decided, and leaves the votes so far as they are."""
    alike = NO_VOTES._replace(outcome=verdict)
    with chain.transaction("class", at) as rows:
        found = ledger_state.family_states(chain, bases).values()
        ruled = [matter for matter in found if matter.is_open and matter.round.number == 1]
        rulings = [_act_row(matter.base, keeper, DecidedByClass(class_=name)) for matter in ruled]
        rows["acts"] = [_act_row(name, keeper, ClassAdopted()), *rulings]
        rows["decisions"] = [_decision_row(_uniform_decision(matter, alike)) for matter in ruled]
    return len(ruled)


def revert_class(chain: HashChain, name: str, keeper: str, reason: str, at: str, *, panel: int) -> int:
    """See `Ledger.revert_class`. Votes that came too late for the ruling count now, and may decide."""
    _check_reason(reason)
    with chain.transaction("class", at) as rows:
        sql = "SELECT DISTINCT subject FROM acts WHERE json_extract(act, '$.kind') = 'ruled'"
        once = [base for (base,) in chain.read(f"{sql} AND json_extract(act, '$.class') = :name", {"name": name})]
        ruled = [
            matter for matter in ledger_state.family_states(chain, once).values() if matter.decided_by_class == name
        ]
        reverted = [_act_row(matter.base, keeper, ClassDecisionReverted(class_=name)) for matter in ruled]
        rows["acts"] = [_act_row(name, keeper, ClassReverted(reason=reason.strip())), *reverted]
        left = [_decide(matter, matter.ballots, panel) for matter in ruled]
        rows["decisions"] = [_decision_row(each) for each in left if each.outcome != "open"]
    return len(ruled)


def append_acts(chain: HashChain, acts: Iterable[tuple[str, Act]], actor: str, at: str) -> None:
    """See `Ledger.note`."""
    with chain.transaction("note", at) as rows:
        rows["acts"] = [_act_row(subject, actor, act) for subject, act in acts]


def _new_ballots(
    chain: HashChain, ballots: Mapping[str, Ballot], families: _FamilyStates, rounds: Mapping[str, int]
) -> dict[str, Ballot]:
    """The ballots that the ledger does not have, by place; raises BadBallot for one that cannot be counted."""
    known = ledger_state.ballots_by_id(chain, [ballot.id for ballot in ballots.values()])
    forms = ledger_state.forms(chain, families)
    new: dict[str, Ballot] = {}
    for place, ballot in ballots.items():
        if known.get(ballot.id, ballot) != ballot:
            raise BadBallot(f"{place}: id: a ballot with this id and other content was cast before")
        if ballot.family not in families:
            raise BadBallot(f"{place}: family: no such family was ever queued")
        if not forms[ballot.family].keys() >= set(ballot.forms):
            raise BadBallot(f"{place}: forms: not all of them are forms of the family")
        if ballot.id not in known and ballot.curator in families[ballot.family].recused:
            raise BadBallot(f"{place}: curator: has an interest in the family, and does not vote on it")
        now = families[ballot.family].round.number
        if ballot.id not in known and rounds.get(ballot.family, now) != now:
            raise BadBallot(f"{place}: the round that this vote was meant for is over")
        if ballot.id not in known:
            known[ballot.id] = new[place] = ballot
    return new


def _queued_family(chain: HashChain, base: str) -> FamilyState:
    """Raises BadInput for a family that is not in the queue."""
    matter = ledger_state.family_states(chain, [base]).get(base)
    if matter is None or matter.standing is None:
        raise BadInput("there is no such family in the queue")
    return matter


def _check_reason(text: str) -> None:
    if not text.strip() or not is_reason(text):
        raise BadInput("a reason is needed, of at most 4000 characters and without control characters")


def _decide(family: FamilyState, ballots: Iterable[Ballot], panel: int) -> Decision:
    return decide(family.base, family.standing or ledger_state.WITHDRAWN_STANDING, family.forms, ballots, panel=panel)


def _uniform_decision(family: FamilyState, tally: Tally) -> Decision:
    return Decision(
        family.base,
        family.standing or ledger_state.WITHDRAWN_STANDING,
        dict.fromkeys(sorted(family.forms), tally),
        tally,
    )


def _act_row(subject: str, actor: str, act: Act) -> Row:
    if not is_name(actor):
        raise BadInput("an act needs the name of who does it")
    return (subject, actor, write_act(act))


def _ballot_row(ballot: Ballot) -> Row:
    forms = " ".join(ballot.forms)
    return (ballot.id, ballot.family, ballot.curator, ballot.vote, forms, ballot.reason, ballot.at)


def _decision_row(decision: Decision) -> Row:
    forms, rest = msgspec.json.encode(decision.forms).decode(), msgspec.json.encode(decision.rest).decode()
    return (decision.family, decision.outcome, forms, rest)
