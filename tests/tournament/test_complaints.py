"""Complaints about other programs, each with a test whose sentence it is (A8)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from event_driver import DrivenEvent, result

from ordws.errors import BadInput
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.certificate import verify_draws
from ordws.tournament.decide_rounds import check_may_draft
from ordws.tournament.facts import TableResult
from ordws.tournament.names import find_doubles, find_entrant
from ordws.tournament.pairing.draft import draft_round
from ordws.tournament.played_event import problem_of
from ordws.tournament.standings import standings

VECTORS = Path(__file__).parent.parent / "vectors" / "tournament" / "complaints.txt"


def test_every_complaint_has_a_test():
    """Every complaint of the list is the sentence of a test here, and the other way round."""
    lines = [line for line in VECTORS.read_text("utf-8").splitlines() if line.strip() and not line.startswith("#")]
    listed = [re.split(r" {2,}", line, maxsplit=1)[1] for line in lines]
    tests = [each for name, each in globals().items() if name.startswith("test_") and name.endswith("complaint")]
    sentences = [" ".join((each.__doc__ or "").split()) for each in tests]
    assert sorted(sentences) == sorted(listed)
    assert len(listed) == len({*listed}) == 19


def test_wiped_complaint():
    """A player who left was wiped from the standings, with the games that others had played against them."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.play_round()
    before = [line.to_json() for line in standings(event.state)]
    event.do(f.Withdrawn(entrant=event.number("Ben"), reason="went home"))
    assert [line.to_json() for line in standings(event.state)] == before
    assert event.state.entrants[2].status == "withdrawn"


def test_left_and_paired_complaint():
    """Players who had left were still paired."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee", "Eve", "Fay")
    event.play_round()
    event.do(f.Withdrawn(entrant=2), f.CheckedOut(entrant=3))
    played = event.publish()
    assert {2, 3}.isdisjoint({number for pairing in played.pairings for number in pairing.entrants})
    assert played.absent == (2, 3)
    assert played.bye is None


def test_by_hand_complaint():
    """Results had to be keyed in by hand though the games were played on line."""
    event = DrivenEvent("Ann", "Ben", rounds=1)
    event.publish()
    event.do(f.Bound(round=1, table=1, sealed_game="game_x"))
    event.do(f.Reported(round=1, table=1, result=result(), source="game", digest="ab" * 32), actor="game")
    event.do(f.Closed(round=1), f.Finished())
    assert sum(line.games for line in standings(event.state)) == 2


def test_late_entrant_complaint():
    """A late entrant was forced to forfeit the rounds before."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee", rounds=4)
    event.play_round()
    event.play_round()
    event.do(c.Enter(name="Zoe"), f.CheckedIn(entrant=5))
    event.play_round()
    line = event.line("Zoe")
    assert (line.games, line.losses) in ((0, 0), (1, 0), (1, 1))
    assert [played.absent for played in event.state.rounds] == [(), (), ()]
    assert line.games <= 1


def test_met_twice_complaint():
    """The same two players met twice."""
    for players in (6, 7, 8, 9):
        rounds = players - 1 if players % 2 == 0 else players
        event = DrivenEvent(*[f"Player {number}" for number in range(players)], rounds=rounds)
        met: list[frozenset[str]] = []
        for _ in range(rounds):
            event.play_round()
            met += [frozenset(pair) for pair in event.pairs()]
        assert len(met) == len({*met}), f"{players} players, {rounds} rounds"


def test_three_byes_complaint():
    """Three players had a bye in the same round."""
    event = DrivenEvent(*[f"Player {number}" for number in range(11)], rounds=8)
    for round_ in range(1, 9):
        if round_ in (3, 5, 6):
            event.do(f.Withdrawn(entrant=round_))
        played = event.play_round()
        assert 2 * len(played.pairings) + (played.bye is not None) == len(event.state.present)


def test_void_as_win_complaint():
    """A game of a voided round counted as a win."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.publish()
    event.do(f.Resulted(round=1, table=1, result=result()))
    event.do(f.Voided(round=1, reason="clocks not set"))
    assert {(line.wins, line.games, line.turns) for line in standings(event.state)} == {(0, 0, 0)}


def test_over_constrained_complaint():
    """A round with too many constraints failed as a whole."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.do(*[f.Constrained(a=1, b=other, constraint="forbid", reason="x") for other in (2, 3, 4)])
    draft = draft_round(problem_of(event.state))
    assert len(draft.pairings) == 2
    assert "must not" in draft.notes[0]
    event.play_round()


def test_all_left_complaint():
    """All players had left, and were still paired."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.play_round()
    event.do(*[f.Withdrawn(entrant=number) for number in event.state.entrants])
    with pytest.raises(BadInput, match="nobody is checked in"):
        check_may_draft(event.state)


def test_mislabelled_late_entry_complaint():
    """A late entry was labelled as absent from rounds it could not have played."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.play_round()
    event.do(c.Enter(name="Zoe"))
    assert 5 not in event.state.rounds[0].absent
    assert event.publish().absent == (5,)


