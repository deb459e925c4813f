"""A Redis or Valkey server, or a cluster of them, that hosts share and that may stop answering at any moment."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Final
from zlib import crc32

from redis import Redis
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.exceptions import ConnectionError, RedisClusterException, RedisError, ResponseError, TimeoutError
from redis.retry import Retry

from ordws.errors import BadInput, StoreDown

PATIENCE_SECONDS: Final = 2.0
_DURABLE_SETTINGS: Final = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
"""The settings without which the server could lose a write that it has confirmed."""
_LISTEN_SECONDS: Final = 1.0
CLUSTER_TAGS: Final = tuple([b"{%02d}:" % number for number in range(64)])
"""The hash tags of keys in a cluster: keys with the same tag are in one slot, and one script can change them together.

They are few, so that each has an index and a record that it exists, and all of them can be asked; their slots are
spread evenly over up to sixteen nodes.
"""

_HINT: Final = f"set in redis.conf: {', '.join([f'{name} {value}' for name, value in _DURABLE_SETTINGS.items()])}"


class _NotDurable(RedisError):
    """The server is not set to keep every write."""


class RedisConnection:
    """One server or cluster; whatever keeps it from answering is raised as StoreDown, and each use begins anew.

    After a wait that timed out, one thread at a time keeps trying and the others fail at once; otherwise all threads
    of a host that is cut off would wait, and none would be left to refuse requests.

    A write that the server has confirmed is on its disk: each new connection checks the settings that ensure this.
    Replicas are not waited for, so that the last few writes may be lost when a replica takes over.
    """

    def __init__(self, url: str, *scripts: str, patience_seconds: float = PATIENCE_SECONDS) -> None:
        settings: dict[str, Any] = {
            "protocol": 2,
            "socket_timeout": patience_seconds,
            "socket_connect_timeout": patience_seconds,
            "retry": Retry(NoBackoff(), 0),  # a command that is sent again could write twice
        }
        try:
            self._redis: Any = Redis.from_url(
                url, **settings, redis_connect_func=partial(_check_durable, is_connected=False)
            )
        except ValueError as err:
            raise BadInput("the URL of the Redis server cannot be read", hint="as in redis://127.0.0.1:6379/0") from err
        self._lock = threading.Lock()
        self._is_unresponsive = False
        self._retrying_thread: int | None = None
        self.tags: tuple[bytes, ...] = (b"",)
        """The hash tags that keys may have; a single server's keys have none."""
        # A server that is missing or not durable is reported at the start, not by the first question.
        with self as redis:
            if redis.info("cluster").get("cluster_enabled"):
                redis.close()
                self.tags = CLUSTER_TAGS
                self._redis = RedisCluster.from_url(
                    url, **settings, redis_connect_func=partial(_check_durable, is_connected=True)
                )
        self._scripts = {text: self._redis.register_script(text) for text in scripts}

    @property
    def is_cluster(self) -> bool:
        return self.tags is CLUSTER_TAGS

    def tag(self, owner: str) -> bytes:
        """Return the hash tag of the keys of one owner; it is empty on a single server."""
        return self.tags[crc32(owner.encode()) % len(self.tags)]

    def close(self) -> None:
        self._redis.close()

    def run_script(self, script: str, keys: Sequence[bytes], arguments: Sequence[Any]) -> Any:
        """Run a script, which is atomic, and return its result."""
        with self:
            return self._scripts[script](keys=keys, args=arguments)

    def run_script_for_each(self, script: str, keys: Sequence[Sequence[bytes]], arguments: Sequence[Any]) -> list[Any]:
        """Run a script once for each of these sequences of keys, and return the results in their order.

        The nodes of a cluster are asked together. A node may run a script again whose reply was lost.
        """
        with self as redis:
            pipeline = redis.pipeline(transaction=False)
            for each in keys:
                pipeline.execute_command("EVAL", script, len(each), *each, *arguments)
            results: list[Any] = pipeline.execute(raise_on_error=False)
            for result in results:
                # Raised here, because the pipeline's own error would repeat the script.
                if isinstance(result, Exception):
                    raise result
        return results

    def listen(self, channel: str) -> Iterator[bytes | None]:
        """Yield the messages of a channel as they come, and None after each second without one."""
        with self as redis, closing(redis.pubsub(ignore_subscribe_messages=True)) as listener:
            listener.subscribe(channel)
            while True:
                message = listener.get_message(timeout=_LISTEN_SECONDS)
                yield None if message is None else message["data"]

    def __enter__(self) -> Any:
        with self._lock:
            if self._is_unresponsive and self._retrying_thread is not None:
                raise StoreDown("the Redis server cannot be used: it does not answer")
            if self._is_unresponsive:
                self._retrying_thread = threading.get_ident()
        return self._redis

    def __exit__(self, kind: type[BaseException] | None, err: BaseException | None, *_: object) -> None:
        with self._lock:
            if isinstance(err, TimeoutError):
                self._is_unresponsive = True
            elif not isinstance(err, (ConnectionError, OSError)):
                self._is_unresponsive = False  # an error reply is an answer too
            if self._retrying_thread == threading.get_ident():
                self._retrying_thread = None
        if isinstance(err, (RedisError, RedisClusterException, OSError)):
            hint = _HINT if isinstance(err, _NotDurable) else None
            raise StoreDown(f"the Redis server cannot be used: {err}", hint=hint) from err


def _check_durable(connection: Any, *, is_connected: bool) -> None:
    """Open a connection that is not open yet; raise _NotDurable where its server does not keep every write."""
    if not is_connected:
        connection.on_connect()
    for name, needed in _DURABLE_SETTINGS.items():
        connection.send_command("CONFIG", "GET", name)
        try:
            reply = connection.read_response()
        except ResponseError as err:
            raise _NotDurable(f"the server does not tell whether it keeps every write: {err}") from err
        value = reply[1].decode() if reply else ""
        if value != needed:
            raise _NotDurable(f'the server does not keep every write: its "{name}" is "{value}", not "{needed}"')
