"""The ledger of curation: the queue, ballots, decisions and overrides, appended and never edited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from ordws.curation import changes, ledger_state, ledger_writes
from ordws.curation.acts import Act, RecordedAct
from ordws.curation.ballot import Ballot, is_name, is_reason, normalize_utc
from ordws.curation.chain_link import ChainHead
from ordws.curation.decision import DEFAULT_PANEL_SIZE, Decision
from ordws.curation.family import Candidate, Family
from ordws.curation.hash_chain import HashChain
from ordws.curation.ledger_writes import Cast, ClassVerdict
from ordws.curation.override import Override
from ordws.curation.override import OverrideAct as OverrideAct
from ordws.curation.queue_update import QueueCounts, by_base, diff_queue
from ordws.curation.signed_head import Signer
from ordws.curation.voting_rounds import FamilyState
from ordws.errors import BadInput


class LedgerStatus(NamedTuple):
    """How far curation has come; families are those in the queue."""

    open: int
    decided_in: int
    decided_out: int
    contested: int
    ballots: int
    curators: int
    overrides: int
    head: ChainHead


class Ledger:
    """What curation knows. What a method has returned, no crash takes back; opening checks every row."""

    def __init__(self, chain: HashChain) -> None:
        self._chain = chain

    @classmethod
    def create(cls, path: Path, head: Path, key: bytes, signer: Signer) -> Self:
        """A new, empty ledger; refuses to take the place of another."""
        return cls(HashChain.create(path, head, key, signer))

    @classmethod
    def open(cls, path: Path, head: Path, key: bytes, signer: Signer) -> Self:
        """A ledger that holds; raises LedgerBroken, which says what does not."""
        return cls(HashChain.open(path, head, key, signer))

    def close(self) -> None:
        self._chain.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def head(self) -> ChainHead:
        """How many links the chain has, and the hash of the last."""
        return self._chain.head

    def families(self) -> dict[str, Family]:
        """The queue, by base."""
        standings, evidence = ledger_state.standings(self._chain), ledger_state.evidence_texts(self._chain)
        return {
            base: Family(base, standing, ledger_state.candidates(evidence[base]))
            for base, standing in standings.items()
            if standing is not None
        }

    def ballots(self, bases: Iterable[str] | None = None) -> list[Ballot]:
        """All ballots in the order they were cast; on these families alone, where some are given."""
        return ledger_state.ballots(self._chain, bases)

    def decisions(self) -> dict[str, Decision]:
        """The decisions that hold, by base; a family that is not there was never decided."""
        return ledger_state.decisions(self._chain)

    def family_states(self, bases: Iterable[str] | None = None) -> dict[str, FamilyState]:
        """Families ever queued as they stand, by base; of these bases alone, where some are given."""
        return ledger_state.family_states(self._chain, bases)

    def evidence(self, bases: Iterable[str]) -> dict[str, tuple[Candidate, ...]]:
        """The forms at stake in these families, with what is known of each."""
        return {
            base: ledger_state.candidates(texts)
            for base, texts in ledger_state.evidence_texts(self._chain, bases).items()
        }

    def ballots_before(self, base: str, link: int) -> list[Ballot]:
        """The ballots on a family of the links up to one, less those that were taken back."""
        return ledger_state.ballots_before(self._chain, base, link)

    def ballot(self, id: str) -> Ballot | None:
        """The ballot of that id, also one that was taken back."""
        return ledger_state.ballots_by_id(self._chain, [id]).get(id)

    def acts(self, subjects: Iterable[str] | None = None) -> list[RecordedAct]:
        """What was done beside voting, in order; on these subjects alone, where some are given."""
        return ledger_state.acts(self._chain, subjects)

    def answers(self, curator: str, *, before: int, limit: int) -> list[ledger_state.CuratorAnswer]:
        """A curator's latest answers, the newest first, of the links before one."""
        return ledger_state.answers(self._chain, curator, before, limit)

    def nominations_since(self, row: int) -> changes.NominationActs:
        """What was nominated and what was answered after a row of the acts."""
        return changes.nominations_since(self._chain, row)

    def decisions_at(self, link: int, families: Mapping[str, FamilyState]) -> dict[str, Decision | None]:
        """By base, of the matters that were decided or reverted after a link: the decision that held then, if any."""
        return changes.decisions_at(self._chain, link, families)

    def override_counts_since(self, link: int) -> Counter[str]:
        """How many overrides of each kind, `lift` among them, were appended after a link."""
        return changes.override_counts_since(self._chain, link)

    def last_link_number(self) -> int:
        """How many links the database has by now, also those that another process appended."""
        ((number,),) = self._chain.read("SELECT ifnull(max(number), 0) FROM links")
        return int(number)

    def overrides(self) -> dict[str, Override]:
        """The keepers' exceptions that hold, by word."""
        return ledger_state.overrides(self._chain)

    def status(self) -> LedgerStatus:
        queued = [matter for matter in self.family_states().values() if matter.standing is not None]
        outcomes = Counter(
            ["open" if each.is_open or each.decision is None else each.decision.outcome for each in queued]
        )
        ((ballots, curators),) = self._chain.read("SELECT count(*), count(DISTINCT curator) FROM ballots")
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
        """Make the builder's list, whole, the queue: only what differs is appended."""
        listed = by_base(families)
        with self._chain.transaction("queue", normalize_utc(at)) as rows:
            made = diff_queue(listed, ledger_state.standings(self._chain), ledger_state.evidence_texts(self._chain))
            rows["families"], rows["candidates"] = made.families, made.candidates
        return made.counts

    def cast(
        self,
        ballots: Mapping[str, Ballot],
        at: str,
        *,
        panel: int = DEFAULT_PANEL_SIZE,
        rounds: Mapping[str, int] | None = None,
    ) -> Cast:
        """Append ballots, each under the place it was read at, and what they decide; at BadBallot nothing is.

        A ballot that is in the ledger already counts once. Where `rounds` says which round of a family a ballot is
        meant for, and that is over, it is refused.
        """
        return ledger_writes.cast(self._chain, ballots, normalize_utc(at), panel=panel, rounds=rounds or {})

    def retract(self, ballot: str, curator: str, at: str, *, panel: int = DEFAULT_PANEL_SIZE) -> None:
        """Take a ballot back, by the curator who cast it; raises BadInput where it counts no more, or is another's."""
        ledger_writes.retract(self._chain, ballot, curator, normalize_utc(at), panel=panel)

    def reopen(self, base: str, keeper: str, reason: str, at: str) -> None:
        """Begin a new blind round on a decided family; raises BadInput where votes are being taken."""
        ledger_writes.reopen(self._chain, base, keeper, reason, normalize_utc(at))

    def open_discussion(self, base: str, chair: str, at: str) -> None:
        """Put a contested family up for discussion; raises BadInput for one that is not."""
        ledger_writes.open_discussion(self._chain, base, chair, normalize_utc(at))

    def add_comment(self, base: str, curator: str, text: str, at: str) -> None:
        """Add to a discussion; raises BadInput where there is none, or for a text that is no reason."""
        ledger_writes.add_comment(self._chain, base, curator, text, normalize_utc(at))

    def open_second_vote(self, base: str, chair: str, at: str) -> None:
        """End a discussion by a second blind round; raises BadInput where there is none."""
        ledger_writes.open_second_vote(self._chain, base, chair, normalize_utc(at))

    def adopt_class(self, name: str, verdict: ClassVerdict, bases: Collection[str], keeper: str, at: str) -> int:
        """Decide those of these families that are open alike; returns how many that are."""
        return ledger_writes.adopt_class(self._chain, name, verdict, bases, keeper, normalize_utc(at))

    def revert_class(self, name: str, keeper: str, reason: str, at: str, *, panel: int = DEFAULT_PANEL_SIZE) -> int:
        """Put the families that a class decided where they were before; returns how many that are."""
        return ledger_writes.revert_class(self._chain, name, keeper, reason, normalize_utc(at), panel=panel)

    def append_acts(self, acts: Iterable[tuple[str, Act]], actor: str, at: str) -> None:
        """Append acts, each with its subject, that change no round and no decision."""
        ledger_writes.append_acts(self._chain, acts, actor, normalize_utc(at))

    def override(self, act: OverrideAct, word: str, *, reason: str, keeper: str, at: str) -> None:
        """Append a keeper's exception for a folded word, or the lifting of the one that holds."""
        if not reason.strip() or not is_reason(reason):
            raise BadInput("an override needs a reason, without control characters")
        if len(word) < 3:
            raise BadInput("two-letter words are the published list of the rule set, which no override changes")
        if not is_name(keeper):
            raise BadInput("an override needs the name of its keeper")
        with self._chain.transaction("override", normalize_utc(at)) as rows:
            if act == "lift" and word not in self.overrides():
                raise BadInput("there is no override of this word to lift")
            rows["overrides"] = [(word, act, keeper, reason.strip())]
