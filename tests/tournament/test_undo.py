"""Undoing as an event: what may be undone, what the fold makes of it, and random commands."""

from __future__ import annotations

from contextlib import suppress

import msgspec
import pytest
from event_driver import DrivenEvent, result
from hypothesis import given
from hypothesis import strategies as st

from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.decide_rounds import check_may_draft
from ordws.tournament.facts import SERVICE_ACTOR, TableResult, Undone, actor_of
from ordws.tournament.fold import fold
from ordws.tournament.personal_data import join_fact, split_fact
from ordws.tournament.state import TournamentState


def without_versions(state: TournamentState) -> object:
    """Return what a state says, but for the numbers of facts."""
    entrants = [each._replace(version=0) for each in state.entrants.values()]
    rounds = [
        each._replace(version=0, pairings=tuple([pairing._replace(version=0) for pairing in each.pairings]))
        for each in state.rounds
    ]
    return entrants, rounds, state.constraints, state.settings, state.rounds_planned, state.is_finished


def test_undo_takes_back_the_last_command():
    """Undoing takes back all facts of the last command, and then of the one before."""
    event = DrivenEvent("Ann", "Ben", checked_in=False)
    entered = without_versions(event.state)
    event.do(f.CheckedIn(entrant=1), f.CheckedIn(entrant=2))
    checked_in = without_versions(event.state)
    event.do(f.Withdrawn(entrant=1, reason="ill"))
    event.do(c.Undo())
    assert without_versions(event.state) == checked_in
    event.do(c.Undo())
    assert without_versions(event.state) == entered


def test_what_a_player_did_is_not_a_directors_last_command():
    """Undoing without a number passes over what players and the desk itself did, and words have their names."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    pairing = event.publish().pairings[0]
    event.do(f.Withdrawn(entrant=4), actor="Una")
    claim = c.ClaimResult(round=1, table=1, entrant=pairing.first, result=result())
    event.do(claim, actor=actor_of(pairing.first))
    assert event.words()[-1].endswith(f", by {event.name(pairing.first)}")
    event.do(f.CheckedOut(entrant=3), actor=SERVICE_ACTOR)
    event.do(c.Undo())
    assert event.words()[-1] == "it was undone that Dee withdrew, by desk"


def test_an_undoing_can_be_undone():
    """To undo an undoing by its number brings back what it took."""
    event = DrivenEvent("Ann", "Ben")
    before = without_versions(event.state)
    event.do(f.Withdrawn(entrant=1))
    gone = without_versions(event.state)
    event.do(c.Undo())
    assert without_versions(event.state) == before
    event.do(c.Undo(number=len(event.facts)))
    assert without_versions(event.state) == gone
    assert event.words()[-1] == "it was undone that it was undone that Ann withdrew, by desk"


def test_an_undoing_is_final_once_the_event_went_on_without_what_it_took():
    """What an undoing took does not come back after a round was published without it, however often it was undone."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.play_round()
    event.do(f.Finished())
    event.do(c.Undo())
    undone = len(event.facts)
    event.publish()
    with pytest.raises(BadInput, match="rests on it: round 2 was published"):
        event.do(c.Undo(number=undone))
    assert not event.state.is_finished
    event.play()
    event.do(f.Closed(round=2), f.Withdrawn(entrant=1))
    event.do(c.Undo())
    event.do(c.Undo(number=len(event.facts)))
    again = len(event.facts)
    event.do(f.Returned(entrant=1))
    with pytest.raises(BadInput, match="rests on it: Ann returned"):
        event.do(c.Undo(number=again))


@pytest.mark.parametrize(
    ("sent", "number"),
    [
        ([c.Enter(name="Zoe"), c.Undo(), c.Enter(name="Zoe")], 7),
        ([c.Rename(entrant=1, name="Zoe"), c.Enter(name="Ann")], 6),
    ],
)
def test_no_undoing_gives_two_entrants_one_name(sent, number):
    """A name that was taken meanwhile does not come back, neither by an entry nor by the name before a correction."""
    event = DrivenEvent("Ann", "Ben")
    for command in sent:
        event.do(command)
    with pytest.raises(BadInput, match="would both be"):
        event.do(c.Undo(number=number))
    assert len({each.name for each in event.state.entrants.values()}) == 3


