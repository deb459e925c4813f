"""The order in which words are asked, one by one or together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

from tests.mining.attackers.knowledge import Knowledge
from tests.mining.attackers.steps import Words


def alphabetical(knowledge: Knowledge) -> Iterator[Words]:
    """Yield every word of the dictionary, A to Z."""
    for word in knowledge.lexicon.words:
        yield (word,)


def most_doubtful(knowledge: Knowledge, words: Iterable[str]) -> Iterator[Words]:
    """Yield the most uncertain word, again and again; each answer changes the probabilities of its whole family."""
    candidates = dict.fromkeys(sorted(words))
    random = knowledge.rng.random
    heap = [(-knowledge.entropy(word), random(), word) for word in candidates]
    heapify(heap)
    while heap:
        entropy, _, word = heappop(heap)
        # An entry with an old entropy has been pushed again with the new one.
        if knowledge.is_known(word) or entropy != -knowledge.entropy(word):
            continue
        yield (word,)
        for other in knowledge.family(word):
            if other in candidates and not knowledge.is_known(other):
                heappush(heap, (-knowledge.entropy(other), random(), other))


def base_words_first(knowledge: Knowledge) -> Iterator[Words]:
    """Yield the base of each family, the most uncertain first, then the forms that the base leaves uncertain."""
    borderline = knowledge.lexicon.borderline
    bases = [family[0] for family in knowledge.lexicon.families if len(family) > 1 and family[0] in borderline]
    yield from most_doubtful(knowledge, bases)
    yield from most_doubtful(knowledge, borderline)


def in_groups(knowledge: Knowledge, words: Sequence[str], size: int, min_chance: float = 0.0) -> Iterator[Words]:
    """Yield up to `size` words at a time, fewer if all are too unlikely to be in together; halve a group after a no."""
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
    """Yield the questions that settle all of these words, without those whose answer is implied."""
    if knowledge.inference.implied_verdict(words) is None:
        yield words
    unsettled = tuple([word for word in words if not knowledge.is_known(word)])
    if unsettled:
        half = (len(unsettled) + 1) // 2 if unsettled == words else len(unsettled)
        yield from bisected(knowledge, unsettled[:half])
        yield from bisected(knowledge, unsettled[half:])


def families_by_likelihood(knowledge: Knowledge) -> list[str]:
    """Return all words outside the core list, likely families first, the words of a family side by side."""
    borderline = knowledge.lexicon.borderline
    families = [[word for word in family if word in borderline] for family in knowledge.lexicon.families]
    families.sort(key=lambda family: -sum(map(knowledge.lexicon.prior, family)) / (len(family) or 1))
    return [word for family in families for word in family]


def words_by_likelihood(knowledge: Knowledge) -> list[str]:
    """Return all words outside the core list, likely ones first, and otherwise in random order."""
    words = sorted(knowledge.lexicon.borderline)
    knowledge.rng.shuffle(words)
    return sorted(words, key=lambda word: -knowledge.lexicon.prior(word))


def forms_by_bases(knowledge: Knowledge) -> list[str]:
    """Return the forms that Dover may make of bases outside the core list, those with most such bases first."""
    lexicon = knowledge.lexicon
    told = {form: len(set(bases) - lexicon.core) for form, bases in lexicon.dover_bases.items()}
    forms = sorted([form for form, count in told.items() if count])
    knowledge.rng.shuffle(forms)
    return sorted(forms, key=lambda form: (-told[form], -lexicon.tiers[form]))
