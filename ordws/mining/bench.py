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
from ordws.mining import honest
from ordws.mining.assault import BEGIN, PLAYED_IN, SHARED, Assault, measure, world_of
from ordws.mining.attackers.attacks import ATTACKS
from ordws.mining.baselines import BASELINES, Limited
from ordws.mining.drive import Front
from ordws.mining.honest import Met
from ordws.mining.house import building_site, open_house
from ordws.mining.recorded import honest_games
from ordws.mining.rows import HONEST, ORDWS, Row
from ordws.mining.traffic import DAY, HOUR, Kind
from ordws.mining.world import SIZE

HOMES: Final[dict[str, Kind]] = {"home": "home", "duel": "duel", "club": "club", "operator": "operator", "new": "home"}
"""Sorts of honest traffic: `new` are home players on their first day, whom no keeper has verified."""

GAMES_OF_AN_IDENTITY: Final = 60
DAYS_OF_AN_IDENTITY: Final = 20


class Scale(NamedTuple):
    """How much of everything is measured."""

    size: int
    hours: float
    """Of a day, against baselines that let so much through that a whole day takes long."""
    awake: float
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
    ahead: tuple[int, ...]
    """Days after which it is foretold how good a list would be."""
    sybils: int
    proxies: int
    pseudonyms: int
    homes: int
    """Honest people who play during the attack of the Sybils."""


QUICK: Final = Scale(
    size=SIZE,
    hours=0.25,
    awake=12,
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
    ahead=(30,),
)
FULL: Final = Scale(
    size=SIZE,
    hours=24,
    awake=24,
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
    ahead=(30, 365),
    games={"home": (300, 4), "duel": (40, 4), "club": (30, 2), "operator": (1, 2), "new": (100, 2)},
)


def with_honest(scale: Scale, sorts: Collection[str], most: int | None) -> Scale:
    """The scale with honest traffic of some sorts alone, and no more identities of each."""
    most = most or max(scale.watched, scale.homes, *[identities for identities, _ in scale.games.values()])
    games = {
        sort: (min(most, identities), days)
        for sort, (identities, days) in scale.games.items()
        if not sorts or sort in sorts
    }
    return scale._replace(games=games, watched=min(most, scale.watched), homes=min(most, scale.homes))


class Honesty(NamedTuple):
    """A sort of honest traffic under a policy."""

    policy: str
    sort: str
    identities: int
    days: int
    seed: int
    hours: float = 24
    """Of each day; fewer where limits begin anew each minute, and a part of a day tells as much."""


class Watching(NamedTuple):
    """Honest identities that are watched for signs of mining."""

    identities: int
    seed: int


Task: TypeAlias = Assault | Honesty | Watching
Result: TypeAlias = Row | Met | int

