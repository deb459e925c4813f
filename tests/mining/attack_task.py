"""One attack under one policy, measured: a row of the benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from random import Random
from time import perf_counter
from typing import Final, NamedTuple

from ordws.fairplay.recorded_games import SEED, draw_played_words
from ordws.fairplay.synthetic_lexicon import SIZE
from ordws.guard.policy import DAY, Policy
from tests.mining import honest_replay
from tests.mining.attack_driver import FREE_TWOS, AttackDriver, BenchTarget, add_attackers
from tests.mining.attackers.attacks import ATTACKS, CALLER_KINDS
from tests.mining.attackers.knowledge import Knowledge
from tests.mining.attackers.question_order import most_doubtful
from tests.mining.baselines import BASELINES, BaselineLimiter
from tests.mining.bench_rows import ORDWS, BenchRow
from tests.mining.bounds import with_bounds
from tests.mining.inference import LearnedWords
from tests.mining.installation import open_installation
from tests.mining.mined_lexicon import MinedLexicon, draw_true_words, make_mined_lexicon

BEGIN: Final = 1_795_219_200
"""2026-11-21, 00:00 UTC."""

RECORDED_LEXICON: Final = (SEED, SIZE)
"""The seed and size of the lexicon of the recorded games: honest traffic depends on its core list."""

LATE_START_SECONDS: Final = 23 * 3_600

_QUESTIONS_PER_SECOND: Final = 10


class AttackTask(NamedTuple):
    """The parameters of one measurement."""

    policy: str
    attack: str
    identities: int = 1
    days: float = 1
    seed: int = 1
    size: int = SIZE
    questions_per_second: int = _QUESTIONS_PER_SECOND
    honest_homes: int = 0
    """The number of honest players, verified and unverified each, who play during the attack."""
    newcomers: int = 0
    """The number of new, unverified players who try to play their first game after the attack."""
    forecast_days: tuple[int, ...] = ()
    """The numbers of days for which the quality of the attacker's list is extrapolated."""
    redis: str | None = None
    """The URL of an empty Redis or cluster for meters, games and replies, which are files without one."""


@cache
def lexicon_and_truth(seed: int, size: int) -> tuple[MinedLexicon, frozenset[str]]:
    lexicon = make_mined_lexicon(seed, size)
    return lexicon, draw_true_words(lexicon, seed)


def measure(task: AttackTask, served: Policy) -> BenchRow:
    """Run an attack and return its row; a task of ORDWS is measured under the policy that is served."""
    started = perf_counter()
    policy = served if task.policy == ORDWS else None
    lexicon, words = lexicon_and_truth(task.seed, task.size)
    if task.honest_homes or task.newcomers:
        words = draw_played_words(lexicon)
    knowledge = Knowledge(lexicon, Random(task.seed), served)
    f1_before = knowledge.f1(words)
    # Late in the day, so that games opened before midnight are still running on the day that is measured.
    begin = BEGIN + LATE_START_SECONDS * task.attack.endswith("two-days")
    caller_kind = CALLER_KINDS.get(task.attack, "verified")
    with open_installation(lexicon, words, policy, BEGIN, redis=task.redis) as installation:
        target = BenchTarget(installation, None if policy else BaselineLimiter(BASELINES[task.policy]))
        learned = LearnedWords(lexicon, FREE_TWOS)
        publish_next = partial(installation.publish_next, words)
        driver = AttackDriver(target, learned, publish_next, begin, task.questions_per_second)
        attack = ATTACKS[task.attack](add_attackers(installation, caller_kind, task.identities, BEGIN), knowledge)
        outcome = driver.run(attack, round(begin + task.days * DAY))
        bystanders = newcomers = None
        if task.honest_homes:
            bystanders = honest_replay.replay_bystanders(target, task.seed, task.honest_homes, BEGIN)
        spent = installation.unverified_spent(driver.now)
        if task.newcomers:
            newcomers = honest_replay.replay_newcomers(target, task.seed, task.newcomers, BEGIN)
    outside = _most_a_day(learned.outside, task.days, len(lexicon.borderline))
    row = BenchRow(
        policy=task.policy,
        attack=task.attack,
        identities=task.identities,
        outside_per_day=outside,
        core_per_day=_most_a_day(learned.core, task.days, len(lexicon.core)),
        bits_per_day=_most_a_day(learned.bits, task.days, sum(map(lexicon.entropy, lexicon.tiers))),
        days=task.days,
        seed=task.seed,
        extrapolated=task.days < 1,
        questions=outcome.questions,
        refused=outcome.refused,
        f1_before=round(f1_before, 4),
        f1=round(knowledge.f1(words), 4),
        f1_after_days=_forecast(task, knowledge, words, outside),
        flagged_after_words=outcome.flagged_after_words,
        honest_refused_under_attack=None if bystanders is None else bystanders[0].share,
        verified_refused_under_attack=None if bystanders is None else bystanders[1].share,
        newcomers_refused=None if newcomers is None else newcomers.share,
    )
    if task.attack.startswith(("in-game", "guests")) and driver.games:
        row = replace(row, outside_per_game=round(learned.outside.total() / driver.games, 2))
    if policy is not None:
        row = with_bounds(row, policy, caller_kind, spent, (BEGIN // DAY, driver.now // DAY))
    return replace(row, seconds=round(perf_counter() - started, 1))


def _most_a_day(by_day: Mapping[int, float], days: float, all_there_is: float) -> int:
    """Return the most of a day; from a part of a day, what that makes in a whole one, which may be all there is."""
    return round(min(max(by_day.values(), default=0) / min(days, 1), all_there_is))


def _forecast(task: AttackTask, knowledge: Knowledge, words: frozenset[str], a_day: int) -> dict[str, float]:
    """Return the F1 score after so many days at this rate, asking the words of most doubt first."""
    f1_after_days: dict[str, float] = {}
    order = most_doubtful(knowledge, knowledge.lexicon.borderline)
    learned = round(a_day * task.days)
    for days in task.forecast_days:
        for question in islice(order, max(0, a_day * days - learned)):
            knowledge.record_verdict(question, question[0] in words)
        learned = max(learned, a_day * days)
        f1_after_days[str(days)] = round(knowledge.f1(words), 4)
    return f1_after_days
