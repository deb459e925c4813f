"""Honest traffic over a virtual clock, made of recorded games.

Everybody wakes and sleeps by the UTC day, by which budgets count: on each day people begin as many games as their kind
plays, and a game begun before midnight may end after it. Questions follow from the given randomness, and are worked out
as they are read.
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
"""The last moment of a day at which a game is begun."""

HOME_GAMES: Final = 3
DUEL_GAMES: Final = 8
DUEL_INTERVAL: Final = HOUR // 4
# A minute is left between two games, so that they do not overlap.
DUEL_SECONDS: Final = DUEL_INTERVAL - 60
CLUB_ROUNDS: Final = (19 * HOUR, 21 * HOUR)
CLUB_TABLES: Final = 12
OPERATOR_GAMES: Final = 1_000
OPERATOR_PLAYERS: Final = 700
"""The regular players of an operator, of whom as many play each day as are needed, one to three games each."""


class HonestQuestion(NamedTuple):
    """A question of an honest client."""

    moment: int
    """Seconds since the beginning of the first day."""

    kind: TrafficKind
    identity: str
    """The holder of the key."""

    player: str | None
    """The pseudonym, with keys of clubs and operators."""

    game: str
    """The label of the game, unique for the identity."""

    turn: RecordedTurn


class ScheduledGame(NamedTuple):
    """A game to be played: its start in seconds of the day, its duration, and the player's pseudonym."""

    start: int
    seconds: int
    game: RecordedGame
    player: str | None = None


DayPlan: TypeAlias = Callable[[Sequence[RecordedGame], Random], list[ScheduledGame]]


def honest_traffic(
    kind: TrafficKind, games: Sequence[RecordedGame], rng: Random, *, identities: int, days: int
) -> Iterator[HonestQuestion]:
    """Yield the questions of so many identities of a kind, in order of time."""
    # Each identity has a generator of its own, so that its questions do not depend on how far the others were read.
    generators = [Random(rng.getrandbits(64)) for _ in range(identities)]
    streams = [_questions_of_identity(kind, number, games, own, days) for number, own in enumerate(generators, start=1)]
    return merge_by_time(*streams)


def merge_by_time(*streams: Iterator[HonestQuestion]) -> Iterator[HonestQuestion]:
    """Merge several streams into one, in order of time."""
    return merge(*streams, key=attrgetter("moment"))


def _questions_of_identity(
    kind: TrafficKind, number: int, games: Sequence[RecordedGame], rng: Random, days: int
) -> Iterator[HonestQuestion]:
    """Yield the questions of one identity on all its days; exchanges and passes take time and ask nothing."""
    for day in range(days):
        questions = []
        for n, (start, seconds, game, player) in enumerate(_DAY_PLANS[kind](games, rng), start=1):
            # Fast games are recorded ones in less time: every turn is shortened alike.
            begin, recorded_seconds, elapsed = day * DAY + start, game.seconds, 0
            for turn in game.turns:
                elapsed += turn.seconds
                if turn.words:
                    moment = begin + elapsed * seconds // recorded_seconds
                    questions.append(HonestQuestion(moment, kind, f"{kind}-{number}", player, f"{day}-{n}", turn))
        yield from sorted(questions, key=attrgetter("moment"))


def _home_day(games: Sequence[RecordedGame], rng: Random) -> list[ScheduledGame]:
    """Plan three games."""
    return _consecutive_games(games, rng, HOME_GAMES)


def _duel_day(games: Sequence[RecordedGame], rng: Random) -> list[ScheduledGame]:
    """Plan eight fast games in a row, four an hour."""
    begin = rng.randrange(MORNING, EVENING - (DUEL_GAMES - 1) * DUEL_INTERVAL)
    return [ScheduledGame(begin + n * DUEL_INTERVAL, DUEL_SECONDS, rng.choice(games)) for n in range(DUEL_GAMES)]


def _club_day(games: Sequence[RecordedGame], rng: Random) -> list[ScheduledGame]:
    """Plan an evening of a club with one key, whose twelve tables, its players, play two games each."""
    seats = [(begin, table) for begin in CLUB_ROUNDS for table in range(1, CLUB_TABLES + 1)]
    chosen = [(begin + rng.randrange(600), rng.choice(games), f"table {table}") for begin, table in seats]
    return [ScheduledGame(start, game.seconds, game, table) for start, game, table in chosen]


def _operator_day(games: Sequence[RecordedGame], rng: Random) -> list[ScheduledGame]:
    """Plan a day of an operator, whose many players together play a thousand games."""
    scheduled: list[ScheduledGame] = []
    players = iter(rng.sample(range(1, OPERATOR_PLAYERS + 1), OPERATOR_PLAYERS))
    while left := OPERATOR_GAMES - len(scheduled):
        scheduled += _consecutive_games(games, rng, min(left, rng.randint(1, 3)), f"player {next(players)}")
    return scheduled


def _consecutive_games(
    games: Sequence[RecordedGame], rng: Random, count: int, player: str | None = None
) -> list[ScheduledGame]:
    """Return so many games of one player over a day, none begun before the last is over."""
    chosen = rng.choices(games, k=count)
    # The pauses before the games, sorted, are added to the time that the games before took, so no two overlap.
    played = [0, *accumulate(game.seconds for game in chosen)]
    pauses = sorted(rng.randrange(EVENING - MORNING - played[-2]) for _ in chosen)
    return [
        ScheduledGame(MORNING + pause + before, game.seconds, game, player)
        for pause, before, game in zip(pauses, played, chosen, strict=False)
    ]


_DAY_PLANS: Final[dict[TrafficKind, DayPlan]] = {
    "home": _home_day,
    "duel": _duel_day,
    "club": _club_day,
    "operator": _operator_day,
}
