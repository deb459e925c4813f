"""docs/reference/benchmarks.md: record the results of fresh runs, and write the page from everything that is recorded.

`make bench` ends with this, and `make benchmarks-page` does it alone. A run leaves a JSON file in the working folder,
which git ignores. Its figures go into recorded.json in place of those of the last run of the same command. Figures that
no such file holds (the full mining benchmark, kills, restarts) are entered in recorded.json by hand. A few figures that
matter to users are in docs/benchmarks.md too.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from ordws.fairplay.recorded_games import shipped_lines
from ordws.fairplay.synthetic_lexicon import SIZE
from ordws.guard.policy import MEDIAN_WINDOW_DAYS, Policy
from ordws.rules import engine
from tests.benchmarks.figure import Figure, format_rows, read_rows
from tests.load import (
    bad_clients,
    beside_practice,
    capacity,
    crowded_pages,
    misbehaving_clients,
    overload,
    slow_crowd,
    soak,
    workload,
)
from tests.load.hostile_crowd import CROWDS

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "reference" / "benchmarks.md"
SUMMARY: Final = ROOT / "docs" / "benchmarks.md"
RECORDED: Final = Path(__file__).with_name("recorded.json")
TEMPLATE: Final = Path(__file__).with_name("page.md")
SUMMARY_TEMPLATE: Final = Path(__file__).with_name("summary.md")

COMMANDS: Final = {
    "make bench": "everything below that is compared side by side, and much else",
    "make guard-bench": "attackers of the guard and of other rate limits, beside honest games",
    "make capacity": "the highest rate that one worker sustains",
    "make soak": "half an hour below that rate",
    "make overload": "two minutes above that rate",
    "make badclients": "honest play beside clients that misbehave",
    "make slowcrowd": "honest play beside a crowd that keeps asking",
    "make besidepractice": "questions beside twenty games against the program, on one core",
    "make crowdedpages": "pages of the desk and of cases beside an address that keeps asking",
    "make faults": "processes killed under load",
    "make play-faults": "games on line through faults, and clocks near and far",
    "make test-all": "the test suite with its long trials; here, restarts under load (`tests/deploy/test_restart.py`)",
    "python -m tests.benchmarks.simulated_panel": "the simulated panel of curators on all borderline families",
    "python -m tests.benchmarks.page_load": "pages that a phone opens for the first time",
    "page_load.py at 8e1e5b0": "the same, before the pages were redesigned",
    "make stream-bench": "ten thousand idle streams, how fast a move reaches a player, and a cut of all streams",
    "make tournament-bench": "drafts of tournaments: time, quality, repeats; ranks; the file of an event",
    "make fairplay-bench": "the move generator against its oracle, and the statistics of fair play",
    "make play-trace": "the playing page while tiles are dragged on a slow phone",
}
"""The commands that measure, with what each does; recorded.json has their figures in this order."""

FOR_USERS: Final = (
    (
        2,
        "processor time of an answer of the service",
        "processor time of an answer, with identity, budgets on disk and log",
    ),
    ("load-capacity", "highest rate", "mixed play that one worker answers, 99 of 100 requests within 50 ms"),
    ("load-overload", "3 times capacity: answered", "of that, answered while three times as much is asked"),
    ("load-soak", "memory in minute three", "memory of a busy worker"),
    ("load-kill", "kill -9", "turns lost after their answer, in 150 kills of worker, Redis and host"),
    ("B2", "from the commit of a row", "from a move to the other player's client, median, without the network"),
    ("mining-bound", "largest share of its bound", "of the promised bound, the most that an attack learned"),
    ("mining-sybils", "learned a day by 100 unverified keys", "words that 100 unverified keys together learn a day"),
    ("mining-honest", "honest games that meet a refusal", "honest games that meet a refusal"),
    ("everyday-5000", "of the 5,000 words met most often", "of the 5,000 words met most often, in the list"),
    (8, "the open recipe from files to sealed edition", "time to build an edition from the open dictionaries"),
    ("pages", "the word judge on a phone: first paint", "the word judge opened on a phone: first paint"),
)
"""The figures of the summary: the id, what the name begins with, for the rest may tell of the run, and a plain name."""


class RecordedFigure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A figure as it was last measured; `value` is a text where a number does not say it all."""

    id: int | str
    case: str = ""
    """The row of a table in which figures of the same name are compared; empty elsewhere."""
    figure: str
    value: int | float | str
    unit: str = ""
    goal: str = ""
    command: str
    date: str
    machine: str

    @property
    def holds(self) -> bool | None:
        """Whether the goal is reached; None without a goal. A text such as "never" reaches none."""
        if isinstance(self.value, str):
            return False if self.goal else None
        return Figure(self.id, self.figure, self.value, self.unit, self.goal).holds