_ALONE: Final = (
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
_MIMICS: Final = ("mimicry-1.0", "mimicry-0.8", "mimicry-0.6", "mimicry-0.4")
_BASELINE: Final = ("sweep", "borderline", "grouped-families")
_UNBOUNDED: Final = ("none", "Flask-Limiter 60/minute")
_MINUTE: Final = 1 / 1_440
_PACE: Final = 2
"""Questions a second of those whom nothing else holds back."""


def tasks(scale: Scale, seed: int) -> list[Task]:
    """All that is measured, what takes longest first."""
    found: list[Task] = [
        Assault(ORDWS, "median", scale.sybils, scale.flood_days, seed, scale.size),
        Assault(ORDWS, "median-throttled", scale.sybils, scale.quiet_days, seed, scale.size),
        Watching(scale.watched, seed),
        Assault(ORDWS, "sybils", scale.sybils, 1, *PLAYED_IN, honest_homes=scale.homes),
        Assault(ORDWS, "in-game-two-days", 1, 1.5, seed, scale.size),
    ]
    for policy in (ORDWS, *BASELINES):
        known = HOMES if policy == ORDWS else ("home",) if policy == "none" else ("home", "duel", "club", "operator")
        sorts = {sort: scale.games[sort] for sort in known if sort in scale.games}
        found += [Honesty(policy, sort, *sorts[sort], seed, _hours(scale, policy, sort)) for sort in reversed(sorts)]
    for each in range(seed, seed + scale.seeds):
        found += _assaults(scale, each)
    return found


def _hours(scale: Scale, policy: str, sort: str) -> float:
    return scale.awake if (policy, sort) == ("Flask-Limiter 60/minute", "operator") else 24


def only(found: Sequence[Task], attacks: Collection[str]) -> list[Task]:
    """Some of the attacks alone, where any are named; raises BadInput for a name that is none."""
    if strange := sorted(set(attacks) - set(ATTACKS)):
        raise BadInput(f'there is no attack "{strange[0]}"', hint=f"there are {', '.join(ATTACKS)}")
    return [task for task in found if not (attacks and isinstance(task, Assault)) or task.attack in attacks]


def _assaults(scale: Scale, seed: int) -> Iterator[Assault]:
    for attack in (*_ALONE, *_MIMICS):
        yield Assault(ORDWS, attack, 1, 1, seed, scale.size, ahead=scale.ahead * (attack == "hidden"))
    for count in scale.identities[1:]:
        yield Assault(ORDWS, "hidden", count, 1, seed, scale.size)
    for days in scale.days[1:]:
        yield Assault(ORDWS, "hidden", 1, days, seed, scale.size)
    yield Assault(ORDWS, "pseudonyms", scale.pseudonyms, 1, seed, scale.size)
    for policy in BASELINES:
        part = scale.hours / 24 if policy in _UNBOUNDED else 1
        for attack in _BASELINE:
            yield Assault(policy, attack, 1, part, seed, scale.size, a_second=_PACE)
    yield Assault("Flask-Limiter 60/minute", "sybils", scale.proxies, _MINUTE, seed, scale.size, a_second=scale.proxies)
    yield Assault("Flask-Limiter 50/hour + 200/day", "sybils", scale.proxies, 1, seed, scale.size)


def run(task: Task) -> tuple[Task, Result]:
    """One task, in whichever process."""
    logging.getLogger("ordws.desk").setLevel(logging.ERROR)
    match task:
        case Assault():
            return task, measure(task)
        case Honesty():
            return task, _honest(task)
        case Watching():
            return task, _alarms(task)


def run_all(found: Sequence[Task], said: Callable[[Task, Result], None]) -> dict[Task, Result]:
    """All results; the world and the games are read once, before the processes part."""
    world_of(*PLAYED_IN)
    for each in {(task.seed, task.size) for task in found if isinstance(task, Assault)}:
        world_of(*each)
    honest_games()
    with building_site(), get_context("fork").Pool(os.cpu_count()) as pool:
        results: dict[Task, Result] = {}
        for task, result in pool.imap_unordered(run, found):
            results[task] = result
            said(task, result)
        return results


def rows(found: Sequence[Task], results: dict[Task, Result]) -> list[Row]:
    """Every attack's row, with what honest games meet under its policy, and a row of each policy without an attack."""
    peace = {policy: _peace(policy, found, results) for policy in (ORDWS, *BASELINES)}
    made = []
    for policy in (*BASELINES, ORDWS):
        made.append(peace[policy])
        for task in found:
            row = results[task]
            if isinstance(row, Row) and row.policy == policy:
                is_sybil = row.attack in SHARED
                made.append(row if is_sybil else replace(row, honest_refused=peace[policy].honest_refused))
    return made


def _peace(policy: str, found: Sequence[Task], results: dict[Task, Result]) -> Row:
    met = {task.sort: results[task] for task in found if isinstance(task, Honesty) and task.policy == policy}
    known = {sort: each for sort, each in met.items() if isinstance(each, Met)}
    settled = [each for sort, each in known.items() if sort != "new"]
    games, refused = sum(each.games for each in settled), sum(each.refused for each in settled)
    watching = next((task for task in found if isinstance(task, Watching)), None) if policy == ORDWS else None
    alarms = None if watching is None else results[watching]
    identities = sum(task.identities for task in found if isinstance(task, Honesty) and task.policy == policy)
    return Row(
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


def _honest(task: Honesty) -> Met:
    world, words = world_of(*PLAYED_IN)
    is_ours = task.policy == ORDWS
    asked = honest.questions(HOMES[task.sort], Random(task.seed), identities=task.identities, days=task.days)
    asked = [each for each in asked if each.moment % DAY < task.hours * HOUR]
    with open_house(world, words, Policy() if is_ours else None, BEGIN) as house:
        is_new = task.sort == "new"
        callers = honest.let_in_all(house, asked, BEGIN, verified=not is_new, age_days=0 if is_new else 400)
        if is_ours:
            honest.introduce(house, asked, callers, BEGIN)
        return honest.play(Front(house, None if is_ours else Limited(BASELINES[task.policy])), asked, callers, BEGIN)


def _alarms(task: Watching) -> int:
    """In how many honest identities of sixty games a sign of mining was seen."""
    world, words = world_of(*PLAYED_IN)
    asked = honest.questions("home", Random(task.seed), identities=task.identities, days=DAYS_OF_AN_IDENTITY)
    with open_house(world, words, Policy(), BEGIN) as house:
        callers = honest.let_in_all(house, asked, BEGIN, verified=True, age_days=400)
        honest.play(Front(house), asked, callers, BEGIN)
        return len({sign.partition("/")[0] for sign in house.alarms(BEGIN + asked[-1].moment + 1)})
