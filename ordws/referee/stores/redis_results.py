"""A store of the results of sealed games for several hosts, beside the games in their Redis or Valkey server."""

from __future__ import annotations

from typing import Any, Final

from ordws.redis_connection import PATIENCE_SECONDS, RedisConnection

# Results are in a hash by their games, and in an index by their end: both once for each hash tag.
# Keys: the hash, the index. Arguments: the game, the end, the result.
_KEEP: Final = """
redis.call('hset', KEYS[1], ARGV[1], ARGV[3])
redis.call('zadd', KEYS[2], ARGV[2], ARGV[1])
"""
# Keys: the hash. Arguments: the game.
_FIND: Final = "return redis.call('hget', KEYS[1], ARGV[1])"
# Keys: the hash, the index. Arguments: the first end.
_LIST: Final = """
local found = {}
local ended = redis.call('zrangebyscore', KEYS[2], ARGV[1], '+inf', 'withscores')
for n = 1, #ended, 2 do
  table.insert(found, {tonumber(ended[n + 1]), ended[n], redis.call('hget', KEYS[1], ended[n])})
end
return found
"""
# Keys: the hash, the index. Arguments: the last end.
_SWEEP: Final = """
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
        self._remote = RedisConnection(url, _KEEP, _FIND, patience_seconds=patience_seconds)

    def close(self) -> None:
        """Close the connection; the next call opens it again."""
        self._remote.close()

    def keep(self, game: str, ended: int, result: bytes) -> None:
        """Store the result of a game that ended in this second since 1970, in place of an earlier one."""
        self._remote.run_script(_KEEP, _keys(self._remote.tag(game)), [game, ended, result])

    def find(self, game: str) -> bytes | None:
        """Return the result of a game; None if there is none."""
        result: bytes | None = self._remote.run_script(_FIND, _keys(self._remote.tag(game))[:1], [game])
        return result

    def ended_since(self, since: int) -> list[tuple[str, bytes]]:
        """Return the games that ended in this second or later, with their results, the last one first."""
        found = [each for part in self._run_everywhere(_LIST, since) for each in part]
        return [(game.decode(), result) for _, game, result in sorted(found, key=lambda each: (-each[0], each[1]))]

    def sweep(self, ended: int) -> int:
        """Delete the results of games that ended by this second, a few at a time, and return their number."""
        swept = 0
        while number := sum(self._run_everywhere(_SWEEP, ended)):
            swept += number
        return swept

    def _run_everywhere(self, script: str, moment: int) -> list[Any]:
        return self._remote.run_script_for_each(script, [_keys(tag) for tag in self._remote.tags], [moment])


def _keys(tag: bytes) -> list[bytes]:
    return [b"ordws:%bresults" % tag, b"ordws:%bended" % tag]
