"""The ballot box: what is appended to a chain when somebody votes, takes a vote back, or asks for another round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from ordws.curation import state
from ordws.curation.acts import (
    Act,
    ClassAdopted,
    ClassReverted,
    DiscussionOpened,
    Reopened,
    Retracted,
    Reverted,
    Ruled,
    Said,
    SecondVote,
    write_act,
)
from ordws.curation.ballot import Ballot, is_name, is_reason
from ordws.curation.chain import Chain
from ordws.curation.decision import NO_VOTES, Decision, Tally, decide
from ordws.curation.link import Row
from ordws.curation.rounds import Matter
from ordws.errors import BadBallot, BadInput

Verdict: TypeAlias = Literal["in", "out"]
Matters: TypeAlias = Mapping[str, Matter]


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


def cast(chain: Chain, ballots: Mapping[str, Ballot], at: str, *, panel: int, rounds: Mapping[str, int]) -> Cast:
    """See `Ledger.cast`."""
    with chain.appending("ballots", at) as rows:
        matters = state.matters(chain, {ballot.family for ballot in ballots.values()})
        new = _new(chain, ballots, matters, rounds)
        by_family: dict[str, list[Ballot]] = {}
        for ballot in new.values():
            by_family.setdefault(ballot.family, []).append(ballot)
        undecided = [matters[base] for base in sorted(by_family) if not matters[base].round.is_decided]
        found = [_decided(each, (*each.ballots, *by_family[each.base]), panel) for each in undecided]
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


def retract(chain: Chain, id: str, curator: str, at: str, *, panel: int) -> None:
    """See `Ledger.retract`. What is left may decide the family: two in and one out, less the one out."""
    with chain.appending("retraction", at) as rows:
        ballot = state.ballots_by_id(chain, [id]).get(id)
        if ballot is None or ballot.curator != curator:
            raise BadInput("there is no such vote of yours")
        matter = state.matters(chain, [ballot.family])[ballot.family]
        if ballot not in matter.ballots:
            raise BadInput("the vote was taken back before, or its round is over")
        if matter.round.is_decided:
            raise BadInput("the family is decided", hint="it can be re-opened, with a reason")
        left = _decided(matter, [each for each in matter.ballots if each != ballot], panel)
        rows["acts"] = [_act_row(matter.base, curator, Retracted(ballot=id))]
        rows["decisions"] = [_decision_row(left)] if left.outcome != "open" else []


def reopen(chain: Chain, base: str, keeper: str, reason: str, at: str) -> None:
    """See `Ledger.reopen`."""
    _check_reason(reason)
    with chain.appending("reopening", at) as rows:
        matter = _matter(chain, base)
        if matter.is_open:
            raise BadInput("the family is being voted on")
        rows["acts"] = [_act_row(base, keeper, Reopened(reason=reason.strip()))]


def open_discussion(chain: Chain, base: str, chair: str, at: str) -> None:
    """See `Ledger.open_discussion`."""
    with chain.appending("discussion", at) as rows:
        matter = _matter(chain, base)
        if not matter.is_contested or matter.is_discussed:
            raise BadInput("the family is not contested, or is being discussed")
        rows["acts"] = [_act_row(base, chair, DiscussionOpened())]


def say(chain: Chain, base: str, curator: str, text: str, at: str) -> None:
    """See `Ledger.say`."""
    _check_reason(text)
    with chain.appending("discussion", at) as rows:
        if not _matter(chain, base).is_discussed:
            raise BadInput("the family is not being discussed")
        rows["acts"] = [_act_row(base, curator, Said(text=text.strip()))]


def vote_again(chain: Chain, base: str, chair: str, at: str) -> None:
    """See `Ledger.vote_again`."""
    with chain.appending("second vote", at) as rows:
        if not _matter(chain, base).is_discussed:
            raise BadInput("the family is not being discussed")
        rows["acts"] = [_act_row(base, chair, SecondVote())]


def adopt_class(chain: Chain, name: str, verdict: Verdict, bases: Collection[str], keeper: str, at: str) -> int:
    """See `Ledger.adopt_class`. A class decides what nobody has decided, and leaves the votes so far as they are."""
    alike = NO_VOTES._replace(outcome=verdict)
    with chain.appending("class", at) as rows:
        found = state.matters(chain, bases).values()
        ruled = [matter for matter in found if matter.is_open and matter.round.number == 1]
        rulings = [_act_row(matter.base, keeper, Ruled(class_=name)) for matter in ruled]
        rows["acts"] = [_act_row(name, keeper, ClassAdopted()), *rulings]
        rows["decisions"] = [_decision_row(_alike(matter, alike)) for matter in ruled]
    return len(ruled)


def revert_class(chain: Chain, name: str, keeper: str, reason: str, at: str, *, panel: int) -> int:
    """See `Ledger.revert_class`. Votes that came too late for the ruling count now, and may decide."""
    _check_reason(reason)
    with chain.appending("class", at) as rows:
        sql = "SELECT DISTINCT subject FROM acts WHERE json_extract(act, '$.kind') = 'ruled'"
        once = [base for (base,) in chain.read(f"{sql} AND json_extract(act, '$.class') = :name", {"name": name})]
        ruled = [matter for matter in state.matters(chain, once).values() if matter.ruled_by == name]
        reverted = [_act_row(matter.base, keeper, Reverted(class_=name)) for matter in ruled]
        rows["acts"] = [_act_row(name, keeper, ClassReverted(reason=reason.strip())), *reverted]
        left = [_decided(matter, matter.ballots, panel) for matter in ruled]
        rows["decisions"] = [_decision_row(each) for each in left if each.outcome != "open"]
    return len(ruled)


def note(chain: Chain, acts: Iterable[tuple[str, Act]], who: str, at: str) -> None:
    """See `Ledger.note`."""
    with chain.appending("note", at) as rows:
        rows["acts"] = [_act_row(subject, who, act) for subject, act in acts]


def _new(chain: Chain, ballots: Mapping[str, Ballot], matters: Matters, rounds: Mapping[str, int]) -> dict[str, Ballot]:
    """The ballots that the ledger does not have, by place; raises BadBallot for one that cannot be counted."""
    known = state.ballots_by_id(chain, [ballot.id for ballot in ballots.values()])
    forms = state.forms(chain, matters)
    new: dict[str, Ballot] = {}
    for place, ballot in ballots.items():
        if known.get(ballot.id, ballot) != ballot:
            raise BadBallot(f"{place}: id: a ballot with this id and other content was cast before")
        if ballot.family not in matters:
            raise BadBallot(f"{place}: family: no such family was ever queued")
        if not forms[ballot.family].keys() >= set(ballot.forms):
            raise BadBallot(f"{place}: forms: not all of them are forms of the family")
        if ballot.id not in known and ballot.curator in matters[ballot.family].recused:
            raise BadBallot(f"{place}: curator: has an interest in the family, and does not vote on it")
        now = matters[ballot.family].round.number
        if ballot.id not in known and rounds.get(ballot.family, now) != now:
            raise BadBallot(f"{place}: the round that this vote was meant for is over")
        if ballot.id not in known:
            known[ballot.id] = new[place] = ballot
    return new


def _matter(chain: Chain, base: str) -> Matter:
    """Raises BadInput for a family that is not in the queue."""
    matter = state.matters(chain, [base]).get(base)
    if matter is None or matter.standing is None:
        raise BadInput("there is no such family in the queue")
    return matter


def _check_reason(text: str) -> None:
    if not text.strip() or not is_reason(text):
        raise BadInput("a reason is needed, of at most 4000 characters and without control characters")


def _decided(matter: Matter, ballots: Iterable[Ballot], panel: int) -> Decision:
    return decide(matter.base, matter.standing or state.WITHDRAWN, matter.forms, ballots, panel=panel)


def _alike(matter: Matter, tally: Tally) -> Decision:
    return Decision(matter.base, matter.standing or state.WITHDRAWN, dict.fromkeys(sorted(matter.forms), tally), tally)


def _act_row(subject: str, who: str, act: Act) -> Row:
    if not is_name(who):
        raise BadInput("an act needs the name of who does it")
    return (subject, who, write_act(act))


def _ballot_row(ballot: Ballot) -> Row:
    forms = " ".join(ballot.forms)
    return (ballot.id, ballot.family, ballot.curator, ballot.vote, forms, ballot.reason, ballot.at)


def _decision_row(decision: Decision) -> Row:
    forms, rest = msgspec.json.encode(decision.forms).decode(), msgspec.json.encode(decision.rest).decode()
    return (decision.family, decision.outcome, forms, rest)
