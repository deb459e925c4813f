"""Sealed games over HTTP, as their seats see them, and players who know only what they are sent."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from judged_plays import judged_plays

from ordws.guard.charge import Identity
from ordws.lexicon.sealed_edition import NO_LISTS
from ordws.movegen.graph import Graph
from ordws.movegen.moves import after_swaps, words_for
from ordws.records.notation import read_cgp, write_move
from ordws.referee.moments import Moment
from ordws.rules.bag import remove_tiles
from ordws.rules.board import EMPTY, square_name
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS
from ordws.web.serving import create_app

NOON = 1_795_262_400
"""2026-11-21, 12:00 UTC."""

COMMON_WORDS = (Path(__file__).parent / "vectors" / "mining" / "common.txt").read_text("ascii").split()


def install_edition(installation, words, *, number, core=(), reference=(), retired=(), sealed_lists=NO_LISTS):
    """Write an edition with these lists where the service looks for it."""
    installation.deliver(*words, number=number, lists=sealed_lists, core=core, reference=reference, retired=retired)


class SealedGame:
    """A game that was opened; `send` takes method, path, headers and body, and returns status, headers and body."""

    def __init__(self, send, rules, players=2, names="ann ben cleo dan", **fields):
        self.send = send
        body = {"rules": rules, "seats": [{"player": name} for name in names.split()[:players]], **fields}
        status, _, answer = send("POST", "/v1/games", {}, json.dumps(body).encode())
        assert status == 201, answer
        self.opened = json.loads(answer)
        self.tokens = [seat["token"] for seat in self.opened["seats"]]
        self.path = f"/v1/games/{self.opened['game']}"
        self.sent = [[] for _ in self.tokens]
        """All bodies that each seat was sent."""
        self.accepted = []
        """Seat, turn, fields and reply of every move that was accepted."""

    def get(self, seat=0, **headers):
        """Return status and body of a request for the standing of the game."""
        status, _, body = self.send("GET", self.path, {"Seat-Token": self.tokens[seat], **headers}, None)
        self.sent[seat].append(body)
        return status, body

    def standing(self, seat=0):
        status, body = self.get(seat)
        assert status == 200, body
        return json.loads(body)

    def turns(self, seat=0):
        """Return the score sheet of a seat."""
        status, _, body = self.send("GET", f"{self.path}/turns", {"Seat-Token": self.tokens[seat]}, None)
        assert status == 200, body
        return json.loads(body)["turns"]

    def post(self, seat, turn, move, **fields):
        """Return status and body of the reply to a move."""
        body = json.dumps({"seat": self.tokens[seat], "turn": turn, "move": move, **fields}).encode()
        status, _, answer = self.send("POST", f"{self.path}/turns", {}, body)
        self.sent[seat].append(answer)
        if status == 200:
            self.accepted.append((seat, turn, {"move": move, **fields}, answer))
        return status, answer

    def take(self, seat, move, **fields):
        """Return the reply to a move that is accepted."""
        status, body = self.post(seat, self.standing(seat)["turn"], move, **fields)
        assert status == 200, body
        return json.loads(body)

    def refusal(self, seat, move, *, turn=None, **fields):
        """Return status and code of the reply to a move that is refused."""
        status, body = self.post(seat, turn or self.standing(seat)["turn"], move, **fields)
        return status, json.loads(body)["code"]

    def record(self, seat=0):
        status, body = self.get(seat, Accept="text/plain")
        assert status == 200, body
        return body


def service_sender(service, key=None):
    """Return a function that sends requests to a service in process."""
    return http_sender(service.http, key or service.key)


def new_service_sender(services, key, clock=lambda: NOON):
    """Return a function that sends requests to a new application over services, on this clock."""
    services.games.clock = getattr(clock, "moment", lambda: Moment(1_000 * clock()))
    return http_sender(create_app(services, clock=clock, log=lambda line: None).test_client(), key)


def http_sender(http, key):
    """Return a function that sends requests by a test client of Flask."""

    def send(method, path, headers, body):
        defaults = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", **headers}
        reply = http.open(path, method=method, data=body, headers=defaults)
        return reply.status_code, reply.headers, reply.data

    return send


@cache
def graph_for(rules_id):
    return Graph.from_words(words_for(RULE_SETS[rules_id], COMMON_WORDS))


class Player:
    """Plays what it sees: mostly good plays, sometimes a bad one; challenges and checks; swaps blanks where it can."""

    def __init__(self, rng, *, daring=0.15):
        self.rng, self.daring, self.unchecked = rng, daring, []

    def act(self, standing):
        """Return possible moves, the best first; moves that budgets may refuse are followed by allowed ones."""
        match standing["phase"]:
            case "may-check":
                return [*self._check(standing), {"move": "-"}]
            case "may-be-challenged" if self._doubts(standing):
                return [{"move": "challenge"}, *self._move(standing)]
            case _:
                return self._move(standing)

    def _check(self, standing):
        last = standing["last"]
        self.unchecked = last["words"] if last["outcome"] == "rejected" else self.unchecked
        if self.rng.random() < 0.4:
            return []
        if standing["rules"] != "dover":
            return [{"move": "check-ospd"}]
        word = self.rng.choice(self.unchecked)
        self.unchecked = [each for each in self.unchecked if each != word]
        return [{"move": "check-ospd", "word": word}]

    def _doubts(self, standing):
        is_good = all(word in graph_for(standing["rules"]) for word in standing["last"]["words"])
        return self.rng.random() < (0.1 if is_good else 0.8)

    def _move(self, standing):
        others = [seat for at, seat in enumerate(standing["seats"]) if at != standing["you"]]
        is_out = not standing["bag"] and not min(each["tiles"] for each in others)
        if standing["phase"] == "may-be-challenged" and is_out:
            return [{"move": "-"}]
        rules = with_options(RULE_SETS[standing["rules"]], standing["options"])
        board, rack = read_cgp(standing["position"]).board, standing["rack"]
        squares, board, rack = list(after_swaps(rules, board, rack))[-1]
        plays = [(ruling.score, play) for play, ruling in judged_plays(rules, graph_for(rules.id), board, rack)]
        swaps = [f"={square_name(*square)}" for square in squares]
        choices = []
        if plays:
            _, play = max(plays) if self.rng.random() < 0.8 else self.rng.choice(plays)
            tried = [self._disordered(play)] if self.rng.random() < self.daring else []
            choices = [{"move": write_move(each), "swaps": swaps} for each in (*tried, play)]
        # An exchange lets a play stand that may be challenged, and its player draws before it.
        is_drawn_first = standing["phase"] == "may-be-challenged"
        drawn = sum([rules.rack_size - each["tiles"] for each in standing["seats"]]) if is_drawn_first else 0
        may_exchange = standing["bag"] - drawn >= rules.exchange_min and standing["phase"] != "may-replay"
        exchange = [{"move": f"-{rack[:3]}", "swaps": swaps}] if may_exchange else []
        return [*choices, *exchange, {"move": "-", "swaps": swaps}]

    def _disordered(self, play):
        tiles = [letter for letter in play.letters if letter != EMPTY]
        self.rng.shuffle(tiles)
        return play._replace(letters=bytes([EMPTY if letter == EMPTY else tiles.pop() for letter in play.letters]))


def play_out(game, rng, *, most=400, players=None):
    """Play a game to its end, and return its events, turn by turn."""
    players = players or [Player(rng) for _ in game.tokens]
    happened = []
    while (standing := game.standing(rng.randrange(len(players))))["phase"] != "over":
        mover = standing["mover"]
        standing = game.standing(mover)
        for fields in players[mover].act(standing):
            status, body = game.post(mover, standing["turn"], **fields)
            answer = json.loads(body)
            if status == 200:
                happened.append(answer["happened"])
                break
            assert (status, answer["code"]) in ((429, "budget-spent"), (422, "disallowed-word")), (fields, body)
        assert len(happened) < most
    return happened


class FixedDraws:
    """A source of chance that deals these tiles, rack after rack and draw after draw, and then the first of the bag."""

    def __init__(self, *draws):
        self.draws = list(draws)

    def sample(self, population, k):
        if k > 12:  # the bag is filled
            wanted = "".join(self.draws)
            return [*wanted, *remove_tiles(population, wanted)][:k]
        return list(self.draws.pop(0)) if self.draws and len(self.draws[0]) == k else list(population[:k])


ACCEPTED_WORDS = ("HEAT", "LOVER", "QUIZ", "ACTION", "TILE", "CAT")
CORE_WORDS = ("CAT", "TILE")
REFERENCE_WORDS = ("CAT", "TILE", "THAE", "HAET")


def install_game_edition(installation):
    """Install an edition: HAET and THAE are out but in the reference, TEAH is in nothing, LEVOR was in once."""
    install_edition(
        installation, ACCEPTED_WORDS, number=2, core=CORE_WORDS, reference=REFERENCE_WORDS, retired=["LEVOR"]
    )
    return installation


def game_opener(service):
    """Return a function that opens games of a service whose players draw the given tiles."""

    def play(rules, *draws, key=None, **fields):
        service.services.games.chance = FixedDraws(*draws)
        return SealedGame(service_sender(service, key), rules, **fields)

    return play


def budget_left(service, game, player=None):
    """Return what the home client, or a player, has left, in its games and in this one."""
    (client, *_) = [each for each in service.services.register.list() if player is None or each.kind == "operator"]
    identity = Identity(str(client.id), client.created, player)
    return {
        each.budget: each.left
        for each in service.services.gate.quota(identity, game.opened["game"], NOON, is_sealed=True)
    }
