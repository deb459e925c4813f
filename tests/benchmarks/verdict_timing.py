"""The time of a yes against the time of a no: the words of a question differ only in being in the edition."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean
from time import thread_time_ns

from ordws.guard.policy import Policy
from tests.benchmarks.figure import Figure
from tests.benchmarks.in_process import InProcess, environ_of
from tests.small_installation import FakeClock, build_installation

PAIRS = 6_000
PAIRS_A_DAY = 20
TRIMMED_SHARE = 0.2
LETTERS = "BCDFGHKLMNPRSTVWZ"


def generate_words(seed: int, count: int) -> list[str]:
    """Return words that look alike, so that a trie goes about as far for one as for another."""
    rng = Random(seed)
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join([rng.choice(LETTERS if n % 2 == 0 else "AEIOU") for n in range(7)])] = None
    return list(words)


def confidence_interval(differences: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of the trimmed mean of differences, by Yuen (1974)."""
    ordered = sorted(differences)
    cut = int(len(ordered) * TRIMMED_SHARE)
    kept = ordered[cut : len(ordered) - cut]
    winsorized = [kept[0]] * cut + kept + [kept[-1]] * cut
    mean, middle = fmean(winsorized), fmean(kept)
    variance = sum((each - mean) ** 2 for each in winsorized) / (len(ordered) - 1)
    margin = 1.96 * sqrt(variance) / ((1 - 2 * TRIMMED_SHARE) * sqrt(len(ordered)))
    return middle - margin, middle + margin


def measure() -> Iterator[Figure]:
    """Yield the farther end of each interval: of one word, and of eight of which only the first or last is out."""
    logging.getLogger("ordws.api").setLevel(logging.ERROR)  # each day below is a jump of the clock
    with tempfile.TemporaryDirectory() as name, build_installation(Path(name) / "instance") as installation:
        pool = generate_words(1, 20_000)
        known, strange = pool[::2], pool[1::2]
        installation.deliver(*known, number=2)
        services = installation.services(Policy(tightened_percent=100))
        keys = [installation.register.add(f"k{number}", "home", 0) for number in range(PAIRS_A_DAY)]
        rng, clock = Random(2), FakeClock()
        service = InProcess(services, clock)
        for kind, size, place in (("one word", 1, 0), ("eight words, the first out", 8, 0), ("the last out", 8, 7)):
            differences = []
            askable = strange[: len(strange) // size]  # each word as often as a known one, or it is new to more askers
            for _ in range(PAIRS // PAIRS_A_DAY):
                clock.now += 86_400
                services.housekeeping.run(clock())
                differences += [_time_difference(service, rng, key, known, askable, size, place) for key in keys]
            low, high = confidence_interval(differences)
            yield Figure(
                "timing",
                f"a no against a yes, {kind}: far end of the 95 % interval [{low:+.2f}, {high:+.2f}]",
                round(max(abs(low), abs(high)), 2),
                "us",
                "<= 5",
            )


def _time_difference(
    service: InProcess, rng: Random, key: str, known: list[str], unknown: list[str], size: int, place: int
) -> float:
    """Return the microseconds of processor time that a no takes longer than a yes, for one caller in random order."""
    # No word is asked twice, since a repeat costs less; and the first question of the day, which makes the caller's
    # meters, is not one of the two.
    first, *words = rng.sample(known, 2 * size + 1)
    good, bad = words[:size], [*words[size : size + place], rng.choice(unknown), *words[size + place + 1 :]]
    service.ask("POST", "/v1/judge", key, {"words": [first]})
    took = {}
    for verdict in rng.sample((True, False), 2):
        environ = environ_of("POST", "/v1/judge", key, {"words": good if verdict else bad})
        start = thread_time_ns()
        _, body = service.send(environ)
        took[verdict] = (thread_time_ns() - start) / 1e3
        assert b"true" in body if verdict else b"false" in body
    return took[False] - took[True]
