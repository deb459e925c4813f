"""Tests of the cap on words new to the world that unverified callers learn together."""

from __future__ import annotations

from each_row import each_row

from ordws.guard.policy import Policy, alarm_level, unverified_cap

TODAY = 1_000


def days(*spent):
    """Return the units spent on the days before today, the last one yesterday."""
    return dict(zip(range(TODAY - len(spent), TODAY), spent, strict=True))


@each_row(
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
    """The cap is half more than the median of the last 28 days, and never below the floor."""
    assert unverified_cap(Policy(), spent, TODAY) == cap


def test_a_cap_grows_with_the_service_up_to_its_ceiling():
    """A service at four fifths of its cap day after day reaches the ceiling, and no more."""
    for ceiling in (1_500, 900):
        policy, spent = Policy(world_ceiling=ceiling), {}
        for day in range(TODAY - 200, TODAY):
            spent[day] = unverified_cap(policy, spent, day) * 4 // 5
        assert unverified_cap(policy, spent, TODAY) == ceiling


def test_a_day_near_its_cap_does_not_count():
    """A day with more than four fifths of its cap does not enter the median."""
    assert unverified_cap(Policy(), days(*[400] * 28), TODAY) == 600
    assert unverified_cap(Policy(), days(*[401] * 28), TODAY) == 500


def test_a_flood_does_not_raise_the_cap():
    """A flood of 120 days leaves the cap where quiet days had it, and then at its floor."""
    spent = days(*[360] * 28)
    caps = []
    for day in range(TODAY, TODAY + 120):
        caps.append(unverified_cap(Policy(), spent, day))
        spent[day] = caps[-1]
    assert set(caps[:28]) == {540}
    assert set(caps[28:]) == {500}


def test_days_that_are_long_past_do_not_count():
    """Days more than 28 days ago, today, and days to come do not enter the median."""
    assert unverified_cap(Policy(), {TODAY - 29: 380, TODAY: 380, TODAY + 1: 380}, TODAY) == 500
    assert unverified_cap(Policy(), {TODAY - 28: 380}, TODAY) == 570


def test_the_alarm_is_at_four_fifths():
    """Keepers are alarmed at four fifths of the cap, before anybody is refused."""
    assert alarm_level(500) == 400
