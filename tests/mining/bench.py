"""The mining benchmark: the measurements, their order, and their distribution over processes."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from typing import Final, NamedTuple, TypeAlias

from ordws.fairplay.recorded_games import honest_games
from ordws.fairplay.synthetic_lexicon import SIZE
from ordws.guard.policy import Policy
from tests.mining.attack_task import RECORDED_LEXICON, AttackTask, lexicon_and_truth, measure
from tests.mining.attackers.attacks import CALLER_KINDS
from tests.mining.baselines import BASELINES
from tests.mining.bench_rows import ORDWS, BenchRow
from tests.mining.day_plans import TrafficKind
from tests.mining.honest_replay import UNVERIFIED_KINDS, HonestResult
from tests.mining.honest_tasks import (
    FalseAlarmTask,
    HonestTask,
    count_alarms,
    false_alarm_tasks,
    make_honest_row,
    measure_honest,
)
from tests.mining.installation import installations_folder

BASELINE_KINDS: Final[tuple[TrafficKind, ...]] = ("home", "duel", "club", "operator")
"""The kinds of honest traffic that other limits are measured against."""

CROWD_SIZES: Final = (1, 2, 5, 10, 50)
"""The numbers of hostile unverified keys, after which newcomers try to play their first game."""


class Scale(NamedTuple):
    """The size of a benchmark."""

    size: int
    hours: float
    """Hours of a day, against baselines that let so much through that a whole day takes long."""
    operator_hours: float
    """Hours of an operator's day, against limits that begin anew each minute."""
    flood_days: int
    quiet_days: int
    """Days of the flood that stays so low that the cap follows it."""
    games: dict[TrafficKind, tuple[int, int]]
    """Identities and days of each kind of honest traffic."""
    watched_homes: int
    """Honest players of 60 games each, who may raise no alarm."""
    watched_clubs: int
    """Simulated clubs over 30 days, which may raise no alarm."""
    seeds: int
    identities: tuple[int, ...]
    days: tuple[int, ...]
    forecast_days: tuple[int, ...]
    """Days for which the quality of an attacker's list is extrapolated."""
    sybils: int
    proxies: int
    pseudonyms: int
    guests: int
    """Addresses of guests who play to learn."""
    devices: int
    """Paired devices of a club that attacks."""
    homes: int
    """Honest players during the attack of the Sybils."""
    newcomers: int
    """New players after the attack of a crowd."""


QUICK: Final = Scale(
    size=SIZE,
    hours=0.25,
    operator_hours=12,
    flood_days=120,
    quiet_days=30,
    sybils=100,
    proxies=100,
    pseudonyms=60,
    guests=40,
    devices=43,
    homes=8,
    newcomers=20,
    watched_homes=5,
    watched_clubs=20,
    seeds=1,
    games={
        "home": (50, 1),
        "duel": (15, 1),
        "full-day": (15, 1),
        "new": (20, 1),
        "club": (4, 1),
        "challenges": (8, 1),
        "tournament": (2, 1),
        "sealed-tournament": (1, 1),
        "guests": (3, 1),
        "operator": (1, 1),
        "new-operator": (1, 1),
    },
    identities=(1, 10),
    days=(1,),
    forecast_days=(30,),
)
FULL: Final = Scale(
    size=SIZE,
    hours=24,
    operator_hours=24,
    flood_days=120,
    quiet_days=120,
    sybils=100,
    proxies=1_000,
    pseudonyms=60,
    guests=40,
    devices=43,
    homes=40,
    newcomers=20,
    watched_homes=300,
    watched_clubs=300,
    seeds=5,
    identities=(1, 10, 100),
    days=(1, 30),
    forecast_days=(30, 365),
    games={
        "home": (300, 4),
        "duel": (40, 4),
        "full-day": (40, 2),
        "new": (20, 1),
        "club": (30, 2),
        "challenges": (60, 2),
        "tournament": (5, 2),
        "sealed-tournament": (3, 1),
        "guests": (3, 2),
        "operator": (1, 2),
        "new-operator": (1, 1),
    },
)