def update_page(folder: Path) -> None:
    """Record the results that lie in a folder, and write the page."""
    recorded = record_runs(read_recorded(), folder, describe_machine())
    RECORDED.write_text(format_rows(map(msgspec.to_builtins, recorded)) + "\n", "utf-8")
    PAGE.write_text(render_page(recorded), "utf-8")
    SUMMARY.write_text(render_summary(recorded), "utf-8")


def read_recorded() -> list[RecordedFigure]:
    """Return everything that is recorded."""
    return msgspec.json.decode(RECORDED.read_bytes(), type=list[RecordedFigure])


def record_runs(recorded: Sequence[RecordedFigure], folder: Path, machine: str) -> list[RecordedFigure]:
    """Return what is recorded, with the figures of a command replaced by those of a run that lies in the folder.

    A file that is older than what is recorded of its command changes nothing.
    """
    found = list(recorded)
    for name, (command, read) in RUNS.items():
        path = folder / name
        if not path.exists():
            continue
        date = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()
        if any(each.command == command and each.date > date for each in found):
            continue
        fresh = [
            RecordedFigure(**each._asdict(), command=command, date=date, machine=machine)
            for each in read(json.loads(path.read_bytes()))
        ]
        found = [*(each for each in found if each.command != command), *fresh]
    order = list(COMMANDS)
    return sorted(found, key=lambda each: order.index(each.command))


