"""Seasons: who is invited to which final, by rank and one final a year."""

from __future__ import annotations

import pytest
from each_row import each_row
from sample_events import SampleEvent, played_event

from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.facts import SideResult, TableResult
from ordws.tournament.season import Season, SeasonQuarter, invitations, read_season
from ordws.tournament.standings import standings


def finished(players: int = 8) -> SampleEvent:
    event = played_event(players, 5)
    event.run(f.Finished())
    return event


SEASON = Season("2027", 3, (SeasonQuarter("spring.db", "one.db"), SeasonQuarter("summer.db", "two.db")))
FINISHED = finished()
ORDER = [line.name for line in standings(FINISHED.state)]


def test_top_finishers_are_invited():
    """The seats go to the first of the standings, down to the last seat."""
    events = {"spring.db": FINISHED.state, "two.db": SampleEvent().state}
    found = invitations(SEASON, 1, events)
    assert [(each.rank, each.name, each.status) for each in found] == [
        (1, ORDER[0], "invited"),
        (2, ORDER[1], "invited"),
        (3, ORDER[2], "invited"),
    ]


def test_one_final_a_year():
    """Who takes part in another final of the season is passed over, as is who declines; the next in rank is invited."""
    other = SampleEvent()
    other.enter([ORDER[0].upper(), ORDER[3]])
    other.run(f.Withdrawn(entrant=2))
    season = Season("2027", 3, (SEASON.quarter[0], SeasonQuarter("summer.db", "two.db", (ORDER[1],))))
    found = invitations(season, 2, {"summer.db": FINISHED.state, "one.db": other.state})
    assert [(each.name, each.status) for each in found] == [
        (ORDER[0], "other-final"),
        (ORDER[1], "declined"),
        (ORDER[2], "invited"),
        (ORDER[3], "invited"),
        (ORDER[4], "invited"),
    ]


@each_row(
    ("here", "there", "status"),
    [("A-1", "A-1", "other-final"), ("A-1", "", "other-final"), ("", "A-1", "other-final"), ("A-1", "B-2", "invited")],
)
def test_two_people_of_one_name(here, there, status):
    """Somebody of the same name with another member number is another person, and keeps nobody from a final."""
    event, other = finished(), SampleEvent()
    number = next(line.entrant for line in standings(event.state) if line.name == ORDER[0])
    event.run(c.Rename(entrant=number, member=here))
    other.run(c.Enter(name=ORDER[0], member=there))
    (first, *_) = invitations(SEASON, 1, {"spring.db": event.state, "two.db": other.state})
    assert (first.name, first.status, first.member) == (ORDER[0], status, here)
    assert "member" not in first.to_json()


def test_equals_at_the_last_seat_are_all_invited():
    """Nothing but win % and PPT breaks a tie, so that nobody is left out by lot."""
    event = SampleEvent(rounds=1)
    event.enter(["Ann", "Ben", "Cy", "Dee"])
    event.publish()
    for table in (1, 2):
        pairing = event.state.open_round.at_table(table)
        result = TableResult(first=SideResult(400, 400, 13), second=SideResult(380, 380, 13))
        event.run(f.Resulted(round=1, table=pairing.table, result=result))
    event.run(f.Closed(round=1), f.Frozen(entrant=1, case="2027-1"), f.Finished())
    season = Season("2027", 1, (SeasonQuarter("e.db"),))
    found = invitations(season, 1, {"e.db": event.state})
    assert [(each.rank, each.status) for each in found] == [(1, "invited"), (1, "invited")]
    assert [each.has_open_case for each in found] == [each.name == "Ann" for each in found]


def test_event_has_to_be_over():
    """Nobody is invited while ranks may change, or while the file names somebody who did not play."""
    running = played_event(4, 2).state
    with pytest.raises(BadInput, match='"Autumn Open" is not finished'):
        invitations(Season("2027", 1, (SeasonQuarter("e.db"),)), 1, {"e.db": running})
    with pytest.raises(BadInput, match='"Anne Other" is no entrant'):
        invitations(Season("2027", 1, (SeasonQuarter("e.db", "", ("Anne Other",)),)), 1, {"e.db": FINISHED.state})
    with pytest.raises(BadInput, match='"2027" has no quarter 2: its quarters are 1 to 1'):
        Season("2027", 1, (SeasonQuarter("e.db"),)).get_quarter(2)


@each_row(
    ("text", "problem"),
    [
        ("name = 2027\nseats = 3", "Expected `str`, got `int` - at `$.name`"),
        ('name = "x"\nseats = 0', "0 seats: expected 1 to 100,000"),
        ('name = "x"\nseats = 1\nprize = 2', "unknown field `prize`"),
        ("name = ", "Invalid value"),
    ],
)
def test_bad_season_file_is_refused(text, problem):
    """A file that is no season is refused with what is wrong, and where."""
    with pytest.raises(BadInput, match=r"2027\.toml: ") as refused:
        read_season(text, file="2027.toml")
    assert problem in str(refused.value)
