"""The ledger of curation: the queue, ballots, decisions and overrides, appended and never edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self, TypeAlias

import msgspec

from ordws.curation import state
from ordws.curation.ballot import Ballot, is_name, is_reason, utc
from ordws.curation.chain import Chain
from ordws.curation.decision import PANEL, Decision, decide
from ordws.curation.family import Family
from ordws.curation.head import Signer
from ordws.curation.link import Head, Row
from ordws.curation.listing import Queued, by_base, changes
from ordws.curation.override import Act, Override
from ordws.errors import BadBallot, BadInput

Forms: TypeAlias = Mapping[str, Mapping[str, bool]]
"""The forms of families, and whether each is still at stake."""


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


class Status(NamedTuple):
    """How far curation has come; families are those in the queue."""

    open: int
    decided_in: int
    decided_out: int
    contested: int
    ballots: int
    curators: int
    overrides: int
    head: Head


class Ledger:
    """What curation knows. What a method has returned, no crash takes back; opening checks every row."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain

    @classmethod
    def create(cls, path: Path, head: Path, key: bytes, signer: Signer) -> Self:
        """A new, empty ledger; refuses to take the place of another."""
        return cls(Chain.create(path, head, key, signer))

    @classmethod
    def open(cls, path: Path, head: Path, key: bytes, signer: Signer) -> Self:
        """A ledger that holds; raises LedgerBroken, which says what does not."""
        return cls(Chain.open(path, head, key, signer))

    def close(self) -> None:
        self._chain.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def head(self) -> Head:
        """How many links the chain has, and the hash of the last."""
        return self._chain.head

    def families(self) -> dict[str, Family]:
        """The queue, by base."""
        standings, evidence = state.standings(self._chain), state.evidence(self._chain)
        return {
            base: Family(base, standing, state.candidates(evidence[base]))
            for base, standing in standings.items()
            if standing is not None
        }

    def ballots(self) -> list[Ballot]:
        """All ballots in the order they were cast."""
        return state.ballots(self._chain)

    def decisions(self) -> dict[str, Decision]:
        """What has been decided, by base; a family that is not there is open."""
        return state.decisions(self._chain)

    def overrides(self) -> dict[str, Override]:
        """The keepers' exceptions that hold, by word."""
        return state.overrides(self._chain)

    def status(self) -> Status:
        decided = state.outcomes(self._chain)
        queued = [base for base, standing in state.standings(self._chain).items() if standing is not None]
        outcomes = Counter([decided.get(base, "open") for base in queued])
        ((ballots, curators),) = self._chain.read("SELECT count(*), count(DISTINCT curator) FROM ballots")
        return Status(
            open=outcomes["open"],
            decided_in=outcomes["in"],
            decided_out=outcomes["out"],
            contested=outcomes["contested"],
            ballots=ballots,
            curators=curators,
            overrides=len(self.overrides()),
            head=self.head,
        )

    def queue(self, families: Iterable[Family], at: str) -> Queued:
        """Make the builder's list, whole, the queue: only what differs is appended."""
        listed = by_base(families)
        with self._chain.appending("queue", utc(at)) as rows:
            made = changes(listed, state.standings(self._chain), state.evidence(self._chain))
            rows["families"], rows["candidates"] = made.families, made.candidates
        return made.queued

    def cast(self, ballots: Mapping[str, Ballot], at: str, *, panel: int = PANEL) -> Cast:
        """Append ballots, each under the place it was read at, and what they decide; at BadBallot nothing is.

        A ballot that is in the ledger already counts once.
        """
        with self._chain.appending("ballots", utc(at)) as rows:
            forms = state.forms(self._chain, {ballot.family for ballot in ballots.values()})
            new = self._new(ballots, forms)
            found = self._decide(new.values(), forms, panel)
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
            late=sum(ballot.family not in {each.family for each in found} for ballot in new.values()),
        )

    def override(self, act: Act, word: str, *, reason: str, keeper: str, at: str) -> None:
        """Append a keeper's exception for a folded word, or the lifting of the one that holds."""
        if not reason.strip() or not is_reason(reason):
            raise BadInput("an override needs a reason, without control characters")
        if len(word) < 3:
            raise BadInput("two-letter words are the published list of the rule set, which no override changes")
        if not is_name(keeper):
            raise BadInput("an override needs the name of its keeper")
        with self._chain.appending("override", utc(at)) as rows:
            if act == "lift" and word not in self.overrides():
                raise BadInput("there is no override of this word to lift")
            rows["overrides"] = [(word, act, keeper, reason.strip())]

    def _new(self, ballots: Mapping[str, Ballot], forms: Forms) -> dict[str, Ballot]:
        """The ballots that the ledger does not have, by place; raises BadBallot for one that cannot be counted."""
        known = state.ballots_by_id(self._chain, [ballot.id for ballot in ballots.values()])
        new: dict[str, Ballot] = {}
        for place, ballot in ballots.items():
            if known.get(ballot.id, ballot) != ballot:
                raise BadBallot(f"{place}: id: a ballot with this id and other content was cast before")
            if ballot.family not in forms:
                raise BadBallot(f"{place}: family: no such family was ever queued")
            if not forms[ballot.family].keys() >= set(ballot.forms):
                raise BadBallot(f"{place}: forms: not all of them are forms of the family")
            if ballot.id not in known:
                known[ballot.id] = new[place] = ballot
        return new

    def _decide(self, new: Collection[Ballot], forms: Forms, panel: int) -> list[Decision]:
        """What becomes of the undecided families that ballots are on. A round is all the ballots on a family so far."""
        bases = {ballot.family for ballot in new}
        undecided = sorted(bases - state.decisions(self._chain, bases).keys())
        rounds: dict[str, list[Ballot]] = {base: [] for base in undecided}
        for ballot in (*state.ballots(self._chain, undecided), *new):
            if ballot.family in rounds:
                rounds[ballot.family].append(ballot)
        standings = state.standings(self._chain, undecided)
        return [
            decide(
                base,
                standings[base] or state.WITHDRAWN,
                [form for form, at_stake in forms[base].items() if at_stake],
                rounds[base],
                panel=panel,
            )
            for base in undecided
        ]


def _ballot_row(ballot: Ballot) -> Row:
    forms = " ".join(ballot.forms)
    return (ballot.id, ballot.family, ballot.curator, ballot.vote, forms, ballot.reason, ballot.at)


def _decision_row(decision: Decision) -> Row:
    forms, rest = msgspec.json.encode(decision.forms).decode(), msgspec.json.encode(decision.rest).decode()
    return (decision.family, decision.outcome, forms, rest)
