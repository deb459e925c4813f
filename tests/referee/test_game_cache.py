"""What is remembered of sealed games: those that go on, and few that are over or that nobody plays on."""

from __future__ import annotations

import weakref
from random import Random

import pytest

from ordws.referee.deal import new_game
from ordws.referee.games import LIFETIME_SECONDS, SealedGames
from ordws.referee.sealed_game import SeatHolder, SubmissionText
from ordws.referee.stores.sqlite import SqliteGameStore
from ordws.referee.submission import ResignAction, Submission
from ordws.rules.rulesets import RULE_SETS

NOW = 1_700_000_000
SEATS = (SeatHolder("7", None, "Ann"), SeatHolder("7", None, "Ben"))


@pytest.fixture
def games(tmp_path):
    turns = SqliteGameStore.create(tmp_path / "games.db")
    yield SealedGames(turns, bytes(32), Random(1))
    turns.close()


@pytest.fixture
def find(games):
    """Open a game; what is called finds its table as the first seat does."""
    header = games.new_header(new_game(RULE_SETS["scrabble-o"], 2, games.chance), SEATS, 1, "First", NOW)
    token, _ = games.open(header)

    def find():
        found = games.find(header.game, token, "7", NOW)
        assert found is not None
        return found[0]

    return find


def test_a_game_that_goes_on_is_laid_once(find):
    """Whoever asks again finds the table that was laid before."""
    assert find() is find()


def test_a_game_that_is_over_makes_room(games, find):
    """With its last turn, whoever looks at it later; then it is laid once, among few others that are over."""
    table = find()
    going_on = weakref.ref(table)
    resigned = Submission(0, SubmissionText((), "resign"), (), ResignAction())
    games.complete(table, resigned, games.prepare(table, resigned, NOW), True, NOW)
    del table
    assert going_on() is None
    assert find() is find()
    assert [row.submitted.move for row in find().rows] == ["resign"]


def test_few_that_are_over_are_remembered(games, find, monkeypatch):
    """Whoever looks at many of them pushes the others out."""
    monkeypatch.setattr(games._finished, "_most_rows", 1)
    table = find()
    resigned = Submission(0, SubmissionText((), "resign"), (), ResignAction())
    games.complete(table, resigned, games.prepare(table, resigned, NOW), True, NOW)
    assert find() is not find()


def test_a_game_that_has_expired_is_let_go(games, find):
    """One that nobody plays to its end stays no longer in memory than in the store."""
    going_on = weakref.ref(find())
    games.sweep(NOW + LIFETIME_SECONDS - 1)
    assert going_on() is not None
    games.sweep(NOW + LIFETIME_SECONDS)
    assert going_on() is None
