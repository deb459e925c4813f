"""What every store of sealed games has to do; another store is one more line."""

from __future__ import annotations

import threading

import pytest
from redis_server import DURABLE, RedisServer

from ordws.errors import StoreDown
from ordws.referee.stores.redis import RedisGameStore
from ordws.referee.stores.sqlite import SqliteGameStore

HOUR, NOON = 3_600, 1_795_262_400


def sqlite(tmp_path):
    """A way to open the same file again and again."""
    path = tmp_path / "games.db"
    SqliteGameStore.create(path).close()
    return (lambda: SqliteGameStore(path)), lambda: None


def redis(tmp_path):
    """A way to connect to the same server again and again."""
    server = RedisServer(tmp_path / "redis", *DURABLE)
    return (lambda: RedisGameStore(server.url)), server.kill


STORES = [sqlite, redis]


@pytest.fixture(params=STORES, ids=lambda store: store.__name__)
def opens(request, tmp_path):
    """Opens the store of this test; every call is another process's handle on it."""
    handles, (opens, end) = [], request.param(tmp_path)

    def open_one():
        handles.append(opens())
        return handles[-1]

    yield open_one
    for handle in handles:
        handle.close()
    end()


@pytest.fixture
def turns(opens):
    return opens()


def test_a_game_begins_with_its_header(turns):
    """Row 0 stands alone at first, and a game that was never opened has no row."""
    turns.open("a", 7, b"header", NOON + HOUR)
    assert turns.rows("a", NOON) == [b"header"]
    assert turns.rows("b", NOON) == []


def test_rows_stand_in_their_order(turns):
    """Rows come back as they were appended, also where a number has more digits than another."""
    turns.open("a", 7, b"0", NOON + HOUR)
    for number in range(1, 25):
        assert turns.append("a", number, b"%d" % number) == b"%d" % number
    assert turns.rows("a", NOON) == [b"%d" % number for number in range(25)]


def test_any_bytes_are_kept(turns):
    """A row may be empty, long, or of any bytes."""
    rows = [bytes(range(256)), b"", b"\0" * 5_000]
    turns.open("a", 7, rows[0], NOON + HOUR)
    for number in (1, 2):
        turns.append("a", number, rows[number])
    assert turns.rows("a", NOON) == rows


def test_the_first_row_wins(opens, turns):
    """Whoever comes second gets the row that stands, through whichever handle, and nothing is changed."""
    turns.open("a", 7, b"header", NOON + HOUR)
    assert turns.append("a", 1, b"first") == b"first"
    assert opens().append("a", 1, b"second") == b"first"
    assert turns.append("a", 1, b"first") == b"first"
    assert opens().rows("a", NOON) == [b"header", b"first"]


def test_a_row_follows_another(turns):
    """A row whose predecessor is missing is not kept: not after a gap, and not of a game that is unknown."""
    turns.open("a", 7, b"header", NOON + HOUR)
    for game, number in (("a", 2), ("b", 1), ("b", 0)):
        with pytest.raises(StoreDown):
            turns.append(game, number, b"row")
    assert turns.rows("a", NOON) == [b"header"]
    assert turns.rows("b", NOON) == []


def test_a_game_ends_with_its_last_second(turns):
    """It is there in the second before its end, and not any more at its end."""
    turns.open("a", 7, b"header", NOON + HOUR)
    turns.append("a", 1, b"row")
    assert len(turns.rows("a", NOON + HOUR - 1)) == 2
    assert turns.rows("a", NOON + HOUR) == []


def test_games_are_apart(turns):
    """No row of one game is a row of another."""
    turns.open("a", 7, b"A", NOON + HOUR)
    turns.open("aa", 7, b"AA", NOON + HOUR)
    turns.append("aa", 1, b"AA1")
    assert turns.rows("a", NOON) == [b"A"]
    assert turns.rows("aa", NOON) == [b"AA", b"AA1"]


