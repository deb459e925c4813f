"""The contract of a store of sealed games, run over every store there is."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest
from heard_rows import hear_two_rows
from redis_server import DURABLE, RedisServer

from ordws.errors import StoreDown
from ordws.referee.stores.news import GameNews, RowStored, SeatHandover
from ordws.referee.stores.redis import RedisGameStore, RedisNews
from ordws.referee.stores.sqlite import SqliteGameStore

HOUR, NOON = 3_600, 1_795_262_400


@pytest.fixture
def sqlite(tmp_path):
    """Return a function that opens the same file again and again."""
    path = tmp_path / "games.db"
    SqliteGameStore.create(path).close()
    return lambda: SqliteGameStore(path)


@pytest.fixture
def redis(tmp_path):
    """Return a function that connects to the same server again and again."""
    with RedisServer(tmp_path / "redis", *DURABLE) as server:
        yield lambda: RedisGameStore(server.url)


@pytest.fixture
def redis_cluster(cluster):
    """Return a function that connects to the same cluster again and again."""
    return lambda: RedisGameStore(cluster.url)


@pytest.fixture(params=["sqlite", "redis", "redis_cluster"])
def opens(request):
    """Return a function that opens the store of this test; each call is another process's handle on it."""
    handles, opens = [], request.getfixturevalue(request.param)

    def open_one():
        handles.append(opens())
        return handles[-1]

    yield open_one
    for handle in handles:
        handle.close()


@pytest.fixture
def store(opens):
    return opens()


def test_a_game_begins_with_its_header(store):
    """A new game has its header as row 0, and a game that was never opened has no rows."""
    store.open("a", 7, b"header", NOON + HOUR)
    assert store.rows("a", NOON) == [b"header"]
    assert store.rows("b", NOON) == []


def test_rows_stand_in_their_order(store):
    """Rows come back in the order of their numbers, also where these differ in length."""
    store.open("a", 7, b"0", NOON + HOUR)
    for number in range(1, 25):
        assert store.append("a", number, b"%d" % number) == b"%d" % number
    assert store.rows("a", NOON) == [b"%d" % number for number in range(25)]


def test_any_bytes_are_kept(store):
    """A row may be empty, long, or of any bytes."""
    rows = [bytes(range(256)), b"", b"\0" * 5_000]
    store.open("a", 7, rows[0], NOON + HOUR)
    for number in (1, 2):
        store.append("a", number, rows[number])
    assert store.rows("a", NOON) == rows


def test_the_first_row_wins(opens, store):
    """Appending to a taken number changes nothing and returns the row that has it, through any handle."""
    store.open("a", 7, b"header", NOON + HOUR)
    assert store.append("a", 1, b"first") == b"first"
    assert opens().append("a", 1, b"second") == b"first"
    assert store.append("a", 1, b"first") == b"first"
    assert opens().rows("a", NOON) == [b"header", b"first"]


def test_a_row_without_its_predecessor_is_refused(store):
    """A row without its predecessor is refused: after a gap, and in an unknown game."""
    store.open("a", 7, b"header", NOON + HOUR)
    for game, number in (("a", 2), ("b", 1), ("b", 0)):
        with pytest.raises(StoreDown):
            store.append(game, number, b"row")
    assert store.rows("a", NOON) == [b"header"]
    assert store.rows("b", NOON) == []


def test_a_game_expires_after_its_last_second(store):
    """A game has rows until the second before its end."""
    store.open("a", 7, b"header", NOON + HOUR)
    store.append("a", 1, b"row")
    assert len(store.rows("a", NOON + HOUR - 1)) == 2
    assert store.rows("a", NOON + HOUR) == []


def test_games_share_no_rows(store):
    """Rows of one game are not rows of another, even if one id is the beginning of the other."""
    store.open("a", 7, b"A", NOON + HOUR)
    store.open("aa", 7, b"AA", NOON + HOUR)
    store.append("aa", 1, b"AA1")
    assert store.rows("a", NOON) == [b"A"]
    assert store.rows("aa", NOON) == [b"AA", b"AA1"]


def test_editions_of_running_games_are_listed(store):
    """The editions of running games are listed, those of expired games are not."""
    assert store.editions(NOON) == frozenset()
    store.open("a", 7, b"", NOON + HOUR)
    store.open("b", 9, b"", NOON + 2 * HOUR)
    store.open("c", 9, b"", NOON + 3 * HOUR)
    assert store.editions(NOON) == {7, 9}
    assert store.editions(NOON + HOUR) == {9}
    assert store.editions(NOON + 3 * HOUR) == frozenset()


