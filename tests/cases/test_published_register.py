"""The register and the yearly counts."""

from __future__ import annotations

import json

from case_steps import NOON, OTHERS, CaseWalk

from ordws.cases import commands
from ordws.cases.state import years_after
from ordws.cases.store import make_register, write_register


def register_of(*walks, now=None, notes=None):
    files = walks[0].files
    pseudonyms = {walk.case: files.subject(walk.state).pseudonym for walk in walks}
    moment = max(walk.now for walk in walks) if now is None else now
    return json.loads(write_register(make_register(files.recorded(), pseudonyms, notes or {}, files.head, moment)))


def test_an_entry_has_a_pseudonym_a_class_and_dates(case_files):
    walk = CaseWalk(case_files)
    walk.until_published()
    (entry,) = register_of(walk)["entries"]
    assert entry == {
        "pseudonym": "Finch",
        "offence": "cheating",
        "first_game": "2026-07-23",
        "last_game": "2026-09-20",
        "decided": "2026-10-06",
        "published": "2026-11-06",
        "looked_at": "2026-11-06",
    }


def test_nothing_is_shown_before_its_time_or_after_it(case_files):
    walk = CaseWalk(case_files)
    walk.until_decided()
    assert register_of(walk)["entries"] == []
    walk.wait(31)
    assert register_of(walk)["entries"] == []
    walk.take(commands.publish)
    assert len(register_of(walk)["entries"]) == 1
    due = years_after(walk.now, 3)
    assert len(register_of(walk, now=due - 1)["entries"]) == 1
    assert register_of(walk, now=due)["entries"] == []
    walk.now = due
    walk.take(commands.review_entry, "It stands.")
    assert register_of(walk, notes={walk.case: "It stands."})["entries"][0]["note"] == "It stands."


def test_an_appeal_that_is_upheld_strikes_the_entry_and_is_counted(case_files):
    walk = CaseWalk(case_files)
    walk.until_published()
    walk.take(commands.appeal, "My brother has played.", is_late=True)
    assert register_of(walk)["entries"] == []
    walk.hear("established", "established", "not-established", panel=OTHERS)
    walk.decide("not-established")
    register = register_of(walk)
    assert register["entries"] == []
    assert register["head"] == case_files.head
    (year,) = register["years"]
    assert {name: count for name, count in year.items() if count} == {
        "year": 2026,
        "opened": 1,
        "notices": 1,
        "established": 1,
        "published": 1,
        "appeals": 1,
        "overturned": 1,
        "struck": 1,
    }


def test_the_entry_of_somebody_under_age_is_withdrawn_and_counted_once(case_files):
    walk = CaseWalk(case_files)
    walk.until_published()
    walk.take(lambda state, now: commands.mark_under_age(state, "The club has shown the date of birth."))
    register = register_of(walk)
    assert register["entries"] == []
    assert [(year["published"], year["struck"]) for year in register["years"]] == [(1, 1)]
    walk.take(commands.appeal, "My brother has played.", is_late=True)
    walk.hear("established", "established", "not-established", panel=OTHERS)
    walk.decide("not-established")
    assert [(year["struck"], year["overturned"]) for year in register_of(walk)["years"]] == [(1, 1)]


def test_steps_are_counted_in_the_year_in_which_they_were_taken(case_files):
    early, late = CaseWalk(case_files), CaseWalk(case_files, pseudonym="Wren", now=NOON + 90 * 86_400)
    early.hear("case-to-answer", "no-case-to-answer", "no-case-to-answer")
    late.until_decided("not-established")
    years = register_of(early, late)["years"]
    assert [(year["year"], year["opened"], year["dismissed"], year["not_established"]) for year in years] == [
        (2026, 2, 1, 0),
        (2027, 0, 0, 1),
    ]
