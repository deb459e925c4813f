"""The ledger of curation: the queue, ballots, decisions, acts and overrides, appended and never edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from types import TracebackType
from typing import Final, NamedTuple, Self, TypeAlias

import msgspec

from ordws.curation.acts import (
    Act,
    BallotRetracted,
    ClassAdopted,
    ClassDecisionReverted,
    ClassReverted,
    ClassVerdict,
    CommentAdded,
    DecidedByClass,
    DiscussionOpened,
    Reopened,
    SecondVote,
    write_act,
)
from ordws.curation.decision import (
    DEFAULT_PANEL_SIZE,
    NO_VOTES,
    Ballot,
    Decision,
    decide,
    is_name,
    normalize_utc,
    read_reason,
)
from ordws.curation.decision import OverrideAct as OverrideAct
from ordws.curation.family import Candidate, Family, FamilyStanding
from ordws.curation.hash_chain import ChainHead, Row
from ordws.curation.ledger_state import WITHDRAWN_STANDING, LedgerState, candidates
from ordws.curation.voting_rounds import FamilyState
from ordws.errors import BadBallot, BadInput

_ENCODER: Final = msgspec.json.Encoder()

FamilyStandings: TypeAlias = Mapping[str, FamilyStanding | None]
EvidenceTexts: TypeAlias = Mapping[str, Mapping[str, str | None]]


class QueueCounts(NamedTuple):
    """The changes that a list made to the queue, in families."""

    new: int
    changed: int
    withdrawn: int
    unchanged: int


class QueueUpdate(NamedTuple):
    """The rows that make a list the queue, and the changes that they make."""

    families: list[Row]
    candidates: list[Row]
    counts: QueueCounts


def diff_queue(listed: Mapping[str, Family], standings: FamilyStandings, evidence: EvidenceTexts) -> QueueUpdate:
    """Return the rows to append where `standings` and `evidence` are what the ledger has, withdrawals as None."""
    families: list[Row] = [
        (base, each.standing) for base, each in listed.items() if each.standing != standings.get(base)
    ]
    candidates: list[Row] = []
    for base, family in listed.items():
        known = evidence.get(base, {})
        texts = {each.word: _ENCODER.encode(each).decode() for each in family.candidates}
        candidates += [(base, word, text) for word, text in texts.items() if known.get(word) != text]
        withdrawn = [word for word, text in known.items() if text is not None and word not in texts]
        candidates += [(base, word, None) for word in withdrawn]
    queued = {base for base, standing in standings.items() if standing is not None}
    # Candidates of a family that leaves the queue stay as they are: its row alone withdraws it.
    gone = [base for base in standings if base in queued and base not in listed]
    touched = {row[0] for row in (*families, *candidates)}
    new, changed = len(listed.keys() - queued), len(touched & queued)
    counts = QueueCounts(new, changed, len(gone), len(listed) - new - changed)
    return QueueUpdate([*families, *[(base, None) for base in gone]], candidates, counts)


class LedgerStatus(NamedTuple):
    """The progress of curation, counted in the families of the queue."""

    open: int
    decided_in: int
    decided_out: int
    contested: int
    ballots: int
    curators: int
    overrides: int
    head: ChainHead


class Cast(NamedTuple):
    """The effect of casting ballots: how many are new, and the outcomes of the families that those are on."""

    new: int
    known: int
    decided_in: int
    decided_out: int
    contested: int
    open: int
    late: int
    """New ballots on families that were decided before: stored, and not counted."""


class Ledger(LedgerState):
    """The record of curation. Opening it verifies every row; what a method has written outlasts any crash.

    Every write first reads the present state inside its transaction, because another process may have written since
    its caller looked. Times are given as texts in UTC.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def families(self) -> dict[str, Family]:
        """Return the families of the queue with their evidence, by base."""
        standings, evidence = self.standings(), self.evidence_texts()
        return {
            base: Family(base, standing, candidates(evidence[base]))
            for base, standing in standings.items()
            if standing is not None
        }

    def disclosed_ballots(self) -> list[Ballot]:
        """Return the ballots on families that votes have decided, in order, without those taken back.

        A family that a class has decided is left out too: it is open again if the class is reverted.
        """
        ballots = self.ballots()
        decided = {
            base
            for base, each in self.family_states({ballot.family for ballot in ballots}).items()
            if each.round.is_decided and not each.is_contested and not each.decided_by_class
        }
        retracted = {done.act.ballot for done in self.acts(decided) if isinstance(done.act, BallotRetracted)}
        return [each for each in ballots if each.family in decided and each.id not in retracted]

    def evidence(self, bases: Iterable[str]) -> dict[str, tuple[Candidate, ...]]:
        """Return the forms at stake in these families, with their evidence."""
        return {base: candidates(texts) for base, texts in self.evidence_texts(bases).items()}

    def ballot(self, id: str) -> Ballot | None:
        """Return the ballot of this id, which may have been taken back; None if there is none."""
        return self.ballots_by_id([id]).get(id)

    def last_link_number(self) -> int:
        """Return the number of links in the database, also those that another process appended."""
        ((number,),) = self.read("SELECT ifnull(max(number), 0) FROM links")
        return int(number)

    def status(self) -> LedgerStatus:
        """Return the progress of curation."""
        queued = [family for family in self.family_states().values() if family.standing is not None]
        outcomes = Counter(
            ["open" if each.is_open or each.decision is None else each.decision.outcome for each in queued]
        )
        ((ballots, curators),) = self.read("SELECT count(*), count(DISTINCT curator) FROM ballots")
        return LedgerStatus(
            open=outcomes["open"],
            decided_in=outcomes["in"],
            decided_out=outcomes["out"],
            contested=outcomes["contested"],
            ballots=ballots,
            curators=curators,
            overrides=len(self.overrides()),
            head=self.head,
        )

    def set_queue(self, families: Iterable[Family], at: str) -> QueueCounts:
        """Make the builder's whole list the queue; only the differences are appended."""
        listed = {family.base: family for family in families}
        with self.transaction("queue", normalize_utc(at)) as rows:
            update = diff_queue(listed, self.standings(), self.evidence_texts())
            rows["families"], rows["candidates"] = update.families, update.candidates
        return update.counts

    def cast(
        self,
        ballots: Mapping[str, Ballot],
        at: str,
        *,
        panel: int = DEFAULT_PANEL_SIZE,
        rounds: Mapping[str, int] | None = None,
    ) -> Cast:
        """Append ballots, each under the place where it was read, and the decisions that they complete.

        A ballot that the ledger has already counts once. `rounds` says for which round of a family its ballots are
        meant. Raises BadBallot, and appends nothing, if one of them cannot be counted or its round is over.
        """
        with self.transaction("ballots", normalize_utc(at)) as rows:
            families = self.family_states({ballot.family for ballot in ballots.values()})
            known = self.ballots_by_id([ballot.id for ballot in ballots.values()])
            forms = self.forms(families)
            new: dict[str, Ballot] = {}
            for place, ballot in ballots.items():
                if known.get(ballot.id, ballot) != ballot:
                    raise BadBallot(f"{place}: id: a ballot with this id and other content was cast before")
                if ballot.family not in families:
                    raise BadBallot(f"{place}: family: no such family was ever queued")
                if not forms[ballot.family].keys() >= set(ballot.forms):
                    raise BadBallot(f"{place}: forms: not all of them are forms of the family")
                if ballot.id in known:
                    continue
                family = families[ballot.family]
                if ballot.curator in family.recused:
                    raise BadBallot(f"{place}: curator: has an interest in the family, and does not vote on it")
                if (rounds or {}).get(ballot.family, family.round.number) != family.round.number:
                    raise BadBallot(f"{place}: the round that this vote was meant for is over")
                # Noted as known, so that a ballot that comes twice in one call counts once.
                known[ballot.id] = new[place] = ballot
            by_family: dict[str, list[Ballot]] = {}
            for ballot in new.values():
                by_family.setdefault(ballot.family, []).append(ballot)
            undecided = [families[base] for base in sorted(by_family) if not families[base].round.is_decided]
            decisions = [_decide(each, (*each.ballots, *by_family[each.base]), panel) for each in undecided]
            rows["ballots"] = [
                (each.id, each.family, each.curator, each.vote, " ".join(each.forms), each.reason, each.at)
                for each in new.values()
            ]
            rows["decisions"] = _decision_rows(decisions)
        outcomes = Counter([each.outcome for each in decisions])
        return Cast(
            new=len(new),
            known=len(ballots) - len(new),
            decided_in=outcomes["in"],
            decided_out=outcomes["out"],
            contested=outcomes["contested"],
            open=outcomes["open"],
            late=sum(families[ballot.family].round.is_decided for ballot in new.values()),
        )

    def retract(self, ballot: str, curator: str, at: str, *, panel: int = DEFAULT_PANEL_SIZE) -> None:
        """Take a ballot back for its curator; raise BadInput if it no longer counts, or is another curator's.

        A decision that the ballots left do not lead to falls: a refusal would tell the curator how others voted.
        """
        with self.transaction("retraction", normalize_utc(at)) as rows:
            cast = self.ballot(ballot)
            if cast is None or cast.curator != curator:
                raise BadInput("you have no such vote")
            family = self.family_states([cast.family])[cast.family]
            if cast not in family.ballots:
                raise BadInput("the vote was taken back before, or its round is over")
            if not family.can_lose_ballots:
                raise BadInput("the family is contested, or decided with its class")
            rows["acts"] = [_act_row(family.base, curator, BallotRetracted(ballot=ballot))]
            # The ballots that are left may decide the family: two in and one out, without the one out.
            left = [each for each in family.ballots if each != cast]
            rows["decisions"] = _decision_rows([_decide(family, left, panel)])

    def reopen(self, base: str, keeper: str, reason: str, at: str) -> None:
        """Begin a new blind round on a decided family; raise BadInput if votes are being taken on it."""
        with self.transaction("reopening", normalize_utc(at)) as rows:
            if self._queued_family(base).is_open:
                raise BadInput("the family is being voted on")
            rows["acts"] = [_act_row(base, keeper, Reopened(reason=read_reason(reason)))]

    def open_discussion(self, base: str, chair: str, at: str) -> None:
        """Put a contested family up for discussion; raise BadInput if it is not contested, or is discussed already."""
        with self.transaction("discussion", normalize_utc(at)) as rows:
            family = self._queued_family(base)
            if not family.is_contested or family.is_discussed:
                raise BadInput("the family is not contested, or is being discussed")
            rows["acts"] = [_act_row(base, chair, DiscussionOpened())]

    def add_comment(self, base: str, curator: str, text: str, at: str) -> None:
        """Add a comment to a discussion; raise BadInput if there is none, or the text cannot be stored."""
        with self.transaction("discussion", normalize_utc(at)) as rows:
            if not self._queued_family(base).is_discussed:
                raise BadInput("the family is not being discussed")
            rows["acts"] = [_act_row(base, curator, CommentAdded(text=read_reason(text)))]

    def open_second_vote(self, base: str, chair: str, at: str) -> None:
        """End a discussion by a second blind round; raise BadInput if there is no discussion."""
        with self.transaction("second vote", normalize_utc(at)) as rows:
            if not self._queued_family(base).is_discussed:
                raise BadInput("the family is not being discussed")
            rows["acts"] = [_act_row(base, chair, SecondVote())]

    def adopt_class(self, name: str, verdict: ClassVerdict, bases: Collection[str], keeper: str, at: str) -> int:
        """Decide the open families among these alike, and return their number; votes cast so far are kept."""
        tally, decisions = NO_VOTES._replace(outcome=verdict), list[Decision]()
        with self.transaction("class", normalize_utc(at)) as rows:
            rows["acts"] = acts = [_act_row(name, keeper, ClassAdopted())]
            for base, family in self.family_states(bases).items():
                # A family in a later round was re-opened or discussed by itself, and stays with the panel.
                if family.standing is not None and family.is_open and family.round.number == 1:
                    acts.append(_act_row(base, keeper, DecidedByClass(class_=name)))
                    tallies = dict.fromkeys(sorted(family.forms), tally)
                    decisions.append(Decision(base, family.standing, tallies, tally))
            rows["decisions"] = _decision_rows(decisions)
        return len(decisions)

    def revert_class(self, name: str, keeper: str, reason: str, at: str, *, panel: int = DEFAULT_PANEL_SIZE) -> int:
        """Put the families that a class decided where they were before, and return their number."""
        with self.transaction("class", normalize_utc(at)) as rows:
            sql = "SELECT DISTINCT subject FROM acts WHERE json_extract(act, '$.kind') = 'ruled'"
            found = self.read(f"{sql} AND json_extract(act, '$.class') = :name", {"name": name})
            # Families that were decided otherwise since are left as they are.
            states = self.family_states([base for (base,) in found]).values()
            families = [family for family in states if family.decided_by_class == name]
            acts = [_act_row(family.base, keeper, ClassDecisionReverted(class_=name)) for family in families]
            rows["acts"] = [_act_row(name, keeper, ClassReverted(reason=read_reason(reason))), *acts]
            # Votes that came too late because the class had decided count now, and may decide.
            rows["decisions"] = _decision_rows([_decide(family, family.ballots, panel) for family in families])
        return len(families)

    def append_acts(self, acts: Iterable[tuple[str, Act]], actor: str, at: str) -> None:
        """Append acts, each with its subject, that change no round and no decision."""
        with self.transaction("note", normalize_utc(at)) as rows:
            rows["acts"] = [_act_row(subject, actor, act) for subject, act in acts]

    def override(self, act: OverrideAct, word: str, *, reason: str, keeper: str, at: str) -> None:
        """Append a keeper's override of a folded word, or the lifting of the one that holds."""
        reason = read_reason(reason)
        if len(word) < 3:
            raise BadInput("two-letter words are the published list of the rule set, which no override changes")
        if not is_name(keeper):
            raise BadInput("an override needs the name of its keeper")
        with self.transaction("override", normalize_utc(at)) as rows:
            if act == "lift" and word not in self.overrides():
                raise BadInput("there is no override of this word to lift")
            rows["overrides"] = [(word, act, keeper, reason)]

    def _queued_family(self, base: str) -> FamilyState:
        """Return the state of a family; raise BadInput if it is not in the queue."""
        family = self.family_states([base]).get(base)
        if family is None or family.standing is None:
            raise BadInput("there is no such family in the queue")
        return family


def _decide(family: FamilyState, ballots: Iterable[Ballot], panel: int) -> Decision:
    return decide(family.base, family.standing or WITHDRAWN_STANDING, family.forms, ballots, panel=panel)


def _act_row(subject: str, actor: str, act: Act) -> Row:
    if not is_name(actor):
        raise BadInput("an act needs the name of its actor")
    return (subject, actor, write_act(act))


def _decision_rows(decisions: Iterable[Decision]) -> list[Row]:
    """Return the rows of those decisions that are not open."""
    return [
        (each.family, each.outcome, msgspec.json.encode(each.forms).decode(), msgspec.json.encode(each.rest).decode())
        for each in decisions
        if each.outcome != "open"
    ]
