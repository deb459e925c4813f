"""What a running console holds: the ledger, the queue in memory, the accounts, the clock."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

from flask import current_app

from ordws.console import pace
from ordws.console.access import Member
from ordws.console.accounts import Accounts, open_accounts
from ordws.console.card_json import ComparableDecisions
from ordws.curation import calibration, family_classes
from ordws.curation.acts import CalibrationChosen, RecordedAct
from ordws.curation.card_queue import CardQueue
from ordws.curation.decision import DECIDING_LEAD, MIN_PANEL_SIZE
from ordws.curation.family import Candidate, Derivation, Family
from ordws.curation.ledger import Ledger
from ordws.curation.priority import priority
from ordws.curation.voting_rounds import FamilyState
from ordws.instance import Instance

Clock = Callable[[], int]

CONSOLE_ACTOR: Final = "console"
"""Who has done what no member did, as the ledger has it."""
_BATCH_SIZE: Final = 2_000


class ConsoleState:
    """One process has one. Whatever appends to the ledger does so in `changing`, one at a time."""

    def __init__(self, instance: Instance, ledger: Ledger, accounts: Accounts, clock: Clock, key: bytes) -> None:
        self.instance, self.accounts, self.clock, self._key = instance, accounts, clock, key
        self._ledger = ledger
        self._lock = threading.RLock()
        self._newest_link, self._started_at = 0, clock()
        self.matters: dict[str, FamilyState] = {}
        """Every family of the queue, as it stands."""
        self.derivations: dict[str, tuple[Derivation, ...]] = {}
        """How the head of each family may have been made."""
        self.comparable: ComparableDecisions
        """What became of families that were made alike, as it was at the last snapshot: no card tells a single vote."""
        self._changed_since_snapshot: set[str] = set()
        self.queue: CardQueue
        self._snapshot: pace.PanelProgress | None = None
        self._load()

    @contextmanager
    def reading(self) -> Iterator[Ledger]:
        """The ledger, while nobody appends; what other processes appended is known by then."""
        with self._lock:
            if self._ledger.last_link_number() != self._newest_link:
                self._load()
            yield self._ledger

    @contextmanager
    def appending(self, bases: Iterable[str]) -> Iterator[Ledger]:
        """The ledger, to append to; afterwards the families of these bases are known as they stand then."""
        bases = set(bases)
        with self.reading() as ledger:
            yield ledger
            if (links := ledger.last_link_number()) > self._newest_link + 1:
                self._load()
            elif links > self._newest_link:
                self._newest_link = links
                self._update_families(ledger, bases)

    def panel_size(self, base: str | None = None) -> int:
        """How many vote; on a family, how many may.

        Where fewer than three are left in a first round, the family stays open until somebody joins.
        """
        voters = self.accounts.voters()
        if base is None or (matter := self.matters.get(base)) is None:
            return max(MIN_PANEL_SIZE, len(voters))
        return max(DECIDING_LEAD if matter.round.is_second else MIN_PANEL_SIZE, len(eligible_voters(voters, matter)))

    def timestamp(self) -> str:
        """Now, as the ledger writes it."""
        return datetime.fromtimestamp(self.clock(), UTC).isoformat()

    def close(self) -> None:
        with self._lock:
            self._ledger.close()
            self.accounts.close()
        gc.unfreeze()

    def panel_progress(self) -> pace.PanelProgress:
        """How far the panel was a while ago, or now where that is long enough ago."""
        now = self.clock()
        with self._lock:
            if self._snapshot is None or now - self._snapshot.at >= pace.SNAPSHOT_SECONDS:
                measured = pace.measure_pace(self.accounts)
                self._snapshot = pace.measure_progress(self.matters.values(), measured, self.panel_size(), now)
                self.comparable.update([self.matters[base] for base in self._changed_since_snapshot])
                self._changed_since_snapshot.clear()
            return self._snapshot

    def _load(self) -> None:
        """Read everything, and keep what is not in the ledger: who holds which card."""
        with _gc_paused():
            self.matters = {
                base: each for base, each in self._ledger.family_states().items() if each.standing is not None
            }
            self.derivations, regrets = {}, {}
            for family in self._families():
                self.derivations[family.base] = _head_derivations(family.candidates)
                regrets[family.base] = priority(family)
            acts = self._ensure_calibration(self._ledger.acts())
            self._newest_link = self._ledger.last_link_number()
            before: CardQueue | None = getattr(self, "queue", None)
            self.queue = CardQueue(
                self.matters,
                regrets,
                self._ledger.ballots(),
                acts,
                key=self._key,
                started_at=self._started_at,
                previous=before,
            )
            self.comparable = ComparableDecisions(self.derivations, self.matters, self.queue.is_holdout)
            self.queue.set_audited(
                family_classes.families_awaiting_audit(family_classes.replay_proposals(acts).values(), self.matters)
            )

    def _families(self) -> Iterator[Family]:
        """The families of the queue with their evidence, few at a time: together they take a gigabyte."""
        bases = list(self.matters)
        for start in range(0, len(bases), _BATCH_SIZE):
            for base, candidates in self._ledger.evidence(bases[start : start + _BATCH_SIZE]).items():
                yield Family(base, self.matters[base].standing or "borderline", candidates)

    def _ensure_calibration(self, acts: list[RecordedAct]) -> list[RecordedAct]:
        """All acts, with the choice of what everybody votes on first, which is made once."""
        if any(isinstance(done.act, CalibrationChosen) for done in acts):
            return acts
        chosen = calibration.choose_sample([base for base, each in self.matters.items() if each.is_open], self._key)
        if not chosen:
            return acts
        self._ledger.append_acts([("", CalibrationChosen(families=chosen))], CONSOLE_ACTOR, self.timestamp())
        return self._ledger.acts()

    def _update_families(self, ledger: Ledger, bases: set[str]) -> None:
        """What the newest link has brought these families."""
        matters = {base: each for base, each in ledger.family_states(bases).items() if base in self.matters}
        self.matters.update(matters)
        self._changed_since_snapshot.update(matters)
        self.queue.update(matters, [done for done in ledger.acts(bases) if done.link == self._newest_link])


def eligible_voters(voters: Iterable[Member], matter: FamilyState) -> set[str]:
    """Who of these may vote on a family in its round: not who has an interest, nor a chair for the second time."""
    may = [each for each in voters if each.name not in matter.recused]
    return {each.name for each in may if each.role != "chair" or not matter.round.is_second}


def retract_votes(state: ConsoleState, base: str, curator: str) -> None:
    """Take back what a curator has voted on a family that is being voted on: he has an interest in it."""
    while state.matters[base].is_open and (mine := [b.id for b in state.matters[base].ballots if b.curator == curator]):
        with state.appending([base]) as ledger:
            ledger.retract(mine[-1], curator, state.timestamp(), panel=state.panel_size(base))


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Make many values that stay, without a search for garbage among them then or later: it takes longer than they."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


def _head_derivations(candidates: tuple[Candidate, ...]) -> tuple[Derivation, ...]:
    return next((each.derivations for each in candidates if each.derivations), ())


def open_console_state(instance: Instance, ledger: Ledger, clock: Clock) -> ConsoleState:
    """A console's room over an opened ledger; makes the console's own key and database where they are missing."""
    accounts = open_accounts(instance)
    return ConsoleState(instance, ledger, accounts, clock, instance.console_key.read_bytes())


def console_state() -> ConsoleState:
    """The room of the console that answers this request."""
    here: ConsoleState = current_app.config["ROOM"]
    return here
