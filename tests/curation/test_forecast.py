"""The forecast of the evenings that are left, and the time that a card takes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from voted_families import ballots, voted

from ordws.curation.forecast import (
    CardTime,
    Forecast,
    ForecastPoint,
    burn_down,
    card_times,
    forecast,
    votes_per_decision,
)


def test_a_steady_panel_is_forecast_to_the_evening() -> None:
    """200 cards an evening, a tenth of them checks, at 2 votes a family decide 90 families: 900 take ten."""
    found = forecast(900, [200, 200, 200], 2.0)
    assert found is not None
    assert found.families_per_evening == pytest.approx(90)
    assert (found.earliest, found.evenings, found.latest) == (10, 10, 10)
    assert found.fan[0] == ForecastPoint(0, 900, 900, 900)
    assert found.fan[3].middle == pytest.approx(630)
    assert found.sentence == "about 10 more evenings"


def test_an_uneven_panel_is_forecast_with_an_interval() -> None:
    """After 45, 90 and 135 families, the next evening decides 90, give or take 1.28*45*sqrt(1 + 1/3)."""
    found = forecast(900, [100, 200, 300], 2.0)
    assert found is not None
    assert found.evenings == 10
    assert found.fan[1] == pytest.approx((1, 810 - 66.59, 810, 810 + 66.59), abs=0.01)
    assert (found.earliest, found.latest) == (7, 17)


@each_row("cards", [[], [200], [200, 200]])
def test_no_forecast_before_three_evenings(cards: list[int]) -> None:
    """Two evenings are too few for a forecast."""
    assert forecast(900, cards, 2.0) is None


def test_the_pace_is_that_of_the_last_evenings() -> None:
    """The pace is that of the last twenty evenings."""
    assert forecast(900, [5] * 30 + [200] * 20, 2.0) == forecast(900, [200] * 20, 2.0)


@each_row(
    ("evenings", "sentence"),
    [
        (None, "many more evenings"),
        (0, "nothing is left"),
        (1, "about one more evening"),
        (12, "about 12 more evenings"),
    ],
)
def test_the_forecast_is_shown_as_a_sentence(evenings: int | None, sentence: str) -> None:
    """The forecast is shown to curators as a sentence."""
    assert Forecast(5, 1.0, None, evenings, None, ()).sentence == sentence


def test_an_end_beyond_a_thousand_evenings_is_none() -> None:
    """An end beyond a thousand evenings is None, for a panel that is too uneven or too slow."""
    wild, slow = forecast(900, [1, 1, 600], 2.0), forecast(10**6, [1, 1, 1], 2.0)
    assert wild is not None
    assert slow is not None
    assert (wild.evenings, wild.latest) == (10, None)
    assert (slow.evenings, slow.sentence) == (None, "many more evenings")


@given(st.integers(0, 50_000), st.lists(st.integers(1, 2_000), min_size=3, max_size=30), st.floats(2, 5))
def test_a_fan_never_crosses_or_rises(families: int, cards: list[int], votes: float) -> None:
    """Lowest, expected and highest stay in order, the expected number never rises, and none is below zero."""
    found = forecast(families, cards, votes)
    assert found is not None
    assert all(0 <= each.low <= each.middle <= each.high for each in found.fan)
    middles = [each.middle for each in found.fan]
    assert middles == sorted(middles, reverse=True)
    assert found.evenings is None or found.earliest is not None


def test_votes_a_decision_begin_with_the_simulated_panel() -> None:
    """The votes per decision are 2.44 at first; each decision moves them by its votes, late ones aside."""
    assert votes_per_decision([]) == pytest.approx(2.44)
    assert votes_per_decision([voted("ann+ ben+")] * 50) == pytest.approx(2.22)
    late = voted("ann+ ben+ cleo+ dora+ emil-")
    assert votes_per_decision([late] * 50) == pytest.approx(2.22)
    doubted = voted("ann+ ben? cleo- dora+ emil+")
    assert votes_per_decision([doubted] * 50) == pytest.approx((2.44 + 5) / 2)


def test_votes_on_an_open_family_do_not_change_the_forecast() -> None:
    """Votes on an open family change neither the pace nor the number of open families."""
    before, after = [voted(""), voted("ann+ ben+", "ZORIL")], [voted("ann+ ben-"), voted("ann+ ben+", "ZORIL")]
    assert votes_per_decision(before) == votes_per_decision(after)
    assert burn_down(before, {}) == burn_down(after, {}) == [("", 2), ("2026-11-21", 1)]


def test_families_burn_down_by_the_day_of_their_decision() -> None:
    """A family burns down on the day of its deciding vote, or of the adoption of its class."""
    decided = voted("ann+ ben+", "A")
    late = replace(decided, ballots=(*decided.ballots, *ballots("A", "cleo+", "2027-01-01T00:00:00Z")))
    ruled, open_one = voted("", "B", decided_by_class="re-verb"), voted("ann+", "C")
    early = voted("ann- ben-", "D", at="2026-11-02T20:00:00Z")
    found = burn_down([late, ruled, open_one, early], {"B": "2026-12-24", "C": "2026-12-24"})
    assert found == [("", 4), ("2026-11-02", 3), ("2026-11-21", 2), ("2026-12-24", 1)]


def test_effort_is_a_median_of_cards_under_a_minute() -> None:
    """Cards of more than a minute are left out of the median; all curators together have an empty name."""
    found = card_times([("ann", 4.0), ("ann", 60.0), ("ann", 60.1), ("ben", 6.0)])
    assert found == {"": CardTime(3, 6.0), "ann": CardTime(2, 32.0), "ben": CardTime(1, 6.0)}
    assert card_times([]) == {}
