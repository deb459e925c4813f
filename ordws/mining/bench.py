"""The mining benchmark: what is measured, in which order, and by so many processes at once."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Iterator, Sequence
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
    """How much of everything is measured."""

    size: int
    hours: float
    """Of a day, against baselines that let so much through that a whole day takes long."""
    operator_hours: float
    """Hours of an operator's day, against limits that begin anew each minute."""
    flood_days: int
    quiet_days: int
    """Of the flood that stays so low that the cap follows it."""
    games: dict[str, tuple[int, int]]
    """Identities and days of each sort of honest traffic."""
    watched: int
    """Honest identities of 60 games, in which no sign of mining may be seen."""
    seeds: int
    identities: tuple[int, ...]
    days: tuple[int, ...]
    forecast_days: tuple[int, ...]
    """Days after which it is foretold how good a list would be."""
    sybils: int
    proxies: int
    pseudonyms: int
    homes: int
    """Honest people who play during the attack of the Sybils."""


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
    """The scale with honest traffic of some sorts alone, and no more identities of each."""
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
    """Of each day; fewer where limits begin anew each minute, and a part of a day tells as much."""


class FalseAlarmTask(NamedTuple):
    """Honest identities that are watched for signs of mining."""

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
"""Questions a second of those whom nothing else holds back."""


def make_tasks(scale: Scale, seed: int) -> list[BenchTask]:
    """All that is measured, what takes longest first."""
    found: list[BenchTask] = [
        AttackTask(ORDWS, "median", scale.sybils, scale.flood_days, seed, scale.size),
        AttackTask(ORDWS, "median-throttled", scale.sybils, scale.quiet_days, seed, scale.size),
        FalseAlarmTask(scale.watched, seed),
        AttackTask(ORDWS, "sybils", scale.sybils, 1, *RECORDED_LEXICON, honest_homes=scale.homes),
        AttackTask(ORDWS, "in-game-two-days", 1, 1.5, seed, scale.size),
    ]
    for policy in (ORDWS, *BASELINES):
        known = (
            HONEST_SORTS if policy == ORDWS else ("home",) if policy == "none" else ("home", "duel", "club", "operator")
        )
        sorts = {sort: scale.games[sort] for sort in known if sort in scale.games}
        found += [
            HonestTask(policy, sort, *sorts[sort], seed, _hours_a_day(scale, policy, sort)) for sort in reversed(sorts)
        ]
    for each in range(seed, seed + scale.seeds):
        found += _attack_tasks(scale, each)
    return found


def _hours_a_day(scale: Scale, policy: str, sort: str) -> float:
    return scale.operator_hours if (policy, sort) == ("Flask-Limiter 60/minute", "operator") else 24


def select_tasks(tasks: Sequence[BenchTask], attacks: Collection[str]) -> list[BenchTask]:
    """Some of the attacks alone, where any are named; raises BadInput for a name that is none."""
    if strange := sorted(set(attacks) - set(ATTACKS)):
        raise BadInput(f'there is no attack "{strange[0]}"', hint=f"there are {', '.join(ATTACKS)}")
    return [task for task in tasks if not (attacks and isinstance(task, AttackTask)) or task.attack in attacks]


def _attack_tasks(scale: Scale, seed: int) -> Iterator[AttackTask]:
    for attack in (*_SINGLE_IDENTITY_ATTACKS, *_MIMICRY_ATTACKS):
        yield AttackTask(
            ORDWS, attack, 1, 1, seed, scale.size, forecast_days=scale.forecast_days * (attack == "hidden")
        )
    for count in scale.identities[1:]:
        yield AttackTask(ORDWS, "hidden", count, 1, seed, scale.size)
    for days in scale.days[1:]:
        yield AttackTask(ORDWS, "hidden", 1, days, seed, scale.size)
    yield AttackTask(ORDWS, "pseudonyms", scale.pseudonyms, 1, seed, scale.size)
    for policy in BASELINES:
        part = scale.hours / 24 if policy in _UNBOUNDED_BASELINES else 1
        for attack in _BASELINE_ATTACKS:
            yield AttackTask(
                policy, attack, 1, part, seed, scale.size, questions_per_second=_BASELINE_QUESTIONS_PER_SECOND
            )
    yield AttackTask(
        "Flask-Limiter 60/minute",
        "sybils",
        scale.proxies,
        _MINUTE_IN_DAYS,
        seed,
        scale.size,
        questions_per_second=scale.proxies,
    )
    yield AttackTask("Flask-Limiter 50/hour + 200/day", "sybils", scale.proxies, 1, seed, scale.size)


