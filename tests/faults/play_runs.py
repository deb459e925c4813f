"""Games on line under faults: players who lose their network, sleep, or lose their worker; and players far away."""

from __future__ import annotations

import json
import queue
import random
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, nullcontext
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from kill_runs import add_operator, open_installation
from node_programs import NODE, install_package
from slow_network import SlowNetwork
from supervised_host import SupervisedHost

from ordws.client import Client, RemoteGame

RULES: Final = "scrabble-o"
ROUND_TRIPS: Final = (0.020, 0.150, 0.400)
"""The seconds to the service and back, of the players whose clocks are compared."""
PATIENCE_SECONDS: Final = 90
FAULTS: Final = ("offline", "asleep", "worker killed")
TURNS: Final = 4
"""The turns of each player in a round, before one resigns."""


class FaultRounds(NamedTuple):
    """What came of rounds with a fault in each."""

    rounds: int
    turns: int
    astray: int
    """The moves that do not stand, or stand twice."""
    sent_again: int
    """Moves that a player had to send again, since no answer came in time."""
    back_seconds: dict[str, tuple[float, float]]
    """By fault, the seconds from its end to the next turn in that game: the median and the maximum."""


class PlayedRound(NamedTuple):
    """A round: its fault, the turns of its game, and the seconds from the fault's end to the player's next turn."""

    fault: str
    turns: int
    astray: int
    """The moves that do not stand, or stand twice."""
    back_seconds: float


class ClockReport(NamedTuple):
    """The seconds a turn by which each player's clock ran longer than the player thought, by round trip."""

    turns: int
    over_seconds: dict[float, float]

    @property
    def spread(self) -> float:
        """The difference between the nearest and the farthest player, in seconds a turn."""
        return max(self.over_seconds.values()) - min(self.over_seconds.values())


class Hall(NamedTuple):
    """The service with its stream, a client of it with its key, and the folder of the players."""

    folder: Path
    host: SupervisedHost
    client: Client
    key: str


