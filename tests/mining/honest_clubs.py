"""Simulated clubs over weeks, each with habits of its own, among which no detector may come to an alarm."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Final, Literal, TypeAlias

from ordws.fairplay.recorded_games import honest_games
from tests.mining.day_plans import (
    HOUR,
    DayPlan,
    TrafficKind,
    plan_club_evening,
    plan_operator_day,
    plan_tournament,
)
from tests.mining.traffic import HonestQuestion, questions_of_identity

ClubStyle: TypeAlias = Literal["labelled", "challenges", "tournament", "daily"]
"""The style of a club.

Its tables ask about every play of their `labelled` games; its paired tablets judge `challenges` alone; an evening's
`tournament` of 60 new players comes among its labelled evenings; or members play some games `daily`, as on a small
server.
"""

CLUB_STYLES: Final[tuple[ClubStyle, ...]] = ("labelled", "challenges", "tournament", "daily")
MISSED_SHARE: Final = 0.1
"""The share of evenings that fall through."""

_ROUNDS: Final = (19 * HOUR, 20 * HOUR + HOUR // 2, 22 * HOUR)


def questions_of_club(style: ClubStyle, number: int, days: int, seed: int) -> Iterator[HonestQuestion]:
    """Yield the questions of a club, which follow from its number and the seed."""
    rng = Random(f"{seed}/{style}/{number}")
    kind: TrafficKind = "challenges" if style == "challenges" else "club"
    plans: list[DayPlan | None] = [None] * days
    if style == "daily":
        # More games on some days than on others.
        usual = rng.randint(3, 12)
        for day in range(days):
            plans[day] = partial(plan_operator_day, games=round(usual * rng.uniform(0.5, 1.8)), players=40)
    else:
        # Evenings on one or two days of the week, with more tables on some than on others.
        evenings = rng.sample(range(7), rng.randint(1, 2))
        tables, rounds = rng.randint(3, 16), _ROUNDS[: rng.randint(2, 3)]
        for day in range(days):
            if day % 7 in evenings and rng.random() >= MISSED_SHARE:
                present = max(2, round(tables * rng.uniform(0.7, 1.3)))
                plans[day] = partial(plan_club_evening, tables=present, rounds=rounds)
    if style == "tournament":
        plans[rng.randrange(days)] = plan_tournament
    return questions_of_identity(kind, f"{style} {number}", plans, honest_games(), rng)
