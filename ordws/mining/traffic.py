"""Honest traffic over a virtual clock, made of recorded games.

Everybody wakes and sleeps by the UTC day, which budgets count by: no more games are begun in one than a kind of people
plays in a day, and one begun before midnight may end after it. What somebody asks follows from the chance given, and is
worked out as it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import merge
from itertools import accumulate
from operator import attrgetter
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from ordws.mining.recorded_games import RecordedGame, RecordedTurn

TrafficKind: TypeAlias = Literal["home", "duel", "club", "operator"]

HOUR: Final = 3_600
DAY: Final = 24 * HOUR
MORNING: Final = 9 * HOUR
EVENING: Final = 23 * HOUR + HOUR // 2
"""Nobody begins a game later in the day."""

HOME_GAMES: Final = 3
DUEL_GAMES: Final = 8
DUEL_INTERVAL: Final = HOUR // 4
DUEL_SECONDS: Final = DUEL_INTERVAL - 60
CLUB_ROUNDS: Final = (19 * HOUR, 21 * HOUR)
CLUB_TABLES: Final = 12
OPERATOR_GAMES: Final = 1_000
OPERATOR_PLAYERS: Final = 700
"""Regulars, of whom each day so many play as it takes, one to three games each."""


class HonestQuestion(NamedTuple):
    """A question of an honest client."""

    moment: int
    """In seconds from the beginning of the first day."""

    kind: TrafficKind
    identity: str
    """Whose key it is."""

    player: str | None
    """The pseudonym, with the keys of clubs and operators."""

    game: str
    """The label of the game, which the identity gives to no other."""

    turn: RecordedTurn


class ScheduledGame(NamedTuple):
    """A game played: when it is begun, counted from the day's beginning, how long it takes, and at whose pseudonym."""

    start: int
    seconds: int
    game: RecordedGame
    player: str | None = None


DayPlan: TypeAlias = Callable[[Sequence[RecordedGame], Random], list[ScheduledGame]]


def home_traffic(games: Sequence[RecordedGame], rng: Random, *, identities: int, days: int) -> Iterator[HonestQuestion]:
    """What people ask who play three games a day."""
    return _traffic("home", _home_day, games, rng, identities, days)


def duel_traffic(games: Sequence[RecordedGame], rng: Random, *, identities: int, days: int) -> Iterator[HonestQuestion]:
    """What people ask who play eight fast games on end, four an hour."""
    return _traffic("duel", _duel_day, games, rng, identities, days)


def club_traffic(games: Sequence[RecordedGame], rng: Random, *, identities: int, days: int) -> Iterator[HonestQuestion]:
    """What clubs ask, each with one key: twelve tables, which are its players, play two games of an evening."""
    return _traffic("club", _club_day, games, rng, identities, days)


def operator_traffic(
    games: Sequence[RecordedGame], rng: Random, *, identities: int, days: int
) -> Iterator[HonestQuestion]:
    """What operators ask, whose many players together play a thousand games a day."""
    return _traffic("operator", _operator_day, games, rng, identities, days)


def merge_by_time(*streams: Iterator[HonestQuestion]) -> Iterator[HonestQuestion]:
    """Several streams as one, in order of time."""
    return merge(*streams, key=attrgetter("moment"))


def _traffic(
    kind: TrafficKind, plan_day: DayPlan, games: Sequence[RecordedGame], rng: Random, identities: int, days: int
) -> Iterator[HonestQuestion]:
    chances = [Random(rng.getrandbits(64)) for _ in range(identities)]
    return merge_by_time(
        *[
            _questions_of_identity(kind, f"{kind}-{n}", plan_day, games, own, days)
            for n, own in enumerate(chances, start=1)
        ]
    )


def _questions_of_identity(
    kind: TrafficKind, identity: str, plan_day: DayPlan, games: Sequence[RecordedGame], rng: Random, days: int
) -> Iterator[HonestQuestion]:
    """What one identity asks on all its days."""
    for date in range(days):
        sittings = [
            _questions_of_game(kind, identity, f"{date}-{n}", date * DAY, sitting)
            for n, sitting in enumerate(plan_day(games, rng), start=1)
        ]
        yield from merge_by_time(*sittings)


def _questions_of_game(
    kind: TrafficKind, identity: str, label: str, midnight: int, scheduled: ScheduledGame
) -> Iterator[HonestQuestion]:
    """The questions of one game; exchanges and passes take time and ask nothing."""
    start, seconds, game, player = scheduled
    whole, spent = game.seconds, 0
    for turn in game.turns:
        spent += turn.seconds
        if turn.words:
            yield HonestQuestion(midnight + start + spent * seconds // whole, kind, identity, player, label, turn)


def _home_day(games: Sequence[RecordedGame], rng: Random) -> list[ScheduledGame]:
    return _consecutive_games(games, rng, HOME_GAMES)


def _duel_day(games: Sequence[RecordedGame], rng: Random) -> list[ScheduledGame]:
    begin = rng.randrange(MORNING, EVENING - (DUEL_GAMES - 1) * DUEL_INTERVAL)
    return [ScheduledGame(begin + n * DUEL_INTERVAL, DUEL_SECONDS, rng.choice(games)) for n in range(DUEL_GAMES)]


def _club_day(games: Sequence[RecordedGame], rng: Random) -> list[ScheduledGame]:
    seats = [(begin, table) for begin in CLUB_ROUNDS for table in range(1, CLUB_TABLES + 1)]
    chosen = [(begin + rng.randrange(600), rng.choice(games), f"table {table}") for begin, table in seats]
    return [ScheduledGame(start, game.seconds, game, table) for start, game, table in chosen]


def _operator_day(games: Sequence[RecordedGame], rng: Random) -> list[ScheduledGame]:
    sittings: list[ScheduledGame] = []
    players = iter(rng.sample(range(1, OPERATOR_PLAYERS + 1), OPERATOR_PLAYERS))
    while left := OPERATOR_GAMES - len(sittings):
        sittings += _consecutive_games(games, rng, min(left, rng.randint(1, 3)), f"player {next(players)}")
    return sittings


def _consecutive_games(
    games: Sequence[RecordedGame], rng: Random, count: int, player: str | None = None
) -> list[ScheduledGame]:
    """So many games of one player over a day, none begun before the last is over."""
    chosen = rng.choices(games, k=count)
    played = [0, *accumulate(game.seconds for game in chosen)]
    pauses = sorted(rng.randrange(EVENING - MORNING - played[-2]) for _ in chosen)
    return [
        ScheduledGame(MORNING + pause + before, game.seconds, game, player)
        for pause, before, game in zip(pauses, played, chosen, strict=False)
    ]
