"""Tests of recorded games that the server deals."""

from __future__ import annotations

from random import Random

import pytest

from ordws.fairplay.recorded_games import draw_played_words, honest_games
from ordws.guard.policy import Policy
from tests.mining.attack_task import BEGIN, RECORDED_LEXICON, lexicon_and_truth
from tests.mining.bench_rows import ORDWS
from tests.mining.day_plans import GUEST_GAMES, ScheduledGame
from tests.mining.honest_tasks import HonestTask, measure_honest
from tests.mining.installation import open_installation
from tests.mining.sealed_replay import SealedReplay
from tests.mining.traffic import HonestQuestion


def questions_of(game, label):
    scheduled = ScheduledGame(0, game.seconds, game, ("one", "other"))
    return [HonestQuestion(n, "sealed-tournament", "club", label, scheduled, n) for n in range(len(game.turns))]


def open_club():
    lexicon, _ = lexicon_and_truth(*RECORDED_LEXICON)
    return open_installation(lexicon, draw_played_words(lexicon), Policy(), BEGIN)


@pytest.mark.long
def test_a_sealed_game_goes_as_the_recorded_one():
    """Every turn of a recorded game is taken, asks the same words and gets the same verdict, exchanges included."""
    games = [game for game in honest_games() if game.players == 2]
    game = next(game for game in games if len(game.plays) < len(game.turns))
    with open_club() as installation:
        club = installation.add_client("club", BEGIN, kind="operator", verified=True)
        sealed = SealedReplay(installation, Random(1))
        for question in questions_of(game, "1"):
            reply = sealed.ask(club, question, BEGIN + question.moment)
            assert reply.status == 200, reply.body
            happened = reply.body["happened"]
            if question.turn.words:
                assert tuple(happened["words"]) == question.turn.words
                assert (happened["outcome"] == "stands") == question.turn.accepted


@pytest.mark.long
def test_friends_who_play_on_by_the_play_link_meet_no_refusal():
    """Guests play recorded games one after another, each of which gives back what it did not spend when it is over."""
    result = measure_honest(HonestTask(ORDWS, "guests", 2, 1, 1), Policy())
    assert result == (2 * GUEST_GAMES, 0)


@pytest.mark.long
def test_a_game_that_met_a_refusal_does_not_go_on():
    """When a player may open no more games, all turns of the game are refused."""
    game = next(game for game in honest_games() if game.players == 2)
    with open_club() as installation:
        club = installation.add_client("club", BEGIN, kind="operator", verified=False, age_days=0)
        statuses = []
        for number in range(3):
            sealed = SealedReplay(installation, Random(number))
            questions = questions_of(game, str(number))
            statuses.append({sealed.ask(club, question, BEGIN + question.moment).status for question in questions[:3]})
        assert statuses == [{200}, {200}, {429}]
