"""A Redis or Valkey server that several hosts share, and that may be taken away under them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError, RedisError, ResponseError, TimeoutError
from redis.retry import Retry

from ordws.errors import BadInput, StoreDown

PATIENCE_SECONDS: Final = 2.0
_DURABLE_SETTINGS: Final = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
"""What the server has to be set to, or it forgets what it has said was written."""
_HINT: Final = f"set in redis.conf: {', '.join([f'{name} {value}' for name, value in _DURABLE_SETTINGS.items()])}"


class _NotDurable(RedisError):
    """The server is not set to keep every write."""


class RedisConnection:
    """One server; whatever keeps it from answering is a StoreDown, and each use begins anew.

    Where it was waited for in vain, one thread at a time goes on trying; for the others it fails at once, or all the
    threads of a host that is cut off would wait, and none be left to say so.

    What it has answered is on its disk: each connection first sees to it that the server is set so. Copies on other
    servers are not waited for: where one takes over, the last few writes may be forgotten.
    """

    def __init__(self, url: str, *scripts: str, patience_seconds: float = PATIENCE_SECONDS) -> None:
        try:
            self._redis: Redis = Redis.from_url(
                url,
                protocol=2,
                socket_timeout=patience_seconds,
                socket_connect_timeout=patience_seconds,
                retry=Retry(NoBackoff(), 0),  # whoever tries again may write again
                redis_connect_func=_check_durable,
            )
        except ValueError as err:
            raise BadInput("the URL of the Redis server cannot be read", hint="as in redis://127.0.0.1:6379/0") from err
        self._lock = threading.Lock()
        self._is_unresponsive = False
        self._retrying_thread: int | None = None  # the thread that does, while the server is silent
        self._scripts = {text: self._redis.register_script(text) for text in scripts}
        with self as redis:
            redis.ping()

    def close(self) -> None:
        self._redis.close()

    def run_script(self, script: str, keys: Sequence[bytes], arguments: Sequence[Any]) -> Any:
        """What a script returns, which is atomic."""
        with self:
            return self._scripts[script](keys=keys, args=arguments)

    def __enter__(self) -> Redis:
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
            elif not isinstance(err, (ConnectionError, OSError)):  # it has answered, if only with a refusal
                self._is_unresponsive = False
            if self._retrying_thread == threading.get_ident():
                self._retrying_thread = None
        if isinstance(err, (RedisError, OSError)):
            hint = _HINT if isinstance(err, _NotDurable) else None
            raise StoreDown(f"the Redis server cannot be used: {err}", hint=hint) from err


def _check_durable(connection: Any) -> None:
    """Begin a connection; raises where its server does not keep every write."""
    connection.on_connect()
    for name, needed in _DURABLE_SETTINGS.items():
        connection.send_command("CONFIG", "GET", name)
        try:
            told = connection.read_response()
        except ResponseError as err:
            raise _NotDurable(f"the server does not tell whether it keeps every write: {err}") from err
        value = told[1].decode() if told else ""
        if value != needed:
            raise _NotDurable(f'the server does not keep every write: its "{name}" is "{value}", not "{needed}"')
