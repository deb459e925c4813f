"""The mining benchmark in small: the words that attackers learn, and the refusals that honest games meet."""

from __future__ import annotations

from collections.abc import Iterator

from ordws.guard.policy import Policy
from tests.benchmarks.figure import Figure
from tests.mining.bench import QUICK, make_rows, make_tasks, run_all
from tests.mining.bench_rows import HONEST, ORDWS, BenchRow


def measure() -> Iterator[Figure]:
    """Yield the worst of each kind over a quick run."""
    tasks = make_tasks(QUICK, 1)
    rows = [row for row in make_rows(tasks, run_all(tasks, lambda task, result: None, Policy())) if row.policy == ORDWS]
    by_attack = {row.attack: row for row in rows}
    alone = [row for row in rows if row.attack != HONEST]
    worst = max(alone, key=_learned_share)
    honest = by_attack[HONEST]
    yield Figure(
        "mining-bound",
        f"largest share of its bound that an attack learned ({worst.attack})",
        _learned_share(worst),
        "",
        "<= 1",
    )
    yield Figure(
        "mining-sybils",
        "learned a day by 100 unverified keys together",
        by_attack["sybils"].outside_per_day,
        "words",
        "<= 500",
    )
    cap, flagged = by_attack["median"].world_cap_after or 0, by_attack["sweep"].flagged_after_words or 99
    yield Figure("mining-cap", "their daily cap after 120 days of a flood", cap, "words", "<= 500")
    yield Figure("mining-sweep", "a sweep of the alphabet is in alarm after", flagged, "words", "<= 30")
    yield Figure(
        "mining-bot",
        "learned a game by a bot that owns every seat",
        by_attack["in-game"].outside_per_game or 0,
        "words",
        "<= 28",
    )
    for attack, who in (
        ("core", "one identity"),
        ("core-club", "a club with 43 paired devices"),
        ("core-crowd", "100 unverified keys together"),
    ):
        row = by_attack[attack]
        figure = f"core words learned a day by {who}"
        yield Figure(f"mining-{attack}", figure, row.core_per_day, "words", f"<= {row.core_bound}")
    club = by_attack["club"]
    yield Figure(
        "mining-club",
        "learned a day by a rogue club's paired devices",
        club.outside_per_day,
        "words",
        f"<= {club.outside_bound}",
    )
    yield Figure("mining-honest", "honest games that meet a refusal", 100 * (honest.honest_refused or 0), "%", "== 0")
    watched, alarms = sum(honest.watched.values()), sum(honest.alarms.values())
    yield Figure("mining-alarms", f"alarms in {watched} honest clients", alarms, "", "== 0")


def _learned_share(row: BenchRow) -> float:
    """Return the largest part of a bound that an attack learned, of words outside the core list or of core words."""
    outside = row.outside_per_day / row.outside_bound if row.outside_bound else 0.0
    return round(max(outside, row.core_per_day / row.core_bound if row.core_bound else 0.0), 3)