def describe_machine() -> str:
    """Return the machine that figures are measured on, and the form of the engine."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    processor = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())
    return (
        f"{len(os.sched_getaffinity(0))} cores of {processor}, {platform.python_implementation()}"
        f" {platform.python_version()}, the engine {engine.engine_build()}"
    )


def read_capacity(run: dict[str, Any]) -> Iterator[Figure]:
    """Yield the figure of capacity.json."""
    goal = f"{capacity.GOAL_SECONDS * 1000:.0f} ms"
    yield Figure("load-capacity", f"highest rate with a 99th percentile of {goal}", run["capacity"], "requests/s")


def read_soak(run: dict[str, Any]) -> Iterator[Figure]:
    """Yield the figures of soak.json."""
    minutes = run["minutes"]
    second, third = minutes[min(1, len(minutes) - 1)], minutes[min(2, len(minutes) - 1)]
    share, capacity_then = soak.CAPACITY_SHARE, run["rate"] / soak.CAPACITY_SHARE
    asked = f"requests in {len(minutes)} minutes at {100 * share:.0f} % of {capacity_then:,.0f} a second"
    yield Figure("load-soak", asked, sum(minute["due"] for minute in minutes), "")
    yield Figure("load-soak", "of these, failed", sum(run["failed"].values()), "", "== 0")
    yield Figure(
        "load-soak", "memory, against that of minute three", run["memory_growth"], "x", f"<= {soak.MOST_GROWTH}"
    )
    yield Figure("load-soak", "memory in minute three", round(third["resident"] / 1e6), "MB")
    yield Figure(
        "load-soak",
        "99th percentile of the last five minutes, against minute two",
        run["p99_slowing"],
        "x",
        f"<= {soak.MOST_SLOWING:g}",
    )
    yield Figure("load-soak", "99th percentile of minute two", second["p99_ms"], "ms")


def read_overload(run: dict[str, Any]) -> Iterator[Figure]:
    """Yield the figures of overload.json."""
    name, least = f"{overload.TIMES:g} times capacity", 100 * overload.LEAST_GOODPUT
    after = run["recovered_after_seconds"] if run["stays_well"] else None
    yield Figure(
        "load-overload",
        f"{name}: answered, of capacity",
        round(100 * run["goodput_of_capacity"], 1),
        "%",
        f">= {least:g}",
    )
    yield Figure(
        "load-overload",
        f"{name}: refusals other than 503 with Retry-After, and errors",
        sum(run["errors"].values()),
        "",
        "== 0",
    )
    yield Figure(
        "load-overload",
        f"{name}: well again, and from then on, after",
        "never" if after is None else after,
        "s",
        f"<= {overload.RECOVERY_SECONDS}",
    )


def read_bad_clients(run: dict[str, Any]) -> Iterator[Figure]:
    """Yield the figures of badclients.json, of what came through the proxy."""
    met = [each for each in run["met"] if each["where"] == bad_clients.PROXIED]
    times = [each["times"] for each in met]
    failed = sum(each["beside"]["refused"] + sum(each["beside"]["errors"].values()) for each in met)
    yield Figure("load-bad-clients", "honest 99th percentile beside them, against alone: least", min(times), "x")
    yield Figure(
        "load-bad-clients",
        "honest 99th percentile beside them, against alone: most",
        max(times),
        "x",
        f"<= {bad_clients.MAX_SLOWDOWN:g}",
    )
    yield Figure("load-bad-clients", "honest requests that failed", failed, "", "== 0")
    yield Figure(
        "load-bad-clients",
        "answers to them through nginx that are neither 2xx nor a problem document",
        sum(len(each["strange"]) for each in met),
        "",
        "== 0",
    )


def read_slow_crowd(run: dict[str, Any]) -> Iterator[Figure]:
    """Yield the figures of slowcrowd.json."""
    for each in run["met"]:
        crowd = f"56 connections ({each['kind']})" if each["kind"] in CROWDS else each["kind"].replace("-", " ")
        name = f"honest 99th percentile beside {crowd}, against alone"
        yield Figure("load-slow-crowd", name, each["times"], "x", f"<= {slow_crowd.MAX_SLOWDOWN:g}")
    failed = sum(each["beside"]["refused"] + sum(each["beside"]["errors"].values()) for each in run["met"])
    yield Figure("load-slow-crowd", "honest requests that failed beside them", failed, "", "== 0")


def read_beside_practice(run: dict[str, Any]) -> Iterator[Figure]:
    """Yield the figures of besidepractice.json."""
    name = f"99th percentile of questions at half of the capacity beside {run['games']} games of practice, to alone"
    yield Figure("load-practice", name, run["times"], "x", f"<= {beside_practice.MAX_SLOWDOWN:g}")
    failed = run["beside"]["refused"] + sum(run["beside"]["errors"].values())
    yield Figure("load-practice", "questions that failed beside them", failed, "", "== 0")


def read_crowded_pages(run: dict[str, Any]) -> Iterator[Figure]:
    """Yield the figures of crowdedpages.json."""
    goal = f"<= {1000 * crowded_pages.MOST_SECONDS:g}"
    for each in run["met"]:
        name = f"99th percentile of everybody else's pages beside 56 connections of one address ({each['kind']})"
        yield Figure("load-crowded-pages", name, each["beside_p99_ms"], "ms", goal)
        yield Figure("load-crowded-pages", f"alone ({each['kind']})", each["alone_p99_ms"], "ms")
    failed = sum(each["failed"] for each in run["met"])
    yield Figure("load-crowded-pages", "pages refused or lost beside them", failed, "", "== 0")


RUNS: Final[dict[str, tuple[str, Callable[[Any], Iterable[Figure]]]]] = {
    "bench.json": ("make bench", read_rows),
    "capacity.json": ("make capacity", read_capacity),
    "soak.json": ("make soak", read_soak),
    "overload.json": ("make overload", read_overload),
    "badclients.json": ("make badclients", read_bad_clients),
    "slowcrowd.json": ("make slowcrowd", read_slow_crowd),
    "besidepractice.json": ("make besidepractice", read_beside_practice),
    "crowdedpages.json": ("make crowdedpages", read_crowded_pages),
    "play-faults.json": ("make play-faults", read_rows),
    "page_load.json": ("python -m tests.benchmarks.page_load", read_rows),
    "stream.json": ("make stream-bench", read_rows),
    "tournament.json": ("make tournament-bench", read_rows),
    "fairplay.json": ("make fairplay-bench", read_rows),
    "play_trace.json": ("make play-trace", read_rows),
}
"""The file that a run leaves, with its command and the function that takes the figures from it."""


def render_page(recorded: Sequence[RecordedFigure]) -> str:
    """Return the page: the template with a table of each group of figures, and with the program's own limits."""
    groups: dict[str, list[RecordedFigure]] = {name: [] for name in ("mining", "targets", "load", "others")}
    for each in recorded:
        groups[_group_of(each)].append(each)
    dates = {each.command: (each.date, each.machine) for each in sorted(recorded, key=lambda each: each.date)}
    commands = [[f"`{each}`", COMMANDS[each], *dates[each]] for each in COMMANDS if each in dates]
    return TEMPLATE.read_text("utf-8").format(
        commands=_table(["command", "measures", "last run", "machine"], commands),
        policy=Policy(),
        median_days=MEDIAN_WINDOW_DAYS,
        made_up_words=SIZE,
        honest_games=len(shipped_lines()),
        sealed_share=workload.MIX["sealed"],
        idle_connections=misbehaving_clients.IDLE,
        **{name: _tables(figures) for name, figures in groups.items()},
    )


