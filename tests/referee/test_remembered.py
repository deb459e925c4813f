"""What is remembered of sealed games: those that go on, so that memory does not grow with all that were ever played."""

from __future__ import annotations

import weakref
from random import Random

import pytest

from ordws.referee.deal import new_game
from ordws.referee.games import Games
from ordws.referee.stores.sqlite import SqliteTurns
from ordws.referee.table import Asked, Sitter
from ordws.referee.taking import Resign, Submission
from ordws.rules.rulesets import RULE_SETS

NOW = 1_700_000_000
SEATS = (Sitter("7", None, "Ann"), Sitter("7", None, "Ben"))


@pytest.fixture
def games(tmp_path):
    turns = SqliteTurns.create(tmp_path / "games.db")
    yield Games(turns, bytes(32), Random(1))
    turns.close()


@pytest.fixture
def find(games):
    """Open a game; what is called finds its table as the first seat does."""
    header = games.begin(new_game(RULE_SETS["scrabble-o"], 2, games.chance), SEATS, 1, "First", NOW)
    token, _ = games.open(header)

    def find():
        found = games.find(header.game, token, "7", NOW)
        assert found is not None
        return found[0]

    return find


def test_a_game_that_goes_on_is_laid_once(find):
    """Whoever asks again finds the table that was laid before."""
    assert find() is find()


def test_a_game_that_is_over_is_let_go(games, find):
    """Its end is found like any other row, and nothing of it stays in memory."""
    table = find()
    resigned = Submission(0, Asked((), "resign"), (), Resign())
    begun = games.begin_turn(table, resigned, NOW)
    games.take(table, resigned, begun, True, NOW)
    over = find()
    assert [row.asked.move for row in over.rows] == ["resign"]
    going, gone = weakref.ref(table), weakref.ref(over)
    del table, over, begun
    assert (going(), gone()) == (None, None)
