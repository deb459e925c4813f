"""A card queue with an in-memory ledger: curators are dealt cards, vote and undo, and the console restarts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from ordws.curation.acts import (
    Act,
    BallotRetracted,
    CalibrationChosen,
    CheckAnswered,
    CheckRetracted,
    RecordedAct,
    Recused,
)
from ordws.curation.card_queue import CardQueue
from ordws.curation.curator_cards import AnsweredCard, Lease
from ordws.curation.decision import Ballot, Vote, decide
from ordws.curation.family import Priority
from ordws.curation.voting_rounds import FIRST_ROUND, FamilyState, Round

AT = "2026-11-21T12:00:00Z"
KEY = bytes(range(32))
LETTERS = "ABCDEFGHIJ"


def bases(number: int) -> list[str]:
    """Return this many names, in the order in which the queue has them: BAAAA, BAAAB ..."""
    return ["B" + "".join([LETTERS[place // 10**digit % 10] for digit in (3, 2, 1, 0)]) for place in range(number)]


@dataclass
class QueueSimulation:
    """The events so far, and the queue that follows them."""

    states: dict[str, FamilyState]
    panel: int = 5
    key: bytes = KEY
    now: int = 0
    ballots: list[Ballot] = field(default_factory=list)
    acts: list[RecordedAct] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ids = count()
        self._open()

    @classmethod
    def of(
        cls, names: Iterable[str], *, sample: Sequence[str] = (), panel: int = 5, key: bytes = KEY
    ) -> QueueSimulation:
        """A simulation of families of one form each, without votes."""
        chosen = [RecordedAct(1, AT, "", "console", CalibrationChosen(families=tuple(sample)))] if sample else []
        return cls({base: FamilyState(base, "borderline", (base,)) for base in names}, panel, key, acts=chosen)

    def restart(self) -> None:
        """Restart the console, which loses all that is in memory only."""
        self.now += 1
        self._open()

    def _open(self) -> None:
        priorities = {base: Priority(True, -rank) for rank, base in enumerate(sorted(self.states))}
        self.queue = CardQueue(self.states, priorities, self.ballots, self.acts, key=self.key, started_at=self.now)

    def deal(self, name: str, *, is_chair: bool = False) -> list[Lease]:
        return self.queue.deal(name, self.now, is_chair=is_chair)

    def vote(self, name: str, lease: Lease, vote: Vote, seconds: float = 5.0) -> str:
        """Answer a card, and return the id of the answer."""
        id = f"{name}-{next(self.ids)}"
        if lease.purpose == "vote":
            ballot = Ballot(id, lease.base, name, vote, (), "", AT)
            self.ballots.append(ballot)
            state = self.states[lease.base]
            self.update_family(self.with_decision(replace(state, ballots=(*state.ballots, ballot))))
        else:
            self.add_act(lease.base, name, CheckAnswered(id=id, purpose=lease.purpose, vote=vote))
        self.now += int(seconds) + 1
        self.queue.answer(name, lease, vote, seconds, self.now)
        return id

    def undo(self, name: str, answer: AnsweredCard) -> bool:
        """Take an answer back; return False if its family is in another round."""
        state = self.states[answer.base]
        if answer.purpose != "vote":
            self.add_act(answer.base, name, CheckRetracted(id=answer.id))
        elif answer.id not in [each.id for each in state.ballots]:
            return False
        else:
            left = tuple([each for each in state.ballots if each.id != answer.id])
            reopened = replace(state, ballots=left, decision=None, round=state.round._replace(is_decided=False))
            self.add_act(answer.base, name, BallotRetracted(ballot=answer.id), self.with_decision(reopened))
        self.queue.restore(name, answer, self.now)
        return True

    def recuse(self, name: str, base: str) -> None:
        state = self.states[base]
        self.add_act(base, name, Recused(), replace(state, recused=state.recused | {name}))

    def begin_round(self, base: str, *, is_second: bool) -> None:
        """Begin another blind round, as after a discussion or a re-opening."""
        state = self.states[base]
        self.update_family(replace(state, round=Round(state.round.number + 1, 1, is_second), ballots=()))

    def with_decision(self, state: FamilyState) -> FamilyState:
        if state.round.is_decided:
            return state
        decision = decide(state.base, "borderline", state.forms, state.ballots, panel=self.panel)
        if decision.outcome == "open":
            return state
        return replace(state, decision=decision, round=state.round._replace(is_decided=True))

    def add_act(self, base: str, name: str, act: Act, state: FamilyState | None = None) -> None:
        done = RecordedAct(1, AT, base, name, act)
        self.acts.append(done)
        self.update_family(state or self.states[base], done)

    def update_family(self, state: FamilyState, *acts: RecordedAct) -> None:
        self.states[state.base] = state
        self.queue.update({state.base: state}, acts)


def answer_cards(simulation: QueueSimulation, name: str, number: int, seconds: float = 5.0) -> list[Lease]:
    """Answer cards of a curator with `in`, up to this number, and return their leases."""
    seen = []
    for _ in range(number):
        if not (leases := simulation.deal(name)):
            break
        lease = leases[0]
        seen.append(lease)
        simulation.vote(name, lease, "in", seconds)
    return seen


def decided_family(base: str, *voters: str) -> FamilyState:
    """A family that these curators have all voted in."""
    ballots = tuple([Ballot(f"{voter}-{base}", base, voter, "in", (), "", AT) for voter in voters])
    decision = decide(base, "borderline", [base], ballots, panel=5)
    return FamilyState(base, "borderline", (base,), FIRST_ROUND._replace(is_decided=True), ballots, decision)


def fewest_votes_needed(state: FamilyState, panel: int) -> int:
    """Return the smallest number of further votes that decides a family, found by trying all."""
    for number in range(6):
        for pattern in range(2**number):
            more = [
                Ballot(f"{voter}", state.base, f"voter {voter}", "in" if pattern >> voter & 1 else "out", (), "", AT)
                for voter in range(number)
            ]
            if decide(state.base, "borderline", state.forms, [*state.ballots, *more], panel=panel).outcome != "open":
                return number
    raise AssertionError("six votes decide everything")
