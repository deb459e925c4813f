"""The games that each kind of honest caller plays on a day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, islice
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from ordws.fairplay.recorded_games import RecordedGame

TrafficKind: TypeAlias = Literal[
    "home",
    "duel",
    "full-day",
    "new",
    "club",
    "challenges",
    "tournament",
    "sealed-tournament",
    "guests",
    "operator",
    "new-operator",
]
"""The kind of an honest caller.

A player at `home`; a `duel` of fast games; a `full-day` of all games that an identity may open; a `new` player, whom
nobody has verified; the evening of a `club` that asks about every play, and of one whose paired tablets judge
`challenges` alone; an evening's `tournament` of new players, labelled or dealt by the server; two `guests` who play on;
an `operator` of many games, and one that nobody has verified yet.
"""

DEALT_KINDS: Final[frozenset[TrafficKind]] = frozenset({"sealed-tournament", "guests"})
"""The kinds of callers whose games the server deals."""

HOUR: Final = 3_600
DAY: Final = 24 * HOUR
MORNING: Final = 9 * HOUR
EVENING: Final = 23 * HOUR + HOUR // 2
"""The last moment of a day at which a game is begun."""

HOME_GAMES: Final = 3
DUEL_GAMES: Final = 8
FULL_DAY_GAMES: Final = 12
GUEST_GAMES: Final = 5
"""The games that two friends play in a row by the play link."""

NEW_GAMES: Final = 2
"""The games of a new player, which are as many as the first day allows."""

DUEL_INTERVAL: Final = HOUR // 4
# A minute is left between two games, so that they do not overlap.
DUEL_SECONDS: Final = DUEL_INTERVAL - 60
CLUB_ROUNDS: Final = (19 * HOUR, 21 * HOUR)
CLUB_TABLES: Final = 12
TOURNAMENT_PLAYERS: Final = 60
TOURNAMENT_ROUNDS: Final = (18 * HOUR, 19 * HOUR, 20 * HOUR, 21 * HOUR)
TOURNAMENT_SECONDS: Final = HOUR - 600
OPERATOR_GAMES: Final = 1_000
OPERATOR_PLAYERS: Final = 700
"""The regular players of an operator, of whom as many play each day as are needed, one to three games each."""

NEW_OPERATOR_PLAYERS: Final = 5


class ScheduledGame(NamedTuple):
    """A game to be played: its start in seconds of the day, its duration, and the pseudonyms that ask about it.

    Without pseudonyms the client itself asks; one asks about every turn, and several take turns.
    """

    start: int
    seconds: int
    game: RecordedGame
    players: tuple[str, ...] = ()


Deck: TypeAlias = Iterator[RecordedGame]
"""An endless supply of games, in which one comes again only after all others."""

DayPlan: TypeAlias = Callable[[Deck, Random, int], list[ScheduledGame]]
"""A plan for a day, given the games, a source of chance and the number of the day."""


def shuffled_deck(games: Sequence[RecordedGame], rng: Random) -> Deck:
    """Yield games in random order, all of them before any comes again."""
    while True:
        yield from rng.sample(games, len(games))


def plan_club_evening(
    deck: Deck, rng: Random, day: int, *, tables: int = CLUB_TABLES, rounds: Sequence[int] = CLUB_ROUNDS
) -> list[ScheduledGame]:
    """Plan an evening of a club with one key, whose tables are its players: a game for each table and round."""
    seats = [(begin, f"table {table}") for begin in rounds for table in range(1, tables + 1)]
    chosen = [(begin + rng.randrange(600), next(deck), table) for begin, table in seats]
    return [ScheduledGame(start, game.seconds, game, (table,)) for start, game, table in chosen]


def plan_tournament(deck: Deck, rng: Random, day: int, *, players: int = TOURNAMENT_PLAYERS) -> list[ScheduledGame]:
    """Plan an evening of games for two, whose players have never played before; each round pairs them anew."""
    games = (game for game in deck if game.players == 2)
    names = [f"guest {day}-{number}" for number in range(1, players + 1)]
    scheduled = []
    for begin in TOURNAMENT_ROUNDS:
        rng.shuffle(names)
        for pair in zip(names[::2], names[1::2], strict=True):
            scheduled.append(ScheduledGame(begin + rng.randrange(300), TOURNAMENT_SECONDS, next(games), pair))
    return scheduled


def plan_guests(deck: Deck, rng: Random, day: int, *, games: int = GUEST_GAMES) -> list[ScheduledGame]:
    """Plan a day of two friends, who play games for two one after another."""
    for_two = (game for game in deck if game.players == 2)
    return [each._replace(players=("one", "other")) for each in _consecutive_games(for_two, rng, games)]


def plan_operator_day(
    deck: Deck, rng: Random, day: int, *, games: int = OPERATOR_GAMES, players: int = OPERATOR_PLAYERS
) -> list[ScheduledGame]:
    """Plan a day of an operator whose regular players play one to three games each, as many as are needed."""
    scheduled: list[ScheduledGame] = []
    numbers = iter(rng.sample(range(1, players + 1), players))
    while left := games - len(scheduled):
        scheduled += _consecutive_games(deck, rng, min(left, rng.randint(1, 3)), f"player {next(numbers)}")
    return scheduled


def _plan_home_day(deck: Deck, rng: Random, day: int, *, games: int) -> list[ScheduledGame]:
    return _consecutive_games(deck, rng, games)


def _plan_fast_games(deck: Deck, rng: Random, day: int, *, games: int) -> list[ScheduledGame]:
    """Plan fast games in a row, four an hour."""
    begin = rng.randrange(MORNING, EVENING - (games - 1) * DUEL_INTERVAL)
    return [ScheduledGame(begin + n * DUEL_INTERVAL, DUEL_SECONDS, next(deck)) for n in range(games)]


def _plan_new_operator_day(deck: Deck, rng: Random, day: int) -> list[ScheduledGame]:
    """Plan a day of a few players, each of whom plays what a new player may."""
    names = [f"player {number}" for number in range(1, NEW_OPERATOR_PLAYERS + 1)]
    return [game for name in names for game in _consecutive_games(deck, rng, NEW_GAMES, name)]


def _consecutive_games(deck: Deck, rng: Random, count: int, player: str | None = None) -> list[ScheduledGame]:
    """Return so many games of one player over a day, none begun before the last is over."""
    chosen = list(islice(deck, count))
    # The pauses before the games, sorted, are added to the time that the games before took, so no two overlap.
    played = [0, *accumulate(game.seconds for game in chosen)]
    pauses = sorted(rng.randrange(EVENING - MORNING - played[-2]) for _ in chosen)
    players = () if player is None else (player,)
    return [
        ScheduledGame(MORNING + pause + before, game.seconds, game, players)
        for pause, before, game in zip(pauses, played, chosen, strict=False)
    ]


DAY_PLANS: Final[dict[TrafficKind, DayPlan]] = {
    "home": partial(_plan_home_day, games=HOME_GAMES),
    "duel": partial(_plan_fast_games, games=DUEL_GAMES),
    "full-day": partial(_plan_fast_games, games=FULL_DAY_GAMES),
    "new": partial(_plan_home_day, games=NEW_GAMES),
    "club": plan_club_evening,
    "challenges": plan_club_evening,
    "tournament": plan_tournament,
    "sealed-tournament": plan_tournament,
    "guests": plan_guests,
    "operator": plan_operator_day,
    "new-operator": _plan_new_operator_day,
}
"""The plan of each kind of caller for a day."""
