"""One attack under one policy, measured: a row of the benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from time import perf_counter
from typing import Final, NamedTuple

from ordws.guard.policy import DAY, Policy
from ordws.guard.unverified_cap import alarm_level, unverified_cap
from ordws.mining import honest_replay
from ordws.mining.attack_driver import FREE_TWOS, AttackDriver, BenchTarget
from ordws.mining.attackers.attacks import ATTACKS
from ordws.mining.attackers.knowledge import Knowledge
from ordws.mining.attackers.question_order import most_doubtful
from ordws.mining.attackers.steps import BenchCaller
from ordws.mining.baselines import BASELINES, BaselineLimiter
from ordws.mining.bench_rows import ORDWS, BenchRow
from ordws.mining.honest_replay import HonestResult
from ordws.mining.inference import LearnedWords
from ordws.mining.installation import BenchInstallation, open_installation
from ordws.mining.selfplay import SEED
from ordws.mining.synthetic_lexicon import SIZE, SyntheticLexicon, draw_true_words, make_lexicon

BEGIN: Final = 1_795_219_200
"""2026-11-21, 00:00 UTC."""

RECORDED_LEXICON: Final = (SEED, SIZE)
"""The world of the recorded games, of whose core list honest traffic is a matter."""

LATE_START_SECONDS: Final = 23 * 3_600
SHARED_BUDGET_ATTACKS: Final = frozenset({"sybils", "median", "median-throttled"})
"""Attacks of many who are not verified, on the budget that they share."""

CHANGED_SHARE: Final = 0.02
"""The part of the words in doubt whose verdict changes with an update."""

_QUESTIONS_PER_SECOND: Final = 10


class AttackTask(NamedTuple):
    """What is to be measured."""

    policy: str
    attack: str
    identities: int = 1
    days: float = 1
    seed: int = 1
    size: int = SIZE
    questions_per_second: int = _QUESTIONS_PER_SECOND
    honest_homes: int = 0
    """How many honest people of each sort play while it lasts."""
    forecast_days: tuple[int, ...] = ()
    """After how many days more a list is foretold."""


@cache
def lexicon_and_truth(seed: int, size: int) -> tuple[SyntheticLexicon, frozenset[str]]:
    world = make_lexicon(seed, size)
    return world, draw_true_words(world, seed)


def measure(task: AttackTask, policy: Policy | None = None) -> BenchRow:
    """The row of an assault, on the policy that is served where no other is given."""
    started = perf_counter()
    is_ours = task.policy == ORDWS
    policy = (policy or Policy()) if is_ours else None
    world, words = lexicon_and_truth(task.seed, task.size)
    with open_installation(world, words, policy, BEGIN) as house:
        front = BenchTarget(house, None if is_ours else BaselineLimiter(BASELINES[task.policy]))
        return _run_attack(task, policy, front, Knowledge(world, Random(task.seed), policy or Policy()), words, started)


def _run_attack(
    task: AttackTask,
    policy: Policy | None,
    target: BenchTarget,
    knowledge: Knowledge,
    words: frozenset[str],
    started: float,
) -> BenchRow:
    house, world = target.installation, knowledge.lexicon
    callers = make_callers(house, task)
    learned = LearnedWords(world.borderline.__contains__, FREE_TWOS)
    begin = BEGIN + LATE_START_SECONDS * (task.attack == "in-game-two-days")
    drive = AttackDriver(
        target, learned, lambda now: publish_next_edition(house, world, words, now), begin, task.questions_per_second
    )
    before = knowledge.f1(words)
    outcome = drive.run(ATTACKS[task.attack](callers, knowledge), round(begin + task.days * DAY))
    bystanders = _measure_honest_traffic(task, target) if task.honest_homes else None
    is_part = task.days < 1
    most = min(round(learned.most_a_day / task.days), len(world.borderline)) if is_part else learned.most_a_day
    in_game = task.attack.startswith("in-game")
    row = BenchRow(
        policy=task.policy,
        attack=task.attack,
        identities=task.identities,
        learned_per_day=most,
        bound=None if policy is None else promised_bound(policy, task),
        days=task.days,
        seed=task.seed,
        extrapolated=is_part,
        questions=outcome.questions,
        refused=outcome.refused,
        f1_before=round(before, 4),
        f1=round(knowledge.f1(words), 4),
        f1_after_days=_forecast(task, knowledge, words, most),
        flagged_after_words=outcome.flagged_after_words,
        honest_refused_under_attack=None if bystanders is None else bystanders[0].share,
        verified_refused_under_attack=None if bystanders is None else bystanders[1].share,
        learned_per_game=round(learned.total / drive.games, 2) if in_game and drive.games else None,
    )
    if policy is not None and task.attack in SHARED_BUDGET_ATTACKS:
        row = _with_caps(row, policy, house.unverified_spent(drive.now), drive.now // DAY)
    return replace(row, seconds=round(perf_counter() - started, 1))


def make_callers(installation: BenchInstallation, task: AttackTask) -> list[BenchCaller]:
    """The attacker's keys: long registered and verified, but for those who share the budget of the unverified."""
    if task.attack == "pseudonyms":
        operator = installation.add_client("operator", BEGIN, kind="operator", verified=True)
        return [operator._replace(player=f"player {number}") for number in range(task.identities)]
    return [
        installation.add_client(f"attacker {number}", BEGIN, verified=task.attack not in SHARED_BUDGET_ATTACKS)
        for number in range(task.identities)
    ]


