"""Tests of clocks in sealed games, by the server's time (docs/rules.md 8, A-28)."""

from __future__ import annotations

import json
from itertools import count

import pytest
from sealed_game import FixedDraws, SealedGame, install_edition, service_sender

from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg
from ordws.referee.moments import Moment

RACKS = ("AEHLTVZ", "CEILOQU")


@pytest.fixture
def installation(installation):
    install_edition(installation, ["HEAT"], number=2)
    return installation


@pytest.fixture
def play(service):
    def play(rules, clock, *draws, **fields):
        service.services.games.chance = FixedDraws(*(draws or RACKS))
        return SealedGame(service_sender(service), rules, clock=clock, **fields)

    return play


def stands(standing):
    """Return whose clock runs, in what phase, and how the players left the game."""
    return standing["phase"], standing["mover"], [seat["left"] for seat in standing["seats"]]


def seconds(standing):
    return [seat["seconds"] for seat in standing["seats"]]


def test_a_clock_runs_while_its_player_is_to_act(play, clock):
    """Each look must show the time used so far, and a move stops one clock and starts the other."""
    game = play("scrabble-o", 60)
    clock.now += 20
    assert seconds(game.standing(1)) == [20, 0]
    game.take(0, "8E HEAT")
    clock.now += 7
    assert seconds(game.standing(0)) == [20, 7]


def test_a_standing_has_the_averages_of_each_player(play, clock):
    """A standing must give each player's points and seconds a turn, passes included, and the words of the board."""
    game = play("dover", 120, "AEHLTVZX", "CEILOQUX", "IIII")
    clock.now += 90
    game.take(0, "11K HEAT")
    clock.now += 31
    game.take(1, "-")
    clock.now += 15
    game.take(0, "-")
    clock.now += 9
    standing = game.standing(1)
    names = ("turns", "points_per_turn", "seconds_per_turn")
    assert [[seat[name] for name in names] for seat in standing["seats"]] == [[2, 7.0, 52.5], [1, 0.0, 31.0]]
    assert standing["board"] == {"words": 1, "mean_length": 4.0}


def test_an_absent_player_is_flagged_at_any_look(play, clock):
    """A player stays in for half a second more, is then flagged by any look, and the other clock runs from it."""
    game = play("scrabble-o", 60)
    clock.now += 60.499
    assert stands(game.standing(1)) == ("to-move", 0, [None, None])
    clock.now += 0.001
    standing = game.standing(1)
    assert stands(standing) == ("to-move", 1, ["time-up", None])
    assert (standing["turn"], standing["last"]["outcome"], standing["last"]["seat"]) == (2, "time-up", 0)
    clock.now += 59
    assert seconds(game.standing(0)) == [60, 59]


def test_a_late_player_is_flagged_by_their_own_look(play, clock):
    """A late player's own look must flag them too, with no more time used than they had."""
    game = play("scrabble-o", 60)
    clock.now += 4_000
    assert seconds(game.standing(0)) == [60, 0]
    assert stands(game.standing(0)) == ("to-move", 1, ["time-up", None])


def test_a_move_that_comes_too_late_is_refused(play, clock):
    """A move after the flag must get 409, because the flag took its turn."""
    game = play("scrabble-o", 60)
    clock.now += 60.5
    assert game.refusal(0, "8E HEAT", turn=1) == (409, "turn-taken")
    assert stands(game.standing(0)) == ("to-move", 1, ["time-up", None])
    assert game.refusal(0, "8E HEAT") == (422, "not-your-turn")


def test_a_move_in_time_can_be_repeated_after_the_flag(play, clock):
    """A move made in time must get the same reply when it is sent again after the time is up."""
    game = play("scrabble-o", 60)
    clock.now += 59
    _, answer = game.post(0, 1, "8E HEAT")
    clock.now += 1_000
    assert game.post(0, 1, "8E HEAT") == (200, answer)
    assert stands(game.standing(0)) == ("over", None, [None, "time-up"])


def test_a_game_ends_with_the_last_flag(play, clock):
    """The second flag must end the game, and the record must be exact."""
    game = play("scrabble-o", 60)
    for _ in range(2):
        clock.now += 60.5
        standing = game.standing()
    assert (standing["phase"], standing["ending"], standing["winners"]) == ("over", "time", [0, 1])
    assert audit_record(read_gcg(game.record())).is_exact


def test_overtime_costs_points_and_after_ten_minutes_the_game(play, clock):
    """Ten minutes of overtime cost ten points each, and one second more loses the game (docs/rules.md 8.1)."""
    game = play("classic", 60)
    clock.now += 660
    assert game.take(0, "8E HEAT")["standing"]["phase"] == "may-be-challenged"
    clock.now += 660
    assert stands(game.standing(0)) == ("may-be-challenged", 1, [None, None])
    clock.now += 1.5
    standing = game.standing(0)
    assert (stands(standing), standing["ending"]) == (("over", None, [None, "overtime"]), "forfeit")
    assert [seat["score"] for seat in standing["seats"]] == [14 - 100, -110]
    assert audit_record(read_gcg(game.record())).is_exact


