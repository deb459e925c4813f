"""People who practise against the program: `python -m tests.load.practice_players GAMES PORT`.

Each game's person thinks for some seconds and passes, so that the program moves four times a second, more than people
ask of it. The process prints `ready` when all games have begun, and at its end the replies as JSON. A game that is over
is followed by another one.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from random import Random
from typing import Final

import httpx

from tests.load.hostile_process import trouble
from tests.load.load_server import GENERATOR_CORE
from tests.processes import pin_to_core

POLL_SECONDS: Final = 0.5
THINKING_SECONDS: Final = (2.0, 8.0)
"""The least and the most that a person thinks."""


async def practise(client: httpx.AsyncClient, rng: Random, replies: Counter[str], has_begun: asyncio.Event) -> None:
    """Play one game after another."""
    while True:
        client.cookies.clear()
        opened = await client.post("/v1/practice", json={"rules": "classic", "strength": "club"})
        replies[str(opened.status_code)] += 1
        if opened.status_code != 201:
            await asyncio.sleep(POLL_SECONDS)
            continue
        has_begun.set()
        await play_out(client, f"/v1/games/{opened.json()['game']}", rng, replies)


async def play_out(client: httpx.AsyncClient, path: str, rng: Random, replies: Counter[str]) -> None:
    """Think and pass until the game is over."""
    while (standing := (await client.get(path)).json())["phase"] != "over":
        if standing["mover"] == standing["you"]:
            await asyncio.sleep(rng.uniform(*THINKING_SECONDS))
            passed = await client.post(f"{path}/turns", json={"turn": standing["turn"], "move": "-"})
            replies[str(passed.status_code)] += 1
        else:
            await asyncio.sleep(POLL_SECONDS)


async def main(games: int, port: int) -> None:
    replies: Counter[str] = Counter()
    begun = [asyncio.Event() for _ in range(games)]
    url, clients = f"http://127.0.0.1:{port}", []
    for number in range(games):
        transport = httpx.AsyncHTTPTransport(local_address=f"127.0.4.{number + 1}")
        clients.append(httpx.AsyncClient(base_url=url, headers={"Origin": url}, transport=transport, timeout=10.0))
    pairs = zip(clients, begun, strict=True)
    people = [
        asyncio.create_task(practise(client, Random(number), replies, has_begun))
        for number, (client, has_begun) in enumerate(pairs)
    ]
    for each in begun:
        await each.wait()
    await trouble(people, replies)


if __name__ == "__main__":
    with pin_to_core(GENERATOR_CORE):
        asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