def promised_bound(policy: Policy, task: AttackTask) -> int:
    """What the policy promises of that attack, but for the budget that all share who are not verified."""
    bound = policy.units_a_day * task.identities
    return min(bound, policy.operator_units_a_day) if task.attack == "pseudonyms" else bound


def publish_next_edition(
    installation: BenchInstallation, lexicon: SyntheticLexicon, words: frozenset[str], now: int
) -> None:
    """The next edition: some of the words in doubt have changed sides."""
    rng = Random(installation.edition)
    fickle = [word for word in sorted(lexicon.borderline) if rng.random() < CHANGED_SHARE]
    installation.publish(words.symmetric_difference(fickle), installation.edition + 1, now)


def _with_caps(row: BenchRow, policy: Policy, spent: Mapping[int, int], day: int) -> BenchRow:
    """The row, with what became of the budget that all share who are not verified."""
    caps = {each: unverified_cap(policy, spent, each) for each in (*spent, day)}
    alarm = min((each for each in spent if spent[each] >= alarm_level(caps[each])), default=None)
    return replace(
        row,
        bound=min(policy.units_a_day * row.identities, max(caps.values())),
        world_cap_after=caps[day],
        units_per_day=max(spent.values(), default=0),
        world_alarm_on_day=None if alarm is None else alarm - BEGIN // DAY + 1,
    )


def _measure_honest_traffic(task: AttackTask, target: BenchTarget) -> tuple[HonestResult, HonestResult]:
    """Honest games on the day of an attack that has had its way first: of those not verified, and of those who are."""
    met = []
    for verified in (False, True):
        rng = Random(f"{task.seed}/{verified}")
        asked = honest_replay.honest_questions("home", rng, identities=task.honest_homes, days=1)
        asked = [each._replace(identity=f"{each.identity} {verified}") for each in asked]
        callers = honest_replay.add_clients(target.installation, asked, BEGIN, verified=verified, age_days=400)
        met.append(honest_replay.replay(target, asked, callers, BEGIN))
    return met[0], met[1]


def _forecast(task: AttackTask, knowledge: Knowledge, words: frozenset[str], a_day: int) -> dict[str, float]:
    """How good a list would be after so many days at this rate, the words of most doubt first."""
    found: dict[str, float] = {}
    order = most_doubtful(knowledge, knowledge.lexicon.borderline)
    told = round(a_day * task.days)
    for days in task.forecast_days:
        for question in islice(order, max(0, a_day * days - told)):
            knowledge.record_verdict(question, question[0] in words)
        told = max(told, a_day * days)
        found[str(days)] = round(knowledge.f1(words), 4)
    return found
