"""An installation with many clients, and their requests: mostly core words, and some that cost a unit.

Each question is unique, so that the gate finds no word of it charged before except by chance. Budgets are those of the
policy, except for the shared ones, which are as large as no single client could make them.
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
"""The share of words outside the core list."""
SHARED_BUDGETS = "[policy]\ntightened_percent = 100\n"


class JudgeRequest(NamedTuple):
    """One question, with its client, its words, and the client's game, if it is in one."""

    key: str
    words: tuple[str, ...]
    game: str | None

    @property
    def body(self) -> bytes:
        return json.dumps({"words": self.words} | ({"game": self.game} if self.game else {})).encode()

    def to_http(self, path: str = "/v1/judge") -> bytes:
        """Return the request as it is sent over a connection that stays open."""
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(self.body)}\r\n\r\n"
        )
        return head.encode() + self.body


def make_installation(root: Path, words: Collection[str], core: Collection[str], clients: int = CLIENTS) -> list[str]:
    """Make an installation with these words, and return the keys of its clients, who are verified and past the ramp."""
    now = int(time())
    with build_installation(root) as installation:
        install_edition(installation, words, number=2, core=core)
        keys = []
        for number in range(clients):
            keys.append(installation.register.add(f"client {number}", "home", now - 40 * DAY))
            installation.register.verify(f"client {number}", now)
    Instance(root).settings.write_text(SHARED_BUDGETS)
    return keys


def generate_requests(
    keys: Sequence[str], words: Collection[str], core: Collection[str], rng: Random
) -> Iterator[JudgeRequest]:
    """Yield requests without end, half of them in games; words outside the core list are usually new to the client."""
    core_words, non_core = sorted(core), sorted(set(words) - set(core))
    while True:
        (size,) = rng.choices(WORD_COUNTS, WORD_COUNT_WEIGHTS)
        words_asked = tuple(
            [rng.choice(non_core if rng.random() < NON_CORE_SHARE else core_words) for _ in range(size)]
        )
        game = f"game {rng.randrange(GAMES_PER_CLIENT)}" if rng.random() < 0.5 else None
        yield JudgeRequest(rng.choice(keys), words_asked, game)
