"""The queue of cards: which curator sees which family next. In memory, without a clock of its own.

All but the leases and the skipped cards is derived from the ledger.

The card that a curator is dealt depends on which families are decided, on how many curators have voted on a family or
hold it, and on the curator's own answers; never on how others voted on an open family. Two curators may hold a family
without votes, since no fewer can decide it; then one at a time, since any vote may decide it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from ordws.curation import curator_cards
from ordws.curation.acts import (
    BallotRetracted,
    CalibrationChosen,
    CheckAnswered,
    CheckRetracted,
    Nominated,
    RecordedAct,
)
from ordws.curation.curator_cards import (
    LANES,
    AnsweredCard,
    Availability,
    Curator,
    FamilyCursor,
    Lane,
    Lease,
    Purpose,
    keyed_hash,
    read_lease_id,
    write_lease_id,
)
from ordws.curation.decision import DECIDING_LEAD, Ballot, Vote
from ordws.curation.family import Priority, by_priority
from ordws.curation.voting_rounds import FamilyState

LEASE_SECONDS: Final = 600
"""The seconds for which a curator keeps a card without a heartbeat from their page. A lease and not a lock, so that a
closed browser cannot keep a family from the others."""
MAX_IDLE_SECONDS: Final = 3_600
"""The seconds for which heartbeats can prolong a lease on a card that the curator leaves unanswered."""
CARDS_PER_CURATOR: Final = 2
"""The current card and the next, which the page loads in advance."""
_MAX_TRIES: Final = 50
"""Families tried for a check, so that a card is found in bounded time."""


class CardQueue:
    """The families in the order in which they are best decided, and the cards that each curator holds."""

    def __init__(
        self,
        families: Mapping[str, FamilyState],
        priorities: Mapping[str, Priority],
        ballots: Iterable[Ballot],
        acts: Sequence[RecordedAct],
        *,
        key: bytes,
        started_at: int = 0,
        previous: CardQueue | None = None,
    ) -> None:
        """Build the queue from all of the ledger, and take over leases and skipped cards from a `previous` queue.

        `started_at` is the time at which the process started, in seconds since 1970; `key` makes the draws and the ids
        of cards unpredictable.
        """
        self._started_at: int = previous._started_at if previous else started_at
        self._key = keyed_hash(key, "queue")
        self._families = dict(families)
        self._order = by_priority(families, priorities)
        self._rank = {base: rank for rank, base in enumerate(self._order)}
        urgent = [base for base in self._order if _is_urgent(families[base])]
        self._lanes: dict[Lane, list[str]] = {"urgent": urgent, "first": [], "audited": [], "all": self._order}
        self._known_items = [base for base in self._order if self._is_known(families[base])]
        self._sample: frozenset[str] = frozenset()
        self._nominators: dict[str, set[str]] = {}
        self._curators: dict[str, Curator] = {}
        answers = [(each.at, each.curator, _answer_of_ballot(each)) for each in ballots]
        answers += [
            (recorded.at, recorded.actor, _answer_of_check(recorded, recorded.act))
            for recorded in acts
            if isinstance(recorded.act, CheckAnswered)
        ]
        for _, name, answer in sorted(answers, key=lambda each: each[0]):
            self.curator(name).add_answer(answer)
        for recorded in acts:
            self._apply_act(recorded)
        for curator in self._curators.values():
            curator.dealt_count = len(curator.answers) + len(curator.undone_answers)
        for name, past in previous._curators.items() if previous else ():
            curator = self.curator(name)
            curator.is_chair, curator.streak = past.is_chair, past.streak
            # Skipped cards were dealt too, which the ledger does not know.
            curator.dealt_count = max(curator.dealt_count, past.dealt_count)
            curator.leases = [lease for lease in past.leases if lease.base in self._rank]
            curator.skipped = {card: purpose for card, purpose in past.skipped.items() if card[0] in self._rank}

    def curator(self, name: str) -> Curator:
        """Return the state of a curator, which is made for a new name."""
        return self._curators.setdefault(name, Curator(name))

    def update(self, families: Mapping[str, FamilyState], acts: Iterable[RecordedAct] = ()) -> None:
        """Replace families by their new states, and apply new acts."""
        for base, new in families.items():
            if base not in self._rank:
                continue
            old, self._families[base] = self._families[base], new
            for ballot in new.ballots:
                if ballot not in old.ballots:
                    self.curator(ballot.curator).add_answer(_answer_of_ballot(ballot))
            if (new.round != old.round or new.is_raised != old.is_raised) and _is_urgent(new):
                self._lanes["urgent"].append(base)
            # A family can be decided a second time, after a vote was taken back.
            if self._is_known(new) and not old.round.is_decided and base not in self._known_items:
                self._known_items.append(base)
            for curator in self._curators.values():
                if self._may_be_dealt(curator, base, "vote"):
                    curator.cursors["all"].revisit(self._rank[base])
        for recorded in acts:
            self._apply_act(recorded)

    def set_audited(self, bases: Collection[str]) -> None:
        """Deal these families before all that nobody waits for, in place of those of the last call.

        The choice must not depend on votes on open families, because curators notice what is dealt early.
        """
        self._lanes["audited"] = [base for base in self._order if base in bases]
        for curator in self._curators.values():
            curator.cursors["audited"] = FamilyCursor()

    def deal(self, name: str, now: int, *, is_chair: bool = False) -> list[Lease]:
        """Return the cards of a curator: those they hold, renewed, and new ones up to two; fewer at the end.

        A lease that has expired is renewed too, unless others have taken the card.
        """
        curator = self._curator_in_role(name, is_chair, now)
        counts = self._lease_counts(now)
        curator.leases = [_renew(lease, now) for lease in curator.leases if self._may_keep(curator, lease, counts, now)]
        while len(curator.leases) < CARDS_PER_CURATOR:
            vote = self._find_vote(curator, self._lease_counts(now))
            # Checks are dealt only while there is something left to vote on: by themselves they decide nothing.
            if vote is None:
                break
            base, purpose = self._find_check(curator) or vote
            curator.leases.append(self._make_lease(curator, base, purpose, now))
        return curator.leases[:CARDS_PER_CURATOR]

    def renew(self, name: str, ids: Iterable[str], now: int, *, is_chair: bool = False) -> list[str]:
        """Renew those of these cards that a curator holds, or held before a restart; return the ids of those.

        A card that was answered, released or skipped is not renewed, or ids could be hoarded.
        """
        curator, renewed_ids = self._curator_in_role(name, is_chair, now), []
        for id in ids:
            held = next((lease for lease in curator.leases if lease.id == id), None)
            lease = held or self.read(name, id)
            if lease is None:
                continue
            if held is None and (
                # Only a card dealt shortly before this process started can be unknown to it and still held.
                not now - LEASE_SECONDS <= lease.dealt_at < self._started_at
                or len(curator.leases) >= CARDS_PER_CURATOR
                or curator.has_lease(lease.base)
                or (lease.base, lease.round) in curator.skipped
            ):
                continue
            if self._may_keep(curator, lease, self._lease_counts(now), now):
                leases = [_renew(each, now) if each.id == id else each for each in curator.leases]
                curator.leases = leases if held else [*leases, _renew(lease, now)]
                renewed_ids.append(id)
        return renewed_ids

    def read(self, name: str, id: str) -> Lease | None:
        """Return the lease of an id, held or not; None if the id was not made for this curator."""
        lease = read_lease_id(self._key, name, id)
        return lease if lease is not None and lease.base in self._rank else None

    def is_holdout(self, base: str) -> bool:
        """Return whether the outcome of a family must not be shown as an example: it may come as an open card."""
        return base in self._sample or curator_cards.is_holdout(self._key, base)

    def can_answer(self, name: str, lease: Lease, now: int, *, is_chair: bool = False) -> bool:
        """Return whether a curator may still answer the card of a lease, if only too late for the vote to count."""
        curator, family = self._curator_in_role(name, is_chair, now), self._families[lease.base]
        # Once the lease can no longer be held, its id must not add votes to a family that is decided.
        is_over = now > lease.dealt_at + LEASE_SECONDS + MAX_IDLE_SECONDS
        if family.round.is_decided and is_over and lease.base not in curator.restored:
            return False
        if name in family.recused or name in self._nominators.get(lease.base, ()):
            return False
        if lease.purpose != "vote":
            return lease.base not in curator.checked_families
        return name not in family.voters and not (is_chair and family.round.is_second)

    def answer(self, name: str, lease: Lease, vote: Vote, seconds: float, now: int) -> None:
        """Note the answer of a curator to a card, given after `seconds` by their page's clock."""
        curator = self.curator(name)
        # A page may report too little. The server's clock, in whole seconds, gives a lower bound.
        curator.streak = curator.streak.after(vote, max(seconds, now - curator.last_answered_at - 1))
        curator.last_answered_at = now
        curator.release(lease.base)

    def release(self, name: str, lease: Lease) -> None:
        """Take a card from a curator for good."""
        self.curator(name).release(lease.base)

    def skip(self, name: str, lease: Lease) -> None:
        """Skip a card, which comes back to its curator when there is nothing else left."""
        curator = self.curator(name)
        curator.release(lease.base)
        # Taken out first, so that a card skipped again goes to the end.
        curator.skipped.pop((lease.base, lease.round), None)
        curator.skipped[lease.base, lease.round] = lease.purpose

    def restore(self, name: str, answer: AnsweredCard, now: int) -> None:
        """Deal the card of an answer that was taken back once more, as its curator's current card."""
        curator = self.curator(name)
        curator.release(answer.base)
        curator.restored = _restored_today(curator, now)
        if self._may_be_dealt(curator, answer.base, answer.purpose):
            curator.leases.insert(0, self._make_lease(curator, answer.base, answer.purpose, now))

    def _curator_in_role(self, name: str, is_chair: bool, now: int) -> Curator:
        curator = self.curator(name)
        curator.restored = _restored_today(curator, now)
        if curator.is_chair != is_chair:
            # Families that were never available in one role may be in the other.
            curator.is_chair, curator.cursors = is_chair, {lane: FamilyCursor() for lane in LANES}
        return curator

    def _lease_counts(self, now: int) -> Counter[str]:
        """Count the curators who hold each family to vote on it."""
        leases = [lease for curator in self._curators.values() for lease in curator.leases]
        return Counter([lease.base for lease in leases if lease.purpose == "vote" and lease.expires_at > now])

    def _may_keep(self, curator: Curator, lease: Lease, lease_counts: Counter[str], now: int) -> bool:
        is_same_round = self._families[lease.base].round.number == lease.round
        is_free = lease.purpose != "vote" or lease.expires_at > now or not self._is_full(lease.base, lease_counts)
        return is_same_round and is_free and self._may_be_dealt(curator, lease.base, lease.purpose)

    def _may_be_dealt(self, curator: Curator, base: str, purpose: Purpose) -> bool:
        """Return whether a family, in its present state, may come to a curator as a card of this purpose."""
        family, name = self._families[base], curator.name
        if family.standing is None or name in family.recused or name in self._nominators.get(base, ()):
            return False
        match purpose:
            case "vote":
                is_wanted = family.is_open or base in curator.restored or self._is_sample_round(family)
                is_barred = curator.is_chair and family.round.is_second
                return is_wanted and not is_barred and name not in family.voters
            case "repeat":
                is_first_vote = name in family.voters and not family.round.is_second
                return is_first_vote and base not in curator.checked_families
            case "known":
                is_seen = base in self._sample or name in family.voters or base in curator.checked_families
                return self._is_known(family) and not is_seen

    def _is_full(self, base: str, lease_counts: Counter[str]) -> bool:
        """Return whether enough curators hold a family; families of the sample are for everybody."""
        family = self._families[base]
        return not self._is_sample_round(family) and lease_counts[base] >= (1 if family.ballots else DECIDING_LEAD)

    def _is_known(self, family: FamilyState) -> bool:
        """Return whether a family can check curators: decided unanimously, and never shown as an example."""
        return curator_cards.is_unanimous(family) and curator_cards.is_holdout(self._key, family.base)

    def _is_sample_round(self, family: FamilyState) -> bool:
        """Return whether all curators vote on a family, decided or not: it is in the sample and in its first round."""
        # A contested family is left out: its discussion would show the later voters the reasons of the others.
        return family.base in self._sample and family.round.number == 1 and not family.is_contested

    def _find_vote(self, curator: Curator, lease_counts: Counter[str]) -> tuple[str, Purpose] | None:
        """Find the next family to vote on, or else a card that the curator skipped."""

        def availability(base: str) -> Availability:
            is_skipped = (base, self._families[base].round.number) in curator.skipped
            if is_skipped or not self._may_be_dealt(curator, base, "vote"):
                return "never"
            return "later" if curator.has_lease(base) or self._is_full(base, lease_counts) else "free"

        for lane, bases in self._lanes.items():
            if (base := curator.cursors[lane].next_free(bases, availability)) is not None:
                return base, "vote"
        for (base, number), purpose in curator.skipped.items():
            if (
                self._families[base].round.number == number
                and not curator.has_lease(base)
                and self._may_be_dealt(curator, base, purpose)
                and not (purpose == "vote" and self._is_full(base, lease_counts))
            ):
                return base, purpose
        return None

    def _find_check(self, curator: Curator) -> tuple[str, Purpose] | None:
        """Draw whether the curator's next card is a check, and find a family for it."""
        position = curator.dealt_count + 1
        purpose = curator_cards.draw_purpose(
            self._key, curator.name, position, is_monotonous=curator.streak.is_monotonous
        )
        match purpose:
            case "vote":
                return None
            case "repeat":
                answered = [answer.base for answer in curator.answers.values()]
                bases = answered[: max(0, len(answered) - curator_cards.repeat_gap(len(answered), len(self._order)))]
            case "known":
                bases = self._known_items
        start = int(curator_cards.draw_uniform(self._key, curator.name, position, "which") * len(bases))
        for step in range(min(_MAX_TRIES, len(bases))):
            base = bases[(start + step) % len(bases)]
            is_skipped = (base, self._families[base].round.number) in curator.skipped
            if self._may_be_dealt(curator, base, purpose) and not curator.has_lease(base) and not is_skipped:
                if purpose == "known":
                    curator.streak = curator_cards.NO_STREAK
                return base, purpose
        return None

    def _make_lease(self, curator: Curator, base: str, purpose: Purpose, now: int) -> Lease:
        curator.dealt_count += 1
        lease = Lease("", base, self._families[base].round.number, purpose, now)
        return _renew(lease._replace(id=write_lease_id(self._key, curator.name, lease, curator.dealt_count)), now)

    def _apply_act(self, recorded: RecordedAct) -> None:
        match recorded.act:
            case CalibrationChosen(families=families) if not self._sample:
                self._lanes["first"] = [base for base in families if base in self._rank]
                self._sample = frozenset(self._lanes["first"])
            case CheckAnswered() as act:
                self.curator(recorded.actor).add_answer(_answer_of_check(recorded, act))
            case BallotRetracted(ballot=id) | CheckRetracted(id=id):
                self.curator(recorded.actor).undo_answer(id)
            case Nominated(is_curator=True):
                for family in self._families.values():
                    if recorded.subject == family.base or recorded.subject in family.forms:
                        self._nominators.setdefault(family.base, set()).add(recorded.actor)
            case _:
                pass


def _is_urgent(family: FamilyState) -> bool:
    """Return whether somebody waits for a family, or it is up for another vote: discussed, or opened again."""
    return family.is_open and (family.is_raised or family.round.number > 1)


def _restored_today(curator: Curator, now: int) -> set[str]:
    today = datetime.fromtimestamp(now, UTC).date().isoformat()
    undone = curator.undone_answers.values()
    return {answer.base for answer in undone if answer.purpose == "vote" and answer.day == today}


def _renew(lease: Lease, now: int) -> Lease:
    return lease._replace(expires_at=min(now, lease.dealt_at + MAX_IDLE_SECONDS) + LEASE_SECONDS)


def _answer_of_ballot(ballot: Ballot) -> AnsweredCard:
    return AnsweredCard(ballot.id, ballot.family, "vote", ballot.at[:10])


def _answer_of_check(recorded: RecordedAct, act: CheckAnswered) -> AnsweredCard:
    return AnsweredCard(act.id, recorded.subject, act.purpose, recorded.at[:10])
