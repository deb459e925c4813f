"""A queue with what would be in a ledger, in memory: curators are dealt cards, vote, undo, and it starts anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from ordws.curation.acts import Act, CalibrationChosen, Checked, Done, Recused, Retracted, Unchecked
from ordws.curation.ballot import Ballot, Vote
from ordws.curation.curator import Given
from ordws.curation.decision import decide
from ordws.curation.lease import Lease
from ordws.curation.queue import Queue
from ordws.curation.rounds import FIRST, Matter, Round

AT = "2026-11-21T12:00:00Z"
KEY = bytes(range(32))
LETTERS = "ABCDEFGHIJ"


def bases(number: int) -> list[str]:
    """So many names, in the order in which the queue has them: BAAAA, BAAAB ..."""
    return ["B" + "".join([LETTERS[place // 10**digit % 10] for digit in (3, 2, 1, 0)]) for place in range(number)]


@dataclass
class World:
    """What has happened, and the queue that knows of it."""

    matters: dict[str, Matter]
    panel: int = 5
    key: bytes = KEY
    now: int = 0
    ballots: list[Ballot] = field(default_factory=list)
    acts: list[Done] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ids = count()
        self._open()

    @classmethod
    def of(cls, names: Iterable[str], *, sample: Sequence[str] = (), panel: int = 5, key: bytes = KEY) -> World:
        """Families of one form each, that nobody has voted on."""
        chosen = [Done(1, AT, "", "console", CalibrationChosen(families=tuple(sample)))] if sample else []
        return cls({base: Matter(base, "borderline", (base,)) for base in names}, panel, key, acts=chosen)

    def restart(self) -> None:
        """The console is started anew: what was in memory alone is gone."""
        self.now += 1
        self._open()

    def _open(self) -> None:
        regrets = {base: -rank for rank, base in enumerate(sorted(self.matters))}
        self.queue = Queue(self.matters, regrets, self.ballots, self.acts, key=self.key, began=self.now)

    def deal(self, name: str, *, is_chair: bool = False) -> list[Lease]:
        return self.queue.deal(name, self.now, is_chair=is_chair)

    def vote(self, name: str, lease: Lease, vote: Vote, seconds: float = 5.0) -> str:
        """An answer to a card; returns its id."""
        id = f"{name}-{next(self.ids)}"
        if lease.purpose == "vote":
            ballot = Ballot(id, lease.base, name, vote, (), "", AT)
            self.ballots.append(ballot)
            matter = self.matters[lease.base]
            self.put(self.counted(replace(matter, ballots=(*matter.ballots, ballot))))
        else:
            self.do(lease.base, name, Checked(id=id, purpose=lease.purpose, vote=vote))
        self.now += int(seconds) + 1
        self.queue.answer(name, lease, vote, seconds, self.now)
        return id

    def undo(self, name: str, given: Given) -> bool:
        """Take an answer back; False where its family is decided or in another round."""
        matter = self.matters[given.base]
        if matter.round.is_decided:
            return False
        if given.purpose != "vote":
            self.do(given.base, name, Unchecked(id=given.id))
        elif given.id not in [each.id for each in matter.ballots]:
            return False
        else:
            left = tuple([each for each in matter.ballots if each.id != given.id])
            self.do(given.base, name, Retracted(ballot=given.id), self.counted(replace(matter, ballots=left)))
        self.queue.give_back(name, given, self.now)
        return True

    def recuse(self, name: str, base: str) -> None:
        matter = self.matters[base]
        self.do(base, name, Recused(), replace(matter, recused=matter.recused | {name}))

    def begin_round(self, base: str, *, is_second: bool) -> None:
        """Another blind round, after a discussion or a re-opening."""
        matter = self.matters[base]
        self.put(replace(matter, round=Round(matter.round.number + 1, 1, is_second), ballots=()))

    def counted(self, matter: Matter) -> Matter:
        if matter.round.is_decided:
            return matter
        decision = decide(matter.base, "borderline", matter.forms, matter.ballots, panel=self.panel)
        if decision.outcome == "open":
            return matter
        return replace(matter, decision=decision, round=matter.round._replace(is_decided=True))

    def do(self, base: str, name: str, act: Act, matter: Matter | None = None) -> None:
        done = Done(1, AT, base, name, act)
        self.acts.append(done)
        self.put(matter or self.matters[base], done)

    def put(self, matter: Matter, *acts: Done) -> None:
        self.matters[matter.base] = matter
        self.queue.update({matter.base: matter}, acts)


def answers(world: World, name: str, number: int, seconds: float = 5.0) -> list[Lease]:
    """The cards that a curator answers, each with in: so many, or as many as there are."""
    seen = []
    for _ in range(number):
        if not (hand := world.deal(name)):
            break
        lease = hand[0]
        seen.append(lease)
        world.vote(name, lease, "in", seconds)
    return seen


def decided(base: str, *voters: str) -> Matter:
    """A family that these have voted in, all alike."""
    ballots = tuple([Ballot(f"{voter}-{base}", base, voter, "in", (), "", AT) for voter in voters])
    decision = decide(base, "borderline", [base], ballots, panel=5)
    return Matter(base, "borderline", (base,), FIRST._replace(is_decided=True), ballots, decision)


def fewest(matter: Matter, panel: int) -> int:
    """How many more votes decide a family at the least, found by trying them all."""
    for number in range(6):
        for pattern in range(2**number):
            more = [
                Ballot(f"{voter}", matter.base, f"voter {voter}", "in" if pattern >> voter & 1 else "out", (), "", AT)
                for voter in range(number)
            ]
            if decide(matter.base, "borderline", matter.forms, [*matter.ballots, *more], panel=panel).outcome != "open":
                return number
    raise AssertionError("six votes decide everything")
