"""Who sees which family next: leases in memory, nothing that the ledger does not have. No clock of its own.

What a curator is shown depends on which families are decided, on how many have voted on a family or hold it, and on
himself; never on how anybody else voted on a family that is open. Two may have a family that nobody has voted on, then
one at a time: whatever the votes are, no fewer can decide it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

from ordws.curation import calibration
from ordws.curation.acts import (
    BallotRetracted,
    CalibrationChosen,
    CheckAnswered,
    CheckRetracted,
    Nominated,
    RecordedAct,
)
from ordws.curation.ballot import Ballot, Vote
from ordws.curation.curator import LANES, AnsweredCard, Curator, Lane
from ordws.curation.cursor import Availability, FamilyCursor
from ordws.curation.decision import DECIDING_LEAD
from ordws.curation.lease import Lease, Purpose, keyed_hash, read_lease_id, write_lease_id
from ordws.curation.voting_rounds import FamilyState

LEASE_SECONDS: Final = 600
"""How long a card is a curator's without a sign of him, in seconds. (EXPERIENCE decision 3)"""
MAX_IDLE_SECONDS: Final = 3_600
"""How long signs from a page keep a card for a curator who does nothing with it."""
CARDS_PER_CURATOR: Final = 2
"""The card before a curator, and the next."""
_MAX_TRIES: Final = 50