def test_a_turn_has_two_minutes_and_ten_seconds(play, clock):
    """Under Dover's clock the turn is lost and not the game, and the other player moves (docs/rules.md 8.3)."""
    game = play("dover", None, "AEHLTVZZ", "CEILOQUU")
    clock.now += 130.499
    assert stands(game.standing(1)) == ("to-move", 0, [None, None])
    clock.now += 0.001
    assert stands(game.standing(1)) == ("to-move", 1, [None, None])
    clock.now += 130.4
    assert game.take(1, "-")["standing"]["mover"] == 0
    clock.now += 130.5
    assert game.refusal(0, "11H HEAT", turn=3) == (409, "turn-taken")
    assert stands(game.standing(1)) == ("to-move", 1, [None, None])


def test_the_clock_of_a_rejected_player_runs(play, clock):
    """A player who neither checks nor declines a check must be flagged like any other (docs/rules.md A-20)."""
    game = play("dover", None, "AEHLTVZZ", "CEILOQUU")
    clock.now += 100
    assert game.take(0, "11H TEAH")["happened"]["outcome"] == "rejected"
    clock.now += 30.4
    assert game.standing(1)["mover"] == 0
    clock.now += 0.1
    standing = game.standing(1)
    assert (stands(standing), standing["seats"][0]["score"]) == (("to-move", 1, [None, None]), 0)


def test_while_a_play_may_be_challenged_the_next_players_clock_runs(play, clock):
    """When the next player loses the turn, the play stands; when they lose the game, others may still challenge it."""
    game = play("dover", None, "AEHLTVZZ", "CEILOQUU", "IIII", options={"challenge": "double"})
    game.take(0, "11H TEAH")
    clock.now += 130.5
    standing = game.standing(0)
    assert (stands(standing), standing["seats"][0]["tiles"]) == (("to-move", 0, [None, None]), 8)
    other = play("scrabble-o", 60, options={"challenge": "double"})
    other.take(0, "8E TEAH")
    clock.now += 60.5
    assert stands(other.standing(0)) == ("may-be-challenged", 0, [None, "time-up"])
    assert other.take(1, "challenge")["happened"]["outcome"] == "upheld"


def test_a_game_ends_when_the_time_of_all_is_up_during_a_challenge(play, clock):
    """The game must end when the last player's time is up while their play could be challenged."""
    game = play("scrabble-o", 60, options={"challenge": "double"})
    clock.now += 60.5
    game.standing()
    game.take(1, "8F QUO")
    clock.now += 60.5
    assert stands(game.standing(0)) == ("over", None, ["time-up", "time-up"])


def test_without_a_clock_nobody_is_flagged(play, clock):
    """Without a clock nobody is flagged until the game expires."""
    game = play("scrabble-o", 0)
    clock.now += 86_399
    assert stands(game.standing(1)) == ("to-move", 0, [None, None])


def test_a_clock_that_goes_back_uses_no_time(play, clock):
    """A server whose clock is behind must use no time, and rows must not go back."""
    game = play("scrabble-o", 60)
    clock.now += 10
    game.take(0, "-")
    clock.now -= 10
    answer = game.take(1, "-")
    assert seconds(answer["standing"]) == [10, 0]
    clock.now += 10
    assert seconds(game.standing()) == [10, 0]


def test_times_are_kept_to_the_millisecond(play, clock):
    """Time used is counted in milliseconds and also given in whole seconds; a record shows none of it."""
    game = play("scrabble-o", 60)
    clock.now += 12.345
    standing = game.take(0, "8E HEAT")["standing"]
    assert [(seat["seconds"], seat["milliseconds"]) for seat in standing["seats"]] == [(12, 12_345), (0, 0)]
    clock.now += 0.999
    standing = game.standing(0)
    assert [(seat["seconds"], seat["milliseconds"]) for seat in standing["seats"]] == [(12, 12_345), (0, 999)]
    assert standing["moment_ms"] == round(1_000 * clock.now)
    assert standing["clock"]["milliseconds"] == 60_000
    assert standing["clock"]["running_ms"] == 999


def test_a_host_whose_clock_is_set_counts_the_time_that_passed(play, service):
    """A clock that is set back or forward by an hour must neither give a player time nor take any."""
    passed = [0]
    set_by = [0]
    service.services.games.clock = lambda: Moment(10**12 + passed[0] + set_by[0], 5_000 + passed[0], "one boot")
    game = play("scrabble-o", 60)
    for more, hours in ((20, -1), (10, 2), (15, -3)):
        passed[0] += 1_000 * more
        set_by[0] += 3_600_000 * hours
        game.take(game.standing()["mover"], "-")
    assert seconds(game.standing()) == [35, 10]


def test_the_time_of_a_verdict_belongs_to_nobody(play, service):
    """The clock of the next player starts when the verdict is there, and that of the mover ends when the move is."""
    game = play("scrabble-o", 60)
    moments = count(30)
    service.services.games.clock = lambda: Moment(1_795_262_400_000 + 1_000 * next(moments))
    # The first look at the clock is the arrival of the move, the second is after the verdict.
    assert seconds(json.loads(game.post(0, 1, "8E HEAT")[1])["standing"]) == [30, 0]
    assert seconds(game.standing(1)) == [30, 1]