class Player:
    """A node process that plays a seat through a network of its own, by the JavaScript client."""

    def __init__(self, hall: Hall, delay: float = 0.0) -> None:
        self._key, self._stream_port = hall.key, hall.host.port + 1
        self._networks = [SlowNetwork(port, delay) for port in (hall.host.port, self._stream_port)]
        self._process = subprocess.Popen(
            [NODE, "player.mjs"], cwd=hall.folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.sent_again = 0
        self.told: queue.Queue[dict[str, Any]] = queue.Queue()
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.told.put(json.loads(line))

    def play(self, game: RemoteGame, seat: int, **how: Any) -> None:
        """Let the player play a seat of a game to its end."""
        told = {
            "game": game.id,
            "token": game.seats[seat].token,
            "baseUrl": f"http://127.0.0.1:{self._networks[0].port}",
            "streamPort": self._stream_port,
            "streamVia": self._networks[1].port,
            "key": self._key,
            **how,
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(told) + "\n")
        self._process.stdin.flush()

    def wait_for(self, what: str) -> Any:
        """Wait until the player tells of something, and return it."""
        while True:
            told = self.told.get(timeout=PATIENCE_SECONDS)
            self.sent_again += "unreachable" in told
            if what in told:
                return told[what]

    @contextmanager
    def offline(self) -> Iterator[None]:
        for network in self._networks:
            network.cut()
        yield
        for network in self._networks:
            network.restore()

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """Freeze the process, as a browser does with a page that nobody looks at."""
        self._process.send_signal(signal.SIGSTOP)
        yield
        self._process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        self._process.send_signal(signal.SIGCONT)
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(PATIENCE_SECONDS) == 0
        self._listener.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
        for network in self._networks:
            network.close()


@contextmanager
def open_hall(folder: Path) -> Iterator[Hall]:
    """Run the service with its stream for players on line."""
    install_package(folder)
    shutil.copy(Path(__file__).with_name("player.mjs"), folder)
    with open_installation(folder / "installation") as installation:
        key = add_operator(installation)
        with (
            SupervisedHost(folder / "installation", folder / "service.log", has_stream=True) as host,
            Client(f"http://127.0.0.1:{host.port}", key) as client,
        ):
            yield Hall(folder, host, client, key)


def run_faults(hall: Hall, rounds: int, seconds: float, *, tables: int = 1, think: int = 100) -> FaultRounds:
    """Play one game a round at each table, with one fault of so many seconds in it, and check every move of it."""
    with ExitStack() as stack:
        pairs = [[stack.enter_context(closing(Player(hall))) for _ in range(2)] for _ in range(tables)]

        def play_rounds(table: int) -> list[PlayedRound]:
            chance = random.Random(table)
            return [
                play_round(hall, f"round {number}", pairs[table], FAULTS[number % len(FAULTS)], chance, seconds, think)
                for number in range(table, rounds, tables)
            ]

        with ThreadPoolExecutor(tables) as pool:
            played = [each for done in pool.map(play_rounds, range(tables)) for each in done]
        sent_again = sum(player.sent_again for pair in pairs for player in pair)
    back = {fault: [each.back_seconds for each in played if each.fault == fault] for fault in FAULTS}
    times = {fault: (median(each), max(each)) for fault, each in back.items() if each}
    turns, astray = (sum(counts) for counts in zip(*[(each.turns, each.astray) for each in played], strict=True))
    return FaultRounds(rounds, turns, astray, sent_again, times)


def play_round(
    hall: Hall, name: str, players: Sequence[Player], fault: str, chance: random.Random, seconds: float, think: int
) -> PlayedRound:
    """Play one game with a fault that meets one of the two players, and check it."""
    victim = players[chance.randrange(2)]
    interrupt = {"offline": victim.offline, "asleep": victim.asleep}.get(fault, nullcontext)
    game = hall.client.open_game([f"{name}, {seat}" for seat in range(2)], rules=RULES)
    for seat, player in enumerate(players):
        player.play(game, seat, think=think, turns=TURNS)
    for _ in range(chance.randrange(1, TURNS)):
        victim.wait_for("stands")
    threading.Event().wait(chance.random() * think / 500)
    with interrupt():
        if fault == "worker killed":
            hall.host.kill_worker(chance)
        else:
            threading.Event().wait(seconds)
    ended = time.monotonic()
    victim.wait_for("stands")
    back_seconds = time.monotonic() - ended
    return PlayedRound(fault, *count_turns(hall.client, game, players), back_seconds)


def count_turns(client: Client, game: RemoteGame, players: Sequence[Player]) -> tuple[int, int]:
    """Wait until the game is over; return its turns, and how many moves of its players do not stand, or stand twice."""
    turns = astray = 0
    for seat, player in enumerate(players):
        made = player.wait_for("over")
        stored = [each.happened for each in client.turns(game.id, game.seats[seat].token)]
        standing = [each.move for each in stored if each.seat == seat]
        # In order: a move that stands elsewhere than where it was made was lost there, and doubled here.
        astray += abs(len(made) - len(standing)) + sum(one != other for one, other in zip(made, standing, strict=False))
        turns = len(stored)
    return turns, astray


def run_clocks(hall: Hall, turns: int, think: int) -> ClockReport:
    """Let two players who think equally long play at each of ROUND_TRIPS, and compare what their clocks show."""
    over = {}
    with ExitStack() as stack:
        tables = {}
        for trip in ROUND_TRIPS:
            players = [stack.enter_context(closing(Player(hall, trip / 2))) for _ in range(2)]
            game = hall.client.open_game([f"{trip} s away, {seat}" for seat in range(2)], rules=RULES)
            for seat, player in enumerate(players):
                player.play(game, seat, think=think, turns=turns)
            tables[trip] = players
        for trip, players in tables.items():
            over[trip] = sum(_over_seconds(player, turns) for player in players) / len(players)
    return ClockReport(turns, over)


def _over_seconds(player: Player, turns: int) -> float:
    """Wait until a player's game is over; return the seconds a turn by which the clock ran beyond the thinking."""
    stands = [player.wait_for("stands") for _ in range(turns)]
    player.wait_for("over")
    # The first clock starts before its player knows of the game, so that the first turn is left out.
    used = stands[-1]["used"] - stands[0]["used"]
    return float((used - sum(each["thought"] for each in stands[1:])) / (turns - 1) / 1_000)
