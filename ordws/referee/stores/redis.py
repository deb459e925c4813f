"""The stores of several hosts, in a Redis or Valkey server or cluster that they share: sealed games, news, results."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from time import monotonic
from typing import Any, Final

from ordws.errors import StoreDown
from ordws.redis_connection import PATIENCE_SECONDS, RedisConnection
from ordws.referee.stores.news import NEWS_CHANNEL, GameNews, RowStored, SeatHandover

_CLOCK_SKEW_SECONDS: Final = 3_600

# A game is a hash of its rows by number, beside its edition and its end; an index has the running games by their end,
# one for each hash tag.
# Time is an argument; the server's clock only deletes games that no sweep has deleted, a day after they ended.
# Keys: the game, the index. Arguments: the edition, the header, the end.
_OPEN: Final = """
if redis.call('exists', KEYS[1]) == 1 then return redis.error_reply('TAKEN the game is there already') end
redis.call('hset', KEYS[1], '0', ARGV[2], 'edition', ARGV[1], 'expires', ARGV[3])
redis.call('expire', KEYS[1], 172800)
redis.call('zadd', KEYS[2], ARGV[3], KEYS[1])
"""
# A row that is new is told to all hosts at once, and kept for those who missed it; a game's seats are a hash of their
# generations.
# Keys: the game, its seats, the news. Arguments: the number, the row, the message, the channel, and the seat that is
# taken with its generation, if one is.
_APPEND: Final = """
if redis.call('hexists', KEYS[1], ARGV[1] - 1) == 0 then return false end
if redis.call('hsetnx', KEYS[1], ARGV[1], ARGV[2]) == 1 then
  if ARGV[5] then
    redis.call('hset', KEYS[2], ARGV[5], ARGV[6])
    redis.call('expire', KEYS[2], 172800)
  end
  redis.call('xadd', KEYS[3], 'maxlen', '~', 5000, '*', 'row', ARGV[3])
  redis.call('expire', KEYS[3], 172800)
  redis.call('publish', ARGV[4], ARGV[3])
end
return redis.call('hget', KEYS[1], ARGV[1])
"""
# Keys: the game. Arguments: now.
_ROWS: Final = """
local rows = {}
if tonumber(redis.call('hget', KEYS[1], 'expires') or 0) <= tonumber(ARGV[1]) then return rows end
for n = 0, redis.call('hlen', KEYS[1]) - 3 do rows[n + 1] = redis.call('hget', KEYS[1], n) end
return rows
"""
# Keys: the index. Arguments: now.
_EDITIONS: Final = """
local found = {}
for _, game in ipairs(redis.call('zrangebyscore', KEYS[1], '(' .. ARGV[1], '+inf')) do
  local edition = redis.call('hget', game, 'edition')
  if edition then table.insert(found, tonumber(edition)) end
end
return found
"""
# Keys: the index. Arguments: the moment until which games have ended.
_EXPIRED: Final = "return redis.call('zrangebyscore', KEYS[1], '-inf', ARGV[1])"
# Keys: the index. Arguments: the moment until which games have ended.
_SWEEP: Final = """
local ended = redis.call('zrangebyscore', KEYS[1], '-inf', ARGV[1], 'limit', 0, 100)
for _, game in ipairs(ended) do
  redis.call('unlink', game)
  redis.call('zrem', KEYS[1], game)
