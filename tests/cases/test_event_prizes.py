"""Prizes wait in the files of events from the notice of a case on, and are let go when it led to nothing."""

from __future__ import annotations

from contextlib import closing

import pytest
from case_steps import DECIDING, NOON, PANEL, CaseWalk

from ordws.cases import commands
from ordws.cases.event_prizes import entrants_of_player, find_entrant, is_entrant_minor, sync_prizes
from ordws.cases.store import write_register
from ordws.errors import Missing
from ordws.retention import DAY
from ordws.tournament.commands import Enter
from ordws.tournament.facts import (
    CheckedIn,
    Closed,
    Created,
    EventPairing,
    EventSettings,
    Finished,
    Frozen,
    Published,
    Resulted,
    SideResult,
    TableResult,
)
from ordws.tournament.personal_data import event_pseudonym, export_entrant, person_pseudonym
from ordws.tournament.store import EventFile

KEY = bytes(range(32))


@pytest.fixture
def event(tmp_path):
    """An event in which Finch is the second of two entrants, and under age."""
    path = tmp_path / "open.db"
    begin = Created(name="Open", rules="scrabble-i", rounds=3, seed=7)
    with closing(EventFile.create(path, begin, actor="Dan", now=NOON)) as file:
        file.apply(Enter(name="Wren"), Enter(name="Finch", minor=True), actor="Dan", now=NOON)
    return path


def held(path):
    with closing(EventFile.open(path)) as file:
        return {entrant.name: set(entrant.cases) for entrant in file.state.entrants.values()}


def test_a_prize_waits_from_the_notice_to_the_end_of_the_case(event, case_files):
    """A case holds nothing before its notice; it lets go what it held where the pattern is not established."""
    walk = CaseWalk(case_files)
    entrant = find_entrant(event, "Finch")
    assert is_entrant_minor(event, entrant)
    walk.files.take(walk.case, lambda state: commands.hold_prize(state, "open", entrant), "Kay", NOON)
    locate = {"open": event}.__getitem__
    walk.hear()
    assert sync_prizes(case_files, locate, NOON) == ((), ((walk.case, "open"),))
    assert held(event) == {"Wren": set(), "Finch": set()}
    walk.notify()
    for _ in range(2):
        sync_prizes(case_files, locate, NOON)
    assert held(event) == {"Wren": set(), "Finch": {walk.case}}
    with closing(EventFile.open(event)) as file:
        assert sum(isinstance(each.fact, Frozen) for each in file.facts) == 1
    walk.wait(15)
    walk.hear(panel=DECIDING)
    walk.decide("not-established")
    sync_prizes(case_files, locate, NOON)
    assert held(event) == {"Wren": set(), "Finch": set()}
    with closing(EventFile.open(event)) as file:
        assert {each.actor for each in file.facts} == {"Dan", "fair play"}


@pytest.mark.parametrize(("days", "is_held"), [(60, True), (61, False)])
def test_a_notice_after_the_prizes_are_due_holds_none(tmp_path, case_files, days, is_held):
    """Prizes of an on-line event are pending for 60 whole days; a case whose notice is later holds none of them."""
    path, end = tmp_path / "online.db", NOON - days * DAY
    begin = Created(name="Open", rules="scrabble-i", rounds=1, seed=7, settings=EventSettings(on_line=True))
    with closing(EventFile.create(path, begin, actor="Dan", now=end)) as file:
        file.apply(Enter(name="Wren"), Enter(name="Finch"), actor="Dan", now=end)
        file.apply(*[CheckedIn(entrant=number) for number in (1, 2)], actor="Dan", now=end)
        file.apply(Published(round=1, pairings=(EventPairing(1, 1, 2),)), actor="Dan", now=end)
        result = TableResult(first=SideResult(1, 1, 1), second=SideResult(2, 2, 1))
        file.apply(Resulted(round=1, table=1, result=result), Closed(round=1), Finished(), actor="Dan", now=end)
    walk = CaseWalk(case_files)
    walk.files.take(walk.case, lambda state: commands.hold_prize(state, "online", 2), "Kay", NOON)
    walk.hear()
    walk.notify()
    sync_prizes(case_files, {"online": path}.__getitem__, NOON)
    assert held(path) == {"Wren": set(), "Finch": {walk.case} if is_held else set()}


