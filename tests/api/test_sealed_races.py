"""Tests that a turn takes one move, under many threads and under processes that are killed at any point."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sealed_game import FixedDraws, SealedGame, install_edition, new_service_sender

ROOT = Path(__file__).parents[2]
MOVES = ["8E HEAT", "8E TEAH", "8F HEAT", "8D TEAH", "-AE", "-A", "-", "resign", "challenge", "8E ZZZ"]


@pytest.fixture
def opened(installation, clock):
    """Return a function that opens a game for a new client of the same services."""
    install_edition(installation, ["HEAT"], number=2)
    services = installation.services()
    count = iter(range(10_000))

    def opened():
        services.games.chance = FixedDraws("AEHLTVZ", "CEILOQU")
        key = installation.register.add(f"table {next(count)}", "home", 0)
        return SealedGame(new_service_sender(services, key, clock), "scrabble-o")

    return opened


def at_once(calls):
    """Start all calls together and return their results."""
    told, barrier = [None] * len(calls), threading.Barrier(len(calls))

    def run(at):
        barrier.wait()
        told[at] = calls[at]()

    threads = [threading.Thread(target=run, args=(at,)) for at in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


@settings(
    max_examples=max(4, settings.default.max_examples // 10),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from(MOVES)), min_size=32, max_size=32))
def test_no_turn_answers_two_moves_under_32_threads(opened, tried):
    """Whatever 32 threads send for one turn, only one move may be answered, each time by the same bytes."""
    game = opened()
    told = at_once([lambda seat=seat, move=move: game.post(seat, 1, move) for seat, move in tried])
    answered = {(sent, body) for sent, (status, body) in zip(tried, told, strict=True) if status == 200}
    assert len(answered) <= 1
    refused = {json.loads(body)["code"] for status, body in told if status != 200}
    assert refused <= {
        "turn-taken",
        "not-your-turn",
        "not-on-rack",
        "challenge-not-allowed",
        "game-over",
        "misses-centre",
    }
    if any(move == "8E HEAT" and seat == 0 for seat, move in tried):
        assert len(answered) == 1
    for (seat, move), body in answered:
        assert game.post(seat, 1, move) == (200, body)
        assert game.standing(seat)["turn"] == 2


def test_a_flag_falls_once(opened, clock):
    """When many requests find the time up at once, one row must be written and all must see the same."""
    game = opened()
    game = SealedGame(game.send, "scrabble-o", clock=60)
    clock.now += 60.5
    looks = {body for _, body in at_once([lambda at=at: game.get(at % 2) for at in range(16)])}
    assert len(looks) == 2
    assert {json.loads(body)["turn"] for body in looks} == {2}


WORKER = """
import json, os, sys
from pathlib import Path
from random import Random
from ordws.api.services import open_services
from ordws.instance import Instance
from ordws.referee.moments import Moment
from ordws.web.serving import create_app

instance, key, path, clock, log, *tokens = sys.argv[1:]
rng = Random(os.urandom(8))
services = open_services(Instance(Path(instance)), clock=lambda: Moment(1_000 * int(clock)))
http = create_app(services, clock=lambda: int(clock), log=lambda line: None).test_client()
headers = {"Authorization": f"Bearer {key}"}
file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
os.write(1, b"begun\\n")
while True:
    at = rng.randrange(2)
    standing = http.get(path, headers={**headers, "Seat-Token": tokens[at]}).json
    if standing["phase"] == "over":
        break
    mover = standing["mover"]
    rack = http.get(path, headers={**headers, "Seat-Token": tokens[mover]}).json["rack"]
    tiles = "".join(rng.sample(rack.replace("?", "") or rack, 3))
    move = rng.choice([f"-{tiles}", f"8G {tiles}", "-", f"8H {tiles}"])
    asked = {"seat": tokens[mover], "turn": standing["turn"], "move": move}
    reply = http.post(f"{path}/turns", json=asked, headers=headers)
    if reply.status_code == 200:
        line = json.dumps({"asked": asked, "seat": mover, "answer": reply.data.decode()})
        os.write(file, line.encode() + b"\\n")
    else:
        assert reply.json["code"] in ("turn-taken", "not-your-turn", "play-in-question", "budget-spent"), reply.data
"""


@pytest.mark.long
def test_killed_processes_lose_no_answered_turn(installation, clock, tmp_path):
    """Every reply that four processes gave before they were killed must still hold."""
    install_edition(installation, ["HEAT"], number=2)
    game = SealedGame(new_service_sender(installation.services(), installation.key, clock), "scrabble-o")
    log = tmp_path / "answered"
    log.touch()
    command = [
        sys.executable,
        "-c",
        WORKER,
        str(installation.instance.root),
        installation.key,
        game.path,
        str(clock.now),
        str(log),
    ]
    begun = 0
    for _ in range(2):
        workers = [subprocess.Popen([*command, *game.tokens], cwd=ROOT, stdout=subprocess.PIPE) for _ in range(4)]
        for worker in workers:
            assert worker.stdout.readline() == b"begun\n"
        for number, worker in enumerate(workers, start=1):
            while log.read_bytes().count(b"\n") < begun + 3 * number and worker.poll() is None:
                threading.Event().wait(0.001)
            worker.send_signal(signal.SIGKILL)
        for worker in workers:
            assert worker.wait(30) == -signal.SIGKILL
            worker.stdout.close()
        begun = log.read_bytes().count(b"\n")
    answered = defaultdict(set)
    for line in log.read_bytes().splitlines():
        told = json.loads(line)
        answered[told["asked"]["turn"]].add((told["seat"], told["asked"]["move"], told["answer"]))
    assert sum(map(len, answered.values())) >= 10
    assert {len(each) for each in answered.values()} == {1}
    for turn, ((seat, move, answer),) in answered.items():
        assert game.post(seat, turn, move) == (200, answer.encode())
    assert game.standing()["turn"] > max(answered)
