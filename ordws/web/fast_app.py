"""The door of the requests that come most: as the other one, without what a framework does around a view."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from ordws.api.actions import ACTIONS, dispatch
from ordws.api.services import Services
from ordws.web.wsgi import ROUTE_TEMPLATE, STATUS_LINES, finish_reply, read_request

FAST_PATHS: Final = ("/v1/judge", "/v1/plays")
_PLAIN_HOST: Final = re.compile(r"(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}(?::[0-9]{1,5})?", re.IGNORECASE | re.ASCII)


class FastApp:
    """Answers these paths; in any doubt, and for all others, the door behind it does, to whom nothing was read."""

    def __init__(self, services: Services, fallback: WSGIApplication, clock: Callable[[], int]) -> None:
        self._desk = services
        self._fallback = fallback
        self._clock = clock
        self._actions = {path: ACTIONS["POST", path] for path in FAST_PATHS}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        action = self._actions.get(path)
        if action is None or environ["REQUEST_METHOD"] != "POST" or not _is_plain_host(environ.get("HTTP_HOST", "")):
            return self._fallback(environ, start_response)
        environ[ROUTE_TEMPLATE] = path
        status, headers, body = finish_reply(
            dispatch(self._desk, action, read_request(environ), self._clock()), environ
        )
        start_response(STATUS_LINES[status], [*headers, ("Content-Length", str(len(body)))])
        return [body]


@lru_cache(maxsize=64)
def _is_plain_host(host: str) -> bool:
    """Whether a name of this host is one that nobody could refuse."""
    return _PLAIN_HOST.fullmatch(host) is not None
