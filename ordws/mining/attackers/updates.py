"""Asking again after an update, to learn what changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from ordws.mining.attackers.mimicry import Watched
from ordws.mining.attackers.mind import Mind
from ordws.mining.attackers.orders import most_doubtful
from ordws.mining.attackers.spending import spend
from ordws.mining.attackers.steps import Attack, Caller, Update


def ask_again(callers: Sequence[Caller], mind: Mind, words_an_edition: int) -> Attack:
    """Asks so many words, waits for the next edition, and asks the same and as many others of that."""
    cover = Watched(mind.world, mind.rng)
    while True:
        again = [(word,) for word in mind.before]
        yield from spend(callers, again, mind, cover=cover)
        others = islice(most_doubtful(mind, mind.world.borderline), words_an_edition)
        yield from spend(callers, others, mind, cover=cover)
        yield Update()
        mind.forget()