end
return #ended
"""


class RedisGameStore:
    """A store whose rows are on the disk of a server before they are returned."""

    def __init__(self, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._remote = RedisConnection(url, _OPEN, _APPEND, _ROWS, patience_seconds=patience_seconds)

    def close(self) -> None:
        """Close the connection; the next call opens it again."""
        self._remote.close()

    def open(self, game: str, edition: int, header: bytes, expires: int) -> None:
        """Begin a game with its row 0."""
        keys = [self._game_key(game), _games_index(self._remote.tag(game))]
        self._remote.run_script(_OPEN, keys, [edition, header, expires])

    def append(self, game: str, number: int, row: bytes, taken: SeatHandover | None = None) -> bytes:
        """Append a row unless its number is taken, and return the row that now has the number.

        `taken` is the seat that the row gives to another browser.
        """
        tag = self._remote.tag(game)
        keys = [game_key(tag, game), seats_key(tag, game), news_key(tag)]
        message = RowStored(game, number, taken).encode()
        stored: bytes | None = self._remote.run_script(
            _APPEND, keys, [number, row, message, NEWS_CHANNEL, *(taken or ())]
        )
        if stored is None:
            raise StoreDown("a sealed game is gone")
        return stored

    def rows(self, game: str, now: int) -> list[bytes]:
        """Return all rows of a game, its header first; none if it is unknown or has expired."""
        rows: list[bytes] = self._remote.run_script(_ROWS, [self._game_key(game)], [now])
        return rows

    def expired(self, now: int) -> list[str]:
        """Return the games that the next sweep deletes."""
        keys = chain.from_iterable(self._run_everywhere(_EXPIRED, now - _CLOCK_SKEW_SECONDS))
        return [key.rpartition(b":")[2].decode() for key in keys]

    def editions(self, now: int) -> frozenset[int]:
        """Return the numbers of the editions of all games that have not expired."""
        return frozenset(chain.from_iterable(self._run_everywhere(_EDITIONS, now)))

    def sweep(self, now: int) -> int:
        """Delete games that expired an hour ago, a few at a time, so that turns go on meanwhile."""
        swept = 0
        while ended := sum(self._run_everywhere(_SWEEP, now - _CLOCK_SKEW_SECONDS)):
            swept += ended
        return swept

    def _game_key(self, game: str) -> bytes:
        return game_key(self._remote.tag(game), game)

    def _run_everywhere(self, script: str, moment: int) -> list[Any]:
        indexes = [[_games_index(tag)] for tag in self._remote.tags]
        return self._remote.run_script_for_each(script, indexes, [moment])


def game_key(tag: bytes, game: str) -> bytes:
    return b"ordws:%bgame:%b" % (tag, game.encode())


def seats_key(tag: bytes, game: str) -> bytes:
    return b"ordws:%bseats:%b" % (tag, game.encode())


def news_key(tag: bytes) -> bytes:
    return b"ordws:%bnews" % tag


def _games_index(tag: bytes) -> bytes:
    return b"ordws:%bgames" % tag


_OVERLAP_SECONDS: Final = 1.0
_MOST_SECONDS: Final = 3_600.0

# Keys: the game, its seats. Arguments: now.
_READ_NEWS: Final = """
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
        self._remote = RedisConnection(url, _READ_NEWS, patience_seconds=patience_seconds)
        self._last = monotonic()

    def close(self) -> None:
        self._remote.close()

    def read(self, game: str, now: int) -> GameNews | None:
        """Return the state of a game; None if it is unknown or has expired."""
        tag = self._remote.tag(game)
        found = self._remote.run_script(_READ_NEWS, [game_key(tag, game), seats_key(tag, game)], [now])
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


# Results are in a hash by their games, and in an index by their end: both once for each hash tag.
# Keys: the hash, the index. Arguments: the game, the end, the result.
_KEEP_RESULT: Final = """
redis.call('hset', KEYS[1], ARGV[1], ARGV[3])
redis.call('zadd', KEYS[2], ARGV[2], ARGV[1])
"""
# Keys: the hash. Arguments: the game.
_FIND_RESULT: Final = "return redis.call('hget', KEYS[1], ARGV[1])"
# Keys: the hash, the index. Arguments: the first end.
_LIST_RESULTS: Final = """
local found = {}
local ended = redis.call('zrangebyscore', KEYS[2], ARGV[1], '+inf', 'withscores')
for n = 1, #ended, 2 do
  table.insert(found, {tonumber(ended[n + 1]), ended[n], redis.call('hget', KEYS[1], ended[n])})
end
return found
"""
# Keys: the hash, the index. Arguments: the last end.
_SWEEP_RESULTS: Final = """
local ended = redis.call('zrangebyscore', KEYS[2], '-inf', ARGV[1], 'limit', 0, 100)
for _, game in ipairs(ended) do
  redis.call('hdel', KEYS[1], game)
  redis.call('zrem', KEYS[2], game)
end
return #ended
"""


class RedisResultStore:
    """A store whose results are on the disk of a server before they are kept."""

    def __init__(self, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._remote = RedisConnection(url, _KEEP_RESULT, _FIND_RESULT, patience_seconds=patience_seconds)

    def close(self) -> None:
        """Close the connection; the next call opens it again."""
        self._remote.close()

    def keep(self, game: str, ended: int, result: bytes) -> None:
        """Store the result of a game that ended in this second since 1970, in place of an earlier one."""
        self._remote.run_script(_KEEP_RESULT, _result_keys(self._remote.tag(game)), [game, ended, result])

    def find(self, game: str) -> bytes | None:
        """Return the result of a game; None if there is none."""
        result: bytes | None = self._remote.run_script(_FIND_RESULT, _result_keys(self._remote.tag(game))[:1], [game])
        return result

    def ended_since(self, since: int) -> list[tuple[str, bytes]]:
        """Return the games that ended in this second or later, with their results, the last one first."""
        found = [each for part in self._run_everywhere(_LIST_RESULTS, since) for each in part]
        return [(game.decode(), result) for _, game, result in sorted(found, key=lambda each: (-each[0], each[1]))]

    def sweep(self, ended: int) -> int:
        """Delete the results of games that ended by this second, a few at a time, and return their number."""
        swept = 0
        while number := sum(self._run_everywhere(_SWEEP_RESULTS, ended)):
            swept += number
        return swept

    def _run_everywhere(self, script: str, moment: int) -> list[Any]:
        return self._remote.run_script_for_each(script, [_result_keys(tag) for tag in self._remote.tags], [moment])


def _result_keys(tag: bytes) -> list[bytes]:
    return [b"ordws:%bresults" % tag, b"ordws:%bended" % tag]
