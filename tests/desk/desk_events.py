"""Events in the middle of their rounds, and a desk over them: what the tests of the desk begin with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ordws.desk.context import Desk
from ordws.desk.desk_key import DeskKey
from ordws.desk.events import DeskEvent, Events
from ordws.desk.sessions import DeskSessions
from ordws.frame.sessions import new_code
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.facts import EventSettings, SideResult, TableResult
from ordws.tournament.pairing.problem import Draft
from ordws.tournament.played_event import event_pairings

NOON: Final = 1_795_305_600
NAMES: Final = ("Ann Lee", "Ben Ode", "Cy Poe", "Dee Ray", "Eva Marsh", "Finn O'Hara", "Gus Nakamura", "Hana Okafor")
KEY: Final = DeskKey(b"desk" * 8)


@dataclass
class TestClock:
    """A clock that a test moves."""

    __test__ = False
    now: int = NOON

    def __call__(self) -> int:
        return self.now


@dataclass
class TestDesk:
    """A desk over a folder of events, each of which a test makes for itself."""

    __test__ = False
    folder: Path
    clock: TestClock = field(default_factory=TestClock)
    made: int = 0

    def __post_init__(self) -> None:
        self.events = Events(self.folder)
        self.sessions = DeskSessions.create(self.folder.with_name("desk.sessions"), self.folder, KEY)
        self.desk = Desk(self.events, KEY, self.sessions, self.clock)

    def event(
        self,
        names: Sequence[str] = NAMES,
        *,
        present: int | None = None,
        rounds: int = 5,
        games: int = 1,
        settings: EventSettings | None = None,
    ) -> TestEvent:
        """Make an event with entrants, the first `present` of whom (all by default) are checked in."""
        self.made += 1
        command = f.Created(
            name=f"Event {self.made}",
            rules="scrabble-i",
            rounds=rounds,
            seed=self.made,
            games_a_round=games,
            settings=settings or EventSettings(),
        )
        event = TestEvent(self, self.events.create(command, actor="director", now=NOON))
        event.apply(*[c.Enter(name=name) for name in names])
        there = list(event.state.entrants)[: len(names) if present is None else present]
        event.apply(*[f.CheckedIn(entrant=number) for number in there])
        return event


@dataclass
class TestEvent:
    """An event that tests drive without a browser where that is not their subject."""

    __test__ = False
    of: TestDesk
    opened: DeskEvent

    @property
    def id(self) -> str:
        return self.opened.id

    @property
    def state(self):
        return self.opened.snapshot().state

    @property
    def draft(self) -> Draft:
        return self.opened.snapshot().draft

    def apply(self, *commands: c.Command, actor: str = "director", expected: int | None = None) -> None:
        if commands:
            self.opened.apply(*commands, actor=actor, now=self.of.clock.now, expected=expected)

    def publish(self) -> None:
        """Publish the draft of the next round."""
        number, draft = self.state.next_round, self.draft
        self.apply(f.Published(round=number, pairings=event_pairings(draft), bye=draft.bye))

    def result(self, table: int, first: str = "412:398/13", second: str = "371:380/13", **more: object) -> None:
        """Key a result of the last round in."""
        result = TableResult(first=side(first), second=side(second))
        place = {"round": self.state.last_round.number, "table": table, **more}
        self.apply(f.Resulted(result=result, **place))

    def play(self, tables: Iterable[int] | None = None) -> None:
        """Give every table of the last round, or some, a result in which the lower number wins."""
        for pairing in self.state.last_round.pairings:
            if tables is None or pairing.table in tables:
                extra = (pairing.first * 7 + pairing.second) % 40
                sides = (f"{400 + extra}:{390 + extra}/13", "371:365/13")
                self.result(pairing.table, *(sides if pairing.first < pairing.second else sides[::-1]))

    def play_rounds(self, count: int) -> None:
        """Publish, play and close rounds."""
        for _ in range(count):
            self.publish()
            self.play()
            self.close_round()

    def close_round(self) -> None:
        self.apply(f.Closed(round=self.state.last_round.number))

    def code(self, entrant: int) -> str:
        """Issue an entry code and return it."""
        code = new_code()
        self.apply(f.CodeIssued(entrant=entrant, digest=KEY.code_digest(self.state, code)))
        return code

    def pairing_of(self, entrant: int):
        return self.state.last_round.of_entrant(entrant)


def side(text: str) -> SideResult:
    score, _, turns = text.partition(":")
    points, _, count = turns.partition("/")
    return SideResult(int(score), int(points), int(count))
