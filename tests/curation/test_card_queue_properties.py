"""Properties of the queue under random events: no family is held by too many, and everybody is offered all."""

from __future__ import annotations

from hypothesis import settings
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
        self.simulation = QueueSimulation.of(bases(9), sample=SAMPLE)
        self.seen: set[str] = set()
        self.given_back: set[tuple[str, str]] = set()

    def look(self, name: str) -> None:
        """Deal cards to a curator, and check that the family of each new one needs another vote."""
        dealt = self.simulation.deal(name)
        held = [
            (curator.name, lease.base)
            for curator in self.simulation.queue._curators.values()
            for lease in curator.leases
            if lease.expires_at > self.simulation.now and lease.purpose == "vote"
        ]
        assert len(held) == len(set(held))
        for lease in dealt:
            if lease.id not in self.seen and lease.purpose == "vote" and lease.base not in SAMPLE:
                owners = [owner for owner, base in held if base == lease.base and (owner, base) not in self.given_back]
                state = self.simulation.states[lease.base]
                assert state.is_open
                assert name not in state.voters | state.recused
                assert (name, lease.base) in self.given_back or len(owners) <= fewest_votes_needed(
                    state, self.simulation.panel
                )
            self.seen.add(lease.id)

    @rule(name=WHO)
    def come(self, name: str) -> None:
        self.look(name)

    @rule(name=WHO, vote=VOTE, seconds=st.sampled_from((1.0, 6.0)))
    def vote(self, name: str, vote: str, seconds: float) -> None:
        self.look(name)
        if dealt := self.simulation.deal(name):
            self.simulation.vote(name, dealt[0], vote, seconds)  # type: ignore[arg-type]
            self.given_back.discard((name, dealt[0].base))

    @rule(name=WHO, vote=VOTE)
    def vote_late(self, name: str, vote: str) -> None:
        """Answer a card that the page has shown, whoever holds it by now."""
        leases = self.simulation.queue.curator(name).leases
        if leases and self.simulation.queue.can_answer(name, leases[-1], self.simulation.now):
            self.simulation.vote(name, leases[-1], vote)  # type: ignore[arg-type]

    @rule(name=WHO)
    def skip(self, name: str) -> None:
        self.look(name)
        if dealt := self.simulation.deal(name):
            self.simulation.queue.skip(name, dealt[0])

    @rule(name=WHO)
    def recuse(self, name: str) -> None:
        self.look(name)
        if dealt := self.simulation.deal(name):
            self.simulation.recuse(name, dealt[0].base)

    @rule(name=WHO, back=st.integers(1, 3))
    def undo(self, name: str, back: int) -> None:
        given = list(self.simulation.queue.curator(name).answers.values())
        if len(given) >= back and self.simulation.undo(name, given[-back]):
            self.given_back.add((name, given[-back].base))

    @rule(seconds=st.sampled_from((30, 599, 600, 5_000)))
    def wait(self, seconds: int) -> None:
        self.simulation.now += seconds

    @rule(name=WHO)
    def beat(self, name: str) -> None:
        ids = [lease.id for lease in self.simulation.queue.curator(name).leases]
        self.simulation.queue.renew(name, ids, self.simulation.now)

    @rule()
    def crash(self) -> None:
        """Restart the console, after which the pages of two curators renew what they hold."""
        ids = {name: [lease.id for lease in self.simulation.queue.curator(name).leases] for name in NAMES[:2]}
        self.simulation.restart()
        for name, held in ids.items():
            self.simulation.queue.renew(name, held, self.simulation.now)

    @precondition(lambda self: any(state.round.is_decided for state in self.simulation.states.values()))
    @rule(is_second=st.booleans())
    def begin_round(self, is_second: bool) -> None:
        base = next(base for base, state in self.simulation.states.items() if state.round.is_decided)
        self.simulation.begin_round(base, is_second=is_second)

    @invariant()
    def counts_agree(self) -> None:
        """A curator's answers are those of the ledger without those taken back."""
        for name in NAMES:
            curator = self.simulation.queue.curator(name)
            assert not curator.answers.keys() & curator.undone_answers.keys()

    def teardown(self) -> None:
        """Curators who stay to the end are offered every family that they may vote on, until all are decided."""
        for _ in range(60):
            self.simulation.now += 700
            for name in NAMES:
                while dealt := self.simulation.deal(name):
                    self.simulation.vote(name, dealt[0], "in")
        for state in self.simulation.states.values():
            assert not state.is_open or set(NAMES) == state.voters | state.recused


TestEvening = QueueMachine.TestCase
TestEvening.settings = settings(stateful_step_count=40)
