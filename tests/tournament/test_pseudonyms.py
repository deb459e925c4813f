"""Pseudonyms: one person is one player in all events, and two people never are, whatever is mistyped."""

from __future__ import annotations

from contextlib import closing

import pytest
from each_row import each_row
from event_driver import DrivenEvent
from hypothesis import example, given
from hypothesis import strategies as st

from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.names import clean_member, name_key
from ordws.tournament.pairing.draft import draft_round
from ordws.tournament.personal_data import (
    entrants_behind,
    event_pseudonym,
    export_entrant,
    person_pseudonym,
    pseudonyms_before,
)
from ordws.tournament.played_event import event_pairings, problem_of
from ordws.tournament.store import EventFile

KEY = bytes(range(32))
ANN = person_pseudonym(KEY, "A-17", "Ann Lee")


def pseudonyms(event, key=KEY):
    """Return the pseudonyms that the next draw would have."""
    return pseudonyms_before(event.facts, len(event.facts) + 1, key)


@each_row(
    ("typed", "kept"),
    [
        (" a-17 ", "A-17"),
        ("12 345", "12345"),
        ("\uff11\uff12", "12"),
        ("a\u201317", "A-17"),
        ("0017", "0017"),
        ("17/2026.b_c", "17/2026.B_C"),
        ("", ""),
        ("  ", ""),
    ],
)
def test_a_number_is_kept_as_it_is_meant(typed, kept):
    """Case, spaces and kinds of dashes do not matter; zeros in front and signs do."""
    assert clean_member(typed) == kept


@each_row("typed", ["17;18", "#17", "-", "A\u202e17", "A\x0017", "7" * 33])
def test_what_is_no_number_is_refused_and_not_repeated(typed):
    """An error is shown and logged in places where no number may stand."""
    with pytest.raises(BadInput) as refused:
        clean_member(typed)
    assert typed not in str(refused.value)


def test_one_person_in_two_events():
    """The same number and name give the same pseudonym, however they are typed; without a number it is the event's."""
    spring, summer = DrivenEvent(), DrivenEvent("Wren")
    spring.do(c.Enter(name="Ann Lee", member="a-17"), c.Enter(name="Ben Ode"))
    summer.do(c.Enter(name="Ben Ode"), c.Enter(name="LEE, Änn", member="A\u201317"))
    assert pseudonyms(spring)[1] == pseudonyms(summer)[3] == ANN
    assert pseudonyms(spring)[2] == event_pseudonym(spring.facts[0].command, 2)
    assert pseudonyms(spring, None)[1] == event_pseudonym(spring.facts[0].command, 1)
    assert pseudonyms(spring, bytes(32))[1] not in (ANN, event_pseudonym(spring.facts[0].command, 1))


PEOPLE = st.tuples(
    st.sampled_from(["17", "A-17", "A17", "017"]), st.sampled_from(["Ann Lee", "Lee Ann", "Ann Le", "Le Eann"])
)


@given(PEOPLE, PEOPLE)
@example(("1", "7Ann"), ("17", "Ann"))
def test_two_people_are_never_one_player(one, other):
    """Number and name are both needed: two of one name, or one number mistyped into another's, stay apart."""
    people = [(member, sorted(name_key(name).split())) for member, name in (one, other)]
    assert (person_pseudonym(KEY, *one) == person_pseudonym(KEY, *other)) == (people[0] == people[1])


