"""The cap on what those who are not verified learn together that nobody has asked before."""

from __future__ import annotations

import pytest

from ordws.guard.policy import Policy
from ordws.guard.unverified_cap import alarm_level, unverified_cap

TODAY = 1_000


def days(*spent):
    """What was spent on the days before today, the last one yesterday."""
    return dict(zip(range(TODAY - len(spent), TODAY), spent, strict=True))


@pytest.mark.parametrize(
    ("spent", "cap"),
    [
        ({}, 500),
        (days(10), 500),
        (days(*[333] * 28), 500),
        (days(*[334] * 28), 501),
        (days(*[400] * 28), 600),
        (days(100, 300, 400), 500),
        (days(350, 360, 370), 540),
        (days(*[360] * 14, *[380] * 14), 555),
    ],
)
def test_a_cap_is_half_more_than_the_median(spent, cap):
    """Of the last 28 days; never below the floor."""
    assert unverified_cap(Policy(), spent, TODAY) == cap


def test_a_cap_grows_with_the_service_up_to_its_ceiling():
    """Day after day at four fifths of its cap a service comes to the ceiling, and no further."""
    for ceiling in (1_500, 900):
        policy, spent = Policy(world_ceiling=ceiling), {}
        for day in range(TODAY - 200, TODAY):
            spent[day] = unverified_cap(policy, spent, day) * 4 // 5
        assert unverified_cap(policy, spent, TODAY) == ceiling


def test_a_day_near_its_cap_does_not_count():
    """401 of 500 is above four fifths; 400 is not."""
    assert unverified_cap(Policy(), days(*[400] * 28), TODAY) == 600
    assert unverified_cap(Policy(), days(*[401] * 28), TODAY) == 500


def test_a_flood_does_not_raise_the_cap():
    """120 days on which everything is spent leave it where quiet days had it, and then at its floor."""
    spent = days(*[360] * 28)
    caps = []
    for day in range(TODAY, TODAY + 120):
        caps.append(unverified_cap(Policy(), spent, day))
        spent[day] = caps[-1]
    assert set(caps[:28]) == {540}
    assert set(caps[28:]) == {500}


def test_days_that_are_long_past_do_not_count():
    """Nor does today, or what a wrong clock wrote for tomorrow."""
    assert unverified_cap(Policy(), {TODAY - 29: 380, TODAY: 380, TODAY + 1: 380}, TODAY) == 500
    assert unverified_cap(Policy(), {TODAY - 28: 380}, TODAY) == 570


def test_a_keeper_is_told_at_four_fifths():
    """Before anybody is refused."""
    assert alarm_level(500) == 400