def run_task(task: BenchTask) -> tuple[BenchTask, BenchResult]:
    """One task, in whichever process."""
    logging.getLogger("ordws.api").setLevel(logging.ERROR)
    match task:
        case AttackTask():
            return task, measure(task)
        case HonestTask():
            return task, _run_honest(task)
        case FalseAlarmTask():
            return task, _count_false_alarms(task)


def run_all(
    tasks: Sequence[BenchTask], on_result: Callable[[BenchTask, BenchResult], None]
) -> dict[BenchTask, BenchResult]:
    """All results; the world and the games are read once, before the processes part."""
    lexicon_and_truth(*RECORDED_LEXICON)
    for each in {(task.seed, task.size) for task in tasks if isinstance(task, AttackTask)}:
        lexicon_and_truth(*each)
    honest_games()
    with installations_folder(), get_context("fork").Pool(os.cpu_count()) as pool:
        results: dict[BenchTask, BenchResult] = {}
        for task, result in pool.imap_unordered(run_task, tasks):
            results[task] = result
            on_result(task, result)
        return results


def make_rows(tasks: Sequence[BenchTask], results: dict[BenchTask, BenchResult]) -> list[BenchRow]:
    """Every attack's row, with what honest games meet under its policy, and a row of each policy without an attack."""
    peace = {policy: _honest_row(policy, tasks, results) for policy in (ORDWS, *BASELINES)}
    made = []
    for policy in (*BASELINES, ORDWS):
        made.append(peace[policy])
        for task in tasks:
            row = results[task]
            if isinstance(row, BenchRow) and row.policy == policy:
                is_sybil = row.attack in SHARED_BUDGET_ATTACKS
                made.append(row if is_sybil else replace(row, honest_refused=peace[policy].honest_refused))
    return made


def _honest_row(policy: str, tasks: Sequence[BenchTask], results: dict[BenchTask, BenchResult]) -> BenchRow:
    met = {task.sort: results[task] for task in tasks if isinstance(task, HonestTask) and task.policy == policy}
    known = {sort: each for sort, each in met.items() if isinstance(each, HonestResult)}
    settled = [each for sort, each in known.items() if sort != "new"]
    games, refused = sum(each.games for each in settled), sum(each.refused for each in settled)
    watching = next((task for task in tasks if isinstance(task, FalseAlarmTask)), None) if policy == ORDWS else None
    alarms = None if watching is None else results[watching]
    identities = sum(task.identities for task in tasks if isinstance(task, HonestTask) and task.policy == policy)
    return BenchRow(
        policy=policy,
        attack=HONEST,
        identities=identities,
        learned_per_day=0,
        bound=Policy().units_a_day * identities if policy == ORDWS else None,
        honest_refused=refused / games if games else 0.0,
        honest={sort: each.share for sort, each in known.items()},
        games={sort: each.games for sort, each in known.items()},
        alarms=alarms if isinstance(alarms, int) else None,
        alarms_among=watching.identities if watching else None,
    )


def _run_honest(task: HonestTask) -> HonestResult:
    world, words = lexicon_and_truth(*RECORDED_LEXICON)
    is_ours = task.policy == ORDWS
    asked = honest_replay.honest_questions(
        HONEST_SORTS[task.sort], Random(task.seed), identities=task.identities, days=task.days
    )
    asked = [each for each in asked if each.moment % DAY < task.hours * HOUR]
    with open_installation(world, words, Policy() if is_ours else None, BEGIN) as house:
        is_new = task.sort == "new"
        callers = honest_replay.add_clients(house, asked, BEGIN, verified=not is_new, age_days=0 if is_new else 400)
        if is_ours:
            honest_replay.register_regulars(house, asked, callers, BEGIN)
        return honest_replay.replay(
            BenchTarget(house, None if is_ours else BaselineLimiter(BASELINES[task.policy])), asked, callers, BEGIN
        )


def _count_false_alarms(task: FalseAlarmTask) -> int:
    """In how many honest identities of sixty games a sign of mining was seen."""
    world, words = lexicon_and_truth(*RECORDED_LEXICON)
    asked = honest_replay.honest_questions(
        "home", Random(task.seed), identities=task.identities, days=DAYS_PER_IDENTITY
    )
    with open_installation(world, words, Policy(), BEGIN) as house:
        callers = honest_replay.add_clients(house, asked, BEGIN, verified=True, age_days=400)
        honest_replay.replay(BenchTarget(house), asked, callers, BEGIN)
        return len({sign.partition("/")[0] for sign in house.active_alarms(BEGIN + asked[-1].moment + 1)})
