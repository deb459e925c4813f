"""The mining benchmark: the measurements, their order, and their distribution over processes."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from multiprocessing import get_context
from random import Random
from typing import Final, NamedTuple, TypeAlias

from ordws.errors import BadInput
from ordws.guard.policy import Policy
from ordws.mining import honest_replay
from ordws.mining.attack_driver import BenchTarget
from ordws.mining.attack_task import (
    BEGIN,
    RECORDED_LEXICON,
    SHARED_BUDGET_ATTACKS,
    AttackTask,
    lexicon_and_truth,
    measure,
)
from ordws.mining.attackers.attacks import ATTACKS
from ordws.mining.baselines import BASELINES, BaselineLimiter
from ordws.mining.bench_rows import HONEST, ORDWS, BenchRow
from ordws.mining.honest_replay import HonestResult
from ordws.mining.installation import installations_folder, open_installation
from ordws.mining.recorded_games import honest_games
from ordws.mining.synthetic_lexicon import SIZE
from ordws.mining.traffic import DAY, HOUR, TrafficKind

HONEST_SORTS: Final[dict[str, TrafficKind]] = {
    "home": "home",
    "duel": "duel",
    "club": "club",
    "operator": "operator",
    "new": "home",
}
"""Sorts of honest traffic: `new` are home players on their first day, whom no keeper has verified."""

GAMES_PER_IDENTITY: Final = 60
DAYS_PER_IDENTITY: Final = 20


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
    games: dict[str, tuple[int, int]]
    """Identities and days of each sort of honest traffic."""
    watched: int
    """Honest identities of 60 games each, which may raise no alarm."""
    seeds: int
    identities: tuple[int, ...]
    days: tuple[int, ...]
    forecast_days: tuple[int, ...]
    """Days for which the quality of an attacker's list is extrapolated."""
    sybils: int
    proxies: int
    pseudonyms: int
    homes: int
    """Honest players during the attack of the Sybils."""


QUICK: Final = Scale(
    size=SIZE,
    hours=0.25,
    operator_hours=12,
    flood_days=120,
    quiet_days=30,
    sybils=100,
    proxies=100,
    pseudonyms=60,
    homes=8,
    watched=5,
    seeds=1,
    games={"home": (50, 1), "duel": (15, 1), "club": (4, 1), "operator": (1, 1), "new": (20, 1)},
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
    homes=40,
    watched=300,
    seeds=5,
    identities=(1, 10, 100),
    days=(1, 30),
    forecast_days=(30, 365),
    games={"home": (300, 4), "duel": (40, 4), "club": (30, 2), "operator": (1, 2), "new": (100, 2)},
)


def limit_honest_traffic(scale: Scale, sorts: Collection[str], max_identities: int | None) -> Scale:
    """Return the scale with these sorts of honest traffic alone, and at most so many identities of each."""
    max_identities = max_identities or max(
        scale.watched, scale.homes, *[identities for identities, _ in scale.games.values()]
    )
    games = {
        sort: (min(max_identities, identities), days)
        for sort, (identities, days) in scale.games.items()
        if not sorts or sort in sorts
    }
    return scale._replace(
        games=games, watched=min(max_identities, scale.watched), homes=min(max_identities, scale.homes)
    )


class HonestTask(NamedTuple):
    """A sort of honest traffic under a policy."""

    policy: str
    sort: str
    identities: int
    days: int
    seed: int
    hours: float = 24
    """Hours of each day; fewer where limits begin anew each minute, since a part of a day is as conclusive."""


class FalseAlarmTask(NamedTuple):
    """Honest identities whose alarms are counted."""

    identities: int
    seed: int


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
)
_MIMICRY_ATTACKS: Final = ("mimicry-1.0", "mimicry-0.8", "mimicry-0.6", "mimicry-0.4")
_BASELINE_ATTACKS: Final = ("sweep", "borderline", "grouped-families")
_UNBOUNDED_BASELINES: Final = ("none", "Flask-Limiter 60/minute")
_MINUTE_IN_DAYS: Final = 1 / 1_440
_BASELINE_QUESTIONS_PER_SECOND: Final = 2
"""Questions a second of attackers that nothing else limits."""


def make_tasks(scale: Scale, seed: int) -> list[BenchTask]:
    """Return all measurements, those that take longest first."""
    tasks: list[BenchTask] = [
        AttackTask(ORDWS, "median", scale.sybils, scale.flood_days, seed, scale.size),
        AttackTask(ORDWS, "median-throttled", scale.sybils, scale.quiet_days, seed, scale.size),
        FalseAlarmTask(scale.watched, seed),
        AttackTask(ORDWS, "sybils", scale.sybils, 1, *RECORDED_LEXICON, honest_homes=scale.homes),
        AttackTask(ORDWS, "in-game-two-days", 1, 1.5, seed, scale.size),
    ]
    for policy in (ORDWS, *BASELINES):
        sorts: Sequence[str] = ("home", "duel", "club", "operator")
        if policy in (ORDWS, "none"):
            sorts = list(HONEST_SORTS) if policy == ORDWS else ("home",)
        for sort in reversed([sort for sort in sorts if sort in scale.games]):
            is_part = (policy, sort) == ("Flask-Limiter 60/minute", "operator")
            hours = scale.operator_hours if is_part else 24
            tasks.append(HonestTask(policy, sort, *scale.games[sort], seed, hours))
    size = scale.size
    for each in range(seed, seed + scale.seeds):
        for attack in (*_SINGLE_IDENTITY_ATTACKS, *_MIMICRY_ATTACKS):
            forecast_days = scale.forecast_days * (attack == "hidden")
            tasks.append(AttackTask(ORDWS, attack, 1, 1, each, size, forecast_days=forecast_days))
        tasks += [AttackTask(ORDWS, "hidden", count, 1, each, size) for count in scale.identities[1:]]
        tasks += [AttackTask(ORDWS, "hidden", 1, days, each, size) for days in scale.days[1:]]
        tasks.append(AttackTask(ORDWS, "pseudonyms", scale.pseudonyms, 1, each, size))
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
    """Return the tasks with these attacks alone, if any are named; raises BadInput for an unknown name."""
    if unknown := sorted(set(attacks) - set(ATTACKS)):
        raise BadInput(f'there is no attack "{unknown[0]}"', hint=f"there are {', '.join(ATTACKS)}")
    return [task for task in tasks if not (attacks and isinstance(task, AttackTask)) or task.attack in attacks]


