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
from ordws.curation.acts import CalibrationChosen, Checked, Done, Nominated, Retracted, Unchecked
from ordws.curation.ballot import Ballot, Vote
from ordws.curation.curator import LANES, Curator, Given, Lane
from ordws.curation.decision import LEAD
from ordws.curation.lease import Lease, Purpose, keyed, read_id, write_id
from ordws.curation.rounds import Matter
from ordws.curation.walk import Fit, Walk

LEASE: Final = 600
"""How long a card is a curator's without a sign of him, in seconds. (EXPERIENCE decision 3)"""
IDLE: Final = 3_600
"""How long signs from a page keep a card for a curator who does nothing with it."""
CARDS: Final = 2
"""The card before a curator, and the next."""
_TRIES: Final = 50


class Queue:
    """The families of an installation in the order in which they are best decided, and who holds which."""

    def __init__(
        self,
        matters: Mapping[str, Matter],
        regrets: Mapping[str, float],
        ballots: Iterable[Ballot],
        acts: Sequence[Done],
        *,
        key: bytes,
        began: int = 0,
        before: Queue | None = None,
    ) -> None:
        """`began` is when this process did, in seconds since 1970: what was dealt before is known by its id alone."""
        self._began: int = before._began if before else began
        self._key = keyed(key, "queue")
        self._matters = dict(matters)
        self._order = sorted(matters, key=lambda base: (-regrets[base], base))
        self._rank = {base: rank for rank, base in enumerate(self._order)}
        urgent = [base for base in self._order if _is_urgent(matters[base])]
        self._lanes: dict[Lane, list[str]] = {"urgent": urgent, "first": [], "audited": [], "all": self._order}
        self._known = [base for base in self._order if self._is_known(matters[base])]
        self._sample: frozenset[str] = frozenset()
        self._nominators: dict[str, set[str]] = {}
        self._curators: dict[str, Curator] = {}
        given = [(each.at, each.curator, _given(each)) for each in ballots]
        given += [(done.at, done.who, _checked(done, done.act)) for done in acts if isinstance(done.act, Checked)]
        for _, name, each in sorted(given, key=lambda each: each[0]):
            self.curator(name).take(each)
        for done in acts:
            self._note(done)
        for who in self._curators.values():
            who.dealt = len(who.given) + len(who.undone)
        for name, past in before._curators.items() if before else ():
            self._remember(self.curator(name), past)

    def curator(self, name: str) -> Curator:
        return self._curators.setdefault(name, Curator(name))

    def update(self, matters: Mapping[str, Matter], acts: Iterable[Done] = ()) -> None:
        """Families as they stand now, and what was done to bring them there beside voting."""
        for base, now in matters.items():
            if base in self._rank:
                self._follow(self._matters[base], now)
        for done in acts:
            self._note(done)

    def prefer(self, bases: Collection[str]) -> None:
        """These families, and no longer those of the call before, come ahead of all that nobody waits for.

        Whoever names them must not look at votes on open families: a curator sees what comes early.
        """
        self._lanes["audited"] = [base for base in self._order if base in bases]
        for who in self._curators.values():
            who.walks["audited"] = Walk()

    def deal(self, name: str, now: int, *, is_chair: bool = False) -> list[Lease]:
        """The cards that a curator has now: those he holds, renewed, and new ones up to two; fewer at the end.

        Who comes back after his lease ended still has his card, unless others have taken it.
        """
        who = self._come(name, is_chair)
        taken = self._taken(now)
        who.hand = [lease for lease in who.hand if self._stays(who, lease, taken, now)]
        who.hand = [_renewed(lease, now) for lease in who.hand]
        while len(who.hand) < CARDS and (lease := self._next(who, now)) is not None:
            who.hand.append(lease)
        return who.hand[:CARDS]

    def renew(self, name: str, ids: Iterable[str], now: int, *, is_chair: bool = False) -> list[str]:
        """Those of these cards that a curator holds from now on: of his hand, or of one that a crash made us forget.

        A card that he laid down or put aside is his no more, whatever its id says: ids cannot be hoarded.
        """
        who, held = self._come(name, is_chair), []
        for id in ids:
            known = next((lease for lease in who.hand if lease.id == id), None)
            lease = known or self._forgotten(who, id, now)
            if lease is None or not self._stays(who, lease, self._taken(now), now):
                continue
            renewed = _renewed(lease, now)
            who.hand = [renewed if each.id == id else each for each in who.hand] if known else [*who.hand, renewed]
            held.append(id)
        return held

    def read(self, name: str, id: str) -> Lease | None:
        """The lease that an id stands for, held or not; None where it is none of this curator's."""
        lease = read_id(self._key, name, id)
        return lease if lease is not None and lease.base in self._rank else None

    def is_kept_back(self, base: str) -> bool:
        """Whether what became of a family is told on no card: it may itself be on one, as if it were open."""
        return base in self._sample or calibration.is_kept_back(self._key, base)

    def is_due(self, name: str, lease: Lease, now: int, *, is_chair: bool = False) -> bool:
        """Whether a curator has not answered the card of a lease since, and may still, if only too late to count."""
        who, matter = self._come(name, is_chair), self._matters[lease.base]
        if matter.round.is_decided and now > lease.since + LEASE + IDLE:
            return False
        if name in matter.recused or name in self._nominators.get(lease.base, ()):
            return False
        if lease.purpose != "vote":
            return lease.base not in who.checked
        return name not in matter.voters and not (is_chair and matter.round.is_second)

    def answer(self, name: str, lease: Lease, vote: Vote, seconds: float, now: int) -> None:
        """A curator has answered a card, after so many seconds as he says: it leaves his hand."""
        who = self.curator(name)
        who.streak = who.streak.after(vote, max(seconds, now - who.answered - 1))
        who.answered = now
        who.lay_down(lease.base)

    def lay_down(self, name: str, lease: Lease) -> None:
        """A curator will not have this card again."""
        self.curator(name).lay_down(lease.base)

    def put_aside(self, name: str, lease: Lease) -> None:
        """A curator skips a card: it comes back to him when there is nothing else left."""
        who = self.curator(name)
        who.lay_down(lease.base)
        who.aside.pop((lease.base, lease.round), None)
        who.aside[lease.base, lease.round] = lease.purpose

    def give_back(self, name: str, given: Given, now: int) -> None:
        """Put the card of an answer that was taken back before its curator again, first."""
        who = self.curator(name)
        who.lay_down(given.base)
        if self._is_for(who, given.base, given.purpose):
            who.hand.insert(0, self._lease(who, given.base, given.purpose, now))

    def _forgotten(self, who: Curator, id: str, now: int) -> Lease | None:
        """A card that was dealt shortly before this process began, where there is room for it in its curator's hand."""
        lease = self.read(who.name, id)
        if lease is None or not now - LEASE <= lease.since < self._began or len(who.hand) >= CARDS:
            return None
        return None if who.holds(lease.base) or (lease.base, lease.round) in who.aside else lease

    def _remember(self, who: Curator, past: Curator) -> None:
        """What a curator held and put aside before the ledger was read anew."""
        who.is_chair, who.streak, who.dealt = past.is_chair, past.streak, max(who.dealt, past.dealt)
        who.hand = [lease for lease in past.hand if lease.base in self._rank]
        who.aside = {at: purpose for at, purpose in past.aside.items() if at[0] in self._rank}

    def _come(self, name: str, is_chair: bool) -> Curator:
        who = self.curator(name)
        if who.is_chair != is_chair:
            who.is_chair, who.walks = is_chair, {lane: Walk() for lane in LANES}
        return who

    def _taken(self, now: int) -> Counter[str]:
        """How many hold each family that is held, to vote on it."""
        hands = [lease for who in self._curators.values() for lease in who.hand]
        return Counter([lease.base for lease in hands if lease.purpose == "vote" and lease.ends > now])

    def _stays(self, who: Curator, lease: Lease, taken: Counter[str], now: int) -> bool:
        if self._matters[lease.base].round.number != lease.round or not self._is_for(who, lease.base, lease.purpose):
            return False
        return lease.purpose != "vote" or lease.ends > now or not self._is_full(lease.base, taken)

    def _is_for(self, who: Curator, base: str, purpose: Purpose) -> bool:
        """Whether a family, as it stands, may be on a card of that purpose for a curator."""
        matter = self._matters[base]
        if matter.standing is None or who.name in matter.recused or who.name in self._nominators.get(base, ()):
            return False
        match purpose:
            case "vote":
                is_wanted = matter.is_open or self._is_first(matter)
                is_barred = who.is_chair and matter.round.is_second
                return is_wanted and not is_barred and who.name not in matter.voters
            case "repeat":
                return who.name in matter.voters and not matter.round.is_second and base not in who.checked
            case "known":
                is_kept_out = base in self._sample or who.name in matter.voters or base in who.checked
                return self._is_known(matter) and not is_kept_out

    def _is_full(self, base: str, taken: Counter[str]) -> bool:
        """Whether as many hold a family as it may need; of the sample everybody votes on every one."""
        matter = self._matters[base]
        return not self._is_first(matter) and taken[base] >= (1 if matter.ballots else LEAD)

    def _is_known(self, matter: Matter) -> bool:
        """Whether a family may check a curator: decided without dissent, and never told as an example."""
        return calibration.is_undisputed(matter) and calibration.is_kept_back(self._key, matter.base)

    def _is_first(self, matter: Matter) -> bool:
        """Whether everybody votes on a family, be it decided or not: its first round is part of the sample.

        What waits for a discussion does not: whoever came later would vote with the reasons of others before him.
        """
        return matter.base in self._sample and matter.round.number == 1 and not matter.is_contested

    def _next(self, who: Curator, now: int) -> Lease | None:
        """A new card: a check where it is time for one, so long as there is anything to vote on."""
        found = self._find(who, self._taken(now))
        if found is None:
            return None
        position = who.dealt + 1
        base, purpose = self._find_check(who, position) or found
        return self._lease(who, base, purpose, now)

    def _find(self, who: Curator, taken: Counter[str]) -> tuple[str, Purpose] | None:
        fit = self._fit(who, taken)
        for lane, bases in self._lanes.items():
            if (base := who.walks[lane].find(bases, fit)) is not None:
                return base, "vote"
        for (base, number), purpose in who.aside.items():
            is_same = self._matters[base].round.number == number and not who.holds(base)
            if is_same and self._is_for(who, base, purpose) and not (purpose == "vote" and self._is_full(base, taken)):
                return base, purpose
        return None

    def _fit(self, who: Curator, taken: Counter[str]) -> Callable[[str], Fit]:
        def fit(base: str) -> Fit:
            is_aside = (base, self._matters[base].round.number) in who.aside
            if is_aside or not self._is_for(who, base, "vote"):
                return "never"
            return "later" if who.holds(base) or self._is_full(base, taken) else "free"

        return fit

    def _find_check(self, who: Curator, position: int) -> tuple[str, Purpose] | None:
        purpose = calibration.purpose_at(self._key, who.name, position, is_dull=who.streak.is_dull)
        match purpose:
            case "vote":
                return None
            case "repeat":
                answered = [given.base for given in who.given.values()]
                among = answered[: max(0, len(answered) - calibration.apart(len(answered), len(self._order)))]
            case "known":
                among = self._known
        base = self._pick(who, purpose, among, calibration.chance(self._key, who.name, position, "which"))
        if purpose == "known" and base is not None:
            who.streak = calibration.NO_STREAK
        return None if base is None else (base, purpose)

    def _pick(self, who: Curator, purpose: Purpose, among: Sequence[str], chance: float) -> str | None:
        """The first that may be shown, from a place that chance names on; not many are tried."""
        start = int(chance * len(among))
        for step in range(min(_TRIES, len(among))):
            base = among[(start + step) % len(among)]
            is_aside = (base, self._matters[base].round.number) in who.aside
            if self._is_for(who, base, purpose) and not who.holds(base) and not is_aside:
                return base
        return None

    def _lease(self, who: Curator, base: str, purpose: Purpose, now: int) -> Lease:
        who.dealt += 1
        lease = Lease("", base, self._matters[base].round.number, purpose, now)
        return _renewed(lease._replace(id=write_id(self._key, who.name, lease, who.dealt)), now)

    def _follow(self, before: Matter, now: Matter) -> None:
        self._matters[now.base] = now
        for ballot in now.ballots:
            if ballot not in before.ballots:
                self.curator(ballot.curator).take(_given(ballot))
        is_new = now.round != before.round or now.is_raised != before.is_raised
        if is_new and _is_urgent(now):
            self._lanes["urgent"].append(now.base)
        if now.round.is_decided and not before.round.is_decided and self._is_known(now):
            self._known.append(now.base)
        for who in self._curators.values():
            if self._is_for(who, now.base, "vote"):
                who.walks["all"].again(self._rank[now.base])

    def _note(self, done: Done) -> None:
        match done.act:
            case CalibrationChosen(families=families) if not self._sample:
                self._lanes["first"] = [base for base in families if base in self._rank]
                self._sample = frozenset(self._lanes["first"])
            case Checked() as act:
                self.curator(done.who).take(_checked(done, act))
            case Retracted(ballot=id) | Unchecked(id=id):
                self.curator(done.who).take_back(id)
            case Nominated(is_curator=True):
                for matter in self._matters.values():
                    if done.subject == matter.base or done.subject in matter.forms:
                        self._nominators.setdefault(matter.base, set()).add(done.who)
            case _:
                pass


def _is_urgent(matter: Matter) -> bool:
    """Whether somebody waits for a family."""
    return matter.is_open and (matter.is_raised or matter.round.is_second)


def _renewed(lease: Lease, now: int) -> Lease:
    return lease._replace(ends=min(now, lease.since + IDLE) + LEASE)


def _given(ballot: Ballot) -> Given:
    return Given(ballot.id, ballot.family, "vote", ballot.at[:10])


def _checked(done: Done, act: Checked) -> Given:
    return Given(act.id, done.subject, act.purpose, done.at[:10])
