"""Prizes wait in the files of events while a case is open, and are let go when it led to nothing."""

from __future__ import annotations

from contextlib import closing

import pytest
from case_steps import NOON, CaseWalk

from ordws.cases import commands
from ordws.cases.event_prizes import entrants_of_player, find_entrant, is_entrant_minor, sync_prizes
from ordws.errors import Missing
from ordws.tournament.commands import CheckIn, Create, Enter, Publish
from ordws.tournament.facts import EventPairing
from ordws.tournament.pseudonyms import event_pseudonym, person_pseudonym
from ordws.tournament.store import EventFile

KEY = bytes(range(32))


@pytest.fixture
def event(tmp_path):
    """An event in which Finch is the second of two entrants, and under age."""
    path = tmp_path / "open.db"
    begin = Create(name="Open", rules="scrabble-i", rounds=3, seed=7)
    with closing(EventFile.create(path, begin, actor="Dan", now=NOON)) as file:
        file.apply(Enter(name="Wren"), Enter(name="Finch", minor=True), actor="Dan", now=NOON)
    return path


def held(path):
    with closing(EventFile.open(path)) as file:
        return {entrant.name: set(entrant.cases) for entrant in file.state.entrants.values()}


def test_a_prize_waits_from_the_case_to_its_dismissal(event, case_files):
    walk = CaseWalk(case_files)
    entrant = find_entrant(event, "Finch")
    assert is_entrant_minor(event, entrant)
    walk.files.take(walk.case, lambda state: commands.hold_prize(state, "open", entrant), "Kay", NOON)
    locate = {"open": event}.__getitem__
    assert len(sync_prizes(case_files, locate, NOON).changed) == 1
    assert held(event) == {"Wren": set(), "Finch": {walk.case}}
    assert sync_prizes(case_files, locate, NOON) == ((), (), ((walk.case, "open"),))
    walk.hear("established", "not-established", "established")
    sync_prizes(case_files, locate, NOON)
    assert held(event) == {"Wren": set(), "Finch": set()}
    with closing(EventFile.open(event)) as file:
        assert {each.actor for each in file.facts} == {"Dan", "fair play"}


def test_a_missing_event_is_told_and_does_not_stop_the_others(event, case_files):
    walk = CaseWalk(case_files)
    for name in ("gone", "open"):
        walk.files.take(walk.case, lambda state, name=name: commands.hold_prize(state, name, 2), "Kay", NOON)
    done = sync_prizes(case_files, lambda name: event.with_name(f"{name}.db"), NOON)
    assert [name for name, _ in done.changed] == ["open"]
    assert [name for name, _ in done.failed] == ["gone"]


def test_the_entrant_behind_a_player_of_the_service(event):
    """A player whom a desk has named is found where they were paired, and not before what fair play remembers."""
    person = f"club/{person_pseudonym(KEY, 'W-1', 'Jay')}"
    with closing(EventFile.open(event)) as file:
        key = file.facts[0].command
        file.apply(Enter(name="Jay", member="W-1"), actor="Dan", now=NOON)
        file.apply(*[CheckIn(entrant=number) for number in (2, 3)], actor="Dan", now=NOON)
        assert entrants_of_player(event, person, KEY, 0) == set(), "nobody has played yet"
        file.apply(Publish(round=1, pairings=(EventPairing(1, 2, 3),)), actor="Dan", now=NOON)
    assert entrants_of_player(event, f"club/{event_pseudonym(key, 2)}", KEY, 0) == {2}
    assert entrants_of_player(event, person, KEY, NOON) == {3}
    assert entrants_of_player(event, person, KEY, NOON + 1) == set()
    others = (event_pseudonym(key, 1), event_pseudonym(key, 3), event_pseudonym("f" * 32, 2))
    for player in (*others, person_pseudonym(KEY, "W-1", "Wren"), "club/ann", "finch-2", "club/-2", key[:16]):
        assert entrants_of_player(event, player, KEY, 0) == set()


def test_a_name_nobody_has(event):
    with pytest.raises(Missing, match="nobody called"):
        find_entrant(event, "Crow")
