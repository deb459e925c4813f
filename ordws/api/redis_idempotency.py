"""Answers that may be asked for again, of several hosts, in one Redis or Valkey server that they share."""

from __future__ import annotations

from typing import Final

from ordws.api.idempotency import LEASE_SECONDS, MAX_CLOCK_SKEW_SECONDS, RETENTION_SECONDS, StoredReply
from ordws.redis_connection import PATIENCE_SECONDS, RedisConnection

_KEY_PREFIX: Final = b"ordws:reply:"
_EXPIRE_SECONDS: Final = 2 * RETENTION_SECONDS

# Keys: the name. Arguments: the digest of what was asked, now. Time is an argument, the server only clears away.
# A lease that ends much later than any does by now was given by a clock that was ahead, and does not hold.
_BEGIN: Final = f"""
local asked, reply, ends = unpack(redis.call('hmget', KEYS[1], 'asked', 'reply', 'ends'))
ends = tonumber(ends or 0)
local latest = ARGV[2] + {LEASE_SECONDS + MAX_CLOCK_SKEW_SECONDS}
if ends > tonumber(ARGV[2]) and (reply or ends <= latest) then return {{asked, reply}} end
redis.call('del', KEYS[1])
redis.call('hset', KEYS[1], 'asked', ARGV[1], 'ends', ARGV[2] + {LEASE_SECONDS})
redis.call('expire', KEYS[1], {_EXPIRE_SECONDS})
return {{}}
"""
# Keys: the name. Arguments: the reply, now.
_FINISH: Final = f"""
if redis.call('exists', KEYS[1]) == 0 then return end
redis.call('hset', KEYS[1], 'reply', ARGV[1], 'ends', ARGV[2] + {RETENTION_SECONDS})
"""
_DROP: Final = "redis.call('unlink', KEYS[1])"


class RedisReplyStore:
    """Replies of several hosts."""

    def __init__(self, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._redis = RedisConnection(url, _BEGIN, _FINISH, _DROP, patience_seconds=patience_seconds)

    def close(self) -> None:
        self._redis.close()

    def begin(self, name: bytes, request_digest: bytes, now: int) -> StoredReply | None:
        """What stands under a name; where nothing does, the request is noted as under way, and None returned."""
        found = self._redis.run_script(_BEGIN, [_KEY_PREFIX + name], [request_digest, now])
        return (found[0], found[1] if len(found) > 1 else None) if found else None

    def finish(self, name: bytes, reply: bytes, now: int) -> None:
        """Keep a reply for a day."""
        self._redis.run_script(_FINISH, [_KEY_PREFIX + name], [reply, now])

    def drop(self, name: bytes) -> None:
        """Forget a request that has committed nothing."""
        self._redis.run_script(_DROP, [_KEY_PREFIX + name], [])

    def sweep(self, now: int) -> int:
        """Nothing: the server clears away by itself what ended long ago."""
        return 0