def test_expired_games_are_forgotten_an_hour_later(store):
    """A sweep deletes the games that expired an hour ago with all their rows, and nothing else."""
    for number in range(230):
        store.open(f"old {number}", 7, b"header", NOON)
    store.append("old 5", 1, b"row")
    store.open("new", 7, b"header", NOON + 1)
    assert store.sweep(NOON + HOUR - 1) == 0
    assert store.sweep(NOON + HOUR) == 230
    assert store.rows("old 5", NOON - 1) == []
    assert store.rows("new", NOON) == [b"header"]
    with pytest.raises(StoreDown):
        store.append("old 5", 2, b"row")


def test_one_of_many_threads_wins_each_turn(opens):
    """Thirty-two threads over four handles that append to the same numbers all get one and the same row."""
    handles = [opens() for _ in range(4)]
    handles[0].open("a", 7, b"header", NOON + HOUR)
    rows_returned = [[] for _ in range(32)]

    def play(at):
        for number in range(1, 9):
            rows_returned[at].append(handles[at % 4].append("a", number, b"%d of %d" % (number, at)))

    threads = [threading.Thread(target=play, args=(at,)) for at in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(each == rows_returned[0] for each in rows_returned)
    assert handles[1].rows("a", NOON) == [b"header", *rows_returned[0]]
    assert all(row.startswith(b"%d of " % number) for number, row in enumerate(rows_returned[0], start=1))


def test_without_its_file_every_method_fails(tmp_path):
    """Without its file every method raises StoreDown and makes no new file; once the file is back, all methods work."""
    path = tmp_path / "games.db"
    SqliteGameStore.create(path).close()
    store = SqliteGameStore(path)
    store.open("a", 7, b"header", NOON + HOUR)
    path.rename(tmp_path / "away")
    verbs = [
        lambda: store.open("b", 7, b"", NOON),
        lambda: store.append("a", 1, b"row"),
        lambda: store.rows("a", NOON),
        lambda: store.editions(NOON),
        lambda: store.sweep(NOON),
    ]
    for verb in verbs:
        with pytest.raises(StoreDown):
            verb()
    assert not path.exists()
    (tmp_path / "away").rename(path)
    assert store.append("a", 1, b"row") == b"row"
    store.close()


def test_acknowledged_rows_survive_a_killed_server(tmp_path):
    """While its server is down every method raises StoreDown; afterwards every acknowledged row is there."""
    server = RedisServer(tmp_path / "redis", *DURABLE)
    store = RedisGameStore(server.url)
    store.open("a", 7, b"header", NOON + HOUR)
    store.append("a", 1, b"row")
    server.kill()
    for verb in (lambda: store.append("a", 2, b"row"), lambda: store.rows("a", NOON), lambda: store.editions(NOON)):
        with pytest.raises(StoreDown):
            verb()
    server.start()
    assert store.rows("a", NOON) == [b"header", b"row"]
    store.close()
    server.kill()


def test_a_turn_is_on_disk_before_it_is_answered(tmp_path):
    """The file is written with synchronous=FULL, so that a power cut takes back no turn that was answered."""
    SqliteGameStore.create(tmp_path / "games.db").close()
    store = SqliteGameStore(tmp_path / "games.db")
    with store._database as db:
        assert db.execute("pragma synchronous").fetchone() == (2,)
        assert db.execute("pragma journal_mode").fetchone() == ("wal",)
    store.close()


def test_a_cluster_tells_its_news(cluster):
    """On a cluster the news of games with different hash tags are told together, at once and when asked for."""
    games = [f"game-{number}" for number in range(12)]
    with closing(RedisGameStore(cluster.url)) as store, closing(RedisNews(cluster.url)) as news:
        for game in games:
            store.open(game, 7, b"header", NOON + HOUR)
            store.append(game, 1, b"row", SeatHandover(1, 3))
        assert [news.read(game, NOON) for game in games] == [GameNews(1, {1: 3})] * 12
        assert sorted(news.changes()) == sorted([RowStored(game, 1, SeatHandover(1, 3)) for game in games])
    hear_two_rows(cluster.url)


def test_expired_games_are_those_that_a_sweep_deletes(store):
    """A game counts as expired an hour after its end, and its rows are there for a moment before the end."""
    for game, ends in (("a", NOON), ("b", NOON + 1), ("c", NOON + HOUR)):
        store.open(game, 7, b"header", ends)
    assert store.expired(NOON + HOUR - 1) == []
    assert sorted(store.expired(NOON + HOUR + 1)) == ["a", "b"]
    assert store.rows("a", 0) == [b"header"]
    assert store.sweep(NOON + HOUR + 1) == 2
    assert store.expired(NOON + HOUR + 1) == []
