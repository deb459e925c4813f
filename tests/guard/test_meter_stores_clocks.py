"""The contract of a meter store under clocks that jump: no budget becomes whole again."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordws.errors import StoreDown
from ordws.guard.gate import Admitted, Refused
from ordws.guard.policy import DAY
from ordws.guard.price import Charge, Meter

HOUR = 3_600
NEW = frozenset()
UNITS = Meter("me/1/units", 3, 2_000)


def charge(*meters, amounts=None):
    return Charge(meters, amounts or {}, ())


def one(meter=UNITS):
    return charge(meter, amounts={meter.name: 1})


@pytest.mark.parametrize(
    ("jump", "is_served"), [(-HOUR, True), (-DAY, True), (-DAY - HOUR, False), (-2 * DAY, False), (9 * DAY, True)]
)
def test_a_clock_may_go_back_by_a_day(store, jump, is_served):
    """A clock may go back by a day; further back nothing is admitted, since budgets may have been deleted."""
    there = 100 * DAY
    store.admit(charge(), there)
    if is_served:
        assert store.admit(charge(), there + jump) == Admitted(NEW)
    else:
        with pytest.raises(StoreDown, match="the clock stands more than a day before"):
            store.admit(charge(), there + jump)
        assert store.admit(charge(), there) == Admitted(NEW)


def test_a_wrong_clock_forgets_nothing(store):
    """A sweep by a clock that is far ahead keeps the budgets of the days on which questions were admitted."""
    today = Meter("me/100/units", 1, 101 * DAY)
    store.admit(one(today), 100 * DAY)
    store.sweep(200 * DAY)
    assert store.admit(one(today), 100 * DAY) == Refused("me/100/units", DAY)


JUMPS = st.lists(
    st.tuples(st.sampled_from([0, 1, HOUR, DAY // 2, DAY, 2 * DAY, 9 * DAY]), st.sampled_from([1, -1]), st.booleans()),
    min_size=5,
    max_size=40,
)


@settings(max_examples=40, deadline=None)
@given(JUMPS)
def test_no_jump_of_the_clock_restores_a_budget(shared_backend, jumps):
    """Over any jumps forward and back, with sweeps between, no day's budget admits more than its limit."""
    shared_backend.empty()
    store, now, spent = shared_backend.create(), 100 * DAY, Counter()
    for by, sign, is_swept in jumps:
        now += by * sign
        day = now // DAY
        if is_swept:
            store.sweep(now)
        for _ in range(2):
            try:
                outcome = store.admit(one(Meter(f"me/{day}/units", 3, (day + 1) * DAY)), now)
            except StoreDown:
                continue
            spent[day] += isinstance(outcome, Admitted)
    store.close()
    assert max(spent.values(), default=0) <= 3


def test_a_late_question_finds_its_budget_as_it_was(store):
    """A question asked before midnight that comes after another worker's sweep is charged to its own day."""
    spent = charge(UNITS, amounts={UNITS.name: UNITS.limit})
    store.admit(spent, UNITS.ends - 1)
    store.sweep(UNITS.ends)
    assert store.admit(one(), UNITS.ends - 1) == Refused("me/1/units", 1)
