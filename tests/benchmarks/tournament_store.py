"""The file of an event and its ranks at full size: A6 and A7 of `make tournament-bench`."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Final

from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.facts import EventPairing, RecordedFact, SideResult, TableResult
from ordws.tournament.fold import subjects_of
from ordws.tournament.standings import EntrantTotals
from ordws.tournament.store import EventFile
from tests.benchmarks.figure import Figure

ENTRANTS: Final = 1_000_000
KILLS: Final = 50
COMMANDS: Final = 10_000
TABLES: Final = 4
WRITER: Final = Path(__file__).parents[1] / "tournament" / "event_writer.py"


def measure_ranks() -> Iterator[Figure]:
    """Rank a million made-up entrants by whole-number keys, and compare each with its neighbour by exact fractions."""
    chance = random.Random(6)
    totals = [
        EntrantTotals(*chance.choices(range(9), k=3), chance.randrange(9_000), chance.randrange(1, 300))
        for _ in range(ENTRANTS)
    ]
    began = time.perf_counter()
    order = sorted(totals, key=lambda each: each.rank_key, reverse=True)
    seconds = time.perf_counter() - began

    def exact(each: EntrantTotals) -> tuple[Fraction, Fraction]:
        games = Fraction(2 * each.wins + each.ties, 2 * each.games) if each.games else Fraction(0)
        return games, Fraction(each.points, each.turns)

    wrong = sum(
        (one.rank_key == other.rank_key) != (exact(one) == exact(other)) or exact(one) < exact(other)
        for one, other in pairwise(order)
    )
    yield Figure("A6", f"ranks of {ENTRANTS:,} entrants that differ from exact fractions", wrong, "", "== 0")
    yield Figure("A6", "time to rank them by keys", round(seconds, 2), "s")


def measure_kills() -> Iterator[Figure]:
    """Kill a writing director fifty times, and count acknowledged facts that are not in the file."""
    chance = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        path = _begin_event(Path(folder))
        printed: list[str] = []
        for _ in range(KILLS):
            with _write(path, "una", 1_000_000) as writer:
                assert writer.stdout is not None
                lines = [writer.stdout.readline() for _ in range(chance.randint(1, 20))]
                time.sleep(chance.random() / 100)
                os.kill(writer.pid, signal.SIGKILL)
                lines += writer.stdout.readlines()
            printed += [line for line in lines if line.endswith("\n")]
        with closing(EventFile.open(path)) as event:
            lost = sum(_is_lost(event.facts, line) for line in printed)
    yield Figure("A7", f"acknowledged facts lost by {KILLS} kills", lost, "", "== 0")
    yield Figure("A7", "facts acknowledged between the kills", len(printed), "")


def measure_two_directors() -> Iterator[Figure]:
    """Have two processes send ten thousand commands to the same tables, and count lost updates."""
    with tempfile.TemporaryDirectory() as folder:
        path = _begin_event(Path(folder))
        began = time.perf_counter()
        with _write(path, "una", COMMANDS // 2) as una, _write(path, "dan", COMMANDS // 2) as dan:
            printed = [line for writer in (una, dan) for line in writer.communicate()[0].splitlines()]
        seconds = time.perf_counter() - began
        told = [line for line in printed if line != "conflict"]
        with closing(EventFile.open(path)) as event:
            lost = sum(_is_lost(event.facts, line) or _overwrote(event.facts, line) for line in told)
    yield Figure("A7", f"lost updates of {len(told):,} commands by two directors", lost, "", "== 0")
    yield Figure("A7", "conflicts told to them", len(printed) - len(told), "")
    yield Figure("A7", "commands a second, each on the disk", round(len(told) / seconds), "/s")


def _begin_event(folder: Path) -> Path:
    """Make an event with a round of four tables, with results."""
    path = folder / "club.event"
    create = f.Created(name="Club", rules="classic", rounds=3, seed=1)
    players = range(1, 2 * TABLES + 1)
    pairings = tuple([EventPairing(table, 2 * table - 1, 2 * table) for table in range(1, TABLES + 1)])
    told = TableResult(first=SideResult(412, 398, 13), second=SideResult(371, 380, 13))
    with closing(EventFile.create(path, create, actor="desk", now=1)) as event:
        event.apply(
            *[c.Enter(name=f"Player {number}") for number in players],
            *[f.CheckedIn(entrant=number) for number in players],
            f.Published(round=1, pairings=pairings),
            *[f.Resulted(round=1, table=table, result=told) for table in range(1, TABLES + 1)],
            actor="desk",
            now=2,
        )
    return path


def _write(path: Path, actor: str, most: int) -> subprocess.Popen[str]:
    tables = [str(table) for table in range(1, TABLES + 1)]
    command = [sys.executable, str(WRITER), str(path), actor, str(most), *tables]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _is_lost(facts: Sequence[RecordedFact], line: str) -> bool:
    number, command, _ = line.split()
    return int(number) > len(facts) or facts[int(number) - 1].command != command


def _overwrote(facts: Sequence[RecordedFact], line: str) -> bool:
    """Return True if a correction changed a table that another had changed since its director looked."""
    number, _, seen = line.split()
    subject = subjects_of(facts[int(number) - 1].fact)
    return any(subjects_of(each.fact) == subject for each in facts[int(seen) : int(number) - 1])
