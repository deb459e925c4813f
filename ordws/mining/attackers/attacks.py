"""Every attack by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

from ordws.guard.detectors import ALARM_THRESHOLD
from ordws.mining.attackers.boards import board_request, crossing_groups
from ordws.mining.attackers.cover_traffic import MixedCover, StealthCover
from ordws.mining.attackers.floods import throttled
from ordws.mining.attackers.knowledge import Knowledge
from ordws.mining.attackers.question_order import (
    alphabetical,
    base_words_first,
    families_by_likelihood,
    in_groups,
    most_doubtful,
    words_by_likelihood,
)
from ordws.mining.attackers.scheduler import spend, with_events
from ordws.mining.attackers.sealed_game_bot import play_games
from ordws.mining.attackers.steps import Attack, BenchCaller, BenchRequest, Restart, Words, judge_request
from ordws.mining.attackers.updates import ask_again

MakeAttack: TypeAlias = Callable[[Sequence[BenchCaller], Knowledge], Attack]

_GROUP_SIZE: Final = 4
"""Words of a group: as many as divide the units outside a game and in one."""

_MAX_WORDS: Final = 8
_MIN_GROUP_CHANCE: Final = 0.4

_FLOOD_GROUP_SIZE: Final = 5
"""Words of a question that budgets hold which a sign of mining has tightened."""

_WORDS_PER_BOARD: Final = 4
_STEPS_PER_RESTART: Final = 150
_WORDS_PER_EDITION: Final = 120
_SEALED_GAMES: Final = 2
"""Sealed games of the mixture."""


def sweep(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """The dictionary from A to Z."""
    return spend(callers, alphabetical(knowledge), knowledge)


def borderline(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """The word of which least can be said, each time anew."""
    return spend(callers, most_doubtful(knowledge, knowledge.lexicon.borderline), knowledge)


def families(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Base words first, their forms guessed from them."""
    return spend(callers, base_words_first(knowledge), knowledge, cover=StealthCover(knowledge.lexicon, knowledge.rng))


def grouped(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Several words a question, and halves of them after a no; below every alarm."""
    return spend(
        callers,
        in_groups(knowledge, words_by_likelihood(knowledge), _GROUP_SIZE),
        knowledge,
        cover=StealthCover(knowledge.lexicon, knowledge.rng),
    )


def grouped_families(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """As many words a question as are in or out together, where questions are counted and not words."""
    return spend(
        callers, in_groups(knowledge, families_by_likelihood(knowledge), _MAX_WORDS, _MIN_GROUP_CHANCE), knowledge
    )


def boards(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Plays on boards made up, each of several words."""
    groups = crossing_groups(knowledge, words_by_likelihood(knowledge), _WORDS_PER_BOARD)
    return spend(
        callers, groups, knowledge, make_request=board_request, cover=StealthCover(knowledge.lexicon, knowledge.rng)
    )


def flood(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Units for their own sake, many a question, the likely words first; what a no leaves open is left open."""
    words = words_by_likelihood(knowledge)
    groups = (tuple(words[at : at + _FLOOD_GROUP_SIZE]) for at in range(0, len(words), _FLOOD_GROUP_SIZE))
    return spend(callers, groups, knowledge)


def mimicry(callers: Sequence[BenchCaller], knowledge: Knowledge, share: float) -> Attack:
    """Borderline words among core words, so many that they are but a share of all."""
    words = most_doubtful(knowledge, knowledge.lexicon.borderline)
    return spend(callers, words, knowledge, cover=MixedCover(knowledge.lexicon, share, knowledge.rng))


def hidden(callers: Sequence[BenchCaller], knowledge: Knowledge, cover: StealthCover | None = None) -> Attack:
    """Borderline words, now as words and now on a board, below every alarm."""
    words = most_doubtful(knowledge, knowledge.lexicon.borderline)
    cover = cover or StealthCover(knowledge.lexicon, knowledge.rng)
    return spend(callers, words, knowledge, make_request=partial(_judge_or_board_request, knowledge), cover=cover)


def in_games(callers: Sequence[BenchCaller], knowledge: Knowledge, days: int = 1) -> Attack:
    """Sealed games, all that may be opened on so many days, played on the last of them."""
    return play_games(callers, knowledge, games=days * knowledge.policy.games_a_day)


def mixture(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Sealed games first, then labels of one's own, and outside; boards and words; below every alarm."""
    cover = StealthCover(knowledge.lexicon, knowledge.rng)
    yield from play_games(callers, knowledge, games=_SEALED_GAMES, cover=cover)
    yield from hidden(callers, knowledge, cover)


def restarted(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """The same while the service is killed again and again, by which the signs lose some of what lowered them."""
    cover = StealthCover(knowledge.lexicon, knowledge.rng, margin=ALARM_THRESHOLD // 2)
    return with_events(hidden(callers, knowledge, cover), Restart, _STEPS_PER_RESTART)


def _judge_or_board_request(knowledge: Knowledge, caller: BenchCaller, words: Words, game: str | None) -> BenchRequest:
    is_laid = knowledge.rng.random() < 0.5 and len(words[0]) <= 15
    return board_request(caller, words, game) if is_laid else judge_request(caller, words, game)


ATTACKS: Final[dict[str, MakeAttack]] = {
    "sweep": sweep,
    "borderline": borderline,
    "families": families,
    "boards": boards,
    "grouped": grouped,
    "grouped-families": grouped_families,
    "in-game": in_games,
    "in-game-two-days": partial(in_games, days=2),
    "sybils": borderline,
    "pseudonyms": hidden,
    "mimicry-0.4": partial(mimicry, share=0.4),
    "mimicry-0.6": partial(mimicry, share=0.6),
    "mimicry-0.8": partial(mimicry, share=0.8),
    "mimicry-1.0": partial(mimicry, share=1.0),
    "re-ask": partial(ask_again, words_an_edition=_WORDS_PER_EDITION),
    "median": flood,
    "median-throttled": lambda callers, mind: throttled(flood(callers, mind), mind.policy),
    "restart": restarted,
    "hidden": hidden,
    "mixture": mixture,
}