def test_the_editions_of_running_games(turns):
    """Each edition that a running game began with is named, and those of expired games are not."""
    assert turns.editions(NOON) == frozenset()
    turns.open("a", 7, b"", NOON + HOUR)
    turns.open("b", 9, b"", NOON + 2 * HOUR)
    turns.open("c", 9, b"", NOON + 3 * HOUR)
    assert turns.editions(NOON) == {7, 9}
    assert turns.editions(NOON + HOUR) == {9}
    assert turns.editions(NOON + 3 * HOUR) == frozenset()


def test_expired_games_are_forgotten_an_hour_later(turns):
    """A sweep takes away what expired an hour ago, all its rows, and nothing else."""
    for number in range(230):
        turns.open(f"old {number}", 7, b"header", NOON)
    turns.append("old 5", 1, b"row")
    turns.open("new", 7, b"header", NOON + 1)
    assert turns.sweep(NOON + HOUR - 1) == 0
    assert turns.sweep(NOON + HOUR) == 230
    assert turns.rows("old 5", NOON - 1) == []
    assert turns.rows("new", NOON) == [b"header"]
    with pytest.raises(StoreDown):
        turns.append("old 5", 2, b"row")


def test_one_of_many_threads_wins_each_turn(opens):
    """Thirty-two threads over four handles append to the same numbers: all get the same row, which is one of theirs."""
    handles = [opens() for _ in range(4)]
    handles[0].open("a", 7, b"header", NOON + HOUR)
    told = [[] for _ in range(32)]

    def play(at):
        for number in range(1, 9):
            told[at].append(handles[at % 4].append("a", number, b"%d of %d" % (number, at)))

    threads = [threading.Thread(target=play, args=(at,)) for at in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(each == told[0] for each in told)
    assert handles[1].rows("a", NOON) == [b"header", *told[0]]
    assert all(row.startswith(b"%d of " % number) for number, row in enumerate(told[0], start=1))


def test_a_file_that_is_taken_away_is_noticed(tmp_path):
    """Without its file every verb raises StoreDown, none makes it anew, and all goes on when it is back."""
    path = tmp_path / "games.db"
    SqliteGameStore.create(path).close()
    turns = SqliteGameStore(path)
    turns.open("a", 7, b"header", NOON + HOUR)
    path.rename(tmp_path / "away")
    verbs = [
        lambda: turns.open("b", 7, b"", NOON),
        lambda: turns.append("a", 1, b"row"),
        lambda: turns.rows("a", NOON),
        lambda: turns.editions(NOON),
        lambda: turns.sweep(NOON),
    ]
    for verb in verbs:
        with pytest.raises(StoreDown):
            verb()
    assert not path.exists()
    (tmp_path / "away").rename(path)
    assert turns.append("a", 1, b"row") == b"row"
    turns.close()


def test_what_a_killed_server_has_answered_is_there(tmp_path):
    """While it is away every verb raises StoreDown; when it is back, each row is there that was told."""
    server = RedisServer(tmp_path / "redis", *DURABLE)
    turns = RedisGameStore(server.url)
    turns.open("a", 7, b"header", NOON + HOUR)
    turns.append("a", 1, b"row")
    server.kill()
    for verb in (lambda: turns.append("a", 2, b"row"), lambda: turns.rows("a", NOON), lambda: turns.editions(NOON)):
        with pytest.raises(StoreDown):
            verb()
    server.start()
    assert turns.rows("a", NOON) == [b"header", b"row"]
    turns.close()
    server.kill()


def test_a_turn_is_on_disk_before_it_is_told(tmp_path):
    """The file is written with synchronous=FULL, so that a loss of power takes no turn back that was answered."""
    SqliteGameStore.create(tmp_path / "games.db").close()
    turns = SqliteGameStore(tmp_path / "games.db")
    with turns._database as db:
        assert db.execute("pragma synchronous").fetchone() == (2,)
        assert db.execute("pragma journal_mode").fetchone() == ("wal",)
    turns.close()
