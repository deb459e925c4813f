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
from ordws.guard.worldcap import alarm_level, world_cap
from ordws.mining import honest
from ordws.mining.attackers.attacks import ATTACKS
from ordws.mining.attackers.mind import Mind
from ordws.mining.attackers.orders import most_doubtful
from ordws.mining.attackers.steps import Caller
from ordws.mining.baselines import BASELINES, Limited
from ordws.mining.drive import FREE, Drive, Front
from ordws.mining.honest import Met
from ordws.mining.house import House, open_house
from ordws.mining.ledger import Learned
from ordws.mining.rows import ORDWS, Row
from ordws.mining.table import SEED
from ordws.mining.world import SIZE, World, make_world, truth

BEGIN: Final = 1_795_219_200
"""2026-11-21, 00:00 UTC."""

PLAYED_IN: Final = (SEED, SIZE)
"""The world of the recorded games, of whose core list honest traffic is a matter."""

LATE: Final = 23 * 3_600
SHARED: Final = frozenset({"sybils", "median", "median-throttled"})
"""Attacks of many who are not verified, on the budget that they share."""

CHANGED: Final = 0.02
"""The part of the words in doubt whose verdict changes with an update."""

_A_SECOND: Final = 10


class Assault(NamedTuple):
    """What is to be measured."""

    policy: str
    attack: str
    identities: int = 1
    days: float = 1
    seed: int = 1
    size: int = SIZE
    a_second: int = _A_SECOND
    honest_homes: int = 0
    """How many honest people of each sort play while it lasts."""
    ahead: tuple[int, ...] = ()
    """After how many days more a list is foretold."""


@cache
def world_of(seed: int, size: int) -> tuple[World, frozenset[str]]:
    world = make_world(seed, size)
    return world, truth(world, seed)


def measure(assault: Assault, policy: Policy | None = None) -> Row:
    """The row of an assault, on the policy that is served where no other is given."""
    started = perf_counter()
    is_ours = assault.policy == ORDWS
    policy = (policy or Policy()) if is_ours else None
    world, words = world_of(assault.seed, assault.size)
    with open_house(world, words, policy, BEGIN) as house:
        front = Front(house, None if is_ours else Limited(BASELINES[assault.policy]))
        return _measured(assault, policy, front, Mind(world, Random(assault.seed), policy or Policy()), words, started)


def _measured(
    assault: Assault, policy: Policy | None, front: Front, mind: Mind, words: frozenset[str], started: float
) -> Row:
    house, world = front.house, mind.world
    callers = callers_of(house, assault)
    learned = Learned(world.borderline.__contains__, FREE)
    begin = BEGIN + LATE * (assault.attack == "in-game-two-days")
    drive = Drive(front, learned, lambda now: deliver_next(house, world, words, now), begin, assault.a_second)
    before = mind.f1(words)
    outcome = drive.run(ATTACKS[assault.attack](callers, mind), round(begin + assault.days * DAY))
    bystanders = _bystanders(assault, front) if assault.honest_homes else None
    is_part = assault.days < 1
    most = min(round(learned.most_a_day / assault.days), len(world.borderline)) if is_part else learned.most_a_day
    in_game = assault.attack.startswith("in-game")
    row = Row(
        policy=assault.policy,
        attack=assault.attack,
        identities=assault.identities,
        learned_per_day=most,
        bound=None if policy is None else bound_of(policy, assault),
        days=assault.days,
        seed=assault.seed,
        extrapolated=is_part,
        questions=outcome.questions,
        refused=outcome.refused,
        f1_before=round(before, 4),
        f1=round(mind.f1(words), 4),
        f1_after_days=_foretold(assault, mind, words, most),
        flagged_after_words=outcome.flagged_after_words,
        honest_refused_under_attack=None if bystanders is None else bystanders[0].share,
        verified_refused_under_attack=None if bystanders is None else bystanders[1].share,
        learned_per_game=round(learned.total / drive.games, 2) if in_game and drive.games else None,
    )
    if policy is not None and assault.attack in SHARED:
        row = _with_caps(row, policy, house.world_spent(drive.now), drive.now // DAY)
    return replace(row, seconds=round(perf_counter() - started, 1))


def callers_of(house: House, assault: Assault) -> list[Caller]:
    """The attacker's keys: long registered and verified, but for those who share the budget of the unverified."""
    if assault.attack == "pseudonyms":
        operator = house.let_in("operator", BEGIN, kind="operator", verified=True)
        return [operator._replace(player=f"player {number}") for number in range(assault.identities)]
    return [
        house.let_in(f"attacker {number}", BEGIN, verified=assault.attack not in SHARED)
        for number in range(assault.identities)
    ]


def bound_of(policy: Policy, assault: Assault) -> int:
    """What the policy promises of that attack, but for the budget that all share who are not verified."""
    bound = policy.units_a_day * assault.identities
    return min(bound, policy.operator_units_a_day) if assault.attack == "pseudonyms" else bound


def deliver_next(house: House, world: World, words: frozenset[str], now: int) -> None:
    """The next edition: some of the words in doubt have changed sides."""
    rng = Random(house.edition)
    fickle = [word for word in sorted(world.borderline) if rng.random() < CHANGED]
    house.deliver(words.symmetric_difference(fickle), house.edition + 1, now)


def _with_caps(row: Row, policy: Policy, spent: Mapping[int, int], day: int) -> Row:
    """The row, with what became of the budget that all share who are not verified."""
    caps = {each: world_cap(policy, spent, each) for each in (*spent, day)}
    alarm = min((each for each in spent if spent[each] >= alarm_level(caps[each])), default=None)
    return replace(
        row,
        bound=min(policy.units_a_day * row.identities, max(caps.values())),
        world_cap_after=caps[day],
        units_per_day=max(spent.values(), default=0),
        world_alarm_on_day=None if alarm is None else alarm - BEGIN // DAY + 1,
    )


def _bystanders(assault: Assault, front: Front) -> tuple[Met, Met]:
    """Honest games on the day of an attack that has had its way first: of those not verified, and of those who are."""
    met = []
    for verified in (False, True):
        rng = Random(f"{assault.seed}/{verified}")
        asked = honest.questions("home", rng, identities=assault.honest_homes, days=1)
        asked = [each._replace(identity=f"{each.identity} {verified}") for each in asked]
        callers = honest.let_in_all(front.house, asked, BEGIN, verified=verified, age_days=400)
        met.append(honest.play(front, asked, callers, BEGIN))
    return met[0], met[1]


def _foretold(assault: Assault, mind: Mind, words: frozenset[str], a_day: int) -> dict[str, float]:
    """How good a list would be after so many days at this rate, the words of most doubt first."""
    found: dict[str, float] = {}
    order = most_doubtful(mind, mind.world.borderline)
    told = round(a_day * assault.days)
    for days in assault.ahead:
        for question in islice(order, max(0, a_day * days - told)):
            mind.told(question, question[0] in words)
        told = max(told, a_day * days)
        found[str(days)] = round(mind.f1(words), 4)
    return found
