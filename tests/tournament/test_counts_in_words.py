"""Sentences with a count: one is one, and several are several."""

from __future__ import annotations

import pytest
from event_driver import DrivenEvent, result

from ordws.desk.deeds import describe_field, plan_deed
from ordws.desk.views import view_phase, warn_of_rounds
from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.decide_rounds import check_may_draft
from ordws.tournament.results import find_doubts


def test_the_phase_counts_what_is_missing():
    """One result is missing, and two are."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.publish()
    assert view_phase(event.state).detail == "2 of 2 results are missing."
    event.do(f.Resulted(round=1, table=1, result=result()))
    assert view_phase(event.state).detail == "1 of 2 results is missing."


def test_the_phase_counts_who_is_there():
    """One has entered, and is checked in; one round was played."""
    event = DrivenEvent("Ann", rounds=1)
    assert view_phase(event.state).detail == "1 has entered, 1 is checked in."
    event.do(c.Enter(name="Ben"))
    assert view_phase(event.state).detail == "2 have entered, 1 is checked in."
    assert plan_deed(event.state, "check-in", {"all": "yes"}).said == "1 is checked in."
    assert describe_field(event.state) == "2 have entered."
    event.do(f.CheckedIn(entrant=2), c.Configure(rounds=2))
    assert warn_of_rounds(event.state).startswith("2 rounds are planned and everyone has 1 opponent: some")
    event.do(c.Configure(rounds=1))
    event.play_round()
    with pytest.raises(BadInput, match="the 1 round that was planned is played"):
        check_may_draft(event.state)
    event.do(f.Finished())
    assert view_phase(event.state).detail == "1 round was played."


def test_the_history_counts():
    """An event of one round with one pairing is told so."""
    event = DrivenEvent("Ann", "Ben", rounds=1)
    event.publish()
    assert event.words()[0].startswith('the event "Club" of 1 round by the rules')
    assert event.words()[-1].startswith("round 1 was published with 1 pairing,")


def test_a_doubt_counts_turns():
    """One turn is asked about as one."""
    assert find_doubts(result("99:99/1", "5:5/1")) == ["the first player has 99 points in 1 turn, 99 a turn"]
