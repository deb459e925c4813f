"""The state of a running console: the ledger, the queue in memory, the accounts and the clock."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

from flask import current_app

from ordws.console.access import Member
from ordws.console.accounts import Accounts, open_accounts, read_card_times
from ordws.console.card_json import ComparableDecisions
from ordws.curation import curator_cards, family_classes
from ordws.curation.acts import CalibrationChosen
from ordws.curation.card_queue import CardQueue
from ordws.curation.decision import DECIDING_LEAD, MIN_PANEL_SIZE
from ordws.curation.family import Derivation, Family, Priority, by_priority, priority
from ordws.curation.forecast import Forecast, cards_by_evening, forecast, votes_per_decision
from ordws.curation.ledger import Ledger
from ordws.curation.voting_rounds import FamilyState
from ordws.instance import Instance
from ordws.retention import DAY

Clock = Callable[[], int]

CONSOLE_ACTOR: Final = "console"
"""The actor, in the ledger, of what the console does by itself."""
_BATCH_SIZE: Final = 2_000
"""Families whose evidence is read at once: that of a whole queue takes a gigabyte."""


class ConsoleState:
    """The state of a console's one process; whatever appends to the ledger does so in `appending`, one at a time."""

    def __init__(self, instance: Instance, ledger: Ledger, accounts: Accounts, clock: Clock, key: bytes) -> None:
        self.instance, self.accounts, self.clock, self._key = instance, accounts, clock, key
        self._ledger = ledger
        self._lock = threading.RLock()  # reentrant: `appending` is used inside `reading`
        self._newest_link, self._started_at = 0, clock()
        self.family_states: dict[str, FamilyState] = {}
        """The present state of every family in the queue, by its base."""
        self.derivations: dict[str, tuple[Derivation, ...]] = {}
        """The possible derivations of each family's head."""
        self.comparable: ComparableDecisions
        """The decisions on families of the same derivation at the last midnight."""
        self.everyday_use: dict[str, float] = {}
        """How many of a million words that people write are forms of each family."""
        self.queue: CardQueue
        self.midnight_states: Mapping[str, FamilyState]
        """The state of every family at the last midnight, UTC, which those who vote may see.

        If it were up to date, a member could tell from what their own vote changes how others voted.
        """
        self.open_at_midnight = 0
        self.forecast: Forecast | None
        """The evenings that were left at the last midnight; None while it is too early to say."""
        self._load()

    @contextmanager
    def reading(self) -> Iterator[Ledger]:
        """Yield the ledger while no other thread reads or appends, with the state of all its links loaded."""
        with self._lock:
            # Commands such as `ordws curation import` append to the ledger from other processes.
            if self._ledger.last_link_number() != self._newest_link:
                self._load()
            elif self.timestamp()[:10] != self._day:
                self._look_back_to_midnight()
            yield self._ledger

    @contextmanager
    def appending(self, bases: Iterable[str]) -> Iterator[Ledger]:
        """Yield the ledger for appending, and then update the state of the families with these bases.

        Every append makes one link, so that after several, some of another process, everything is loaded again.
        """
        bases = set(bases)
        with self.reading() as ledger:
            yield ledger
            if (newest := ledger.last_link_number()) > self._newest_link + 1:
                self._load()
            elif newest > self._newest_link:
                self._newest_link = newest
                changed = {
                    base: each for base, each in ledger.family_states(bases).items() if base in self.family_states
                }
                self.family_states.update(changed)
                self.queue.update(changed, [done for done in ledger.acts(bases) if done.link == newest])

    def panel_size(self, base: str | None = None) -> int:
        """Return the number of members who vote, or of those who may vote on this family.

        It is never below what a decision needs: where fewer are left, the family stays open until somebody joins.
        """
        voters = self.accounts.voters()
        if base is None or (family_state := self.family_states.get(base)) is None:
            return max(MIN_PANEL_SIZE, len(voters))
        return max(
            DECIDING_LEAD if family_state.round.is_second else MIN_PANEL_SIZE,
            len(eligible_voters(voters, family_state)),
        )

    def timestamp(self) -> str:
        """Return the present time as the ledger writes it."""
        return datetime.fromtimestamp(self.clock(), UTC).isoformat()

    def close(self) -> None:
        with self._lock:
            self._ledger.close()
            self.accounts.close()

    def _look_back_to_midnight(self) -> None:
        """Set what members who vote may see of the panel to the state of this day's beginning."""
        self._day = self.timestamp()[:10]
        midnight = self.clock() - self.clock() % DAY
        self.midnight_states = self._ledger.families_at(self._ledger.last_link_before(self._day), self.family_states)
        families = self.midnight_states.values()
        self.open_at_midnight = sum([each.is_open or each.is_contested for each in families])
        evenings = cards_by_evening(read_card_times(self.accounts, midnight))
        self.forecast = forecast(sum([each.is_open for each in families]), evenings, votes_per_decision(families))
        self.comparable = ComparableDecisions(self.derivations, self.midnight_states, self.queue.is_holdout)

    def _load(self) -> None:
        """Read the whole ledger; keep what is in memory alone, the leases of cards."""
        # So many values are made, all of which stay, that collections meanwhile would take longer than making them.
        # Frozen, they are left out of later collections too.
        gc.disable()
        try:
            # Withdrawn families stay in the ledger and not in the queue.
            self.family_states = {
                base: each for base, each in self._ledger.family_states().items() if each.standing is not None
            }
            self.derivations, priorities = {}, dict[str, Priority]()
            bases = list(self.family_states)
            for start in range(0, len(bases), _BATCH_SIZE):
                for base, candidates in self._ledger.evidence(bases[start : start + _BATCH_SIZE]).items():
                    standing = self.family_states[base].standing or "borderline"
                    priorities[base] = priority(Family(base, standing, candidates))
                    self.derivations[base] = next((each.derivations for each in candidates if each.derivations), ())
            self.everyday_use = {base: each.everyday_use for base, each in priorities.items() if each.everyday_use}
            acts = self._ledger.acts()
            if not any(isinstance(done.act, CalibrationChosen) for done in acts):
                # Once in the life of a ledger; every curator votes on this sample first.
                is_open = {base for base, each in self.family_states.items() if each.is_open}
                open_bases = [base for base in by_priority(priorities, priorities) if base in is_open]
                if sample := curator_cards.choose_sample(open_bases, self._key):
                    chosen = CalibrationChosen(families=sample)
                    self._ledger.append_acts([("", chosen)], CONSOLE_ACTOR, self.timestamp())
                    acts = self._ledger.acts()
            self._newest_link = self._ledger.last_link_number()
            self.queue = CardQueue(
                self.family_states,
                priorities,
                self._ledger.ballots(),
                acts,
                key=self._key,
                started_at=self._started_at,
                previous=getattr(self, "queue", None),
            )
            self._look_back_to_midnight()
            proposals = family_classes.replay_proposals(acts).values()
            self.queue.set_audited(family_classes.families_awaiting_audit(proposals, self.family_states))
            gc.freeze()
        finally:
            gc.enable()