def limit_honest_traffic(scale: Scale, kinds: Collection[str], max_identities: int | None) -> Scale:
    """Return the scale with these kinds of honest traffic alone, and at most so many identities of each."""
    games = {kind: size for kind, size in scale.games.items() if not kinds or kind in kinds}
    if max_identities is None:
        return scale._replace(games=games)
    return scale._replace(
        games={kind: (min(max_identities, identities), days) for kind, (identities, days) in games.items()},
        watched_homes=min(max_identities, scale.watched_homes),
        watched_clubs=min(max_identities, scale.watched_clubs),
        homes=min(max_identities, scale.homes),
        newcomers=min(max_identities, scale.newcomers),
    )


BenchTask: TypeAlias = AttackTask | HonestTask | FalseAlarmTask
BenchResult: TypeAlias = BenchRow | HonestResult | int

_SINGLE_IDENTITY_ATTACKS: Final = (
    "sweep",
    "borderline",
    "families",
    "boards",
    "grouped",
    "hidden",
    "restart",
    "re-ask",
    "mixture",
    "in-game",
    "core",
    "core-in-games",
    "dover",
)
_BASELINE_ATTACKS: Final = ("sweep", "borderline", "grouped-families")
_UNBOUNDED_BASELINES: Final = ("none", "Flask-Limiter 60/minute")
_MINUTE_IN_DAYS: Final = 1 / 1_440
_BASELINE_QUESTIONS_PER_SECOND: Final = 2
"""Questions a second of attackers that nothing else limits."""


def make_tasks(scale: Scale, seed: int) -> list[BenchTask]:
    """Return all measurements, those that take longest first."""
    tasks: list[BenchTask] = [
        *false_alarm_tasks(scale.watched_homes, scale.watched_clubs, seed),
        AttackTask(ORDWS, "median", scale.sybils, scale.flood_days, seed, scale.size),
        AttackTask(ORDWS, "median-throttled", scale.sybils, scale.quiet_days, seed, scale.size),
        AttackTask(ORDWS, "sybils", scale.sybils, 1, *RECORDED_LEXICON, honest_homes=scale.homes),
        AttackTask(ORDWS, "in-game-two-days", 1, 1.5, seed, scale.size),
        AttackTask(ORDWS, "guests-two-days", scale.guests, 1.5, seed, scale.size),
    ]
    for kind, (identities, days) in reversed(scale.games.items()):
        # Those that share one budget are few at a time, and play on as many days apart as there are seeds.
        seeds = scale.seeds if kind in UNVERIFIED_KINDS else 1
        tasks += [HonestTask(ORDWS, kind, identities, days, each) for each in range(seed, seed + seeds)]
        for policy in BASELINES if kind in BASELINE_KINDS else ():
            is_part = (policy, kind) == ("Flask-Limiter 60/minute", "operator")
            if policy != "none" or kind == "home":
                tasks.append(HonestTask(policy, kind, identities, days, seed, scale.operator_hours if is_part else 24))
    tasks += [AttackTask(ORDWS, "crowd", keys, 1, *RECORDED_LEXICON, newcomers=scale.newcomers) for keys in CROWD_SIZES]
    size = scale.size
    for each in range(seed, seed + scale.seeds):
        for attack in _SINGLE_IDENTITY_ATTACKS:
            forecast_days = scale.forecast_days * (attack == "hidden")
            # What was charged is answered from the edition of that time until midnight.
            days = 2 if attack == "re-ask" else 1
            tasks.append(AttackTask(ORDWS, attack, 1, days, each, size, forecast_days=forecast_days))
        tasks += [AttackTask(ORDWS, "hidden", count, 1, each, size) for count in scale.identities[1:]]
        tasks += [AttackTask(ORDWS, "hidden", 1, days, each, size) for days in scale.days[1:]]
        for attack in ("pseudonyms", "core-pseudonyms"):
            tasks.append(AttackTask(ORDWS, attack, scale.pseudonyms, 1, each, size))
        for attack in ("club", "club-hidden", "core-club"):
            tasks.append(AttackTask(ORDWS, attack, scale.devices, 1, each, size))
        # As many directors' devices as tables.
        tasks.append(AttackTask(ORDWS, "reviews", 2 * scale.devices, 1, each, size))
        tasks.append(AttackTask(ORDWS, "guests", scale.guests, 1, each, size))
        tasks.append(AttackTask(ORDWS, "guests-alone", 1, 1, each, size))
        tasks.append(AttackTask(ORDWS, "visitors", scale.guests, 1, each, size))
        tasks.append(AttackTask(ORDWS, "core-crowd", scale.sybils, 1, each, size))
        for policy in BASELINES:
            part = scale.hours / 24 if policy in _UNBOUNDED_BASELINES else 1
            rate = _BASELINE_QUESTIONS_PER_SECOND
            tasks += [
                AttackTask(policy, attack, 1, part, each, size, questions_per_second=rate)
                for attack in _BASELINE_ATTACKS
            ]
        count, by_minute, by_day = scale.proxies, "Flask-Limiter 60/minute", "Flask-Limiter 50/hour + 200/day"
        tasks.append(AttackTask(by_minute, "sybils", count, _MINUTE_IN_DAYS, each, size, questions_per_second=count))
        tasks.append(AttackTask(by_day, "sybils", count, 1, each, size))
    return tasks


