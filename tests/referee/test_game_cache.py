"""Tests of the cache of replayed games: active ones, and a few that are finished."""

from __future__ import annotations

import weakref
from random import Random

import pytest

from ordws.referee.acts import ResignAction, Submission
from ordws.referee.games import SealedGames
from ordws.referee.moments import Arrival
from ordws.referee.sealed_game import SeatHolder, SubmissionText, new_game
from ordws.referee.stores.sqlite import SqliteGameStore
from ordws.retention import GAMES
from ordws.rules.move import Pass
from ordws.rules.ruleset import RULE_SETS

NOW = 1_700_000_000
SEATS = (SeatHolder("7", None, "Ann"), SeatHolder("7", None, "Ben"))


@pytest.fixture
def games(tmp_path):
    store = SqliteGameStore.create(tmp_path / "games.db")
    yield SealedGames(store, bytes(32), Random(1))
    store.close()


@pytest.fixture
def find(games):
    """Open a game and return a function that finds it as the first seat does."""
    header = games.new_header(new_game(RULE_SETS["scrabble-o"], 2, games.chance), SEATS, 1, "First", NOW)
    token, _ = games.open(header)

    def find():
        found = games.find(header.game, token, "7", NOW)
        assert found is not None
        return found[0]

    return find


def test_an_active_game_is_replayed_once(find):
    """An active game that is found again is the very object that was replayed before."""
    assert find() is find()


def test_a_turn_that_was_taken_is_not_replayed(games, find):
    """The game that a turn leads to is found again as the very object, and as its rows say."""
    sealed_game = find()
    passed = Submission(0, SubmissionText((), "-"), (), Pass())
    after = games.complete(sealed_game, passed, games.prepare(sealed_game, passed, Arrival(games.clock())), True)
    assert find() is after
    games._active.remove(after.header.game)
    assert find() == after


def test_a_finished_game_leaves_the_cache_of_active_games(games, find):
    """A game leaves the cache of active games with its last turn, and is then cached among finished ones."""
    sealed_game = find()
    reference = weakref.ref(sealed_game)
    resigned = Submission(0, SubmissionText((), "resign"), (), ResignAction())
    games.complete(sealed_game, resigned, games.prepare(sealed_game, resigned, Arrival(games.clock())), True)
    del sealed_game
    assert reference() is None
    assert find() is find()
    assert [row.submitted.move for row in find().rows] == ["resign"]


def test_few_finished_games_are_cached(games, find, monkeypatch):
    """The cache of finished games drops games beyond its number of rows."""
    monkeypatch.setattr(games._finished, "_most_rows", 1)
    sealed_game = find()
    resigned = Submission(0, SubmissionText((), "resign"), (), ResignAction())
    games.complete(sealed_game, resigned, games.prepare(sealed_game, resigned, Arrival(games.clock())), True)
    assert find() is not find()


def test_an_expired_game_is_dropped(games, find):
    """A sweep drops a game that has expired from the cache."""
    reference = weakref.ref(find())
    games.sweep(NOW + GAMES.seconds - 1)
    assert reference() is not None
    games.sweep(NOW + GAMES.seconds)
    assert reference() is None
