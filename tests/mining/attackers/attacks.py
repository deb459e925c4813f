"""All attacks, by name."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final, Literal, TypeAlias

from ordws.guard.policy import DAY, unverified_cap
from tests.mining.attackers.boards import board_request, crossing_groups
from tests.mining.attackers.cover_traffic import DoverCover, StealthCover
from tests.mining.attackers.guest_bot import play_as_guests
from tests.mining.attackers.knowledge import Knowledge
from tests.mining.attackers.question_order import (
    alphabetical,
    base_words_first,
    families_by_likelihood,
    forms_by_bases,
    in_groups,
    most_doubtful,
    words_by_likelihood,
)
from tests.mining.attackers.reviews import reviews
from tests.mining.attackers.scheduler import spend, until_next_day, with_events
from tests.mining.attackers.sealed_game_bot import play_games
from tests.mining.attackers.steps import (
    Attack,
    BenchCaller,
    BenchRequest,
    Restart,
    Update,
    Wait,
    Words,
    dover_request,
    judge_request,
)

MakeAttack: TypeAlias = Callable[[Sequence[BenchCaller], Knowledge], Attack]

_GROUP_SIZE: Final = 4
"""Words of a group: the number divides the units outside games and in a game."""

_MAX_WORDS: Final = 8
_MIN_GROUP_CHANCE: Final = 0.4

_FLOOD_GROUP_SIZE: Final = 5
"""Words of a question that fits into budgets reduced by an alarm."""

_WORDS_PER_BOARD: Final = 4
_STEPS_PER_RESTART: Final = 150
_WORDS_PER_EDITION: Final = 120
QUIET_PERCENT: Final = 79
"""A percentage of the cap: a day with more would not count for the caps of the following days."""

_FOLLOW_UPS: Final = 40
"""Words that the attack under Dover puts off."""

_GAMES_BEFORE_MIDNIGHT: Final = 8
"""Games that guests open late on a day, which are all that it holds."""

_SEALED_GAMES: Final = 2
"""Sealed games of the mixture."""


def sweep(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Ask the dictionary from A to Z."""
    return spend(callers, alphabetical(knowledge), knowledge)