def eligible_voters(voters: Iterable[Member], family_state: FamilyState) -> set[str]:
    """Return the names of those who may vote on a family in its present round.

    Members with an interest may not, nor the chair in a second round, whose discussion the chair has led.
    """
    is_second = family_state.round.is_second
    return {
        each.name
        for each in voters
        if each.name not in family_state.recused and not (each.role == "chair" and is_second)
    }


def count_revotes(state: ConsoleState, member: Member) -> int:
    """Return how many families are up for another vote in which the member has not voted yet.

    One that is decided meanwhile is counted until midnight: else the count would tell that others have voted.
    """
    count = 0
    for base, now in state.family_states.items():
        if now.round.number == 1 or now.standing is None:
            continue
        before = state.midnight_states.get(base)
        was_taking_votes = before is None or before.is_open or before.round.number < now.round.number
        count += was_taking_votes and member.name in eligible_voters([member], now) - now.voters
    return count


def retract_votes(state: ConsoleState, base: str, curator: str) -> None:
    """Retract all votes of a curator on a family that is open, one by one: the curator has an interest in it."""
    while state.family_states[base].is_open and (
        mine := [b.id for b in state.family_states[base].ballots if b.curator == curator]
    ):
        with state.appending([base]) as ledger:
            ledger.retract(mine[-1], curator, state.timestamp(), panel=state.panel_size(base))


def open_console_state(instance: Instance, ledger: Ledger, clock: Clock) -> ConsoleState:
    """Return the state of a console over an open ledger; make the console's key and database where they are missing."""
    accounts = open_accounts(instance)
    return ConsoleState(instance, ledger, accounts, clock, instance.console_key.read_bytes())


def console_state() -> ConsoleState:
    """Return the state of the console that answers this request."""
    state: ConsoleState = current_app.config["STATE"]
    return state
