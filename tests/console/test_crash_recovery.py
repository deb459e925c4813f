"""Five curators vote as fast as they can while the console is killed: no acknowledged vote is lost, no card stuck."""

from __future__ import annotations

import itertools
import random
import threading
import uuid
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from console_installation import families, make_installation
from console_process import ConsoleProcess, SignedInClient

from ordws.cli.curation import open_ledger

pytestmark = pytest.mark.long

NAMES = ("ann", "ben", "cleo", "dora", "emil")
KILLS = 8


class Panel:
    """The shared knowledge of the curators: when anybody has voted, and when nobody has a card left."""

    def __init__(self, size: int) -> None:
        self.size, self.votes, self.idle = size, 0, set[str]()
        self.changed = threading.Condition()

    def voted(self) -> None:
        with self.changed:
            self.votes += 1
            self.idle.clear()
            self.changed.notify_all()

    def is_done(self, name: str) -> bool:
        """Return whether nobody has a card; where another curator has one, wait for the next vote first."""
        with self.changed:
            self.idle.add(name)
            self.changed.notify_all()
            self.changed.wait_for(lambda: name not in self.idle or len(self.idle) == self.size, timeout=60)
            return len(self.idle) == self.size

    def wait_for_votes(self, enough: int) -> None:
        """Wait until so many votes are acknowledged."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.votes >= enough, timeout=60)


class Curator(threading.Thread):
    """A curator who votes on every card, and repeats each request under the same id until it is acknowledged."""

    def __init__(self, client: SignedInClient, panel: Panel) -> None:
        super().__init__(daemon=True)
        self.client, self.rng, self.panel = client, random.Random(client.name), panel
        self.acknowledged: dict[str, tuple[str, str]] = {}
        self.refused: list[Any] = []

    def run(self) -> None:
        cards: list[Any] = []
        while cards or (cards := self.insist("/api/cards")["cards"]) or not self.panel.is_done(self.client.name):
            if cards:
                cards = self.vote(cards[0])

    def vote(self, card: Any) -> list[Any]:
        ballot, vote = str(uuid.uuid4()), self.rng.choice(["in", "in", "out"])
        body = {"card": card["id"], "ballot": ballot, "vote": vote, "forms": [], "reason": "", "seconds": 2.5}
        reply = self.insist("/api/votes", **body)
        self.acknowledged[ballot] = (card["head"], vote)
        self.panel.voted()
        cards: list[Any] = reply["cards"]
        return cards

    def insist(self, path: str, **body: Any) -> Any:
        while True:
            try:
                status, reply = self.client.api(path, **body)
            except (OSError, ValueError):
                threading.Event().wait(0.02)  # the console is being started again
                continue
            if status == 200:
                return reply
            self.refused.append((path, status, reply))
            return {"cards": []}


@pytest.fixture
def console(tmp_path: Path) -> Any:
    instance, ledger = make_installation(tmp_path / "instance", families(60))
    ledger.close()
    with ConsoleProcess(instance) as console:
        yield console


def test_nothing_acknowledged_is_lost_when_the_console_is_killed(console: ConsoleProcess) -> None:
    """Eight kills amid the votes of five curators lose no acknowledged vote, and all families get decided."""
    panel = Panel(len(NAMES))
    curators = [Curator(SignedInClient(console, name), panel) for name in NAMES]
    for curator in curators:
        curator.start()
    rng = random.Random(5)
    for enough in itertools.accumulate(rng.randint(2, 12) for _ in range(KILLS)):
        panel.wait_for_votes(enough)
        console.kill()
        console.start()
    for curator in curators:
        curator.join(timeout=120)
        assert not curator.is_alive()
    assert [curator.refused for curator in curators] == [[]] * 5
    console.stop()
    with open_ledger(console.instance) as ledger:
        kept = {ballot.id: (ballot.family, ballot.vote) for ballot in ledger.ballots()}
        checks = {done.act.id for done in ledger.acts() if hasattr(done.act, "purpose")}
        family_states = ledger.family_states()
    for curator in curators:
        for id, vote in curator.acknowledged.items():
            assert id in checks or kept[id] == vote
    assert {family_state.is_open for family_state in family_states.values()} == {False}
    twice = Counter(
        (ballot.curator, family_state.base)
        for family_state in family_states.values()
        for ballot in family_state.ballots
    )
    assert set(twice.values()) == {1}
    console.start()
