"""Tests of the bounds that the benchmark holds its attackers to."""

from __future__ import annotations

from ordws.guard.policy import Policy
from tests.mining.bounds import bounds_of


def test_verified_identities_have_the_sum_of_their_budgets():
    """One verified identity learns at most 356 words and 540 core words; ten learn ten times that."""
    assert bounds_of(Policy(), "verified", 1, 500) == (356, 540)
    assert bounds_of(Policy(), "verified", 10, 500) == (3_560, 5_400)


def test_an_operator_has_its_total():
    """However many players or devices ask, an operator learns at most its totals."""
    assert bounds_of(Policy(), "pseudonyms", 60, 500) == (2_000, 4_600)
    assert bounds_of(Policy(), "devices", 43, 500) == (2_000, 4_600)
    assert bounds_of(Policy(), "devices", 2, 500) == (712, 1_080)


def test_unverified_clients_share_the_cap():
    """Each unverified client takes a quarter of what is left to it, or two games' worth, until nothing is left."""
    assert bounds_of(Policy(), "unverified", 1, 500) == (125, 500)
    assert bounds_of(Policy(), "unverified-pseudonyms", 60, 500) == (125, 500)
    assert bounds_of(Policy(), "unverified", 2, 500) == (125 + 93, 500 + 375)
    assert bounds_of(Policy(), "unverified", 100, 500) == (500, 2_000)
