"""Measurements of honest callers alone: the games that meet a refusal, and the clients that come to an alarm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import groupby
from random import Random
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ordws.fairplay.recorded_games import draw_played_words, honest_games
from ordws.guard.policy import Policy
from tests.mining import honest_replay
from tests.mining.attack_driver import BenchTarget
from tests.mining.attack_task import BEGIN, RECORDED_LEXICON, lexicon_and_truth
from tests.mining.baselines import BASELINES, BaselineLimiter
from tests.mining.bench_rows import HONEST, ORDWS, BenchRow
from tests.mining.day_plans import DAY, HOUR, TrafficKind
from tests.mining.honest_clubs import CLUB_STYLES, ClubStyle, questions_of_club
from tests.mining.honest_replay import HonestResult
from tests.mining.installation import open_installation
from tests.mining.traffic import honest_traffic, merge_by_time

WatchedGroup: TypeAlias = ClubStyle | Literal["home"]
HOME_DAYS: Final = 20
"""The days in which a watched player plays 60 games at home."""

CLUB_DAYS: Final = 30
_CLUBS_PER_TASK: Final = 15


class HonestTask(NamedTuple):
    """A kind of honest traffic under a policy."""

    policy: str
    kind: TrafficKind
    identities: int
    days: int
    seed: int
    hours: float = 24
    """Hours of each day; fewer where limits begin anew each minute, since a part of a day is as conclusive."""


class FalseAlarmTask(NamedTuple):
    """Honest clients whose alarms are counted: players at home, or clubs with numbers from `first` on."""

    group: WatchedGroup
    clients: int
    days: int
    seed: int
    first: int = 1


def false_alarm_tasks(homes: int, clubs: int, seed: int) -> list[FalseAlarmTask]:
    """Return the watch over so many players at home and clubs of all styles, in parts that take about as long."""
    tasks = [FalseAlarmTask("home", homes, HOME_DAYS, seed)]
    for place, style in enumerate(CLUB_STYLES):
        count = (clubs + place) // len(CLUB_STYLES)
        for first in range(1, count + 1, _CLUBS_PER_TASK):
            tasks.append(FalseAlarmTask(style, min(_CLUBS_PER_TASK, count - first + 1), CLUB_DAYS, seed, first))
    return tasks


def measure_honest(task: HonestTask, policy: Policy) -> HonestResult:
    """Replay the games of a kind of traffic, and count those that meet a refusal."""
    lexicon, _ = lexicon_and_truth(*RECORDED_LEXICON)
    is_ours = task.policy == ORDWS
    asked = honest_replay.honest_questions(task.kind, Random(task.seed), identities=task.identities, days=task.days)
    asked = [each for each in asked if each.moment % DAY < task.hours * HOUR]
    with open_installation(lexicon, draw_played_words(lexicon), policy if is_ours else None, BEGIN) as installation:
        callers = honest_replay.add_clients(installation, asked, BEGIN)
        if is_ours:
            honest_replay.register_regulars(installation, asked, callers, BEGIN, policy.new_players_a_day)
        target = BenchTarget(installation, None if is_ours else BaselineLimiter(BASELINES[task.policy]))
        return honest_replay.replay(target, asked, callers, BEGIN)


def count_alarms(task: FalseAlarmTask, policy: Policy) -> int:
    """Replay the questions of honest clients, and count those that come to an alarm on any day."""
    lexicon, _ = lexicon_and_truth(*RECORDED_LEXICON)
    if task.group == "home":
        rng = Random(task.seed)
        questions = honest_traffic("home", honest_games(), rng, identities=task.clients, days=task.days)
    else:
        numbers = range(task.first, task.first + task.clients)
        questions = merge_by_time(*[questions_of_club(task.group, n, task.days, task.seed) for n in numbers])
    asked = list(questions)
    flagged: set[bytes] = set()
    with open_installation(lexicon, draw_played_words(lexicon), policy, BEGIN) as installation:
        callers = honest_replay.add_clients(installation, asked, BEGIN)
        # Alarms end after some weeks, so they are looked for on each day.
        replayed = honest_replay.HonestReplay(BenchTarget(installation), callers, BEGIN)
        for day, questions_of_day in groupby(asked, lambda each: each.moment // DAY):
            for each in questions_of_day:
                replayed.ask(each)
            flagged |= installation.clients_in_alarm(BEGIN + (day + 1) * DAY)
    return len(flagged)


def make_honest_row(policy: str, results: Mapping[Any, Any]) -> BenchRow:
    """Return the row of honest traffic under a policy, from the results of all tasks."""
    games, refused, watched, alarms = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    identities = 0
    for task, result in results.items():
        if isinstance(task, HonestTask) and task.policy == policy:
            identities += task.identities
            games[task.kind] += result.games
            refused[task.kind] += result.refused
        elif isinstance(task, FalseAlarmTask) and policy == ORDWS:
            watched[task.group] += task.clients
            alarms[task.group] += result
    return BenchRow(
        policy=policy,
        attack=HONEST,
        identities=identities,
        honest_refused=refused.total() / games.total() if games else 0.0,
        honest={kind: refused[kind] / games[kind] for kind in games},
        games=dict(games),
        alarms=dict(alarms),
        watched=dict(watched),
    )
