"""The news of the sealed games in a Redis or Valkey server or cluster that hosts share."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from time import monotonic
from typing import Final

from ordws.redis_connection import PATIENCE_SECONDS, RedisConnection
from ordws.referee.stores.news import NEWS_CHANNEL, GameNews, RowStored
from ordws.referee.stores.redis import game_key, news_key, seats_key

_OVERLAP_SECONDS: Final = 1.0
_MOST_SECONDS: Final = 3_600.0

# Keys: the game, its seats. Arguments: now.
_READ: Final = """
if tonumber(redis.call('hget', KEYS[1], 'expires') or 0) <= tonumber(ARGV[1]) then return false end
return {redis.call('hlen', KEYS[1]) - 3, redis.call('hgetall', KEYS[2])}
"""
# Keys: the news of one hash tag. Arguments: how far back to look, in ms by the clock of the server.
_CHANGES: Final = """
local time = redis.call('time')
local since = time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[1]
local found = {}
for _, entry in ipairs(redis.call('xrange', KEYS[1], string.format('%.0f', math.max(since, 0)), '+')) do
  table.insert(found, entry[2][2])
end
return found
"""


class RedisNews:
    """A reader of the store that `RedisGameStore` writes."""

    def __init__(self, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._remote = RedisConnection(url, _READ, patience_seconds=patience_seconds)
        self._last = monotonic()

    def close(self) -> None:
        self._remote.close()

    def read(self, game: str, now: int) -> GameNews | None:
        """Return the state of a game; None if it is unknown or has expired."""
        tag = self._remote.tag(game)
        found = self._remote.run_script(_READ, [game_key(tag, game), seats_key(tag, game)], [now])
        if found is None:
            return None
        rows, seats = found
        return GameNews(rows, dict(zip(map(int, seats[::2]), map(int, seats[1::2]), strict=True)))

    def changes(self) -> list[RowStored]:
        """Return the rows that were stored since the last call that succeeded, and those of a second before it."""
        began = monotonic()
        window = min(began - self._last + _OVERLAP_SECONDS, _MOST_SECONDS)
        keys = [[news_key(tag)] for tag in self._remote.tags]
        found = self._remote.run_script_for_each(_CHANGES, keys, [round(1000 * window)])
        self._last = began
        return [row for message in chain.from_iterable(found) if (row := RowStored.decode(message)) is not None]

    def listen(self) -> Iterator[RowStored | None]:
        """Yield the rows of all hosts as they are stored, and None about once a second; raises StoreDown."""
        for message in self._remote.listen(NEWS_CHANNEL):
            yield None if message is None else RowStored.decode(message)