def test_what_others_rest_on_is_not_undone():
    """A check-in that a published round rests on, a result of a closed round and a publishing are not undone."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.play_round()
    words = event.words()
    for beginning, reason in (
        ("Ann was checked in", "rests on it: round 1 was published"),
        ("Ann entered", "rests on it: Ann was checked in"),
        ("round 1, table 1", "rests on it: round 1 was closed"),
        ("round 1 was published", "cannot be undone: round 1 was published"),
        ("the event", "cannot be undone: the event"),
    ):
        number = 1 + next(index for index, each in enumerate(words) if each.startswith(beginning))
        with pytest.raises(BadInput, match=reason):
            event.do(c.Undo(number=number))
    event.do(c.Undo())
    assert event.state.open_round is not None
    event.do(c.Undo(number=1 + next(index for index, each in enumerate(words) if each.startswith("round 1, table 1"))))
    assert event.state.open_round.pairings[0].games == (None,)


def test_nothing_is_undone_twice():
    """What is undone already, and an event without a command to undo, are refused."""
    event = DrivenEvent("Ann")
    event.do(c.Undo())
    with pytest.raises(BadInput, match="fact 3 is undone already"):
        event.do(c.Undo(number=3))
    event.do(c.Undo())
    with pytest.raises(BadInput, match="there is nothing to undo"):
        event.do(c.Undo())


def test_numbers_of_entrants_are_not_given_again():
    """The number of an entrant whose entry was undone is nobody else's."""
    event = DrivenEvent("Ann", checked_in=False)
    event.do(c.Undo())
    event.do(c.Enter(name="Ben"))
    assert [*event.state.entrants] == [2]


def test_a_voiding_can_be_undone_until_the_round_is_drawn_again():
    """A round that was voided by mistake comes back with its results."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.publish()
    event.play()
    before = without_versions(event.state)
    event.do(f.Voided(round=1, reason="oops"))
    event.do(c.Undo())
    assert without_versions(event.state) == before
    event.do(f.Voided(round=1, reason="again"))
    voided = len(event.facts)
    event.publish()
    with pytest.raises(BadInput, match="rests on it: round 1 was published"):
        event.do(c.Undo(number=voided))


numbers = st.integers(1, 7)
rounds = st.integers(1, 3)
told = st.sampled_from([result(), result("300:300/12", "300:300/12"), TableResult(forfeit="first")])
commands = st.one_of(
    st.builds(c.Enter, name=st.sampled_from(["Ann", "Ben", "Cy", "Dee", "Eve", "Fay"])),
    st.builds(f.CheckedIn, entrant=numbers),
    st.builds(f.CheckedIn, entrant=numbers),
    st.builds(f.CheckedOut, entrant=numbers),
    st.builds(f.Withdrawn, entrant=numbers, reason=st.sampled_from(["", "ill"])),
    st.builds(f.Returned, entrant=numbers),
    st.builds(c.Rename, entrant=numbers, name=st.sampled_from(["Ann", "Zoe"])),
    st.builds(f.Constrained, a=numbers, b=numbers, constraint=st.sampled_from(["forbid", "together"])),
    st.builds(f.Unconstrained, a=numbers, b=numbers),
    st.builds(f.Resulted, round=rounds, table=rounds, result=told),
    st.builds(c.ClaimResult, round=rounds, table=rounds, result=told, entrant=numbers),
    st.builds(c.ConfirmResult, round=rounds, table=rounds, entrant=numbers),
    st.builds(f.Corrected, round=rounds, table=rounds, result=told, reason=st.just("x")),
    st.builds(f.Closed, round=rounds),
    st.builds(f.Voided, round=rounds, reason=st.just("x")),
    st.builds(c.PairLate, round=rounds, entrant=numbers),
    st.builds(f.Erased, entrant=numbers),
    st.just(f.Finished()),
    st.builds(c.Undo, number=st.none() | st.integers(1, 60)),
    st.just("publish"),
    st.just("play"),
)


@given(st.lists(commands, min_size=5, max_size=40))
def test_any_commands_lead_to_a_state_that_can_be_folded_again(sent):
    """Whatever is sent, facts outlive their JSON form, and folding them gives the same state."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    for command in sent:
        with suppress(BadInput):
            if command == "publish":
                check_may_draft(event.state)
                event.publish()
            elif command != "play":
                event.do(command)
            elif event.state.open_round is not None:
                event.play()
    read = [
        each._replace(fact=join_fact(*msgspec.json.decode(msgspec.json.encode(split_fact(each.fact)))))
        for each in event.facts
    ]
    assert read == event.facts
    assert fold(read) == event.state
    kept = {number for each in event.facts if isinstance(each.fact, Undone) for number in each.fact.numbers}
    assert all(1 <= number <= len(event.facts) for number in kept)
    assert len(event.words()) == len(event.facts)
    names = [each.name for each in event.state.entrants.values()]
    assert len({*names}) == len(names)
    assert not (event.state.is_finished and event.state.open_round)
