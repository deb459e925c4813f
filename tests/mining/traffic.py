"""Honest traffic over a virtual clock, made of recorded games.

Everybody wakes and sleeps by the UTC day, by which budgets count: on each day people begin as many games as their kind
plays, and a game begun before midnight may end after it. Questions follow from the given randomness, and are worked out
as they are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import merge
from operator import attrgetter
from random import Random
from typing import Final, NamedTuple

from ordws.fairplay.recorded_games import RecordedGame, RecordedTurn
from tests.mining.day_plans import DAY, DAY_PLANS, DEALT_KINDS, DayPlan, ScheduledGame, TrafficKind, shuffled_deck

CHALLENGED_SHARE: Final = 0.05
"""The share of acceptable plays that are challenged all the same, where people ask about challenged plays alone."""


class HonestQuestion(NamedTuple):
    """A question of an honest client: a turn of a scheduled game."""

    moment: int
    """Seconds since the beginning of the first day."""

    kind: TrafficKind
    identity: str
    """The holder of the key."""

    label: str
    """The label of the game, unique for the identity."""

    game: ScheduledGame
    number: int
    """The number of the turn in its game, counted from 0."""

    @property
    def turn(self) -> RecordedTurn:
        return self.game.game.turns[self.number]

    @property
    def player(self) -> str | None:
        """The pseudonym that asks, with keys of clubs and operators."""
        players = self.game.players
        return players[self.number % len(players)] if players else None


def honest_traffic(
    kind: TrafficKind, games: Sequence[RecordedGame], rng: Random, *, identities: int, days: int
) -> Iterator[HonestQuestion]:
    """Yield the questions of so many identities of a kind, in order of time."""
    # Each identity has a generator of its own, so that its questions do not depend on how far the others were read.
    generators = [Random(rng.getrandbits(64)) for _ in range(identities)]
    streams = [
        questions_of_identity(kind, f"{kind}-{number}", [DAY_PLANS[kind]] * days, games, own)
        for number, own in enumerate(generators, start=1)
    ]
    return merge_by_time(*streams)


def merge_by_time(*streams: Iterator[HonestQuestion]) -> Iterator[HonestQuestion]:
    """Merge several streams into one, in order of time."""
    return merge(*streams, key=attrgetter("moment"))


def questions_of_identity(
    kind: TrafficKind, identity: str, plans: Sequence[DayPlan | None], games: Sequence[RecordedGame], rng: Random
) -> Iterator[HonestQuestion]:
    """Yield the questions of one identity on its days, each of which has a plan, or None for a day without games."""
    deck = shuffled_deck(games, rng)
    for day, plan in enumerate(plans):
        questions = []
        for n, scheduled in enumerate(plan(deck, rng, day) if plan else (), start=1):
            # Fast games are recorded ones in less time: every turn is shortened alike.
            recorded, elapsed = scheduled.game, 0
            for number, turn in enumerate(recorded.turns):
                elapsed += turn.seconds
                # A server that deals is told exchanges and passes too, and clubs may ask about challenged plays alone.
                is_asked = bool(turn.words) or kind in DEALT_KINDS
                if kind == "challenges" and turn.accepted:
                    is_asked = is_asked and rng.random() < CHALLENGED_SHARE
                if is_asked:
                    moment = day * DAY + scheduled.start + elapsed * scheduled.seconds // recorded.seconds
                    questions.append(HonestQuestion(moment, kind, identity, f"{day}-{n}", scheduled, number))
        yield from sorted(questions, key=attrgetter("moment"))