def test_nothing_that_a_player_reads_changes_before_the_notice(tmp_path, case_files):
    """Until its notice a case changes no byte of the event, the player's data, or the register."""
    path = tmp_path / "online.db"
    begin = Created(name="Open", rules="scrabble-i", rounds=1, seed=7, settings=EventSettings(on_line=True))
    with closing(EventFile.create(path, begin, actor="Dan", now=NOON)) as file:
        file.apply(Enter(name="Wren"), Enter(name="Finch"), actor="Dan", now=NOON)

    def seen():
        with closing(EventFile.open(path)) as file:
            data = [export_entrant(file.state, file.facts, number) for number in (1, 2)]
        return data, path.read_bytes(), write_register(case_files.register(NOON))

    before = seen()
    assert {each["prizes"] for each in before[0]} == {"pending until 60 days after the end of the event"}
    walk = CaseWalk(case_files)
    steps = [
        lambda: walk.files.take(walk.case, lambda state: commands.hold_prize(state, "online", 2), "Kay", NOON),
        lambda: walk.assign(*PANEL),
        *[
            lambda each=each: walk.take(commands.give_opinion, each, "case-to-answer", "Looked at.", by=each)
            for each in PANEL
        ],
    ]
    for step in steps:
        step()
        sync_prizes(case_files, {"online": path}.__getitem__, NOON)
        assert seen() == before
    walk.notify()
    sync_prizes(case_files, {"online": path}.__getitem__, NOON)
    after = seen()
    assert after[0][0] == before[0][0], "nobody else reads anything else"
    assert "gets no prize" in after[0][1]["facts"][-1]["what"]


def test_a_missing_event_is_told_and_does_not_stop_the_others(event, case_files):
    walk = CaseWalk(case_files)
    for name in ("gone", "open"):
        walk.files.take(walk.case, lambda state, name=name: commands.hold_prize(state, name, 2), "Kay", NOON)
    walk.hear()
    walk.notify()
    done = sync_prizes(case_files, lambda name: event.with_name(f"{name}.db"), NOON)
    assert held(event) == {"Wren": set(), "Finch": {walk.case}}
    assert [name for name, _ in done.failed] == ["gone"]


def test_the_entrant_behind_a_player_of_the_service(event):
    """A player whom a desk has named is found where they were paired, and not before what fair play remembers."""
    person = f"club/{person_pseudonym(KEY, 'W-1', 'Jay')}"
    with closing(EventFile.open(event)) as file:
        key = file.facts[0].command
        file.apply(Enter(name="Jay", member="W-1"), actor="Dan", now=NOON)
        file.apply(*[CheckedIn(entrant=number) for number in (2, 3)], actor="Dan", now=NOON)
        assert entrants_of_player(event, person, KEY, 0) == set(), "nobody has played yet"
        file.apply(Published(round=1, pairings=(EventPairing(1, 2, 3),)), actor="Dan", now=NOON)
    assert entrants_of_player(event, f"club/{event_pseudonym(key, 2)}", KEY, 0) == {2}
    assert entrants_of_player(event, person, KEY, NOON) == {3}
    assert entrants_of_player(event, person, KEY, NOON + 1) == set()
    others = (event_pseudonym(key, 1), event_pseudonym(key, 3), event_pseudonym("f" * 32, 2))
    for player in (*others, person_pseudonym(KEY, "W-1", "Wren"), "club/ann", "finch-2", "club/-2", key[:16]):
        assert entrants_of_player(event, player, KEY, 0) == set()


def test_a_name_nobody_has(event):
    with pytest.raises(Missing, match="nobody called"):
        find_entrant(event, "Crow")
