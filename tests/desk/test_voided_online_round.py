"""A round on line that is voided while it is played: its games stop, and the voiding stays."""

from __future__ import annotations

import pytest
from event_desk import EventDesk
from msgspec import structs
from online_event import OnlineEvent

from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.facts import TableResult


@pytest.fixture(scope="module", name="installation")
def one_installation(shared_installation):
    return shared_installation


@pytest.fixture
def event(service, installation, tmp_path):
    """Return an on-line event whose first round is published, and its games open."""
    event = OnlineEvent(service, EventDesk(service, installation, tmp_path.name), tmp_path)
    event.publish()
    event.step()
    return event


def test_the_games_of_a_voided_round_stop(event):
    """Nobody plays on at a table of a voided round, a desk started anew included, and the new round has other games."""
    browsers = event.play(1, moves=("-",))
    running = browsers[0].standing()["turn"]
    event.step()
    event.apply(f.Voided(round=1, reason="botched draw"))
    assert browsers[1].standing()["mover"] is not None, "until the desk's next step"
    event.step()
    for browser in browsers:
        standing = browser.standing()
        assert (standing["event_table"]["called_off"], standing["mover"], standing["acts"]) == (True, None, [])
    assert browsers[1].refusal("/turns", turn=running, move="-") == (409, "called-off")
    event.publish()
    event.step()
    for table in (1, 2):
        event.play(table)
    event.step()
    assert [result.resigned for table in (1, 2) for result in event.results(table)] == ["first", "first"]
    assert event.rounds.remarks == []


def test_a_voiding_that_called_games_off_is_not_undone(event):
    """Its games are gone for good, so that the round is published anew; without games on line it can be undone."""
    event.apply(f.Voided(round=1, reason="botched draw"))
    with pytest.raises(BadInput, match="the games of round 1 are called off"):
        event.apply(c.Undo())
    event.publish()
    event.apply(f.Voided(round=1, reason="before any game was opened"))
    event.apply(c.Undo())
    assert event.state.open_round.number == 1


def test_a_result_told_by_a_game(event):
    """A reported result is corrected, not undone; where one that was keyed in is undone, its game goes on."""
    event.apply(c.Configure(settings=structs.replace(event.state.settings, automatic=False)))
    event.play(1)
    event.step()
    number = event.state.version
    with pytest.raises(
        BadInput, match=r"cannot be undone: round 1, table 1 .*: .* was reported by the game"
    ) as refused:
        event.apply(c.Undo(number=number))
    assert refused.value.hint == "a reported result is corrected instead"
    event.play(2, moves=("-",))
    keyed = TableResult(forfeit="both")
    event.apply(f.Resulted(round=1, table=2, result=keyed))
    event.step()
    assert event.results(2) == [keyed]
    event.apply(c.Undo())
    event.step()
    assert event.results(2) == [None], "the game goes on"
