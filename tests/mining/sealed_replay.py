"""Recorded games replayed as games that the server deals, from a bag that gives the recorded tiles."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from ordws.fairplay.recorded_games import RULES, RecordedGame
from ordws.rules.bag import remove_tiles
from tests.mining.attackers.steps import BenchCaller, BenchReply, BenchRequest
from tests.mining.installation import BenchInstallation
from tests.mining.traffic import HonestQuestion

_OPTIONS: Final = {"check_ospd": "none"}


class RecordedDraws:
    """A random source for the referee that fills the bag and draws from it as in a recorded game.

    Tiles that a player draws and never plays are not recorded: any will do that nobody draws later.
    """

    def __init__(self, game: RecordedGame, rng: Random) -> None:
        self._rng = rng
        self._is_filled = False
        following: dict[int, str] = {}
        draws: deque[str | None] = deque()
        for number in reversed(range(len(game.turns))):
            player = number % game.players
            before = following.get(player)
            if before is None or (drawn := remove_tiles(before, game.turns[number].kept)):
                draws.appendleft(None if before is None else drawn)
            following[player] = game.turns[number].rack
        draws.extendleft(following[player] for player in reversed(range(game.players)))
        self._draws = draws

    def sample(self, population: Sequence[str], k: int) -> list[str]:
        """Return all tiles for the bag, then the tiles of the next draw."""
        if not self._is_filled:
            self._is_filled = True
            return list(population)
        if not k:
            return []
        drawn = self._draws.popleft() if self._draws else None
        if drawn is None:
            reserved = Counter("".join([each for each in self._draws if each]))
            return self._rng.sample(sorted((Counter(population) - reserved).elements()), k)
        if len(drawn) != k:
            raise ValueError(f"the game draws {k} tiles where {len(drawn)} were recorded")
        return list(drawn)


class SealedReplay:
    """One recorded game that the server deals, turn by turn."""

    def __init__(self, installation: BenchInstallation, rng: Random) -> None:
        self._installation, self._rng = installation, rng
        self._tokens: list[str] = []
        self._game, self._first_turn = "", 1

    def ask(self, caller: BenchCaller, question: HonestQuestion, now: int) -> BenchReply:
        """Take the turn of a question, after opening the game if it is the first.

        A game that met a refusal cannot go on, so that all of its later turns are refused too.
        """
        if question.number == 0:
            self._draws = RecordedDraws(question.game.game, self._rng)
            self._installation.draw_from(self._draws)
            refused = (self._open_as_guests if caller.link else self._open)(caller, question.game.players, now)
            if refused is not None:
                return refused
        if not self._tokens:
            return BenchReply(now, 429)
        *swaps, move = question.turn.move.split(" ", maxsplit=question.turn.move.count("="))
        token = self._tokens[question.number % len(self._tokens)]
        body: dict[str, Any] = {"turn": self._first_turn + question.number, "move": move, "swaps": swaps}
        self._installation.draw_from(self._draws)
        if not caller.link:
            body["seat"] = token
        path = f"/v1/games/{self._game}/turns"
        reply = self._installation.ask(BenchRequest(caller, path, body, seat_token=token), now)
        if reply.status == 429:
            self._tokens = []
        return reply

    def _open(self, caller: BenchCaller, players: Sequence[str], now: int) -> BenchReply | None:
        """Open the game for a client; return the refusal if it is refused."""
        seats = [{"player": player} for player in players]
        body = {"rules": RULES.id, "options": _OPTIONS, "seats": seats}
        opened = self._installation.ask(BenchRequest(caller, "/v1/games", body), now)
        if opened.status != 201:
            return opened
        self._game = opened.body["game"]
        self._tokens = [seat["token"] for seat in opened.body["seats"]]
        self._first_turn = opened.body["turn"]
        return None

    def _open_as_guests(self, caller: BenchCaller, players: Sequence[str], now: int) -> BenchReply | None:
        """Open the game by the play link, take all seats and the oath; return the refusal if it is refused."""
        ask, name = self._installation.ask, players[0]
        body = {"link": caller.link, "name": name, "first": "me", "seats": len(players)}
        opened = ask(BenchRequest(caller, "/v1/guest-games", {**body, "rules": RULES.id, "options": _OPTIONS}), now)
        if opened.status != 201:
            return opened
        self._game = opened.body["game"]
        path, self._tokens = f"/v1/games/{self._game}", [opened.cookie]
        for each, player in zip(opened.body["invitations"], players[1:], strict=True):
            taking = {"invitation": each["invitation"], "name": player}
            self._tokens.append(ask(BenchRequest(caller, f"{path}/seat", taking), now).cookie)
        for token in self._tokens:
            sworn = ask(BenchRequest(caller, f"{path}/oath", {"version": 1}, seat_token=token), now)
        self._first_turn = sworn.body["turn"]
        return None
