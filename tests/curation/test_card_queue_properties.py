"""Whatever curators do: no card is with more people than it needs, none is stuck, and everybody is offered all."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from queue_simulation import QueueSimulation, bases, fewest_votes_needed

NAMES = ("ann", "ben", "cleo", "dora", "emil")
SAMPLE = ("BAAAC",)
WHO = st.sampled_from(NAMES)
VOTE = st.sampled_from(("in", "out", "doubt"))


class QueueMachine(RuleBasedStateMachine):
    """Five curators at one queue of nine families, one of which is in the sample."""

    def __init__(self) -> None:
        super().__init__()
        self.world = QueueSimulation.of(bases(9), sample=SAMPLE)
        self.seen: set[str] = set()
        self.given_back: set[tuple[str, str]] = set()

    def look(self, name: str) -> None:
        """Deal, and hold every new card to what its family needs."""
        dealt = self.world.deal(name)
        held = [
            (who.name, lease.base)
            for who in self.world.queue._curators.values()
            for lease in who.leases
            if lease.expires_at > self.world.now and lease.purpose == "vote"
        ]
        assert len(held) == len(set(held))
        for lease in dealt:
            if lease.id not in self.seen and lease.purpose == "vote" and lease.base not in SAMPLE:
                owners = [who for who, base in held if base == lease.base and (who, base) not in self.given_back]
                matter = self.world.matters[lease.base]
                assert matter.is_open
                assert name not in matter.voters | matter.recused
                assert (name, lease.base) in self.given_back or len(owners) <= fewest_votes_needed(
                    matter, self.world.panel
                )
            self.seen.add(lease.id)

    @rule(name=WHO)
    def come(self, name: str) -> None:
        self.look(name)

    @rule(name=WHO, vote=VOTE, seconds=st.sampled_from((1.0, 6.0)))
    def vote(self, name: str, vote: str, seconds: float) -> None:
        self.look(name)
        if dealt := self.world.deal(name):
            self.world.vote(name, dealt[0], vote, seconds)  # type: ignore[arg-type]
            self.given_back.discard((name, dealt[0].base))

    @rule(name=WHO, vote=VOTE)
    def vote_late(self, name: str, vote: str) -> None:
        """A page that was away answers what it has shown, whoever holds the card by now."""
        hand = self.world.queue.curator(name).leases
        if hand and self.world.queue.can_answer(name, hand[-1], self.world.now):
            self.world.vote(name, hand[-1], vote)  # type: ignore[arg-type]

    @rule(name=WHO)
    def skip(self, name: str) -> None:
        if dealt := self.world.deal(name):
            self.world.queue.skip(name, dealt[0])

    @rule(name=WHO)
    def recuse(self, name: str) -> None:
        if dealt := self.world.deal(name):
            self.world.recuse(name, dealt[0].base)

    @rule(name=WHO, back=st.integers(1, 3))
    def undo(self, name: str, back: int) -> None:
        given = list(self.world.queue.curator(name).answers.values())
        if len(given) >= back and self.world.undo(name, given[-back]):
            self.given_back.add((name, given[-back].base))

    @rule(seconds=st.sampled_from((30, 599, 600, 5_000)))
    def wait(self, seconds: int) -> None:
        self.world.now += seconds

    @rule(name=WHO)
    def beat(self, name: str) -> None:
        ids = [lease.id for lease in self.world.queue.curator(name).leases]
        self.world.queue.renew(name, ids, self.world.now)

    @rule()
    def crash(self) -> None:
        """Leases are gone; pages hold what they held, and some of them say so."""
        ids = {name: [lease.id for lease in self.world.queue.curator(name).leases] for name in NAMES[:2]}
        self.world.restart()
        for name, held in ids.items():
            self.world.queue.renew(name, held, self.world.now)

    @precondition(lambda self: any(matter.round.is_decided for matter in self.world.matters.values()))
    @rule(is_second=st.booleans())
    def begin_round(self, is_second: bool) -> None:
        base = next(base for base, matter in self.world.matters.items() if matter.round.is_decided)
        self.world.begin_round(base, is_second=is_second)

    @invariant()
    def counts_agree(self) -> None:
        """A curator's answers are those of the ledger less those taken back."""
        for name in NAMES:
            mine = self.world.queue.curator(name)
            assert not mine.answers.keys() & mine.undone_answers.keys()

    def teardown(self) -> None:
        """Those who stay to the end are offered every family that they may vote on, until all are decided."""
        for _ in range(60):
            self.world.now += 700
            for name in NAMES:
                while dealt := self.world.deal(name):
                    self.world.vote(name, dealt[0], "in")
        for matter in self.world.matters.values():
            assert not matter.is_open or set(NAMES) == matter.voters | matter.recused


TestEvening = QueueMachine.TestCase
TestEvening.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
