"""Tests of the results of finished games: what they say, when they are taken, and where they are kept."""

from __future__ import annotations

import hashlib
from random import Random

import pytest
from redis_server import DURABLE, RedisServer

from ordws.errors import Broken, StoreDown
from ordws.referee.acts import ResignAction, Submission
from ordws.referee.games import SealedGames
from ordws.referee.moments import Arrival, Moment
from ordws.referee.results import GameResult, Results, SeatResult, write_game_record
from ordws.referee.sealed_game import SeatHolder, SubmissionText, new_game
from ordws.referee.stores.redis import RedisResultStore
from ordws.referee.stores.sqlite import SqliteGameStore, SqliteResultStore
from ordws.retention import GAMES
from ordws.rules.move import Exchange
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS

NOW, HOUR, KEY = 1_795_262_400, 3_600, bytes(32)
SEATS = (SeatHolder("7", None, "Ann Archer"), SeatHolder("8", "p2", None))


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    with RedisServer(tmp_path_factory.mktemp("results") / "redis", *DURABLE) as server:
        yield server.url


@pytest.fixture(params=["sqlite", "redis", "cluster"])
def store(request, tmp_path):
    """Return an empty store of each kind."""
    if request.param == "sqlite":
        store = SqliteResultStore.create(tmp_path / "results.db")
    else:
        url = request.getfixturevalue("redis") if request.param == "redis" else request.getfixturevalue("cluster").url
        store = RedisResultStore(url)
        store.sweep(2**40)
    yield store
    store.close()


class Table:
    """Sealed games over a store of results, with a clock, and one game in which ann resigns after an exchange."""

    def __init__(self, path, results):
        self.milliseconds = 1_000 * NOW
        self.results = Results(results, KEY)
        self.games = SealedGames(
            SqliteGameStore.create(path), KEY, Random(5), clock=lambda: Moment(self.milliseconds), results=self.results
        )

    def open(self, **options):
        rules = with_options(RULE_SETS["scrabble-o"], options)
        header = self.games.new_header(new_game(rules, 2, self.games.chance), SEATS, 3, "First", NOW)
        self.games.open(header)
        return self.games.find_by_id(header.game, NOW)

    def take(self, sealed_game, seat, action, text):
        self.milliseconds += 1_250
        submission = Submission(seat, SubmissionText((), text), (), action)
        prepared = self.games.prepare(sealed_game, submission, Arrival(self.games.clock()))
        return self.games.complete(sealed_game, submission, prepared, True)

    def play(self, sealed_game):
        """Return the game after ann has exchanged a tile and ben has resigned."""
        tile = sealed_game.state.seats[0].rack[0]
        sealed_game = self.take(sealed_game, 0, Exchange(tile), f"-{tile}")
        return self.take(sealed_game, 1, ResignAction(), "resign")


@pytest.fixture
def table(tmp_path, store):
    table = Table(tmp_path / "games.db", store)
    yield table
    table.games.store.close()


def test_a_result_is_taken_with_the_last_turn(table):
    """The turn that ends a game stores its result: who, when, by which rules, how it ended, and the record's digest."""
    sealed_game = table.open(clock_seconds=600)
    assert table.results.find(sealed_game.header.game) is None
    over = table.play(sealed_game)
    result = table.results.find(over.header.game)
    assert result == GameResult(
        over.header.game,
        2,
        "First",
        1_000 * NOW,
        1_000 * NOW + 2_500,
        "scrabble-o",
        {"clock_seconds": "600"},
        "forfeit",
        (0,),
        hashlib.sha256(write_game_record(over)).hexdigest(),
        (
            SeatResult("Ann Archer", "7", None, 0, 0, 1, 1_250, None, None),
            SeatResult(None, "8", "p2", 0, 0, 0, 1_250, "resigned", None),
        ),
    )
    assert table.results.ended_since() == table.results.ended_since(NOW + 2) == [result.game]
    assert table.results.ended_since(NOW + 3) == []


def test_a_result_that_was_not_taken_is_taken_at_the_sweep(table):
    """A process that is killed between the last turn and the result, or a store that is down, loses no result."""

    class Down:
        def keep(self, sealed_game):
            raise StoreDown("not now")

    table.games.results = Down()
    over = table.play(table.open())
    assert table.results.find(over.header.game) is None
    table.games.results = table.results
    expired = over.header.expires + HOUR
    assert table.games.sweep(expired - 1) == 0
    assert table.results.find(over.header.game) is None
    assert table.games.sweep(expired) == 1
    assert table.results.find(over.header.game).ending == "forfeit"
    assert table.games.store.rows(over.header.game, 0) == []


def test_a_sweep_ends_a_game_whose_time_is_up_and_keeps_no_other(table):
    """A player who walked away has lost when nobody looked either; a game that nothing has ended leaves no result."""
    timed = table.open(clock="overtime", clock_seconds=60)
    untimed = table.open()
    assert table.games.sweep(NOW + GAMES.seconds + HOUR) == 2
    result = table.results.find(timed.header.game)
    assert (result.ending, result.winners, result.seats[0].left) == ("forfeit", (1,), "overtime")
    assert table.results.find(untimed.header.game) is None


def test_a_result_is_taken_again_and_stays_the_same(table):
    """A sweep leaves the result of a game as it is, and the same result again changes nothing."""
    over = table.play(table.open())
    first = table.results.find(over.header.game)
    table.results.keep(over)
    table.games.sweep(over.header.expires + HOUR)
    assert table.results.find(over.header.game) == first
    assert table.results.ended_since() == [over.header.game]


def test_results_are_kept_for_four_hundred_days(table):
    """A result is deleted after 400 days, and no earlier."""
    table.play(table.open())
    ended = NOW + 2
    table.games.sweep(ended + 400 * 86_400 - 1)
    assert len(table.results.ended_since()) == 1
    table.games.sweep(ended + 400 * 86_400)
    assert table.results.ended_since() == []


def test_results_are_listed_with_the_last_first(table):
    """The results of many games come in the order of their ends."""
    overs = [table.play(table.open()) for _ in range(3)]
    assert table.results.ended_since() == [over.header.game for over in reversed(overs)]


def test_a_result_shows_nothing_without_the_games_key(table, store):
    """A stored result has no name in the clear, and does not open under another key, or as another game's."""
    over, other = (table.play(table.open()) for _ in range(2))
    sealed = store.find(over.header.game)
    assert b"Ann Archer" not in sealed
    with pytest.raises(Broken):
        Results(store, bytes([1]) * 32).find(over.header.game)
    store.keep(other.header.game, NOW, sealed)
    with pytest.raises(Broken):
        table.results.find(other.header.game)


def test_rows_of_another_key_do_not_stop_a_sweep(table):
    """Games of before the games key was made anew are swept without a result."""
    table.play(table.open())
    table.games._cipher = type(table.games._cipher)(bytes([2]) * 32)
    assert table.games.sweep(NOW + GAMES.seconds + HOUR) == 1
