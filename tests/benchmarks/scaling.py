"""How cost grows: with words, with identities, with sealed games in progress, and with workers.

Each size has an installation or a set of its own, and all but identities are measured in turn. Words and games are in
memory where the system has such a place, so that filling them waits for no disk; all else is on a disk.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from ordws.desk.actions import ACTIONS, Call, answer
from ordws.desk.wiring import Services
from ordws.guard.policy import DAY
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed import open_sealed
from tests.benchmarks import gate
from tests.benchmarks.asking import furnish, questions
from tests.benchmarks.contenders import contending
from tests.benchmarks.figure import Figure, interleaved
from tests.benchmarks.panel import MEMORY
from tests.benchmarks.serving import Racer
from tests.benchmarks.timing import words
from tests.benchmarks.wordset import fresh, growth, press
from tests.small_house import NOON, SmallInstallation, build_installation

WORDS = (10_000, 100_000, 1_000_000)
LOOKED_UP = 5_000
IDENTITIES = (10, 1_000, 100_000)
GAMES = (10, 1_000, 10_000)
PLAYED = 10
"""Games of each size in which a seat exchanges and the next one plays."""
GAMES_A_CLIENT = 10
WORKERS = (1, 2)
ROUNDS, A_ROUND = 5, 2_000
PAST_THE_RAMP = NOON - 40 * DAY

Run = Callable[[Any], object]


def measure(settled: Collection[str], core: Collection[str]) -> Iterator[Figure]:
    """Yield what each kind of thing costs at each size, and how much dearer the largest makes it."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as name:
        yield from of_words(Path(name))
        yield from of_identities()
        yield from of_games(Path(name))
    with tempfile.TemporaryDirectory() as name:
        yield from of_workers(Path(name), settled, core)


def grown(what: str, of: str, sizes: Sequence[int], values: Sequence[float], unit: str, goal: str) -> Iterator[Figure]:
    for size, value in zip(sizes, values, strict=True):
        yield Figure(f"scale-{of}", f"{what}, {size:,} {of}", round(value, 1), unit)
    ratio = round(values[-1] / values[0], 2)
    yield Figure(f"scale-{of}", f"{what}, {sizes[-1]:,} against {sizes[0]:,} {of}", ratio, "x", goal)


def of_words(folder: Path) -> Iterator[Figure]:
    """A look-up, half of them misses; what an open edition holds; and opening it."""
    made, keyring = words(1, WORDS[-1] + LOOKED_UP), Keyring.create(folder)
    absent = made[WORDS[-1] :]
    sealed = [press(sorted(made[:size]), keyring) for size in WORDS]
    asked = [Random(2).sample([*Random(2).sample(made[:size], LOOKED_UP), *absent], 2 * LOOKED_UP) for size in WORDS]
    looks = [_looking(open_sealed(each, keyring).words, place) for place, each in enumerate(sealed)]
    looked = interleaved(*looks, prepare=lambda: [fresh(each) for each in asked])
    yield from grown("look-up", "words", WORDS, [taken / 2 / LOOKED_UP for taken in looked], "ns", "<= 2.5")
    held = [_held(folder, each) / size for size, each in zip(WORDS, sealed, strict=True)]
    yield from grown("bytes a word held by an open edition", "words", WORDS, held, "bytes", "<= 1")
    opened = interleaved(*[_opening(each, keyring) for each in sealed], rounds=7)
    yield from grown("opening an edition", "words", WORDS, [taken / 1e6 for taken in opened], "ms", "<= 100")


def _looking(known: Collection[str], place: int) -> Run:
    return lambda asked: [word in known for word in asked[place]]


def _held(folder: Path, sealed: bytes) -> int:
    (folder / "sealed").write_bytes(sealed)
    (folder / "words").touch()
    return growth(folder, "edition")


def _opening(sealed: bytes, keyring: Keyring) -> Run:
    return lambda _: open_sealed(sealed, keyring)


def of_identities() -> Iterator[Figure]:
    """Identity, price and meter of a question of one new word, where so many have asked something today."""
    taken = [gate.added(size, min(gate.QUESTIONS, size * gate.WORDS_EACH)) for size in IDENTITIES]
    yield from grown("gate", "identities", IDENTITIES, taken, "us", "<= 2")


def of_games(folder: Path) -> Iterator[Figure]:
    """A turn of a sealed game, where so many are in progress: the mean of an exchange and a play that is judged."""
    with ExitStack() as stack:
        playing = []
        for size in GAMES:
            house = stack.enter_context(build_installation(folder / f"{size} games"))
            playing.append(_playing(house, size))
        taken = interleaved(*playing, rounds=PLAYED)
    yield from grown("turn of a sealed game", "games", GAMES, [each / 2e3 for each in taken], "us", "<= 2")


def _playing(house: SmallInstallation, size: int) -> Run:
    """Takes the first two turns of another game at each call, of so many that have begun."""
    desk = house.desk()
    keys: list[str] = []
    for number in range(-(-size // GAMES_A_CLIENT)):
        keys.append(house.register.add(f"client {number}", "home", PAST_THE_RAMP))
    opened = [(key, _ask(desk, key, "/v1/games", rules="scrabble-o", seats=[{}, {}])) for key in keys * GAMES_A_CLIENT]
    ready = iter([_first_turns(desk, key, game) for key, game in Random(1).sample(opened[:size], PLAYED)])

    def play(_: object) -> None:
        for key, game, turn in next(ready):
            _ask(desk, key, "/v1/games/{id}/turns", game, **turn)

    return play


def _first_turns(services: Services, key: str, game: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """The first seat exchanges a tile, and the second lays three of its own across the centre."""
    turns = []
    for turn, seat in enumerate(game["seats"], start=1):
        call = Call("id", "GET", f"Bearer {key}", "", "", b"", {"id": game["game"]}, seat_token=seat["token"])
        rack = json.loads(answer(services, ACTIONS["GET", "/v1/games/{id}"], call, NOON).body)["rack"]
        move = f"-{rack[0]}" if turn == 1 else "8G " + rack.replace("?", "")[:3]
        turns.append((key, game["game"], {"seat": seat["token"], "turn": turn, "move": move}))
    return turns


def _ask(services: Services, key: str, path: str, game: str | None = None, **body: Any) -> dict[str, Any]:
    call = Call(
        "id", "POST", f"Bearer {key}", "application/json", "", json.dumps(body).encode(), {"id": game} if game else {}
    )
    reply = answer(services, ACTIONS["POST", path], call, NOON)
    assert reply.status in (200, 201), reply.body
    told: dict[str, Any] = json.loads(reply.body)
    return told


def of_workers(folder: Path, settled: Collection[str], core: Collection[str]) -> Iterator[Figure]:
    """Requests a second of so many workers, the load on the same processors: judged with meter, and refused as busy."""
    keys = furnish(folder / "instance", settled, core)
    asked = questions(keys, settled, core, Random(9))
    for what, name, status in (("judged with meter", "service", b"200"), ("refused as busy", "refusing", b"503")):
        with ExitStack() as stack:
            racers = []
            for workers in WORKERS:
                own = shutil.copytree(folder / "instance", folder / f"{name}-{workers}")
                racers.append(Racer(stack.enter_context(contending(name, own, workers=workers)), []))
            for _ in range(ROUNDS + 1):
                requests = [each.request() for each in islice(asked, A_ROUND)]
                for racer in racers:
                    racer.run(requests, status)
        rates = [1e6 / median(each.wall for each in racer.rounds[1:]) for racer in racers]
        yield from grown(f"requests a second, {what}", "workers", WORKERS, rates, "/s", "")
