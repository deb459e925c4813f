"""The store of replies for idempotency keys in a Redis or Valkey server that several hosts share."""

from __future__ import annotations

from typing import Final

from ordws.api.idempotency import ENTRY_BYTES, LEASE_SECONDS, MAX_CLOCK_SKEW_SECONDS, StoredReply, StoredSum
from ordws.redis_connection import PATIENCE_SECONDS, RedisConnection
from ordws.retention import REPLIES

_KEY_PREFIX: Final = b"ordws:reply:"
_SUM_PREFIX: Final = b"ordws:stored:"
_EXPIRE_SECONDS: Final = 2 * REPLIES.seconds

# Keys: the name. Arguments: the digest of the request, now. The scripts take the time as an argument; the server's own
# expiry only clears away old entries. A lease that ends too far ahead was written by a wrong clock, and is taken over.
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
redis.call('hset', KEYS[1], 'reply', ARGV[1], 'ends', ARGV[2] + {REPLIES.seconds})
"""
_DROP: Final = "redis.call('unlink', KEYS[1])"
# Keys: the caller and the day. Arguments: the bytes stored. In a cluster they may be on another server than the reply.
_ADD: Final = f"""
redis.call('hincrby', KEYS[1], 'replies', 1)
redis.call('hincrby', KEYS[1], 'size', ARGV[1])
redis.call('expire', KEYS[1], {_EXPIRE_SECONDS})
"""
_SUM: Final = "return redis.call('hmget', KEYS[1], 'replies', 'size')"


class RedisReplyStore:
    """The replies of several hosts."""

    def __init__(self, url: str, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._redis = RedisConnection(url, _BEGIN, _FINISH, _DROP, _ADD, _SUM, patience_seconds=patience_seconds)

    def close(self) -> None:
        self._redis.close()

    def begin(self, name: bytes, request_digest: bytes, now: int) -> StoredReply | None:
        """Return the entry under a name; where there is none, enter the request as under way and return None."""
        stored = self._redis.run_script(_BEGIN, [_KEY_PREFIX + name], [request_digest, now])
        # A Lua table ends at its first nil, so an entry without a reply comes as one value.
        return (stored[0], stored[1] if len(stored) > 1 else None) if stored else None

    def end(self, name: bytes, caller: bytes, reply: bytes, now: int) -> None:
        """Store the reply of a request for a day, and add it to the sum of its caller."""
        self._redis.run_script(_FINISH, [_KEY_PREFIX + name], [reply, now])
        self._redis.run_script(_ADD, [_sum_key(caller, now)], [len(reply) + ENTRY_BYTES])

    def drop(self, name: bytes) -> None:
        """Delete the entry of a request that has committed nothing."""
        self._redis.run_script(_DROP, [_KEY_PREFIX + name], [])

    def stored_today(self, caller: bytes, now: int) -> StoredSum:
        """Return what was stored for a caller today, UTC."""
        replies, size = self._redis.run_script(_SUM, [_sum_key(caller, now)], [])
        return StoredSum(int(replies or 0), int(size or 0))

    def sweep(self, now: int) -> int:
        """Do nothing and return 0: the server deletes entries by their expiry time."""
        return 0


def _sum_key(caller: bytes, now: int) -> bytes:
    return _SUM_PREFIX + caller + b":%d" % (now // REPLIES.seconds)
