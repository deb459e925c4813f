"""The WSGI application of the most frequent requests, without the cost of a framework; its replies equal Flask's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from ordws.api.actions import ACTIONS
from ordws.api.dispatch import dispatch
from ordws.api.services import Services
from ordws.web.wsgi import ROUTE_TEMPLATE, STATUS_LINES, read_request

FAST_PATHS: Final = ("/v1/judge", "/v1/plays")
_PLAIN_HOST: Final = re.compile(r"(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}(?::[0-9]{1,5})?", re.IGNORECASE | re.ASCII)
# A Host header that Flask is sure to accept; Flask itself decides on any other. Cached, for few hosts are ever named.
_match_plain_host: Final = lru_cache(maxsize=64)(_PLAIN_HOST.fullmatch)


class FastApp:
    """Handle these paths; pass every other request to Flask with its body unread."""

    def __init__(self, services: Services, fallback: WSGIApplication, clock: Callable[[], int]) -> None:
        self._services = services
        self._fallback = fallback
        self._clock = clock
        self._actions = {path: ACTIONS["POST", path] for path in FAST_PATHS}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        action = self._actions.get(path) if environ["REQUEST_METHOD"] == "POST" else None
        if action is None or _match_plain_host(environ.get("HTTP_HOST", "")) is None:
            return self._fallback(environ, start_response)
        environ[ROUTE_TEMPLATE] = path
        # No reply to these sets a cookie, so that nothing depends on the connection, as `finish_reply` says.
        status, headers, body = dispatch(self._services, action, read_request(environ), self._clock())
        start_response(STATUS_LINES[status], [*headers, ("Content-Length", str(len(body)))])
        return [body]