def test_several_byes_complaint():
    """A bye was given to several players."""
    event = DrivenEvent(*[f"Player {number}" for number in range(7)], rounds=7)
    byes = [event.play_round().bye for _ in range(7)]
    assert sorted([bye for bye in byes if bye is not None]) == [1, 2, 3, 4, 5, 6, 7]


def test_leave_and_return_for_byes_complaint():
    """Players left and came back to collect byes."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee", "Eve", rounds=5)
    bye = event.play_round().bye
    assert bye is not None
    event.do(f.Withdrawn(entrant=bye))
    event.play_round()
    event.do(f.Returned(entrant=bye))
    later = [event.play_round().bye for _ in range(3)]
    assert bye not in later
    # A bye earns nothing, and neither does absence.
    assert event.line(event.name(bye)).games == 3


def test_counted_twice_complaint():
    """A game was counted twice."""
    event = DrivenEvent("Ann", "Ben", rounds=1)
    event.publish()
    report = f.Reported(round=1, table=1, result=result(), source="game", digest="ab" * 32)
    event.do(report)
    event.do(report)
    event.do(f.Resulted(round=1, table=1, result=result()))
    assert {line.games for line in standings(event.state)} == {1}


def test_lost_game_complaint():
    """A game was lost, so that no result was known."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    event.publish()
    event.do(f.Resulted(round=1, table=2, result=result()))
    with pytest.raises(BadInput, match="no result of table 1"):
        event.close()
    with pytest.raises(BadInput, match="no result of table 1"):
        check_may_draft(event.state)
    with pytest.raises(BadInput, match="round 1 is not closed"):
        event.do(f.Finished())


def test_wrong_result_complaint():
    """A wrong result was found after the next round had been paired."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee", "Eve", "Fay")
    first = event.play_round().pairings[0]
    published = event.publish().pairings
    before = problem_of(event.state)
    event.do(f.Corrected(round=1, table=1, result=result("371:380/13", "512:498/13"), reason="sides exchanged"))
    assert event.line(event.name(first.second)).wins == 1
    assert event.state.open_round is not None
    assert [each[:3] for each in event.state.open_round.pairings] == [each[:3] for each in published]
    assert problem_of(event.state) != before
    assert verify_draws(event.facts).faults == ()


def test_misspelt_complaint():
    """Names were misspelt, and the same player entered twice."""
    event = DrivenEvent("Ann Lee", "Anne Lee", "Ben Ode")
    assert find_doubles(event.state) == [("Ann Lee", "Anne Lee")]
    event.do(f.Withdrawn(entrant=2))
    with pytest.raises(BadInput) as caught:
        find_entrant(event.state, "Ben Odd")
    assert caught.value.hint == 'did you mean "Ben Ode" (#3)?'
    event.do(c.Rename(entrant=3, name="Ben O'Dea"))
    assert event.line("Ben O'Dea").games == 0


def test_botched_draw_complaint():
    """A round was drawn from wrong data and could not be taken back."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee", "Eve", "Fay")
    one, *others = event.publish().pairings
    event.do(f.Voided(round=1, reason="Zoe was forgotten", began=(one.table,)))
    event.do(c.Enter(name="Zoe"), f.CheckedIn(entrant=7))
    # The pair that had begun has met, and the others have not.
    met = {player.number: player.opponents for player in problem_of(event.state).players}
    assert met[one.first] == (one.second,)
    assert all(met[number] == () for pairing in others for number in pairing.entrants)
    again = event.publish()
    assert again.number == 1
    assert {one.first, one.second} not in [{*each.entrants} for each in again.pairings]


def test_dropout_complaint():
    """A player dropped out in the middle of a round."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee")
    pairing = event.publish().pairings[0]
    event.do(f.Withdrawn(entrant=pairing.second))
    event.do(f.Resulted(round=1, table=1, result=TableResult(forfeit="second")))
    event.play()
    event.close()
    played = event.publish()
    assert pairing.second in played.absent
    assert played.bye is not None


def test_edited_pairing_complaint():
    """A pairing had to be changed by hand, and nobody knew afterwards."""
    event = DrivenEvent("Ann", "Ben", "Cy", "Dee", "Eve", "Fay")
    drawn = draft_round(problem_of(event.state)).pairings[0]
    wanted = next(number for number in range(1, 7) if number not in (drawn.first, drawn.second))
    event.do(f.Constrained(a=drawn.first, b=wanted, constraint="together", reason="same car", round=1))
    event.publish()
    assert {event.name(drawn.first), event.name(wanted)} in event.pairs()
    assert any(words.endswith("are put together in round 1 (same car), by desk") for words in event.words())
    assert verify_draws(event.facts).faults == ()
    # It was for one round alone, also if that is drawn again.
    event.do(f.Voided(round=1, reason="boards missing"))
    event.publish()
    assert {event.name(drawn.first), event.name(wanted)} in event.pairs()
    event.play()
    event.close()
    event.play_round()
    assert {event.name(drawn.first), event.name(wanted)} not in event.pairs()