def test_a_number_is_one_entrants():
    """The second entrant of one number is refused, by entry, correction and undoing; the error does not show it."""
    event = DrivenEvent()
    event.do(c.Enter(name="Ann Lee", member="A-17"), c.Enter(name="Ben Ode"))
    sent = [c.Enter(name="Cy Poe", member=" a-17"), c.Rename(entrant=2, member="A-17")]
    event.do(c.Rename(entrant=1, member=""))
    taken = len(event.facts)
    event.do(c.Rename(entrant=2, member="A-17"))
    sent += [c.Rename(entrant=1, member="A-17"), c.Undo(number=taken)]
    assert pseudonyms(event)[2] == person_pseudonym(KEY, "A-17", "Ben Ode")
    for command in sent[2:]:
        with pytest.raises(BadInput, match="member number") as refused:
            event.do(command)
        assert "17" not in str(refused.value)
    event.do(c.Undo())
    event.do(c.Undo(number=taken))
    for command in sent[:2]:
        with pytest.raises(BadInput, match='#1 "Ann Lee" already'):
            event.do(command)
    before = len(event.facts)
    event.do(c.Rename(entrant=1, member="a-17"))
    assert len(event.facts) == before, "it is so already"


def test_a_number_counts_from_the_next_draw_on():
    """A game keeps the pseudonyms under which it was drawn, through corrections, undoings and a late pairing."""
    event = DrivenEvent("Ann Lee", "Ben Ode", "Cy Poe")
    event.do(c.Enter(name="Dee Ray", member="D4"))
    event.publish()
    drawn = len(event.facts)
    bye = event.state.last_round.bye
    own = event_pseudonym(event.facts[0].command, 1)
    event.do(c.Rename(entrant=1, member="A-17"))
    corrected = len(event.facts)
    event.do(f.CheckedIn(entrant=4))
    event.do(c.PairLate(round=1, entrant=4))
    late = len(event.facts)
    assert pseudonyms_before(event.facts, drawn, KEY)[1] == own
    assert pseudonyms_before(event.facts, late, KEY)[1] == ANN
    event.do(c.Undo(number=corrected))
    assert pseudonyms(event)[1] == own
    assert pseudonyms_before(event.facts, late, KEY)[1] == ANN
    behind = entrants_behind(event.facts, ANN, KEY, since=0)
    assert behind == ({1} if bye == 1 else set()), "who was not drawn under it did not play under it"
    assert entrants_behind(event.facts, person_pseudonym(KEY, "D4", "Dee Ray"), KEY, since=0) == {4}
    assert entrants_behind(event.facts, person_pseudonym(KEY, "D4", "Dee Ray"), KEY, since=1_001) == set()
    assert entrants_behind(event.facts, person_pseudonym(KEY, "D4", "Dee Ray"), None, since=0) == set()
    two = next(number for number in (1, 2, 3) if number != bye)
    assert entrants_behind(event.facts, event_pseudonym(event.facts[0].command, two), None, since=0) == {two}


def test_an_erased_number_is_in_no_byte_of_the_file(tmp_path):
    """It goes with the name, mistyped ones too; nothing then leads from the event to the person; the chain holds."""
    path = tmp_path / "club.event"
    begin = f.Created(name="Club", rules="classic", rounds=2, seed=1)
    with closing(EventFile.create(path, begin, actor="desk", now=1)) as event:
        entries = [
            c.Enter(name="Ann Lee", member="QX-99"),
            c.Enter(name="Ben Ode"),
            c.Rename(entrant=1, member="QX-77"),
        ]
        event.apply(*entries, *[f.CheckedIn(entrant=number) for number in (1, 2)], actor="desk", now=2)
        draft = draft_round(problem_of(event.state))
        event.apply(f.Published(round=1, pairings=event_pairings(draft)), actor="desk", now=3)
        player = person_pseudonym(KEY, "QX-77", "Ann Lee")
        assert entrants_behind(event.facts, player, KEY, since=0) == {1}
        assert export_entrant(event.state, event.facts, 1)["member"] == "QX-77"
        assert b"QX-77" in path.read_bytes()
        event.apply(f.Withdrawn(entrant=1), f.Erased(entrant=1), actor="desk", now=4)
        assert b"QX-" not in path.read_bytes()
    with closing(EventFile.open(path)) as again:
        assert again.state.entrants[1].member == ""
        assert entrants_behind(again.facts, player, KEY, since=0) == set()
        assert pseudonyms(again)[1] == event_pseudonym(again.facts[0].command, 1)
