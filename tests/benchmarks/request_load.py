"""An installation with many clients, and what they ask: mostly core words, and some that cost a unit.

Each question is its own, so that the gate finds no word of it charged before but by chance. Budgets are those of the
policy, but for the ones that all clients share, which are as large as no single client could make them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from random import Random
from time import time
from typing import NamedTuple

from ordws.guard.policy import DAY
from ordws.instance import Instance
from tests.sealed_game import install_edition
from tests.small_installation import build_installation

CLIENTS = 600
GAMES_PER_CLIENT = 4
WORD_COUNTS, WORD_COUNT_WEIGHTS = (1, 2, 3, 4), (45, 30, 15, 10)
"""How many words a play forms."""
NON_CORE_SHARE = 0.1
"""Which part of them lies outside the core list."""
SHARED_BUDGETS = "[policy]\nreserve_a_day = 1000000\ntightened_percent = 100\n"


class JudgeRequest(NamedTuple):
    """One question: by whom, of what, and in which game of his, if in one."""

    key: str
    words: tuple[str, ...]
    game: str | None

    @property
    def body(self) -> bytes:
        return json.dumps({"words": self.words} | ({"game": self.game} if self.game else {})).encode()

    def to_http(self, path: str = "/v1/judge") -> bytes:
        """As it is sent over a connection that stays open."""
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(self.body)}\r\n\r\n"
        )
        return head.encode() + self.body


def make_installation(root: Path, words: Collection[str], core: Collection[str], clients: int = CLIENTS) -> list[str]:
    """Make an installation with these words; returns the keys of its clients, who are verified and past the ramp."""
    now = int(time())
    with build_installation(root) as house:
        install_edition(house, words, number=2, core=core)
        keys = []
        for number in range(clients):
            keys.append(house.register.add(f"client {number}", "home", now - 40 * DAY))
            house.register.verify(f"client {number}", now)
    Instance(root).settings.write_text(SHARED_BUDGETS)
    return keys


def generate_requests(
    keys: Sequence[str], words: Collection[str], core: Collection[str], rng: Random
) -> Iterator[JudgeRequest]:
    """What they ask, without end, half of it in games; words outside the core list are as a rule new to the asker."""
    cheap, dear = sorted(core), sorted(set(words) - set(core))
    while True:
        (size,) = rng.choices(WORD_COUNTS, WORD_COUNT_WEIGHTS)
        asked = tuple([rng.choice(dear if rng.random() < NON_CORE_SHARE else cheap) for _ in range(size)])
        game = f"game {rng.randrange(GAMES_PER_CLIENT)}" if rng.random() < 0.5 else None
        yield JudgeRequest(rng.choice(keys), asked, game)
