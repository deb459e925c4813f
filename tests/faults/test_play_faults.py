"""Games on line go on through faults; `make play-faults` does the same two hundred times, at full length."""

from __future__ import annotations

import math

import pytest
from play_runs import FAULTS, ROUND_TRIPS, TURNS, open_hall, run_clocks, run_faults

pytestmark = pytest.mark.long

BUSY_MACHINE_SECONDS = 0.2
ATTEMPTS = 5
"""The games at each distance, of which one has to meet a machine that is no busier."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory):
    with open_hall(tmp_path_factory.mktemp("hall")) as hall:
        yield hall


def test_no_turn_is_lost_or_doubled_by_a_fault(hall):
    """Players who lose their network, sleep or lose their worker go on, and each of their moves stands once."""
    done = run_faults(hall, len(FAULTS), 0.4, think=20)
    assert (done.turns, done.astray) == (len(FAULTS) * (2 * TURNS + 1), 0)
    assert {*done.back_seconds} == {*FAULTS}


def test_clocks_do_not_run_for_the_network(hall):
    """A clock runs for the thinking, and for what the credit leaves of two round trips: to see a move, to answer."""
    least = dict.fromkeys(ROUND_TRIPS, math.inf)
    for _ in range(ATTEMPTS):
        report = run_clocks(hall, 4, 20)
        least = {trip: min(over, report.over_seconds[trip]) for trip, over in least.items()}
        if all(over <= max(0.0, 2 * trip - 0.25) + BUSY_MACHINE_SECONDS for trip, over in least.items()):
            return
    raise AssertionError(least)
