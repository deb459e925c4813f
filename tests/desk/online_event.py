"""An on-line event whose games are played at a real service on one clock, and a desk that can be killed at any step."""

from __future__ import annotations

import httpx
from invited_game import Browser

from ordws.client import Client
from ordws.desk.events import DeskEvent
from ordws.desk.online import OnlineRounds
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.facts import EventSettings
from ordws.tournament.played_event import event_pairings
from ordws.tournament.store import EventFile

NAMES = ("Ann", "Ben", "Cy", "Dee")
SITE = "https://judge.example.org"


class Killed(BaseException):
    """The desk dies."""


class Mortal:
    """An object whose `n`th call, counted over all that share the count, is the last one, before or after its work."""

    def __init__(self, inner, calls, last, *, is_done):
        self._inner, self._calls, self._last, self._is_done = inner, calls, last, is_done

    def __getattr__(self, name):
        found = getattr(self._inner, name)
        if name not in ("apply", "open_event_game", "call_off", "event_games", "bind_station"):
            return found

        def call(*arguments, **named):
            is_last = next(self._calls) == self._last
            if is_last and not self._is_done:
                raise Killed
            done = found(*arguments, **named)
            if is_last:
                raise Killed
            return done

        return call


class OnlineEvent:
    """An on-line event of four players, the service at which it is played, and the players' browsers."""

    def __init__(self, service, desk, folder, *, rounds=1, rules="scrabble-o", names=NAMES, **settings):
        self.service, self.key = service, desk.key
        settings = {"on_line": True, "automatic": True, "forfeit_minutes": 10, **settings}
        games_a_round = settings.pop("games_a_round", 1)
        command = f.Created(
            name="Spring Open",
            rules=rules,
            rounds=rounds,
            seed=1,
            games_a_round=games_a_round,
            settings=EventSettings(**settings),
        )
        path = folder / f"e{len([*folder.iterdir()])}.db"
        self.event = DeskEvent("spring", EventFile.create(path, command, actor="Dora", now=self.now))
        self.apply(*[c.Enter(name=name) for name in names])
        self.apply(*[f.CheckedIn(entrant=entrant) for entrant in self.state.entrants])
        self.client = new_client(service, desk.key)
        self.rounds = OnlineRounds(self.event, self.client, SITE)

    @property
    def now(self):
        return self.service.clock()

    @property
    def state(self):
        return self.event.snapshot().state

    def apply(self, *commands):
        self.event.apply(*commands, actor="Dora", now=self.now)

    def publish(self):
        snapshot = self.event.snapshot()
        self.apply(
            f.Published(
                round=snapshot.state.next_round, pairings=event_pairings(snapshot.draft), bye=snapshot.draft.bye
            )
        )

    def step(self, seconds=0):
        self.service.clock.now += seconds
        self.rounds.step(self.now)
        return self.state

    def pairing(self, table=1):
        return self.state.last_round.pairings[table - 1]

    def seat_links(self):
        """Return the links to the seats at both tables, as far as this desk knows them."""
        return [
            self.rounds.seat_link(entrant, pairing.bound[0].sealed_game)
            for pairing in map(self.pairing, (1, 2))
            for entrant in pairing.entrants
        ]

    def browser(self, table=1, seat=0, game=1):
        """Return the browser of a player who has followed their own link and sworn."""
        pairing = self.pairing(table)
        sealed_game = [each.sealed_game for each in pairing.bound if each.game == game][-1]
        order = pairing.entrants if game == 1 else pairing.entrants[::-1]
        link = self.rounds.seat_link(order[seat], sealed_game)
        assert link.startswith(f"{SITE}/play/{sealed_game}#seat=ordws_invite_")
        browser = Browser(self.service, sealed_game)
        browser.take("/seat", invitation=link.partition("=")[2])
        browser.take("/oath", version=1)
        return browser

    def play(self, table=1, game=1, moves=("-", "-", "resign")):
        """Play a game by these moves in turn."""
        browsers = [self.browser(table, seat, game) for seat in (0, 1)]
        for number, move in enumerate(moves):
            mover = browsers[number % 2]
            mover.take("/turns", turn=mover.standing()["turn"], move=move)
        return browsers

    def results(self, table=1):
        return [game and game.result for game in self.pairing(table).games]

    def kinds(self):
        """Return the kinds of the facts that the steps added, in their order."""
        return [f.kind_of_fact(each.fact) for each in self.event.snapshot().facts if each.actor == f.SERVICE_ACTOR]


def new_client(service, key):
    return Client("http://localhost", key, transport=httpx.WSGITransport(service.app), patience_seconds=0.0)
