"""The news that a store tells of sealed games without their key; test_game_stores.py has them for a cluster."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress

import pytest
from heard_rows import hear_two_rows
from hypothesis import given
from hypothesis import strategies as st
from redis_server import DURABLE, RedisServer

from ordws.errors import StoreDown
from ordws.referee.stores.news import GameNews, RowStored, SeatHandover
from ordws.referee.stores.redis import RedisGameStore, RedisNews
from ordws.referee.stores.sqlite import SqliteGameStore, SqliteNews

HOUR, NOON = 3_600, 1_795_262_400


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory):
    with RedisServer(tmp_path_factory.mktemp("news") / "redis", *DURABLE) as server:
        yield server.url


@pytest.fixture(params=["sqlite", "redis"])
def opened(request, tmp_path):
    """Open a store, and a reader of its news as another process has it."""
    if request.param == "sqlite":
        path = tmp_path / "games.db"
        store, news = SqliteGameStore.create(path), SqliteNews(path)
    else:
        url = request.getfixturevalue("redis_url")
        store, news = RedisGameStore(url), RedisNews(url)
    with closing(store), closing(news):
        yield store, news


def name_of(request):
    """Return a game of this test alone, since servers are shared."""
    return request.node.name.encode().hex()[-32:]


def test_the_rows_of_a_game_are_counted(opened, request):
    """Rows count without the header, and a game that is unknown or has expired has none."""
    (store, news), game = opened, name_of(request)
    assert news.read(game, NOON) is None
    store.open(game, 7, b"header", NOON + HOUR)
    assert news.read(game, NOON) == GameNews(0, {})
    store.append(game, 1, b"row")
    store.append(game, 2, b"row")
    assert news.read(game, NOON + HOUR - 1) == GameNews(2, {})
    assert news.read(game, NOON + HOUR) is None


def test_generations_of_seats_are_told(opened, request):
    """The newest generation of each seat is told, and a row that came second gives no seat to anybody."""
    (store, news), game = opened, name_of(request)
    store.open(game, 7, b"header", NOON + HOUR)
    store.append(game, 1, b"a", SeatHandover(0, 1))
    store.append(game, 2, b"b", SeatHandover(1, 1))
    store.append(game, 3, b"c", SeatHandover(0, 2))
    store.append(game, 3, b"d", SeatHandover(1, 9))
    assert news.read(game, NOON) == GameNews(3, {0: 2, 1: 1})


def test_changes_are_told_in_their_order(opened, request):
    """Every row that is stored is told, the one that came second is not, and nothing is lost between two calls."""
    (store, news), game = opened, name_of(request)
    store.open(game, 7, b"header", NOON + HOUR)
    news.changes()
    seen = []
    for number in range(1, 9):
        taken = SeatHandover(1, number) if number % 3 == 0 else None
        store.append(game, number, b"row", taken)
        store.append(game, number, b"other")
        if number % 2 == 0:
            seen += [row for row in news.changes() if row.game == game]
    expected = [RowStored(game, n, SeatHandover(1, n) if n % 3 == 0 else None) for n in range(1, 9)]
    assert list(dict.fromkeys(seen)) == expected


def test_a_sweep_deletes_what_is_told_of_expired_games(tmp_path):
    """With its game a seat's generation is deleted, and of the news the last ten thousand rows are kept."""
    path = tmp_path / "games.db"
    with closing(SqliteGameStore.create(path)) as store, closing(SqliteNews(path)) as news:
        store.open("old", 7, b"header", NOON)
        store.append("old", 1, b"row", SeatHandover(0, 1))
        with closing(sqlite3.connect(path)) as db:
            db.execute("insert into news (id, game, number) values (20000, 'new', 1)")
            db.commit()
        assert [row.game for row in news.changes()] == []
        store.sweep(NOON + HOUR)
        with closing(sqlite3.connect(path)) as db:
            assert db.execute("select id from news").fetchall() == [(20_000,)]
            assert db.execute("select * from seats_taken").fetchall() == []


def test_without_its_file_the_news_are_missing(tmp_path):
    """Without its file a reader raises StoreDown and makes none; when it is back, what came meanwhile is told."""
    path = tmp_path / "games.db"
    news = SqliteNews(path)
    for verb in (news.changes, lambda: news.read("a", NOON)):
        with pytest.raises(StoreDown):
            verb()
    assert not path.exists()
    with closing(SqliteGameStore.create(path)) as store:
        store.open("a", 7, b"header", NOON + HOUR)
        news.changes()
        path.rename(tmp_path / "away")
        with pytest.raises(StoreDown):
            news.changes()
        (tmp_path / "away").rename(path)
        store.append("a", 1, b"row")
        assert news.changes() == [RowStored("a", 1)]
    news.close()


def test_redis_tells_all_hosts_at_once(redis_url):
    """Whoever listens hears of a row as it is stored."""
    hear_two_rows(redis_url)


def test_a_lost_server_ends_the_listening(tmp_path):
    """When the server goes away, whoever listens gets StoreDown and can begin again."""
    server = RedisServer(tmp_path / "redis", *DURABLE)
    with closing(RedisNews(server.url)) as news:
        heard = news.listen()
        assert next(heard) is None
        server.kill()
        with pytest.raises(StoreDown):
            list(heard)


@given(
    st.builds(
        RowStored,
        st.text("0123456789abcdef", min_size=1, max_size=32),
        st.integers(0, 10**9 - 1),
        st.none() | st.builds(SeatHandover, st.integers(0, 9), st.integers(0, 10**9 - 1)),
    )
)
def test_a_message_is_read_as_it_was_written(row):
    assert RowStored.decode(row.encode()) == row


@given(st.binary(max_size=80))
def test_any_other_message_is_none(message):
    """A message is read only where it is what would be written."""
    with suppress(UnicodeDecodeError):
        row = RowStored.decode(message)
        assert row is None or row.game == message.split(b" ")[0].decode()
