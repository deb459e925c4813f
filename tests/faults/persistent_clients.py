"""Clients that go on through every fault and know every acknowledgement: none of these may be lost."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, NamedTuple

from small_installation import CORE, WORDS

PATIENCE_SECONDS = 60
UNITS_A_DAY = 356
GENEROUS_SETTINGS = """
[policy]
tightened_percent = 100
first_games_a_day = 12
operator_units_a_day = 1000000
new_players_a_day = 1000000
"""
"""Settings under which no client is refused because of the requests of the others."""

RETRYABLE_CODES = {"store-down", "too-busy", "under-way"}
"""The codes after which a request is repeated; any other refusal is an answer."""

REFUSED_TURNS = {
    "turn-taken",
    "not-your-turn",
    "not-on-rack",
    "play-in-question",
    "budget-spent",
    "game-over",
    "square-taken",
    "not-connected",
    "misses-centre",
    "gap",
    "bag-too-low",
    "exchange-not-allowed",
}


class Answer(NamedTuple):
    """A status and a body; both are missing if the reply was lost."""

    status: int
    body: bytes

    @property
    def code(self) -> str:
        return "" if self.status < 400 else str(json.loads(self.body)["code"])


class ServiceConnection:
    """A connection to the service, made anew whenever it breaks."""

    def __init__(self, port: int, key: str) -> None:
        self._port, self._key = port, key
        self._connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer | None:
        """Send a request; return the reply, or None where it was lost."""
        given = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        self._connection = self._connection or http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        try:
            self._connection.request(method, path, body, given)
            reply = self._connection.getresponse()
            return Answer(reply.status, reply.read())
        except (OSError, http.client.HTTPException):
            self.close()
            return None

    def __enter__(self) -> ServiceConnection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class AcknowledgedReplies:
    """The acknowledgements of all clients, with a way to wait for more."""

    def __init__(self) -> None:
        self.changed, self.answers, self.is_over = threading.Condition(), 0, False
        self.lost, self.put_off = 0, 0
        self.wrong: list[Any] = []
        self.turns: dict[tuple[str, int], set[tuple[str, str, bytes]]] = defaultdict(set)
        """Of a game's path and a turn: the seat's token, the body and the answer of each that was acknowledged."""
        self.charged: dict[str, set[str]] = defaultdict(set)
        """Of a player the words that it has been charged for, as it was told."""
        self.exact: set[str] = set()
        """The players who were charged for nothing else."""
        self.left: dict[str, int] = {}
        """The least that a player was told to have left."""
        self.day = int(time.time()) // 86_400

    def answered(self) -> None:
        with self.changed:
            self.answers += 1
            self.changed.notify_all()

    def went_wrong(self, wrong: Exception) -> None:
        with self.changed:
            self.wrong.append(wrong)
            self.changed.notify_all()

    def wait_for(self, more: int) -> float:
        """Wait until so many more requests were answered; return the seconds that took."""
        began = time.monotonic()
        with self.changed:
            enough = self.answers + more
            self.changed.wait_for(lambda: self.answers >= enough or bool(self.wrong), PATIENCE_SECONDS)
            assert self.wrong == [], self.wrong
            assert self.answers >= enough, "the service is not back"
        return time.monotonic() - began

    @property
    def is_same_day(self) -> bool:
        """True if the UTC day of the budgets has not changed, so that they can be compared."""
        return int(time.time()) // 86_400 == self.day


class PersistentClient(threading.Thread):
    """A client that judges words in games of its own, and plays sealed games with itself; it repeats lost requests."""

    def __init__(self, number: int, port: int, key: str, acknowledged: AcknowledgedReplies, *, keyed: bool) -> None:
        super().__init__(name=f"client {number}", daemon=True)
        self._number, self._acknowledged, self._keyed = number, acknowledged, keyed
        self._chance, self._names = random.Random(number), count(1)
        self._line, self._rival = ServiceConnection(port, key), ServiceConnection(port, key)
        self._racing = ThreadPoolExecutor(1)

    def run(self) -> None:
        try:
            while not self._acknowledged.is_over:
                self._play()
                self._judge()
        except (AssertionError, KeyError, ValueError) as wrong:
            self._acknowledged.went_wrong(wrong)
        finally:
            self._racing.shutdown()
            self._line.close()
            self._rival.close()

    def _fresh(self, kind: str) -> str:
        return f"{kind}-{self._number}-{next(self._names)}"

    def _insist(self, method: str, path: str, fields: dict[str, Any] | None = None, **headers: str) -> Answer:
        """Return the answer, however often the request has to be repeated."""
        body = None if fields is None else json.dumps(fields).encode()
        if self._keyed and body is not None and self._chance.random() < 0.5:
            headers["Idempotency_Key"] = f"{self._number}.{self._chance.getrandbits(64)}"
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (answer := self._line.ask(method, path, body, **headers)) is None or answer.code in RETRYABLE_CODES:
            assert time.monotonic() < deadline, (method, path, answer)
            self._acknowledged.lost += answer is None
            self._acknowledged.put_off += answer is not None
            threading.Event().wait(0.01)
        self._acknowledged.answered()
        return answer

    def _judge(self) -> None:
        """Judge a game's words: each verdict is right, and a repeated request gets the same verdict free of charge."""
        player, acknowledged = self._fresh("judged"), self._acknowledged
        acknowledged.exact.add(player)
        words = self._chance.sample(WORDS, 5) + [_unlisted_word(self._chance) for _ in range(5)]
        for word in words:
            fields = {"words": [word], "game": "table", "player": player}
            for _ in range(self._chance.choice((1, 1, 2))):
                answer = self._insist("POST", "/v1/judge", fields)
                assert answer == (200, b'{"valid":true }' if word in WORDS else b'{"valid":false}'), (word, answer)
            if word not in CORE:
                acknowledged.charged[player].add(word)
            if acknowledged.is_over:
                return

    def _play(self) -> None:
        """Play a sealed game with both seats."""
        player, acknowledged = self._fresh("sealed"), self._acknowledged
        fields = {"rules": "scrabble-o", "seats": [{"player": player}, {"player": player}]}
        answer = self._insist("POST", "/v1/games", fields)
        assert answer.status == 201, answer
        opened = json.loads(answer.body)
        path, seats = f"/v1/games/{opened['game']}", [seat["token"] for seat in opened["seats"]]
        while not acknowledged.is_over:
            standing = json.loads(self._insist("GET", path, Seat_Token=seats[0]).body)
            if standing["phase"] == "over" or standing["turn"] > 30:
                return
            mover = standing["mover"]
            rack = json.loads(self._insist("GET", path, Seat_Token=seats[mover]).body)["rack"]
            self._take(path, seats[mover], standing["turn"], rack, player)

    def _take(self, path: str, seat: str, turn: int, rack: str, player: str) -> None:
        """Take a turn: sometimes two moves race for it, and one of them is made unless budgets refuse both."""
        moves = _moves(rack, self._chance)
        tried = moves[: self._chance.choice((1, 1, 2))]
        bodies = [json.dumps({"seat": seat, "turn": turn, "move": move}).encode() for move in tried]
        racing = [self._racing.submit(self._rival.ask, "POST", f"{path}/turns", body) for body in bodies[1:]]
        first = self._line.ask("POST", f"{path}/turns", bodies[0])
        outcomes = [first, *[race.result() for race in racing]]
        made = [self._made(path, seat, turn, *each, player) for each in zip(bodies, outcomes, strict=True)]
        if not any(made):
            body = json.dumps({"seat": seat, "turn": turn, "move": "-"}).encode()
            assert self._made(path, seat, turn, body, None, player), "a turn was taken by none of the moves sent"

    def _made(self, path: str, seat: str, turn: int, body: bytes, answer: Answer | None, player: str) -> bool:
        """Return whether this move was made; a lost reply is requested again."""
        if answer is None or answer.code in RETRYABLE_CODES:
            self._acknowledged.lost += answer is None
            answer = self._insist("POST", f"{path}/turns", json.loads(body))
        if answer.status != 200:
            assert answer.code in REFUSED_TURNS, answer
            return False
        self._acknowledged.answered()
        happened = json.loads(answer.body)["happened"]
        assert happened["turn"] == turn
        self._acknowledged.turns[path, turn].add((seat, body.decode(), answer.body))
        non_core = [word for word in happened["words"] if len(word) > 2 and word not in CORE]
        self._acknowledged.charged[player].update(non_core)
        return True


