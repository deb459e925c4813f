"""In which order words are asked, one by one or together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

from ordws.mining.attackers.mind import Mind
from ordws.mining.attackers.steps import Words


def alphabetical(mind: Mind) -> Iterator[Words]:
    """Every word of the dictionary, A to Z."""
    for word in mind.world.words:
        yield (word,)


def most_doubtful(mind: Mind, words: Iterable[str]) -> Iterator[Words]:
    """The word of which least can be said, again and again; an answer casts another light on its whole family."""
    among = dict.fromkeys(sorted(words))
    chance = mind.rng.random
    heap = [(-mind.doubt(word), chance(), word) for word in among]
    heapify(heap)
    while heap:
        doubt, _, word = heappop(heap)
        if mind.is_known(word) or doubt != -mind.doubt(word):
            continue
        yield (word,)
        for other in mind.family(word):
            if other in among and not mind.is_known(other):
                heappush(heap, (-mind.doubt(other), chance(), other))


def heads_first(mind: Mind) -> Iterator[Words]:
    """The base of each family, the most doubtful first; then the forms of which the base does not say enough."""
    borderline = mind.world.borderline
    heads = [family[0] for family in mind.world.families if len(family) > 1 and family[0] in borderline]
    yield from most_doubtful(mind, heads)
    yield from most_doubtful(mind, borderline)


def together(mind: Mind, words: Sequence[str], size: int, least: float = 0.0) -> Iterator[Words]:
    """Up to so many words at a time, fewer where all are too unlikely to be in; a no is halved until it is clear."""
    group: list[str] = []
    chance = 1.0
    for word in words:
        if mind.is_known(word):
            continue
        if group and (len(group) == size or chance * mind.chance(word) < least):
            yield from halved(mind, tuple(group))
            group, chance = [], 1.0
        group.append(word)
        chance *= mind.chance(word)
    if group:
        yield from halved(mind, tuple(group))


def halved(mind: Mind, words: Words) -> Iterator[Words]:
    """The questions that settle all of these words, none of which could be answered without asking."""
    if mind.ledger.verdict(words) is None:
        yield words
    unsettled = tuple([word for word in words if not mind.is_known(word)])
    if unsettled:
        half = (len(unsettled) + 1) // 2 if unsettled == words else len(unsettled)
        yield from halved(mind, unsettled[:half])
        yield from halved(mind, unsettled[half:])


def likely_families(mind: Mind) -> list[str]:
    """All that are not core, the likely ones first, those of a family side by side."""
    borderline = mind.world.borderline
    families = [[word for word in family if word in borderline] for family in mind.world.families]
    families.sort(key=lambda family: -sum(map(mind.world.prior, family)) / (len(family) or 1))
    return [word for family in families for word in family]


def likely(mind: Mind) -> list[str]:
    """All that are not core, the likely ones first, and otherwise in no order."""
    words = sorted(mind.world.borderline)
    mind.rng.shuffle(words)
    return sorted(words, key=lambda word: -mind.world.prior(word))
