"""A listener to the news of a Redis server or cluster, in a thread of its own."""

from __future__ import annotations

import threading
from contextlib import closing

from ordws.referee.stores.news import RowStored, SeatHandover
from ordws.referee.stores.redis import RedisGameStore, RedisNews

HOUR, NOON = 3_600, 1_795_262_400
TIMEOUT_SECONDS = 20


def hear_two_rows(url):
    """Store two rows of a game, and another that comes second, and check that the two are heard."""
    heard, listens = [], threading.Event()

    def listen():
        with closing(RedisNews(url)) as news:
            for row in news.listen():
                listens.set()
                if row is not None and row.game == "heard":
                    heard.append(row)
                if len(heard) == 2:
                    return

    thread = threading.Thread(target=listen)
    thread.start()
    with closing(RedisGameStore(url)) as store:
        store.open("heard", 7, b"header", NOON + HOUR)
        assert listens.wait(TIMEOUT_SECONDS)
        store.append("heard", 1, b"row", SeatHandover(1, 4))
        store.append("heard", 1, b"other")
        store.append("heard", 2, b"row")
    thread.join(TIMEOUT_SECONDS)
    assert heard == [RowStored("heard", 1, SeatHandover(1, 4)), RowStored("heard", 2)]
