"""Turns of sealed games that wait for the disk: how many share a commit, and how many a second one host takes."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from ordws.guard.policy import DAY
from tests.benchmarks.figure import Figure
from tests.benchmarks.in_process import InProcess
from tests.commit_count import count_commits
from tests.small_installation import NOON, SmallInstallation, build_installation

GAMES_PER_CLIENT = 10
PAST_THE_RAMP = NOON - 40 * DAY
AT_ONCE = 16
ROUNDS = 7
GAMES_AT_ONCE, GAMES_ALONE = 64, 4
"""Games of a round: sixteen at a time, and one after the other."""
TURNS_PER_GAME = 4
"""An exchange, two passes and a play, so that one turn in four is charged and may wait for the meters as well."""
FLUSHES = 50
BLOCK = bytes(4_120)
"""A page with the header that it has in SQLite's log."""

Turns = Sequence[tuple[str, str, dict[str, Any]]]
"""Turns in their order: the client's key, the game, and the fields of the request."""


def measure() -> Iterator[Figure]:
    """Yield commits a turn and turns a second, in one process with the whole action, beside the disk's flushes."""
    with tempfile.TemporaryDirectory() as name, build_installation(Path(name) / "instance") as installation:
        services = installation.services()
        service = InProcess(services)
        games = iter(open_games(service, installation))
        together, alone, flushes, commits = [], [], [], []
        # The first round is not counted: in it identities are new to the meters, whose first levels wait for the disk.
        for _ in range(ROUNDS + 1):
            before = count_commits(installation.instance.games)
            together.append(turns_per_second(service, list(islice(games, GAMES_AT_ONCE)), AT_ONCE))
            commits.append((count_commits(installation.instance.games) - before) / (TURNS_PER_GAME * GAMES_AT_ONCE))
            alone.append(turns_per_second(service, list(islice(games, GAMES_ALONE)), 1))
            flushes.append(flushes_per_second(Path(name) / "flushed"))
    what = "sealed-turns"
    yield Figure(
        what, f"commits to disk a sealed turn, {AT_ONCE} turns at once", round(median(commits[1:]), 2), "", "<= 0.3"
    )
    yield Figure(what, f"turns of sealed games, {AT_ONCE} at once in one process", round(median(together[1:])), "/s")
    yield Figure(what, "the same one after the other, each with a commit of its own", round(median(alone[1:])), "/s")
    yield Figure(what, "fdatasync of a page appended to a file of the same disk", round(median(flushes[1:])), "/s")


def open_games(service: InProcess, installation: SmallInstallation) -> list[Turns]:
    """Open games for all rounds and return the turns of each; each client's games are in several rounds."""
    count = (ROUNDS + 1) * (GAMES_AT_ONCE + GAMES_ALONE)
    keys = []
    for number in range(-(-count // GAMES_PER_CLIENT)):
        keys.append(installation.register.add(f"client {number}", "home", PAST_THE_RAMP))
        installation.register.verify(f"client {number}", PAST_THE_RAMP)  # or they would use up the cap of all others

    def open_game(key: str) -> Turns:
        game = post(service, key, "/v1/games", rules="scrabble-o", seats=[{}, {}])
        exchange, play = prepare_turns(service, key, game)
        passes = [
            (key, game["game"], {"seat": game["seats"][seat]["token"], "turn": turn, "move": "-"})
            for turn, seat in ((2, 1), (3, 0))
        ]
        return [exchange, *passes, (key, game["game"], {**play[2], "turn": 4})]

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(open_game, (keys * GAMES_PER_CLIENT)[:count]))


def turns_per_second(service: InProcess, games: Sequence[Turns], at_once: int) -> float:
    def play(turns: Turns) -> None:
        for key, game, turn in turns:
            post(service, key, f"/v1/games/{game}/turns", **turn)

    with ThreadPoolExecutor(at_once) as pool:
        start = perf_counter()
        list(pool.map(play, games))
        return TURNS_PER_GAME * len(games) / (perf_counter() - start)


def flushes_per_second(path: Path) -> float:
    """Return how often a second the disk alone confirms that a page appended to a file is written."""
    with path.open("wb", buffering=0) as file:
        start = perf_counter()
        for _ in range(FLUSHES):
            file.write(BLOCK)
            os.fdatasync(file)
        return FLUSHES / (perf_counter() - start)


def prepare_turns(service: InProcess, key: str, game: dict[str, Any]) -> Turns:
    """Return two turns: the first seat exchanges a tile, the second lays three of its own across the centre."""
    turns = []
    for turn, seat in enumerate(game["seats"], start=1):
        _, standing = service.ask("GET", f"/v1/games/{game['game']}", key, HTTP_SEAT_TOKEN=seat["token"])
        rack = json.loads(standing)["rack"]
        move = f"-{rack[0]}" if turn == 1 else "8G " + rack.replace("?", "")[:3]
        turns.append((key, game["game"], {"seat": seat["token"], "turn": turn, "move": move}))
    return turns


def post(service: InProcess, key: str, path: str, **body: Any) -> dict[str, Any]:
    status, reply = service.ask("POST", path, key, body)
    assert status in (200, 201), reply
    decoded: dict[str, Any] = json.loads(reply)
    return decoded
