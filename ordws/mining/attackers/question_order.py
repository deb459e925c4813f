"""In which order words are asked, one by one or together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

from ordws.mining.attackers.knowledge import Knowledge
from ordws.mining.attackers.steps import Words


def alphabetical(knowledge: Knowledge) -> Iterator[Words]:
    """Every word of the dictionary, A to Z."""
    for word in knowledge.lexicon.words:
        yield (word,)


def most_doubtful(knowledge: Knowledge, words: Iterable[str]) -> Iterator[Words]:
    """The word of which least can be said, again and again; an answer casts another light on its whole family."""
    among = dict.fromkeys(sorted(words))
    chance = knowledge.rng.random
    heap = [(-knowledge.entropy(word), chance(), word) for word in among]
    heapify(heap)
    while heap:
        doubt, _, word = heappop(heap)
        if knowledge.is_known(word) or doubt != -knowledge.entropy(word):
            continue
        yield (word,)
        for other in knowledge.family(word):
            if other in among and not knowledge.is_known(other):
                heappush(heap, (-knowledge.entropy(other), chance(), other))


def base_words_first(knowledge: Knowledge) -> Iterator[Words]:
    """The base of each family, the most doubtful first; then the forms of which the base does not say enough."""
    borderline = knowledge.lexicon.borderline
    heads = [family[0] for family in knowledge.lexicon.families if len(family) > 1 and family[0] in borderline]
    yield from most_doubtful(knowledge, heads)
    yield from most_doubtful(knowledge, borderline)


def in_groups(knowledge: Knowledge, words: Sequence[str], size: int, min_chance: float = 0.0) -> Iterator[Words]:
    """Up to so many words at a time, fewer where all are too unlikely to be in; a no is halved until it is clear."""
    group: list[str] = []
    chance = 1.0
    for word in words:
        if knowledge.is_known(word):
            continue
        if group and (len(group) == size or chance * knowledge.chance(word) < min_chance):
            yield from bisected(knowledge, tuple(group))
            group, chance = [], 1.0
        group.append(word)
        chance *= knowledge.chance(word)
    if group:
        yield from bisected(knowledge, tuple(group))


def bisected(knowledge: Knowledge, words: Words) -> Iterator[Words]:
    """The questions that settle all of these words, none of which could be answered without asking."""
    if knowledge.inference.implied_verdict(words) is None:
        yield words
    unsettled = tuple([word for word in words if not knowledge.is_known(word)])
    if unsettled:
        half = (len(unsettled) + 1) // 2 if unsettled == words else len(unsettled)
        yield from bisected(knowledge, unsettled[:half])
        yield from bisected(knowledge, unsettled[half:])


def families_by_likelihood(knowledge: Knowledge) -> list[str]:
    """All that are not core, the likely ones first, those of a family side by side."""
    borderline = knowledge.lexicon.borderline
    families = [[word for word in family if word in borderline] for family in knowledge.lexicon.families]
    families.sort(key=lambda family: -sum(map(knowledge.lexicon.prior, family)) / (len(family) or 1))
    return [word for family in families for word in family]


def words_by_likelihood(knowledge: Knowledge) -> list[str]:
    """All that are not core, the likely ones first, and otherwise in no order."""
    words = sorted(knowledge.lexicon.borderline)
    knowledge.rng.shuffle(words)
    return sorted(words, key=lambda word: -knowledge.lexicon.prior(word))
