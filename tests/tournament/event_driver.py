"""An event in memory for tests: commands by names of entrants, rounds as they are drawn, results of all games."""

from __future__ import annotations

from typing import Any

import pytest

from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.decide import decide_all
from ordws.tournament.facts import RecordedFact, TableResult
from ordws.tournament.fold import fold
from ordws.tournament.history import history_in_words
from ordws.tournament.pairing.draft import draft_round
from ordws.tournament.played_event import event_pairings, problem_of
from ordws.tournament.results import parse_side
from ordws.tournament.standings import StandingLine, standings
from ordws.tournament.state import PairingState, RoundState, TournamentState


def result(first: str = "412:398/13", second: str = "371:380/13", **rest: Any) -> TableResult:
    """Return a result from its two sides as they are typed."""
    return TableResult(first=parse_side(first), second=parse_side(second), **rest)


class DrivenEvent:
    """An event whose entrants are checked in, unless `checked_in` is False; `facts` is all that it is made of."""

    def __init__(self, *names: str, rounds: int = 3, checked_in: bool = True, **created: Any) -> None:
        self.facts: list[RecordedFact] = []
        self.state = TournamentState()
        self.do(f.Created(name="Club", rules="classic", rounds=rounds, seed=created.pop("seed", 7), **created))
        for name in names:
            self.do(c.Enter(name=name))
        if checked_in:
            self.do(*[f.CheckedIn(entrant=number) for number in self.state.entrants])

    def do(self, *commands: c.Command, actor: str = "desk", expected: int | None = None) -> TournamentState:
        """Carry out commands as one, and return the state."""
        id = f"command {len(self.facts)}"
        self.facts = [*self.facts, *decide_all(commands, self.facts, self.state, actor, 1_000, id, expected)]
        self.state = fold(self.facts)
        return self.state

    def number(self, name: str) -> int:
        return next(number for number, each in self.state.entrants.items() if each.name == name)

    def name(self, number: int) -> str:
        return self.state.name_of(number)

    def publish(self) -> RoundState:
        """Draw the next round and publish it."""
        draft = draft_round(problem_of(self.state))
        self.do(f.Published(round=self.state.next_round, pairings=event_pairings(draft), bye=draft.bye))
        played = self.state.open_round
        assert played is not None
        return played

    def pairs(self) -> list[set[str]]:
        """Return the names of those who are paired in the last round."""
        assert self.state.last_round is not None
        return [{self.name(each.first), self.name(each.second)} for each in self.state.last_round.pairings]

    def pairing(self, name: str) -> PairingState:
        """Return the pairing of an entrant in the last round."""
        assert self.state.last_round is not None
        found = self.state.last_round.of_entrant(self.number(name))
        assert found is not None
        return found

    def play(self, name: str | None = None, told: TableResult | None = None) -> None:
        """Key in a result of the open round for one entrant's game, or for all games without one."""
        played = self.state.open_round
        assert played is not None
        for pairing in played.pairings:
            if name is None or self.number(name) in pairing.entrants:
                for game, known in enumerate(pairing.games, 1):
                    if known is None:
                        self.do(
                            f.Resulted(round=played.number, table=pairing.table, game=game, result=told or result())
                        )

    def close(self) -> None:
        assert self.state.open_round is not None
        self.do(f.Closed(round=self.state.open_round.number))

    def play_round(self) -> RoundState:
        """Publish the next round, play all its games, and close it."""
        played = self.publish()
        self.play()
        self.close()
        return played

    def line(self, name: str) -> StandingLine:
        return next(line for line in standings(self.state) if line.name == name)

    def words(self) -> list[str]:
        """Return the history in words."""
        return history_in_words(self.facts, self.facts)


def refused(event: DrivenEvent, *commands: c.Command) -> str:
    """Return why commands are refused; the event is as it was."""
    before = event.facts
    with pytest.raises(BadInput) as caught:
        event.do(*commands)
    assert event.facts == before
    return str(caught.value)
