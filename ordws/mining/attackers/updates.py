"""Asking again after an update, to learn what changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from ordws.mining.attackers.cover_traffic import StealthCover
from ordws.mining.attackers.knowledge import Knowledge
from ordws.mining.attackers.question_order import most_doubtful
from ordws.mining.attackers.scheduler import spend
from ordws.mining.attackers.steps import Attack, BenchCaller, Update


def ask_again(callers: Sequence[BenchCaller], knowledge: Knowledge, words_an_edition: int) -> Attack:
    """Asks so many words, waits for the next edition, and asks the same and as many others of that."""
    cover = StealthCover(knowledge.lexicon, knowledge.rng)
    while True:
        again = [(word,) for word in knowledge.previous_edition]
        yield from spend(callers, again, knowledge, cover=cover)
        others = islice(most_doubtful(knowledge, knowledge.lexicon.borderline), words_an_edition)
        yield from spend(callers, others, knowledge, cover=cover)
        yield Update()
        knowledge.start_next_edition()
