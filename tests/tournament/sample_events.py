"""Events played by a circle table, with results that follow from numbers alone, for prints, pictures and prizes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.decide import decide
from ordws.tournament.fold import apply_facts
from ordws.tournament.state import TournamentState

NAMES = (
    "Ann Ode",
    "Ben Lee",
    "Cy Young",
    "Dora Maar",
    "Eli Wood",
    "Fay Wray",
    "Gus Grand",
    "Hal Moon",
    "Ida Bell",
    "Jo March",
    "Kim Novak",
    "Lev Tolstoy",
    "Mia Farrow",
    "Ned Land",
    "Ora Labora",
    "Pip Squeak",
    "Quin Tet",
    "Rosa Alba",
    "Sam Vimes",
    "Tess Durbey",
    "Uma Tree",
    "Vic Tor",
    "Wim Wenders",
    "Xenia Field",
)


class SampleEvent:
    """An event that is run by commands, in memory."""

    def __init__(self, **created: Any) -> None:
        self.state = TournamentState()
        self.facts: list[f.RecordedFact] = []
        self.run(f.Created(**{"name": "Autumn Open", "rules": "scrabble-i", "rounds": 5, "seed": 1} | created))

    def run(self, *commands: c.Command) -> None:
        for number, command in enumerate(commands, len(self.facts)):
            for fact in decide(self.state, command, self.facts):
                recorded = f.RecordedFact(len(self.facts) + 1, 1_790_000_000, "director", f"c{number}", fact)
                self.facts.append(recorded)
                self.state = apply_facts(self.state, [recorded])

    def enter(self, names: Iterable[str]) -> None:
        """Enter players and check them in."""
        for name in names:
            self.run(c.Enter(name=name))
            self.run(f.CheckedIn(entrant=self.state.entrants_ever))

    def publish(self) -> None:
        """Publish the next round, by the circle method over those who are present."""
        there: list[int | None] = [*self.state.present]
        there += [None] * (len(there) % 2)
        turn = (self.state.next_round - 1) % (len(there) - 1)
        circle = [there[0], *there[1 + turn :], *there[1 : 1 + turn]]
        pairs = [(circle[at], circle[-1 - at]) for at in range(len(circle) // 2)]
        bye = next((one or other for one, other in pairs if one is None or other is None), None)
        met = [(one, other) for one, other in pairs if one is not None and other is not None]
        pairings = [f.EventPairing(table, *pair) for table, pair in enumerate(met, 1)]
        self.run(f.Published(round=self.state.next_round, pairings=tuple(pairings), bye=bye))

    def play(self) -> None:
        """Key in results of the open round where there are none, the strong being those who entered first."""
        number = self.state.open_round.number
        for pairing in self.state.open_round.pairings:
            for game in range(1, self.state.event.games_a_round + 1):
                if pairing.games[game - 1] is None:
                    sides = [
                        f.SideResult(points := turns * 28 - 2 * entrant + 5 * (number * entrant % 7), points, turns)
                        for entrant, turns in ((pairing.first, 13), (pairing.second, 13))
                    ]
                    result = f.TableResult(first=sides[0], second=sides[1])
                    self.run(f.Resulted(round=number, table=pairing.table, game=game, result=result))

    def play_rounds(self, rounds: int) -> None:
        for _ in range(rounds):
            self.publish()
            self.play()
            self.run(f.Closed(round=self.state.open_round.number))


def played_event(players: int = 12, rounds: int = 5, **created: Any) -> SampleEvent:
    """Return an event all of whose rounds are closed."""
    event = SampleEvent(**{"rounds": rounds} | created)
    event.enter(NAMES[:players])
    event.play_rounds(rounds)
    return event