def _moves(rack: str, chance: random.Random) -> list[str]:
    """Return different moves, none of which has to be allowed."""
    tiles = "".join(chance.sample(rack.replace("?", "") or "A", min(3, len(rack.replace("?", "")) or 1)))
    moves = [f"8G {tiles}", f"8H {tiles}", f"-{tiles}", f"-{tiles[:1]}"]
    chance.shuffle(moves)
    return moves


def _unlisted_word(chance: random.Random) -> str:
    """Return a word that is in no list."""
    return "QQ" + "".join(chance.choices("ABCDEFGHIJKLMNOPRSTUVWXYZ", k=8))


class ClientLoad:
    """Several clients at once, and the checks of their acknowledgements."""

    def __init__(self, port: int, key: str, *, clients: int = 3, keyed: bool = False) -> None:
        self.acknowledged, self._line = AcknowledgedReplies(), ServiceConnection(port, key)
        self._clients = [
            PersistentClient(number, port, key, self.acknowledged, keyed=keyed) for number in range(clients)
        ]

    def __enter__(self) -> ClientLoad:
        for client in self._clients:
            client.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.acknowledged.is_over = True
        for client in self._clients:
            client.join(PATIENCE_SECONDS)

    def check(self) -> None:
        """Check after the clients have ended that all acknowledgements hold, and that nothing else was charged."""
        assert not any(client.is_alive() for client in self._clients)
        assert self.acknowledged.wrong == []
        self.check_turns(self.acknowledged.turns)
        self.check_budgets(list(self.acknowledged.charged))
        for player in (
            self.acknowledged.exact.intersection(self.acknowledged.charged) if self.acknowledged.is_same_day else ()
        ):
            assert self.acknowledged.left[player] == UNITS_A_DAY - len(self.acknowledged.charged[player]), player
        self._line.close()

    def check_turns(self, turns: Any) -> None:
        """Check that each turn has one move, which when repeated gets the same bytes."""
        for path, turn in list(turns):
            ((_, body, answer),) = self.acknowledged.turns[path, turn]
            assert self._sure("POST", f"{path}/turns", body.encode()) == (200, answer), (path, turn)
            other = json.dumps({**json.loads(body), "move": "-QQQ"}).encode()
            assert self._sure("POST", f"{path}/turns", other).code == "turn-taken"

    def check_budgets(self, players: list[str]) -> None:
        """Check that every acknowledged charge is spent, and that nothing spent was given back."""
        for player in players:
            spent = len(self.acknowledged.charged[player])
            left = self._left(player)
            if self.acknowledged.is_same_day:
                assert left <= UNITS_A_DAY - spent, player
                assert left <= self.acknowledged.left.get(player, UNITS_A_DAY), player
            self.acknowledged.left[player] = left

    def check_latest(self) -> None:
        """Check the latest acknowledgements while the clients go on."""
        self.check_budgets([*self.acknowledged.charged][-6:])
        self.check_turns([*self.acknowledged.turns][-6:-3])

    def _left(self, player: str) -> int:
        budgets = json.loads(self._sure("GET", f"/v1/quota?player={player}").body)["budgets"]
        return next(int(each["left"]) for each in budgets if each["budget"] == "units")

    def _sure(self, method: str, path: str, body: bytes | None = None) -> Answer:
        return next(answer for answer in self._answers(method, path, body) if answer.code not in RETRYABLE_CODES)

    def _answers(self, method: str, path: str, body: bytes | None) -> Iterator[Answer]:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            if (answer := self._line.ask(method, path, body)) is not None:
                yield answer
            threading.Event().wait(0.01)
