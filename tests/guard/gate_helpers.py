"""Identities and questions for tests of the gate, charged and settled as the API does it."""

from __future__ import annotations

from ordws.guard.gate import Refused
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import Identity, Question

NOON = 1_795_262_400
MIDNIGHT = NOON + DAY // 2
CORE = frozenset({"CAT", "PLAY"})
HOME = Identity("1", NOON - 40 * DAY)
OTHER = Identity("2", NOON - 40 * DAY)
CLUB = Identity("3", NOON - 40 * DAY, "ann")
PLENTY = Policy(world_floor=10_000, world_ceiling=10_000)
"""A policy for tests that do not concern the shared cap."""


def words(first, count):
    """Return words that are in no list: four letters, counted, far from each other in the alphabet."""
    letters = [[chr(65 + n // place % 26) for place in (1, 26, 676)] for n in range(first, first + count)]
    return tuple(["".join([*three, "X"]) for three in letters])


def ask(gate, identity, *words_asked, game=None, turn=None, edition=1, now=NOON, verdict=True, core_list=CORE):
    """Ask a question and settle it; return the budget that refused it, or None if it was answered."""
    outcome = gate.admit(identity, Question(words_asked, edition, game, turn), core_list, now)
    if isinstance(outcome, Refused):
        return outcome.budget
    if verdict is not None:
        gate.settle(outcome, verdict, now)
    return None


def left(gate, identity, game=None, now=NOON, **place):
    return {allowance.budget: allowance.left for allowance in gate.quota(identity, game, now, **place)}
