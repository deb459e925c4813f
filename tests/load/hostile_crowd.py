"""A hostile crowd: `python -m tests.load.hostile_crowd KIND PORT` floods a service until it is terminated.

Its keys are read as JSON from standard input. It prints `ready` when all its connections are at work, and at its end
the replies as JSON. Every connection sends the next request as soon as the last one is answered, or, of a crowd without
keys, so many a second: those ask for pages of rules with options of their own.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from random import Random
from typing import Any, Final
from urllib.parse import urlencode

from ordws.rules.ruleset import RULE_SETS
from tests.load.connection import headers_in
from tests.load.hostile_process import trouble
from tests.load.load_server import GENERATOR_CORE
from tests.processes import pin_to_core

CONNECTIONS: Final = 56
CROWDS: Final = {"one-key": (1, CONNECTIONS), "one-address": (CONNECTIONS, 1), "fifty-keys": (50, CONNECTIONS)}
"""The kinds of crowds with keys: how many keys each has, and from how many addresses it comes."""

KEYLESS_CROWDS: Final = {"400-addresses": 400, "4000-addresses": 4_000}
"""The kinds of crowds without keys: from how many addresses each comes, with a connection each."""
KEYLESS_RATE: Final = 2.5
"""The requests a second of each of their addresses."""

REQUEST_KINDS: Final = ("mixed", "plays", "unknown-options", "games", "public")
_NICENESS: Final = 5
_CHANCE: Final = Random(7)
_FULL_ROWS: Final = "/".join(["A" * 21] * 10)
_LONG_PLAY: Final = {
    "position": f"{_FULL_ROWS}/{'1A' * 10}1/{_FULL_ROWS}",
    "move": f"11A {'A.' * 10}A",
    "options": {"rack_size": 12, "layout": ["'" * 21] * 21, "board": 21},
}
"""A play of eleven tiles that forms twelve words of 21 letters, on a board of its own."""


def requests_of(what: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Return the requests that cost most for what they are charged: method, path and body."""
    unknown = {f"x{number}": 0 for number in range(1_300)}
    many_words = {"words": [f"{'A' * 20}{letter}" for letter in "ABCDEFGH"], "game": "g"}
    large_game = {"seats": [{"player": "x"}] * 4, "options": {"layout": ["'" * 15] * 15}, "rules": "scrabble-o"}
    scores = ("/v1/score", "/v1/plays")
    kinds: dict[str, list[tuple[str, str, dict[str, Any]]]] = {
        "plays": [("POST", path, {**_LONG_PLAY, "rules": rules}) for rules in RULE_SETS for path in scores],
        "unknown-options": [
            *[("POST", path, {**_LONG_PLAY, "options": unknown}) for path in scores],
            ("POST", "/v1/games", {"seats": [{}, {}], "options": unknown}),
        ],
        "games": [
            ("POST", "/v1/games", large_game),
            ("POST", f"/v1/games/{'0' * 32}/turns", {"seat": "x", "turn": 1, "move": "-"}),
            ("POST", "/v1/judge", many_words),
        ],
        "public": [("GET", "/openapi.json", {}), ("GET", "/docs", {}), ("GET", "/nowhere", {})],
        "wall-chart": [("GET", "/tournament/hall/wall-chart", {})],
        "sign-ins": [("POST", "/sign-in", {"name": "ann", "password": "wrong " * 4, "code": "123456"})],
    }
    mixed = [*kinds["plays"], *kinds["unknown-options"] * 2, *kinds["games"] * 2]
    return mixed if what == "mixed" else kinds[what]


def encode(method: str, path: str, body: dict[str, Any], key: str) -> bytes:
    is_form = not path.startswith("/v1/")
    data = (urlencode(body) if is_form else json.dumps(body, separators=(",", ":"))).encode() if body else b""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {key}"]
    if body:
        kind = "x-www-form-urlencoded" if is_form else "json"
        lines += [f"Content-Type: application/{kind}", f"Content-Length: {len(data)}"]
    return "\r\n".join([*lines, "", ""]).encode() + data


class Flood(asyncio.Protocol):
    """A connection that always has a request under way."""

    transport: asyncio.Transport

    def __init__(self, requests: Iterator[bytes], replies: Counter[str], gone: asyncio.Queue[None]) -> None:
        self._requests, self._replies, self._gone = requests, replies, gone
        self._head, self._missing = b"", 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(next(self._requests))

    def data_received(self, data: bytes) -> None:
        if not self._missing:
            self._head += data
            top, end, body = self._head.partition(b"\r\n\r\n")
            if not end:
                return
            self._replies[top[9:12].decode("latin-1")] += 1
            self._missing = int(headers_in(top.lower() + b"\r\n")["content-length"]) - len(body)
            self._head = b""
        else:
            self._missing -= len(data)
        if not self._missing:
            self.transport.write(next(self._requests))

    def connection_lost(self, error: Exception | None) -> None:
        self._gone.put_nowait(None)


async def ask_for_pages(replies: Counter[str], number: int, port: int) -> None:
    """From one address, ask for a page of rules again and again, each time with other options."""
    address = f"127.0.{4 + number // 250}.{number % 250 + 1}"
    await asyncio.sleep(_CHANCE.random() / KEYLESS_RATE)
    while True:
        asked = _CHANCE.randrange(1_000_000)
        path = f"/rules/dover?rack_size={4 + asked % 9}&scoop={asked % 97}"
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            while True:
                writer.write(f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                replies[(await reader.readuntil(b"\r\n\r\n"))[9:12].decode()] += 1
                await asyncio.sleep(1 / KEYLESS_RATE)
        except (OSError, asyncio.IncompleteReadError):
            replies["none"] += 1
            await asyncio.sleep(1 / KEYLESS_RATE)


async def main(kind: str, what: str, port: int, keys: Sequence[str]) -> None:
    replies: Counter[str] = Counter()
    if kind in KEYLESS_CROWDS:
        asking = [ask_for_pages(replies, number, port) for number in range(KEYLESS_CROWDS[kind])]
        await trouble([asyncio.create_task(each) for each in asking], replies)
        return
    of_keys, of_addresses = CROWDS[kind]
    every = requests_of(what)
    _CHANCE.shuffle(every)
    gone: asyncio.Queue[None] = asyncio.Queue()
    numbers = cycle(range(CONNECTIONS))

    async def connect() -> None:
        number = next(numbers)
        key = keys[number % of_keys]
        requests = cycle([encode(*each, key) for each in islice(cycle(every), number, number + len(every))])
        await asyncio.get_running_loop().create_connection(
            lambda: Flood(requests, replies, gone),
            "127.0.0.1",
            port,
            local_addr=(f"127.0.3.{number % of_addresses + 1}", 0),
        )

    async def reconnect() -> None:
        while True:
            await gone.get()
            await connect()

    for _ in range(CONNECTIONS):
        await connect()
    await trouble([asyncio.create_task(reconnect())], replies)


if __name__ == "__main__":
    os.nice(_NICENESS)
    with pin_to_core(GENERATOR_CORE):
        asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), json.loads(sys.stdin.readline())))