def run_task(task: BenchTask) -> tuple[BenchTask, BenchResult]:
    """Run one task, in any process."""
    # Alarms and clock jumps are what the benchmark makes, so they are no news.
    logging.getLogger("ordws.api").setLevel(logging.ERROR)
    if isinstance(task, AttackTask):
        return task, measure(task)
    lexicon, words = lexicon_and_truth(*RECORDED_LEXICON)
    match task:
        case HonestTask(policy, sort, identities, days, seed, hours):
            kind, is_new, is_ours = HONEST_SORTS[sort], sort == "new", policy == ORDWS
            asked = honest_replay.honest_questions(kind, Random(seed), identities=identities, days=days)
            asked = [each for each in asked if each.moment % DAY < hours * HOUR]
            with open_installation(lexicon, words, Policy() if is_ours else None, BEGIN) as installation:
                age_days = 0 if is_new else 400
                callers = honest_replay.add_clients(installation, asked, BEGIN, verified=not is_new, age_days=age_days)
                if is_ours:
                    honest_replay.register_regulars(installation, asked, callers, BEGIN)
                target = BenchTarget(installation, None if is_ours else BaselineLimiter(BASELINES[policy]))
                return task, honest_replay.replay(target, asked, callers, BEGIN)
        case FalseAlarmTask(identities, seed):
            asked = honest_replay.honest_questions("home", Random(seed), identities=identities, days=DAYS_PER_IDENTITY)
            with open_installation(lexicon, words, Policy(), BEGIN) as installation:
                callers = honest_replay.add_clients(installation, asked, BEGIN, verified=True, age_days=400)
                honest_replay.replay(BenchTarget(installation), asked, callers, BEGIN)
                alarms = installation.active_alarms(BEGIN + asked[-1].moment + 1)
                return task, len({name.partition("/")[0] for name in alarms})


def run_all(
    tasks: Sequence[BenchTask], on_result: Callable[[BenchTask, BenchResult], None]
) -> dict[BenchTask, BenchResult]:
    """Run all tasks in parallel. The lexicons and games are read once, before the processes fork."""
    lexicon_and_truth(*RECORDED_LEXICON)
    for each in {(task.seed, task.size) for task in tasks if isinstance(task, AttackTask)}:
        lexicon_and_truth(*each)
    honest_games()
    # Forked, so that all processes share the lexicons and games in memory.
    with installations_folder(), get_context("fork").Pool(os.cpu_count()) as pool:
        results: dict[BenchTask, BenchResult] = {}
        for task, result in pool.imap_unordered(run_task, tasks):
            results[task] = result
            on_result(task, result)
        return results


def make_rows(tasks: Sequence[BenchTask], results: dict[BenchTask, BenchResult]) -> list[BenchRow]:
    """Return a row for each attack, and one for each policy with honest traffic alone, which comes first."""
    rows = []
    for policy in (*BASELINES, ORDWS):
        honest_tasks = [task for task in tasks if isinstance(task, HonestTask) and task.policy == policy]
        honest = {task.sort: each for task in honest_tasks if isinstance(each := results[task], HonestResult)}
        # New players are refused their third game by design, so they do not count here.
        settled = [each for sort, each in honest.items() if sort != "new"]
        games, refused = sum(each.games for each in settled), sum(each.refused for each in settled)
        watching = [task for task in tasks if isinstance(task, FalseAlarmTask) and policy == ORDWS]
        alarms = results[watching[0]] if watching else None
        identities = sum(task.identities for task in honest_tasks)
        honest_row = BenchRow(
            policy=policy,
            attack=HONEST,
            identities=identities,
            learned_per_day=0,
            bound=Policy().units_a_day * identities if policy == ORDWS else None,
            honest_refused=refused / games if games else 0.0,
            honest={sort: each.share for sort, each in honest.items()},
            games={sort: each.games for sort, each in honest.items()},
            alarms=alarms if isinstance(alarms, int) else None,
            alarms_among=watching[0].identities if watching else None,
        )
        rows.append(honest_row)
        for task in tasks:
            row = results[task]
            if isinstance(row, BenchRow) and row.policy == policy:
                is_shared = row.attack in SHARED_BUDGET_ATTACKS
                rows.append(row if is_shared else replace(row, honest_refused=honest_row.honest_refused))
    return rows
