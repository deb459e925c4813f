"""Growth of cost with words, with identities, with sealed games in progress, and with workers.

Each size has an installation or a set of its own, and all but identities are measured in turn. Words and games are in
memory if the system has such a place, so that filling them waits for no disk; all else is on a disk.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import open_sealed
from tests.benchmarks import gate
from tests.benchmarks.figure import Figure, time_interleaved
from tests.benchmarks.in_process import InProcess
from tests.benchmarks.request_load import generate_requests, make_installation
from tests.benchmarks.sealed_turns import GAMES_PER_CLIENT, PAST_THE_RAMP, post, prepare_turns
from tests.benchmarks.server_cpu import MeasuredServer
from tests.benchmarks.servers import run_server
from tests.benchmarks.simulated_panel import MEMORY_FOLDER
from tests.benchmarks.verdict_timing import generate_words
from tests.benchmarks.word_set import copy_words, resident_growth, seal_words
from tests.small_installation import SmallInstallation, build_installation

WORD_COUNTS = (10_000, 100_000, 1_000_000)
LOOKUPS = 5_000
IDENTITY_COUNTS = (10, 1_000, 100_000)
GAME_COUNTS = (10, 1_000, 10_000)
GAMES_PLAYED = 10
"""Games of each size in which one seat exchanges and the next one plays."""
WORKER_COUNTS = (1, 2)
ROUNDS, REQUESTS_PER_ROUND = 5, 2_000

Run = Callable[[Any], object]


def measure(settled: Collection[str], core: Collection[str]) -> Iterator[Figure]:
    """Yield the cost of each kind of thing at each size, and the ratio of the largest to the smallest."""
    with tempfile.TemporaryDirectory(dir=MEMORY_FOLDER if MEMORY_FOLDER.is_dir() else None) as name:
        yield from measure_words(Path(name))
        yield from measure_identities()
        yield from measure_games(Path(name))
    with tempfile.TemporaryDirectory() as name:
        yield from measure_workers(Path(name), settled, core)


def scale_figures(
    what: str, unit_name: str, sizes: Sequence[int], values: Sequence[float], unit: str, goal: str
) -> Iterator[Figure]:
    for size, value in zip(sizes, values, strict=True):
        yield Figure(f"scale-{unit_name}", f"{what}, {size:,} {unit_name}", round(value, 1), unit)
    ratio = round(values[-1] / values[0], 2)
    yield Figure(f"scale-{unit_name}", f"{what}, {sizes[-1]:,} against {sizes[0]:,} {unit_name}", ratio, "x", goal)


def measure_words(folder: Path) -> Iterator[Figure]:
    """Yield the time of a look-up, half of them misses, the memory of an open edition, and the time to open it."""
    made, keyring = generate_words(1, WORD_COUNTS[-1] + LOOKUPS), Keyring.create(folder)
    absent = made[WORD_COUNTS[-1] :]
    sealed = [seal_words(sorted(made[:size]), keyring) for size in WORD_COUNTS]
    word_lists = [
        Random(2).sample([*Random(2).sample(made[:size], LOOKUPS), *absent], 2 * LOOKUPS) for size in WORD_COUNTS
    ]
    looks = [_lookup_run(open_sealed(each, keyring).words, place) for place, each in enumerate(sealed)]
    looked = time_interleaved(*looks, prepare=lambda: [copy_words(each) for each in word_lists])
    yield from scale_figures("look-up", "words", WORD_COUNTS, [taken / 2 / LOOKUPS for taken in looked], "ns", "<= 2.5")
    held = [_edition_bytes(folder, each) / size for size, each in zip(WORD_COUNTS, sealed, strict=True)]
    yield from scale_figures("bytes a word held by an open edition", "words", WORD_COUNTS, held, "bytes", "<= 1")
    opened = time_interleaved(*[_open_run(each, keyring) for each in sealed], rounds=7)
    yield from scale_figures(
        "opening an edition", "words", WORD_COUNTS, [taken / 1e6 for taken in opened], "ms", "<= 100"
    )


def _lookup_run(known: Collection[str], place: int) -> Run:
    return lambda word_lists: [word in known for word in word_lists[place]]


def _edition_bytes(folder: Path, sealed: bytes) -> int:
    (folder / "sealed").write_bytes(sealed)
    (folder / "words").touch()
    return resident_growth(folder, "edition")


def _open_run(sealed: bytes, keyring: Keyring) -> Run:
    return lambda _: open_sealed(sealed, keyring)


def measure_identities() -> Iterator[Figure]:
    """Yield the time of identity, price and meter for one new word, with so many identities active today."""
    taken = [
        gate.measure_overhead(size, min(gate.QUESTIONS, size * gate.QUESTIONS_PER_IDENTITY)) for size in IDENTITY_COUNTS
    ]
    yield from scale_figures("gate", "identities", IDENTITY_COUNTS, taken, "us", "<= 2")


def measure_games(folder: Path) -> Iterator[Figure]:
    """Yield the time of a turn of a sealed game among so many: the mean of an exchange and a play that is judged."""
    with ExitStack() as stack:
        playing = []
        for size in GAME_COUNTS:
            installation = stack.enter_context(build_installation(folder / f"{size} games"))
            playing.append(_turn_run(installation, size))
        taken = time_interleaved(*playing, rounds=GAMES_PLAYED)
    yield from scale_figures(
        "turn of a sealed game", "games", GAME_COUNTS, [each / 2e3 for each in taken], "us", "<= 2"
    )


def _turn_run(installation: SmallInstallation, size: int) -> Run:
    """Return a function that takes the first two turns of another game at each call."""
    service = InProcess(installation.services())
    keys: list[str] = []
    for number in range(-(-size // GAMES_PER_CLIENT)):
        keys.append(installation.register.add(f"client {number}", "home", PAST_THE_RAMP))
    opened = [
        (key, post(service, key, "/v1/games", rules="scrabble-o", seats=[{}, {}])) for key in keys * GAMES_PER_CLIENT
    ]
    ready = iter([prepare_turns(service, key, game) for key, game in Random(1).sample(opened[:size], GAMES_PLAYED)])

    def play(_: object) -> None:
        for key, game, turn in next(ready):
            post(service, key, f"/v1/games/{game}/turns", **turn)

    return play


def measure_workers(folder: Path, settled: Collection[str], core: Collection[str]) -> Iterator[Figure]:
    """Yield rate and cost of an answer of so many workers, the load on the same processors: judged, refused as busy."""
    keys = make_installation(folder / "instance", settled, core)
    stream = generate_requests(keys, settled, core, Random(9))
    for what, name, status in (("judged with meter", "service", b"200"), ("refused as busy", "refusing", b"503")):
        with ExitStack() as stack:
            racers = []
            for workers in WORKER_COUNTS:
                own = shutil.copytree(folder / "instance", folder / f"{name}-{workers}")
                racers.append(MeasuredServer(stack.enter_context(run_server(name, own, workers=workers)), []))
            for _ in range(ROUNDS + 1):
                requests = [each.to_http() for each in islice(stream, REQUESTS_PER_ROUND)]
                for racer in racers:
                    racer.run(requests, status)
        rates = [1e6 / median(each.wall for each in racer.rounds[1:]) for racer in racers]
        yield from scale_figures(f"requests a second, {what}", "workers", WORKER_COUNTS, rates, "/s", "")
        # Where the load runs on the same cores, only the cost of an answer tells whether workers wait for each other.
        costs, goal = [racer.median_cpu for racer in racers], "<= 1.15" if status == b"200" else ""
        yield from scale_figures(f"processor time, {what}", "workers", WORKER_COUNTS, costs, "us", goal)