def render_summary(recorded: Sequence[RecordedFigure]) -> str:
    """Return the page of the figures that matter to users; one that is not recorded is left out."""
    rows = [
        [plain, _measured(found), _goal(found.goal), _result(found), found.date]
        for id, name, plain in FOR_USERS
        for found in [each for each in recorded if each.id == id and each.figure.startswith(name)][:1]
    ]
    return SUMMARY_TEMPLATE.read_text("utf-8").format(
        figures=_table(["figure", "measured", "goal", "result", "date"], rows),
        count=len(rows),
        honest_games=len(shipped_lines()),
        all=len(recorded),
        goals=len([each for each in recorded if each.goal]),
        missed=len([each for each in recorded if each.holds is False]),
    )


def _group_of(figure: RecordedFigure) -> str:
    if isinstance(figure.id, int):
        return "targets"
    name = figure.id.partition("-")[0]
    return name if name in ("mining", "load") else "others"


def _tables(figures: Sequence[RecordedFigure]) -> str:
    """A table with a row for each case and a column for each figure that has cases, and a list of all other figures."""
    cells = {(each.case, each.figure): _measured(each) for each in figures if each.case}
    cases, names = dict.fromkeys(case for case, _ in cells), dict.fromkeys(name for _, name in cells)
    compared = [[case, *(cells.get((case, name), "") for name in names)] for case in cases]
    listed = [
        [
            *([str(each.id)] if isinstance(each.id, int) else []),
            each.figure,
            _measured(each),
            _goal(each.goal),
            _result(each),
            f"`{each.command}`",
            each.date,
        ]
        for each in figures
        if not each.case
    ]
    heads = ["figure", "measured", "goal", "result", "command", "date"]
    if any(isinstance(each.id, int) for each in figures):
        heads = ["row", *heads]
    return "\n\n".join([_table(head, rows) for head, rows in ((["limit", *names], compared), (heads, listed)) if rows])


def _measured(figure: RecordedFigure) -> str:
    value = figure.value if isinstance(figure.value, str) else f"{figure.value:,}"
    return f"{value}{'' if figure.unit in ('', 'x') else ' '}{figure.unit}"


def _result(figure: RecordedFigure) -> str:
    return {True: "holds", False: "**missed**", None: ""}[figure.holds]


def _goal(goal: str) -> str:
    """A goal in words."""
    sign, _, number = goal.partition(" ")
    words = {"<=": "at most ", ">=": "at least ", "==": "", "": ""}[sign]
    return f"{words}{float(number):,g}" if number else ""


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(["| " + " | ".join(row) + " |" for row in (heads, ["---"] * len(heads), *rows)])


if __name__ == "__main__":
    update_page(Path())
