"""Identities and questions for tests of the gate, charged as the API does it."""

from __future__ import annotations

from dataclasses import replace

from ordws.guard.charge import Identity, Question, Refused
from ordws.guard.policy import DAY, Policy

NOON = 1_795_262_400
MIDNIGHT = NOON + DAY // 2
CORE = frozenset({"CAT", "PLAY"})
HOME = Identity("1", NOON - 40 * DAY)
OTHER = Identity("2", NOON - 40 * DAY)
CLUB = Identity("3", NOON - 40 * DAY, "ann")
ALARMING = Policy(world_floor=10_000, world_ceiling=10_000)
"""A policy for tests that do not concern the shared cap."""
PLENTY = replace(ALARMING, tightened_percent=100)
"""A policy for tests that do not concern alarms either, which reduce nothing here."""


def words(first, count):
    """Return words that are in no list: four letters, counted, far from each other in the alphabet."""
    letters = [[chr(65 + n // place % 26) for place in (1, 26, 676)] for n in range(first, first + count)]
    return tuple(["".join([*three, "X"]) for three in letters])


def ask(gate, identity, *words_asked, game=None, turn=None, edition=1, now=NOON, core_list=CORE):
    """Ask a question; return the budget that refused it, or None if it was answered."""
    outcome = gate.admit(identity, Question(words_asked, edition, game, turn), core_list, now)
    return outcome.budget if isinstance(outcome, Refused) else None


def left(gate, identity, game=None, now=NOON, **place):
    return {allowance.budget: allowance.left for allowance in gate.quota(identity, game, now, **place)}
