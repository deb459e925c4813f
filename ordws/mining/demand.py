"""Statistics of what honest games ask of a word judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from statistics import fmean, stdev
from typing import Final, NamedTuple

from ordws.mining.recorded_games import RecordedGame

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
        plays_p99=_p99(made),
        turns_p99=_p99(turns),
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
        novel_p99=_p99(novel),
        novel_most=max(novel),
        novel_share=sum(novel) / sum(map(len, words)),
        novel_share_run=sum(len(distinct.difference(core)) for distinct in runs) / sum(map(len, runs)),
    )


def _p99(values: Sequence[int]) -> int:
    return sorted(values)[(len(values) * 99 - 1) // 100]
