"""Prizes: whole hundredths, the sum of which is the fund, so that everyone who stayed gets something."""

from __future__ import annotations

from itertools import pairwise

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from sample_events import SampleEvent, played_event

from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.facts import EventSettings, TableResult
from ordws.tournament.prizes import format_money, prizes, share_fund


@st.composite
def ranks(draw: st.DrawFn) -> list[int]:
    """Draw ranks as standings have them: those who are equal share one, and the next follows after all of them."""
    groups = draw(st.lists(st.integers(1, 5), min_size=1, max_size=30))
    found: list[int] = []
    for size in groups:
        found += [len(found) + 1] * size
    return found


@given(ranks(), st.integers(0, 10**9), st.integers(0, 100))
def test_shares_are_exact_and_fall_with_the_rank(places, fund, equal_percent):
    """The sum is the fund; nobody gets less than one behind, or nothing; equals differ by a hundredth at most."""
    try:
        amounts = share_fund(fund, places, equal_percent)
    except BadInput:
        # Nobody is sent home with nothing: a fund that cannot do that is refused.
        assert fund * equal_percent < 100 * len(places)
        return
    assert sum(amounts) == fund
    assert amounts == sorted(amounts, reverse=True)
    assert fund == 0 or min(amounts) > 0
    for (rank, amount), (next_rank, next_amount) in pairwise(zip(places, amounts, strict=True)):
        assert rank != next_rank or amount - next_amount in (0, 1)


@each_row(
    ("fund", "places", "equal_percent", "amounts"),
    [
        (1000, [1, 2, 3, 4], 100, [250, 250, 250, 250]),
        (1001, [1, 2, 3, 4], 100, [251, 250, 250, 250]),
        (1100, [1, 2, 3], 0, [600, 300, 200]),
        (1100, [1, 1, 3], 0, [450, 450, 200]),
        (2200, [1, 2, 3], 50, [967, 667, 566]),
        (0, [1, 2], 50, [0, 0]),
        (10**14, [], 50, []),
    ],
)
def test_shares_by_hand(fund, places, equal_percent, amounts):
    """Half equally and half by 1, 1/2, 1/3: of 2,200 each of three has 366.67, and 600, 300 and 200 beside that."""
    assert share_fund(fund, places, equal_percent) == amounts


def test_fund_that_is_too_small_is_refused():
    """Three cannot share two hundredths so that each gets something."""
    with pytest.raises(BadInput, match=r"prizes of 0\.02 are too small for 3 players"):
        share_fund(2, [1, 2, 3], 50)


def test_prizes_of_an_event():
    """A part of the fees joins the fund, an open case holds a prize back, and who was there too rarely gets none."""
    settings = EventSettings(entry_fee=1500, fee_percent=60, prize_fund=20_000, equal_percent=40, currency="EUR")
    event = SampleEvent(rounds=3, settings=settings)
    event.enter(["Ann", "Ben", "Cy", "Dee", "Eve"])
    event.run(c.Enter(name="Fay"), f.Withdrawn(entrant=6))
    event.play_rounds(1)
    event.run(f.Withdrawn(entrant=5, reason="ill"))
    event.play_rounds(2)
    event.run(f.Frozen(entrant=2, case="2026-1"), f.Finished())
    table = prizes(event.state)
    assert (table.fees, table.from_fees, table.fund) == (7500, 4500, 24_500)
    assert sum([line.amount for line in table.lines]) == 24_500
    assert [line.name for line in table.lines if line.is_held] == ["Ben"]
    assert {line.name for line in table.lines} == {"Ann", "Ben", "Cy", "Dee"}
    assert set(table.without) == {"Eve", "Fay"}
    assert table.is_final


def test_forfeits_are_no_presence():
    """A player who forfeited every game was not there, and the one who came to the table was."""
    event = SampleEvent(rounds=3, settings=EventSettings(prize_fund=1000))
    event.enter(["Ann", "Ben", "Cy", "Dee"])
    for number in (1, 2, 3):
        event.publish()
        table = event.state.open_round.of_entrant(4)
        side = "first" if table.first == 4 else "second"
        event.run(f.Resulted(round=number, table=table.table, result=TableResult(forfeit=side)))
        event.play()
        event.run(f.Closed(round=number))
    assert prizes(event.state).without == ("Dee",)


def test_on_line_event_awards_no_money():
    """Prize money is awarded at the finals in person: an on-line event says what it adds to the fund of its final."""
    settings = EventSettings(on_line=True, entry_fee=500, fee_percent=80)
    table = prizes(played_event(6, 2, settings=settings).state)
    assert (table.goes_to_final, table.fund, table.lines) == (True, 2400, ())


def test_money_is_text_of_whole_numbers():
    """Amounts have thousands and two decimals, and no rounding error however large they are."""
    assert format_money(120450, "EUR") == "EUR 1,204.50"
    assert format_money(10**18 + 1) == "10,000,000,000,000,000.01"
