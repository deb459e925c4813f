"""Statistics of what honest games, and days of honest games, ask of a word judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from ordws.fairplay.recorded_games import RecordedGame
from tests.benchmarks.figure import percentile
from tests.mining.day_plans import DAY_PLANS, TrafficKind
from tests.mining.traffic import questions_of_identity

GAMES_PER_RUN: Final = 60
"""The games of one identity."""


class Demand(NamedTuple):
    """Statistics of games: means unless a name says otherwise. Novel words are those that the guard charges."""

    plays: float
    plays_p99: int
    turns_p99: int
    turns_most: int
    minutes: float
    words_a_play: float
    one_word: float
    two_words: float
    more_words: float
    words_most: int
    checks: float
    distinct: float
    invalid_share: float
    invalid: float
    invalid_most: int
    novel: float
    novel_sd: float
    novel_p99: int
    novel_most: int
    novel_share: float
    """Novel words as a share of a game's distinct words of three letters or more."""

    novel_share_run: float
    """The same over 60 games of one identity, each word counted once."""


def measure_demand(games: Sequence[RecordedGame], core: Collection[str]) -> Demand:
    """Measure games, given the core words, which cost nothing."""
    plays = [play for game in games for play in game.plays]
    made, turns = [len(game.plays) for game in games], [len(game.turns) for game in games]
    sizes = Counter(min(3, len(play.words)) for play in plays)
    # Two-letter words are published, so nobody has to ask about them.
    words = [{word for play in game.plays for word in play.words if len(word) > 2} for game in games]
    runs = [set[str]().union(*words[begin : begin + GAMES_PER_RUN]) for begin in range(0, len(words), GAMES_PER_RUN)]
    novel = [len(distinct.difference(core)) for distinct in words]
    invalid = [sum(not play.accepted for play in game.plays) for game in games]
    return Demand(
        plays=fmean(made),
        plays_p99=percentile(made, 99),
        turns_p99=percentile(turns, 99),
        turns_most=max(turns),
        minutes=fmean(game.seconds for game in games) / 60,
        words_a_play=fmean(len(play.words) for play in plays),
        one_word=sizes[1] / len(plays),
        two_words=sizes[2] / len(plays),
        more_words=sizes[3] / len(plays),
        words_most=max(len(play.words) for play in plays),
        checks=sum(len(play.words) for play in plays) / len(games),
        distinct=fmean(len({word for play in game.plays for word in play.words}) for game in games),
        invalid_share=sum(invalid) / len(plays),
        invalid=fmean(invalid),
        invalid_most=max(invalid),
        novel=fmean(novel),
        novel_sd=stdev(novel),
        novel_p99=percentile(novel, 99),
        novel_most=max(novel),
        novel_share=sum(novel) / sum(map(len, words)),
        novel_share_run=sum(len(distinct.difference(core)) for distinct in runs) / sum(map(len, runs)),
    )


class Amount(NamedTuple):
    """An amount that differs from day to day."""

    mean: float
    p99: int


class DayDemand(NamedTuple):
    """The words of three letters or more that one caller asks on a day, each counted once."""

    games: int
    units: Amount
    """Words outside the core list, for each player of the caller by itself."""
    core: Amount
    """Core words, for each player of the caller by itself."""
    distinct_core: Amount
    """Core words of all players together."""


def measure_day(
    kind: TrafficKind, games: Sequence[RecordedGame], core: Collection[str], *, days: int, seed: int = 1
) -> DayDemand:
    """Measure so many independent days of a kind of caller, given the core words."""
    units, own, distinct, count = [], [], [], set()
    for day in range(days):
        questions = list(questions_of_identity(kind, kind, [DAY_PLANS[kind]], games, Random(f"{seed}/{kind}/{day}")))
        asked = {(each.player, word) for each in questions for word in each.turn.words if len(word) > 2}
        core_words = [word for _, word in asked if word in core]
        units.append(len(asked) - len(core_words))
        own.append(len(core_words))
        distinct.append(len(set(core_words)))
        count.add(len({each.label for each in questions}))
    return DayDemand(max(count), *[Amount(fmean(each), percentile(each, 99)) for each in (units, own, distinct)])
