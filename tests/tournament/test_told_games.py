"""Results that players, games and stations tell: which count, which are confirmed, and which wait for a director."""

from __future__ import annotations

from event_driver import DrivenEvent, refused, result

from ordws.tournament import commands as c
from ordws.tournament import facts as f


def test_a_player_tells_and_the_opponent_confirms():
    """A result that a player told counts once the opponent tells the same, or a director confirms it with a reason."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    one, other = event.publish().pairings
    for pairing in (one, other):
        event.do(c.ClaimResult(round=1, table=pairing.table, entrant=pairing.first, result=result()))
    assert event.line(event.name(one.first)).games == 0
    assert "not confirmed by" in refused(event, f.Closed(round=1))
    assert "has told the result" in refused(event, c.ConfirmResult(round=1, table=one.table, entrant=one.first))
    event.do(c.ClaimResult(round=1, table=one.table, entrant=one.second, result=result()))
    assert event.line(event.name(one.first)).games == 1
    assert "with a reason" in refused(event, c.ConfirmResult(round=1, table=other.table))
    event.do(c.ConfirmResult(round=1, table=other.table, reason="the slip is signed", result=result()))
    event.close()


def test_two_players_who_disagree_wait_for_a_director():
    """Two players who tell different results are a dispute, which a director decides by keying one in."""
    event = DrivenEvent("Ann", "Ben")
    pairing = event.publish().pairings[0]
    event.do(c.ClaimResult(round=1, table=1, entrant=pairing.first, result=result()))
    event.do(c.ClaimResult(round=1, table=1, entrant=pairing.second, result=result("402:398/13")))
    assert f"disputed by {event.name(pairing.second)}" in refused(event, f.Closed(round=1))
    event.do(f.Resulted(round=1, table=1, result=result("402:398/13")))
    event.close()


def test_a_player_tells_only_of_their_own_game():
    """Nobody tells or confirms the result of others."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    one, other = event.publish().pairings
    stranger = c.ClaimResult(round=1, table=one.table, entrant=other.first, result=result())
    assert refused(event, stranger) == f'"{event.name(other.first)}" does not play at table {one.table}'


def test_a_game_that_reports_itself():
    """A reported result counts at once, with its digest, and does not overwrite a director's."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.publish()
    report = f.Reported(round=1, table=1, result=result(), source="game", digest="ab" * 32)
    event.do(f.Bound(round=1, table=1, sealed_game="game_x"), f.Began(round=1, table=1), report)
    game = event.state.rounds[0].pairings[0].games[0]
    assert game is not None
    assert (game.is_settled, game.digest) == (True, "ab" * 32)
    event.do(f.Resulted(round=1, table=2, result=result()))
    late = f.Reported(round=1, table=2, result=result("413:398/13"), source="game", digest="cd" * 32)
    assert "has the result 412:398/13 371:380/13 already" in refused(event, late)
    event.do(f.Corrected(round=1, table=1, result=result("414:398/13"), reason="bad play caught late"))
    corrected = event.state.rounds[0].pairings[0].games[0]
    assert corrected is not None
    assert corrected.digest == "ab" * 32


def test_what_is_bound_and_begun_once():
    """A binding or a beginning told again changes nothing; a game with a result is not bound."""
    event = DrivenEvent("Ann", "Ben")
    event.publish()
    told = (f.Bound(round=1, table=1, sealed_game="game_x"), f.Began(round=1, table=1))
    event.do(*told)
    known = len(event.facts)
    event.do(*told)
    assert len(event.facts) == known
    assert refused(event, c.ConfirmResult(round=1, table=1, reason="x")).endswith("has no result to confirm")
    event.play()
    assert refused(event, told[0]).endswith("has a result already")