def borderline(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Ask the word whose verdict is most uncertain, again and again."""
    return spend(callers, most_doubtful(knowledge, knowledge.lexicon.borderline), knowledge)


def core(
    callers: Sequence[BenchCaller], knowledge: Knowledge, first_game: int = 0, cover: StealthCover | None = None
) -> Attack:
    """Ask the core words, in an order without alphabet: that they are core does not make their membership public."""
    words = sorted(knowledge.lexicon.core)
    knowledge.rng.shuffle(words)
    return spend(callers, ((word,) for word in words), knowledge, cover=cover, first_game=first_game)


def crowd(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Spend the day: first words outside the core list, and when nobody may ask more, core words; below every alarm."""
    cover = StealthCover(knowledge.lexicon)
    yield from until_next_day(hidden(callers, knowledge, cover))
    yield from until_next_day(core(callers, knowledge, cover=cover))


def families(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Ask base words first and infer their forms; stay below every alarm."""
    return spend(callers, base_words_first(knowledge), knowledge, cover=StealthCover(knowledge.lexicon))


def grouped(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Ask several words a question, and halve them after a no; stay below every alarm."""
    return spend(
        callers,
        in_groups(knowledge, words_by_likelihood(knowledge), _GROUP_SIZE),
        knowledge,
        cover=StealthCover(knowledge.lexicon),
    )


def grouped_families(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Ask as many words a question as are likely in or out together, where questions are counted and not words."""
    return spend(
        callers, in_groups(knowledge, families_by_likelihood(knowledge), _MAX_WORDS, _MIN_GROUP_CHANCE), knowledge
    )


def boards(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Ask plays on invented boards, each of several words; stay below every alarm."""
    groups = crossing_groups(knowledge, words_by_likelihood(knowledge), _WORDS_PER_BOARD)
    return spend(callers, groups, knowledge, make_request=board_request, cover=StealthCover(knowledge.lexicon))


def flood(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Spend units for their own sake, many a question, likely words first; a no is not resolved."""
    words = words_by_likelihood(knowledge)
    groups = (tuple(words[at : at + _FLOOD_GROUP_SIZE]) for at in range(0, len(words), _FLOOD_GROUP_SIZE))
    return spend(callers, groups, knowledge)


def hidden(callers: Sequence[BenchCaller], knowledge: Knowledge, cover: StealthCover | None = None) -> Attack:
    """Ask uncertain words, as words or on a board; stay below every alarm."""
    words = most_doubtful(knowledge, knowledge.lexicon.borderline)
    cover = cover or StealthCover(knowledge.lexicon)
    return spend(callers, words, knowledge, make_request=partial(_judge_or_board_request, knowledge), cover=cover)


def in_games(callers: Sequence[BenchCaller], knowledge: Knowledge, days: int = 1) -> Attack:
    """Open as many sealed games as so many days allow, and play all of them on the last day, below every alarm."""
    return play_games(callers, knowledge, games=days * knowledge.policy.games_a_day)


def mixture(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Play sealed games, then ask under labels and outside games, boards and words; stay below every alarm."""
    cover = StealthCover(knowledge.lexicon)
    yield from play_games(callers, knowledge, games=_SEALED_GAMES, cover=cover)
    yield from hidden(callers, knowledge, cover)


def restarted(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Do as `hidden` while the service ends and starts again and again, and forgets what its callers asked last."""
    return with_events(hidden(callers, knowledge), Restart, _STEPS_PER_RESTART)


def throttled(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Do as `flood`, but stop each day just below four fifths of the cap, so that the median of the days grows."""
    attack = flood(callers, knowledge)
    spent: Counter[int] = Counter()
    step = next(attack)
    while True:
        reply = yield step
        if reply.verdict is not None:
            day = reply.now // DAY
            spent[day] += len(step.body["words"]) if isinstance(step, BenchRequest) else 0
            if (spent[day] + _MAX_WORDS) * 100 > unverified_cap(knowledge.policy, spent, day) * QUIET_PERCENT:
                reply = reply._replace(now=(yield Wait((day + 1) * DAY)).now)
        try:
            step = attack.send(reply)
        except StopIteration:
            return


def ask_again(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Ask some words, wait for the next edition, ask them again and as many others, and so on."""
    cover = StealthCover(knowledge.lexicon)
    while True:
        again = [(word,) for word in knowledge.previous_edition]
        yield from spend(callers, again, knowledge, cover=cover)
        others = islice(most_doubtful(knowledge, knowledge.lexicon.borderline), _WORDS_PER_EDITION)
        yield from spend(callers, others, knowledge, cover=cover)
        yield Update()
        knowledge.start_next_edition()


def dover(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Ask forms under Dover, and what a yes leaves open of a form and its bases; stay below every alarm."""
    lexicon, asked_under_dover = knowledge.lexicon, DoverCover(knowledge.lexicon)

    def questions() -> Iterator[Words]:
        later: deque[str] = deque()
        for form in forms_by_bases(knowledge):
            bases = [base for base in lexicon.dover_bases[form] if base not in lexicon.core]
            # A base that is known to be in makes the form good, and tells nothing.
            if not any(knowledge.is_known(base) for base in bases):
                yield form, *bases
                # Bases have been charged; the form itself is asked again by the regular rules. Later, or the words
                # would be alphabetical neighbours.
                later += [word for word in (*bases, form) if not knowledge.is_known(word)]
            if len(later) > _FOLLOW_UPS and not knowledge.is_known(word := later.popleft()):
                yield (word,)

    def is_regular(words: Words) -> bool:
        return len(words) == 1 and words[0] in lexicon.dover_bases

    def make_request(caller: BenchCaller, words: Words, game: str | None) -> BenchRequest:
        return judge_request(caller, words, game) if is_regular(words) else dover_request(caller, words[0], game)

    def record(words: Words, verdict: bool) -> None:
        if is_regular(words):
            knowledge.record_verdict(words, verdict)
        else:
            knowledge.record_dover_form(words[0], verdict)

    return spend(
        callers, questions(), knowledge, make_request=make_request, cover=asked_under_dover, record_verdict=record
    )


def as_visitors(callers: Sequence[BenchCaller], knowledge: Knowledge) -> Attack:
    """Ask words of most doubt, and then core words, on the front page, from as many addresses as it takes."""
    core = sorted(knowledge.lexicon.core)
    knowledge.rng.shuffle(core)
    for words in (most_doubtful(knowledge, knowledge.lexicon.borderline), ((word,) for word in core)):
        waiting = deque(callers)
        for (word,) in words:
            reply = None
            while waiting and (reply is None or reply.status == 429):
                reply = yield BenchRequest(waiting[0], "/v1/visitors", {"word": word})
                if reply.status == 429:
                    waiting.popleft()
            if reply is None or reply.status == 429:
                break
            if reply.verdict is not None:
                knowledge.record_verdict((word,), reply.verdict)


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
    "re-ask": ask_again,
    "median": flood,
    "median-throttled": throttled,
    "restart": restarted,
    "hidden": hidden,
    "mixture": mixture,
    "dover": dover,
    "core": core,
    "core-in-games": partial(core, first_game=1),
    "core-pseudonyms": core,
    "core-club": core,
    "core-crowd": core,
    "club": borderline,
    "club-hidden": hidden,
    "crowd": crowd,
    "reviews": reviews,
    "guests": play_as_guests,
    "guests-alone": play_as_guests,
    "guests-two-days": partial(play_as_guests, first_games=_GAMES_BEFORE_MIDNIGHT),
    "visitors": as_visitors,
}

CallerKind: TypeAlias = Literal[
    "verified", "unverified", "pseudonyms", "unverified-pseudonyms", "devices", "directors", "guests", "visitors"
]
"""The callers of an attack: home clients, a verified or unverified operator's players, a verified club's devices.

Of `directors` every second device is a director's. `guests` and `visitors` have no key, and an address each.
"""

CALLER_KINDS: Final[dict[str, CallerKind]] = {
    "sybils": "unverified",
    "median": "unverified",
    "median-throttled": "unverified",
    "core-crowd": "unverified",
    "crowd": "unverified",
    "pseudonyms": "pseudonyms",
    "core-pseudonyms": "unverified-pseudonyms",
    "core-club": "devices",
    "club": "devices",
    "club-hidden": "devices",
    "reviews": "directors",
    "guests": "guests",
    "guests-alone": "guests",
    "guests-two-days": "guests",
    "visitors": "visitors",
}
"""The callers of each attack, by its name; all others are made by verified home clients."""