class CardQueue:
    """The families of an installation in the order in which they are best decided, and who holds which."""

    def __init__(
        self,
        families: Mapping[str, FamilyState],
        priorities: Mapping[str, float],
        ballots: Iterable[Ballot],
        acts: Sequence[RecordedAct],
        *,
        key: bytes,
        started_at: int = 0,
        previous: CardQueue | None = None,
    ) -> None:
        """`began` is when this process did, in seconds since 1970: what was dealt before is known by its id alone."""
        self._started_at: int = previous._started_at if previous else started_at
        self._key = keyed_hash(key, "queue")
        self._families = dict(families)
        self._order = sorted(families, key=lambda base: (-priorities[base], base))
        self._rank = {base: rank for rank, base in enumerate(self._order)}
        urgent = [base for base in self._order if _is_urgent(families[base])]
        self._lanes: dict[Lane, list[str]] = {"urgent": urgent, "first": [], "audited": [], "all": self._order}
        self._known_items = [base for base in self._order if self._is_known(families[base])]
        self._sample: frozenset[str] = frozenset()
        self._nominators: dict[str, set[str]] = {}
        self._curators: dict[str, Curator] = {}
        given = [(each.at, each.curator, _answer_of_ballot(each)) for each in ballots]
        given += [
            (done.at, done.actor, _answer_of_check(done, done.act))
            for done in acts
            if isinstance(done.act, CheckAnswered)
        ]
        for _, name, each in sorted(given, key=lambda each: each[0]):
            self.curator(name).add_answer(each)
        for done in acts:
            self._apply_act(done)
        for who in self._curators.values():
            who.dealt_count = len(who.answers) + len(who.undone_answers)
        for name, past in previous._curators.items() if previous else ():
            self._restore_curator(self.curator(name), past)

    def curator(self, name: str) -> Curator:
        return self._curators.setdefault(name, Curator(name))

    def update(self, families: Mapping[str, FamilyState], acts: Iterable[RecordedAct] = ()) -> None:
        """Families as they stand now, and what was done to bring them there beside voting."""
        for base, now in families.items():
            if base in self._rank:
                self._update_family(self._families[base], now)
        for done in acts:
            self._apply_act(done)

    def set_audited(self, bases: Collection[str]) -> None:
        """These families, and no longer those of the call before, come ahead of all that nobody waits for.

        Whoever names them must not look at votes on open families: a curator sees what comes early.
        """
        self._lanes["audited"] = [base for base in self._order if base in bases]
        for who in self._curators.values():
            who.cursors["audited"] = FamilyCursor()

    def deal(self, name: str, now: int, *, is_chair: bool = False) -> list[Lease]:
        """The cards that a curator has now: those he holds, renewed, and new ones up to two; fewer at the end.

        Who comes back after his lease ended still has his card, unless others have taken it.
        """
        who = self._curator_in_role(name, is_chair)
        taken = self._lease_counts(now)
        who.leases = [lease for lease in who.leases if self._may_keep(who, lease, taken, now)]
        who.leases = [_renew(lease, now) for lease in who.leases]
        while len(who.leases) < CARDS_PER_CURATOR and (lease := self._deal_next(who, now)) is not None:
            who.leases.append(lease)
        return who.leases[:CARDS_PER_CURATOR]

    def renew(self, name: str, ids: Iterable[str], now: int, *, is_chair: bool = False) -> list[str]:
        """Those of these cards that a curator holds from now on: of his hand, or of one that a crash made us forget.

        A card that he laid down or put aside is his no more, whatever its id says: ids cannot be hoarded.
        """
        who, held = self._curator_in_role(name, is_chair), []
        for id in ids:
            known = next((lease for lease in who.leases if lease.id == id), None)
            lease = known or self._lease_before_restart(who, id, now)
            if lease is None or not self._may_keep(who, lease, self._lease_counts(now), now):
                continue
            renewed = _renew(lease, now)
            who.leases = (
                [renewed if each.id == id else each for each in who.leases] if known else [*who.leases, renewed]
            )
            held.append(id)
        return held

    def read(self, name: str, id: str) -> Lease | None:
        """The lease that an id stands for, held or not; None where it is none of this curator's."""
        lease = read_lease_id(self._key, name, id)
        return lease if lease is not None and lease.base in self._rank else None

    def is_holdout(self, base: str) -> bool:
        """Whether what became of a family is told on no card: it may itself be on one, as if it were open."""
        return base in self._sample or calibration.is_holdout(self._key, base)

    def can_answer(self, name: str, lease: Lease, now: int, *, is_chair: bool = False) -> bool:
        """Whether a curator has not answered the card of a lease since, and may still, if only too late to count."""
        who, matter = self._curator_in_role(name, is_chair), self._families[lease.base]
        if matter.round.is_decided and now > lease.dealt_at + LEASE_SECONDS + MAX_IDLE_SECONDS:
            return False
        if name in matter.recused or name in self._nominators.get(lease.base, ()):
            return False
        if lease.purpose != "vote":
            return lease.base not in who.checked_families
        return name not in matter.voters and not (is_chair and matter.round.is_second)

    def answer(self, name: str, lease: Lease, vote: Vote, seconds: float, now: int) -> None:
        """A curator has answered a card, after so many seconds as he says: it leaves his hand."""
        who = self.curator(name)
        who.streak = who.streak.after(vote, max(seconds, now - who.last_answered_at - 1))
        who.last_answered_at = now
        who.release(lease.base)

    def release(self, name: str, lease: Lease) -> None:
        """A curator will not have this card again."""
        self.curator(name).release(lease.base)

    def skip(self, name: str, lease: Lease) -> None:
        """A curator skips a card: it comes back to him when there is nothing else left."""
        who = self.curator(name)
        who.release(lease.base)
        who.skipped.pop((lease.base, lease.round), None)
        who.skipped[lease.base, lease.round] = lease.purpose

    def restore(self, name: str, answer: AnsweredCard, now: int) -> None:
        """Put the card of an answer that was taken back before its curator again, first."""
        who = self.curator(name)
        who.release(answer.base)
        if self._may_be_dealt(who, answer.base, answer.purpose):
            who.leases.insert(0, self._make_lease(who, answer.base, answer.purpose, now))

    def _lease_before_restart(self, curator: Curator, id: str, now: int) -> Lease | None:
        """A card that was dealt shortly before this process began, where there is room for it in its curator's hand."""
        lease = self.read(curator.name, id)
        if (
            lease is None
            or not now - LEASE_SECONDS <= lease.dealt_at < self._started_at
            or len(curator.leases) >= CARDS_PER_CURATOR
        ):
            return None
        return None if curator.has_lease(lease.base) or (lease.base, lease.round) in curator.skipped else lease

    def _restore_curator(self, curator: Curator, past: Curator) -> None:
        """What a curator held and put aside before the ledger was read anew."""
        curator.is_chair, curator.streak, curator.dealt_count = (
            past.is_chair,
            past.streak,
            max(curator.dealt_count, past.dealt_count),
        )
        curator.leases = [lease for lease in past.leases if lease.base in self._rank]
        curator.skipped = {at: purpose for at, purpose in past.skipped.items() if at[0] in self._rank}

    def _curator_in_role(self, name: str, is_chair: bool) -> Curator:
        who = self.curator(name)
        if who.is_chair != is_chair:
            who.is_chair, who.cursors = is_chair, {lane: FamilyCursor() for lane in LANES}
        return who

    def _lease_counts(self, now: int) -> Counter[str]:
        """How many hold each family that is held, to vote on it."""
        hands = [lease for who in self._curators.values() for lease in who.leases]
        return Counter([lease.base for lease in hands if lease.purpose == "vote" and lease.expires_at > now])

    def _may_keep(self, curator: Curator, lease: Lease, lease_counts: Counter[str], now: int) -> bool:
        if self._families[lease.base].round.number != lease.round or not self._may_be_dealt(
            curator, lease.base, lease.purpose
        ):
            return False
        return lease.purpose != "vote" or lease.expires_at > now or not self._is_full(lease.base, lease_counts)

    def _may_be_dealt(self, curator: Curator, base: str, purpose: Purpose) -> bool:
        """Whether a family, as it stands, may be on a card of that purpose for a curator."""
        matter = self._families[base]
        if matter.standing is None or curator.name in matter.recused or curator.name in self._nominators.get(base, ()):
            return False
        match purpose:
            case "vote":
                is_wanted = matter.is_open or self._is_sample_round(matter)
                is_barred = curator.is_chair and matter.round.is_second
                return is_wanted and not is_barred and curator.name not in matter.voters
            case "repeat":
                return (
                    curator.name in matter.voters
                    and not matter.round.is_second
                    and base not in curator.checked_families
                )
            case "known":
                is_kept_out = base in self._sample or curator.name in matter.voters or base in curator.checked_families
                return self._is_known(matter) and not is_kept_out

    def _is_full(self, base: str, lease_counts: Counter[str]) -> bool:
        """Whether as many hold a family as it may need; of the sample everybody votes on every one."""
        matter = self._families[base]
        return not self._is_sample_round(matter) and lease_counts[base] >= (1 if matter.ballots else DECIDING_LEAD)

    def _is_known(self, family: FamilyState) -> bool:
        """Whether a family may check a curator: decided without dissent, and never told as an example."""
        return calibration.is_unanimous(family) and calibration.is_holdout(self._key, family.base)

    def _is_sample_round(self, family: FamilyState) -> bool:
        """Whether everybody votes on a family, be it decided or not: its first round is part of the sample.

        What waits for a discussion does not: whoever came later would vote with the reasons of others before him.
        """
        return family.base in self._sample and family.round.number == 1 and not family.is_contested

    def _deal_next(self, curator: Curator, now: int) -> Lease | None:
        """A new card: a check where it is time for one, so long as there is anything to vote on."""
        found = self._find_vote(curator, self._lease_counts(now))
        if found is None:
            return None
        position = curator.dealt_count + 1
        base, purpose = self._find_check(curator, position) or found
        return self._make_lease(curator, base, purpose, now)

    def _find_vote(self, curator: Curator, lease_counts: Counter[str]) -> tuple[str, Purpose] | None:
        fit = self._availability(curator, lease_counts)
        for lane, bases in self._lanes.items():
            if (base := curator.cursors[lane].next_free(bases, fit)) is not None:
                return base, "vote"
        for (base, number), purpose in curator.skipped.items():
            is_same = self._families[base].round.number == number and not curator.has_lease(base)
            if (
                is_same
                and self._may_be_dealt(curator, base, purpose)
                and not (purpose == "vote" and self._is_full(base, lease_counts))
            ):
                return base, purpose
        return None

    def _availability(self, curator: Curator, lease_counts: Counter[str]) -> Callable[[str], Availability]:
        def fit(base: str) -> Availability:
            is_aside = (base, self._families[base].round.number) in curator.skipped
            if is_aside or not self._may_be_dealt(curator, base, "vote"):
                return "never"
            return "later" if curator.has_lease(base) or self._is_full(base, lease_counts) else "free"

        return fit

    def _find_check(self, curator: Curator, position: int) -> tuple[str, Purpose] | None:
        purpose = calibration.draw_purpose(
            self._key, curator.name, position, is_monotonous=curator.streak.is_monotonous
        )
        match purpose:
            case "vote":
                return None
            case "repeat":
                answered = [given.base for given in curator.answers.values()]
                among = answered[: max(0, len(answered) - calibration.repeat_gap(len(answered), len(self._order)))]
            case "known":
                among = self._known_items
        base = self._pick(curator, purpose, among, calibration.draw_uniform(self._key, curator.name, position, "which"))
        if purpose == "known" and base is not None:
            curator.streak = calibration.NO_STREAK
        return None if base is None else (base, purpose)

    def _pick(self, curator: Curator, purpose: Purpose, bases: Sequence[str], fraction: float) -> str | None:
        """The first that may be shown, from a place that chance names on; not many are tried."""
        start = int(fraction * len(bases))
        for step in range(min(_MAX_TRIES, len(bases))):
            base = bases[(start + step) % len(bases)]
            is_aside = (base, self._families[base].round.number) in curator.skipped
            if self._may_be_dealt(curator, base, purpose) and not curator.has_lease(base) and not is_aside:
                return base
        return None

    def _make_lease(self, curator: Curator, base: str, purpose: Purpose, now: int) -> Lease:
        curator.dealt_count += 1
        lease = Lease("", base, self._families[base].round.number, purpose, now)
        return _renew(lease._replace(id=write_lease_id(self._key, curator.name, lease, curator.dealt_count)), now)

    def _update_family(self, old: FamilyState, new: FamilyState) -> None:
        self._families[new.base] = new
        for ballot in new.ballots:
            if ballot not in old.ballots:
                self.curator(ballot.curator).add_answer(_answer_of_ballot(ballot))
        is_new = new.round != old.round or new.is_raised != old.is_raised
        if is_new and _is_urgent(new):
            self._lanes["urgent"].append(new.base)
        if new.round.is_decided and not old.round.is_decided and self._is_known(new):
            self._known_items.append(new.base)
        for who in self._curators.values():
            if self._may_be_dealt(who, new.base, "vote"):
                who.cursors["all"].revisit(self._rank[new.base])

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
                for matter in self._families.values():
                    if recorded.subject == matter.base or recorded.subject in matter.forms:
                        self._nominators.setdefault(matter.base, set()).add(recorded.actor)
            case _:
                pass


def _is_urgent(family: FamilyState) -> bool:
    """Whether somebody waits for a family."""
    return family.is_open and (family.is_raised or family.round.is_second)


def _renew(lease: Lease, now: int) -> Lease:
    return lease._replace(expires_at=min(now, lease.dealt_at + MAX_IDLE_SECONDS) + LEASE_SECONDS)


def _answer_of_ballot(ballot: Ballot) -> AnsweredCard:
    return AnsweredCard(ballot.id, ballot.family, "vote", ballot.at[:10])


def _answer_of_check(recorded: RecordedAct, act: CheckAnswered) -> AnsweredCard:
    return AnsweredCard(act.id, recorded.subject, act.purpose, recorded.at[:10])