def select_tasks(tasks: Sequence[BenchTask], attacks: Collection[str]) -> list[BenchTask]:
    """Return the tasks with these attacks alone, if any are named."""
    return [task for task in tasks if not (attacks and isinstance(task, AttackTask)) or task.attack in attacks]


def run_task(task: BenchTask, policy: Policy) -> tuple[BenchTask, BenchResult]:
    """Run one task, in any process, with ORDWS under a policy."""
    # Alarms and clock jumps are what the benchmark makes, so they are no news.
    logging.getLogger("ordws.api").setLevel(logging.ERROR)
    if isinstance(task, AttackTask):
        return task, measure(task, policy)
    return task, measure_honest(task, policy) if isinstance(task, HonestTask) else count_alarms(task, policy)


def run_all(
    tasks: Sequence[BenchTask], on_result: Callable[[BenchTask, BenchResult], None], policy: Policy
) -> dict[BenchTask, BenchResult]:
    """Run all tasks in parallel. The lexicons and games are read once, before the processes fork."""
    lexicon_and_truth(*RECORDED_LEXICON)
    for each in {(task.seed, task.size) for task in tasks if isinstance(task, AttackTask)}:
        lexicon_and_truth(*each)
    honest_games()
    # Forked, so that all processes share the lexicons and games in memory.
    with installations_folder(), get_context("fork").Pool(os.cpu_count()) as pool:
        results: dict[BenchTask, BenchResult] = {}
        for task, result in pool.imap_unordered(partial(run_task, policy=policy), tasks):
            results[task] = result
            on_result(task, result)
        return results


def make_rows(tasks: Sequence[BenchTask], results: dict[BenchTask, BenchResult]) -> list[BenchRow]:
    """Return a row for each attack, and one for each policy with honest traffic alone, which comes first."""
    rows = []
    for policy in (*BASELINES, ORDWS):
        honest_row = make_honest_row(policy, results)
        rows.append(honest_row)
        for task in tasks:
            row = results[task]
            if isinstance(row, BenchRow) and row.policy == policy:
                is_shared = CALLER_KINDS.get(row.attack) == "unverified"
                rows.append(row if is_shared else replace(row, honest_refused=honest_row.honest_refused))
    return rows
