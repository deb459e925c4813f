"""Tests of two hosts in networks of their own, over one Redis on a third: exact together, and each right alone."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections import Counter
from contextlib import ExitStack
from statistics import median

import pytest
from http_replies import send
from kill_runs import add_operator, use_redis
from namespaces import Network
from persistent_clients import GENEROUS_SETTINGS
from redis_server import DURABLE, RedisServer
from sealed_game import SealedGame
from small_installation import build_installation
from supervised_host import SupervisedHost

from ordws.web.senders import SLOTS

pytestmark = pytest.mark.long

PATIENCE_SECONDS = 60
BUSY_MACHINE_SECONDS = 10
"""What the two waits of a request may last longer where other programs have the processors."""
PORT = 8000
CABLES = {"a": ("10.77.1.1", "10.77.1.2"), "b": ("10.77.2.1", "10.77.2.2")}
"""The addresses of each host's cable: that of Redis as the host sees it, and its own."""


class NetworkedRedis(RedisServer):
    """A Redis server that also listens in a network."""

    def __init__(self, folder, network):
        self._inside = network.inside
        super().__init__(folder, *DURABLE, "--port", "6379", "--protected-mode", "no")

    def start(self):
        if self._command[0] != self._inside[0]:
            self._command[:0] = self._inside
        super().start()


class Distant:
    """A host in its own network, which gets its requests from there."""

    def __init__(self, network, host, key):
        self.network, self.host, self.key = network, host, key

    def send(self, method, path, headers, body):
        return self.later(method, path, headers, body).result()[:3]

    def later(self, method, path, headers, body):
        return self.network.threads.submit(self._ask, method, path, headers, body)

    def judge(self, *words, **fields):
        body = json.dumps({"words": words, "player": "ann", **fields}).encode()
        return self.later("POST", "/v1/judge", {}, body)

    def _ask(self, method, path, headers, body):
        """Send a request; return status, headers, body, and the seconds it took."""
        began = time.monotonic()
        key = {"Authorization": f"Bearer {self.key}"}
        return *send(PORT, method, path, body, **key, **headers), time.monotonic() - began

    def wait_until_ready(self):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                if self.send("GET", "/readyz", {}, None)[0] == 200:
                    return
            except OSError:
                threading.Event().wait(0.02)
        raise AssertionError(self.host.log.read_text())


@pytest.fixture(scope="module")
def hosts(tmp_path_factory):
    """Yield hosts a and b, with the same keys, clients and edition, and the network of Redis."""
    folder = tmp_path_factory.mktemp("hosts")
    with ExitStack() as stack:
        store = Network()
        stack.callback(store.end)
        server = stack.enter_context(NetworkedRedis(folder / "redis", store))
        first = stack.enter_context(build_installation(folder / "a"))
        key = add_operator(first)
        use_redis(first, server.url)
        shutil.copytree(folder / "a", folder / "b")
        found = []
        for name, (theirs, mine) in CABLES.items():
            network = Network()
            stack.callback(network.end)
            store.join(network, f"to-{name}", theirs, "uplink", mine)
            settings = folder / name / "settings.toml"
            settings.write_text(f'{GENEROUS_SETTINGS}[store]\nredis = "redis://{theirs}:6379/0"\n')
            host = SupervisedHost(folder / name, folder / f"{name}.log", port=PORT, inside=network.inside, workers=1)
            stack.callback(host.stop)
            found.append(Distant(network, host, key))
        for host in found:
            host.wait_until_ready()
        yield (*found, store)


def test_one_budget_over_two_hosts(hosts):
    """Of 25 questions of two words, sent to both at once, the 28 units of a game answer fourteen."""
    a, b, _ = hosts
    pairs = [(f"QQ{letter}QQ", f"XX{letter}XX") for letter in "ABCDEFGHIJKLMNOPRSTUVWXYZ"]
    pending = [(a, b)[number % 2].judge(*pair, game="g") for number, pair in enumerate(pairs)]
    replies = Counter(each.result()[0] for each in pending)
    assert replies == {200: 14, 429: 11}
    budgets = [json.loads(each.send("GET", "/v1/quota?player=ann&game=g", {}, None)[2])["budgets"] for each in (a, b)]
    left = [{each["budget"]: each["left"] for each in each} for each in budgets]
    assert left[0] == left[1]
    assert (left[0]["units"], left[0]["game"]) == (356 - 28, 0)


def test_a_game_over_two_hosts(hosts):
    """Turns taken on one host are visible on the other at once, and two moves for one turn have one answer."""
    a, b, _ = hosts
    game = SealedGame(a.send, "scrabble-o", seats=[{"player": "ann"}, {"player": "ben"}])
    for number in range(4):
        game.send = (a, b)[number % 2].send
        game.take(game.standing()["mover"], "-")
    standing = game.standing()
    mover, rack = standing["mover"], game.standing(standing["mover"])["rack"]
    moves = ["-", f"-{rack[0]}"]
    bodies = [json.dumps({"seat": game.tokens[mover], "turn": 5, "move": move}).encode() for move in moves]
    racing = [host.later("POST", f"{game.path}/turns", {}, body) for host, body in zip((a, b), bodies, strict=True)]
    statuses = [race.result()[0] for race in racing]
    assert sorted(statuses) == [200, 409]
    seen = []
    for host in (a, b):
        game.send = host.send
        standing = game.standing()
        # The clocks run on between two looks.
        for running in (standing, standing["clock"], *standing["seats"]):
            for name in ("moment_ms", "running_ms", "milliseconds", "seconds"):
                running.pop(name, None)
        seen.append(standing)
    assert seen[0] == seen[1]
    for seat, turn, fields, sent in list(game.accepted):
        assert game.post(seat, turn, **fields) == (200, sent)


def test_a_host_without_its_network_resumes_by_itself(hosts):
    """A host without its network refuses in time and resumes by itself; the other notices nothing."""
    a, b, store = hosts
    game = SealedGame(b.send, "scrabble-o", seats=[{"player": "cleo"}, {"player": "dan"}])
    game.take(game.standing()["mover"], "-")
    store.ip("link", "set", "to-b", "down")
    try:
        pending = [b.judge("LOVERS", player="eva") for _ in range(64)]
        replies = [each.result() for each in pending]
        refused = Counter((status, json.loads(body)["code"]) for status, _, body, _ in replies)
        assert refused.keys() <= {(503, "store-down"), (503, "too-busy")}  # of who came first, and who waited for them
        assert refused[503, "store-down"] >= SLOTS
        assert max(seconds for *_, seconds in replies) < 2 * 2 + BUSY_MACHINE_SECONDS
        crowd = [b.judge("LOVERS", player="eva") for _ in range(32)]
        health = [b.later("GET", "/healthz", {}, None).result() for _ in range(5)]
        assert {status for status, *_ in health} == {200}
        assert median(each.result()[3] for each in crowd) < 2
        assert a.judge("LOVERS", player="eva").result()[2] == b'{"valid":true }'
        game.send = a.send
        game.take(game.standing()["mover"], "-")
    finally:
        store.ip("link", "set", "to-b", "up")
    b.wait_until_ready()
    game.send = b.send
    assert game.standing()["turn"] == 3
    assert b.judge("LOVERS", player="eva").result()[2] == b'{"valid":true }'
    quota = json.loads(b.send("GET", "/v1/quota?player=eva", {}, None)[2])["budgets"]
    assert {each["budget"]: each["left"] for each in quota}["units"] == 355
    for seat, turn, fields, sent in list(game.accepted):
        assert game.post(seat, turn, **fields) == (200, sent)
