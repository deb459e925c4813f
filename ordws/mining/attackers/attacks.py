"""Every attack by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

from ordws.guard.detectors import ALARM
from ordws.mining.attackers.boards import crossed, lay
from ordws.mining.attackers.floods import throttled
from ordws.mining.attackers.ingame import play_games
from ordws.mining.attackers.mimicry import Mixed, Watched
from ordws.mining.attackers.mind import Mind
from ordws.mining.attackers.orders import alphabetical, heads_first, likely, likely_families, most_doubtful, together
from ordws.mining.attackers.spending import spend, with_events
from ordws.mining.attackers.steps import Ask, Attack, Caller, Restart, Words, judge
from ordws.mining.attackers.updates import ask_again

Make: TypeAlias = Callable[[Sequence[Caller], Mind], Attack]

_SHARED_OUT: Final = 4
"""Words of a group: as many as divide the units outside a game and in one."""

_MOST_WORDS: Final = 8
_AS_GOOD_AS_EVEN: Final = 0.4

_FLOODING: Final = 5
"""Words of a question that budgets hold which a sign of mining has tightened."""

_ON_A_BOARD: Final = 4
_BEFORE_A_RESTART: Final = 150
_AN_EDITION: Final = 120
_SEALED: Final = 2
"""Sealed games of the mixture."""


def sweep(callers: Sequence[Caller], mind: Mind) -> Attack:
    """The dictionary from A to Z."""
    return spend(callers, alphabetical(mind), mind)


def borderline(callers: Sequence[Caller], mind: Mind) -> Attack:
    """The word of which least can be said, each time anew."""
    return spend(callers, most_doubtful(mind, mind.world.borderline), mind)


def families(callers: Sequence[Caller], mind: Mind) -> Attack:
    """Base words first, their forms guessed from them."""
    return spend(callers, heads_first(mind), mind, cover=Watched(mind.world, mind.rng))


def grouped(callers: Sequence[Caller], mind: Mind) -> Attack:
    """Several words a question, and halves of them after a no; below every alarm."""
    return spend(callers, together(mind, likely(mind), _SHARED_OUT), mind, cover=Watched(mind.world, mind.rng))


def grouped_families(callers: Sequence[Caller], mind: Mind) -> Attack:
    """As many words a question as are in or out together, where questions are counted and not words."""
    return spend(callers, together(mind, likely_families(mind), _MOST_WORDS, _AS_GOOD_AS_EVEN), mind)


def boards(callers: Sequence[Caller], mind: Mind) -> Attack:
    """Plays on boards made up, each of several words."""
    groups = crossed(mind, likely(mind), _ON_A_BOARD)
    return spend(callers, groups, mind, writes=lay, cover=Watched(mind.world, mind.rng))


def flood(callers: Sequence[Caller], mind: Mind) -> Attack:
    """Units for their own sake, many a question, the likely words first; what a no leaves open is left open."""
    words = likely(mind)
    groups = (tuple(words[at : at + _FLOODING]) for at in range(0, len(words), _FLOODING))
    return spend(callers, groups, mind)


def mimicry(callers: Sequence[Caller], mind: Mind, share: float) -> Attack:
    """Borderline words among core words, so many that they are but a share of all."""
    words = most_doubtful(mind, mind.world.borderline)
    return spend(callers, words, mind, cover=Mixed(mind.world, share, mind.rng))


def hidden(callers: Sequence[Caller], mind: Mind, cover: Watched | None = None) -> Attack:
    """Borderline words, now as words and now on a board, below every alarm."""
    words = most_doubtful(mind, mind.world.borderline)
    cover = cover or Watched(mind.world, mind.rng)
    return spend(callers, words, mind, writes=partial(_either, mind), cover=cover)


def in_games(callers: Sequence[Caller], mind: Mind, days: int = 1) -> Attack:
    """Sealed games, all that may be opened on so many days, played on the last of them."""
    return play_games(callers, mind, games=days * mind.policy.games_a_day)


def mixture(callers: Sequence[Caller], mind: Mind) -> Attack:
    """Sealed games first, then labels of one's own, and outside; boards and words; below every alarm."""
    cover = Watched(mind.world, mind.rng)
    yield from play_games(callers, mind, games=_SEALED, cover=cover)
    yield from hidden(callers, mind, cover)


def restarted(callers: Sequence[Caller], mind: Mind) -> Attack:
    """The same while the service is killed again and again, by which the signs lose some of what lowered them."""
    cover = Watched(mind.world, mind.rng, margin=ALARM // 2)
    return with_events(hidden(callers, mind, cover), Restart, _BEFORE_A_RESTART)


def _either(mind: Mind, caller: Caller, words: Words, game: str | None) -> Ask:
    is_laid = mind.rng.random() < 0.5 and len(words[0]) <= 15
    return lay(caller, words, game) if is_laid else judge(caller, words, game)


ATTACKS: Final[dict[str, Make]] = {
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
    "re-ask": partial(ask_again, words_an_edition=_AN_EDITION),
    "median": flood,
    "median-throttled": lambda callers, mind: throttled(flood(callers, mind), mind.policy),
    "restart": restarted,
    "hidden": hidden,
    "mixture": mixture,
}
