"""The limits and the bound."""

from __future__ import annotations

from ordws.guard.policy import Policy


def test_the_theorem():
    """An identity learns at most 12 x 28 + 20 = 356 words in a day. (GUARD, decision 3)"""
    assert Policy().units_a_day == 356


def test_the_theorem_follows_the_policy():
    """The bound is computed from the limits, so an edited policy states its own."""
    assert Policy(games_a_day=2, units_a_game=10, outside_a_day=5).units_a_day == 25
