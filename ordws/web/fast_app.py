"""The WSGI application of the most frequent requests, without the cost of a framework; its replies equal Flask's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from ordws.api.actions import ACTIONS
from ordws.api.dispatch import dispatch
from ordws.api.services import Services
from ordws.web.wsgi import ROUTE_TEMPLATE, STATUS_LINES, read_request

FAST_ROUTES: Final = (
    ("POST", "/v1/judge"),
    ("POST", "/v1/plays"),
    ("GET", "/v1/games/{id}"),
    ("POST", "/v1/games/{id}/turns"),
)
_GAMES: Final = "/v1/games/"
_GAME_PATH: Final = re.compile(r"/v1/games/([0-9a-f]{32})(/turns|)", re.ASCII)
_NO_FIELDS: Final[Mapping[str, str]] = {}
_PLAIN_HOST: Final = re.compile(r"(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}(?::[0-9]{1,5})?", re.IGNORECASE | re.ASCII)
# A Host header that Flask is sure to accept; Flask itself decides on any other. Cached, for few hosts are ever named.
_match_plain_host: Final = lru_cache(maxsize=64)(_PLAIN_HOST.fullmatch)


class FastApp:
    """Handle these routes; pass every other request to Flask with its body unread."""

    def __init__(self, services: Services, fallback: WSGIApplication, clock: Callable[[], int]) -> None:
        self._services = services
        self._fallback = fallback
        self._clock = clock
        self._actions = {route: ACTIONS[route] for route in FAST_ROUTES}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path, fields = environ["PATH_INFO"], _NO_FIELDS
        if path.startswith(_GAMES):
            if (found := _GAME_PATH.fullmatch(path)) is None:
                return self._fallback(environ, start_response)
            path, fields = f"/v1/games/{{id}}{found[2]}", {"id": found[1]}
        action = self._actions.get((environ["REQUEST_METHOD"], path))
        if action is None or _match_plain_host(environ.get("HTTP_HOST", "")) is None:
            return self._fallback(environ, start_response)
        environ[ROUTE_TEMPLATE] = path
        # No reply to these sets a cookie, so it needs no `finish_reply`, which makes cookies Secure over TLS.
        status, headers, body = dispatch(self._services, action, read_request(environ, fields), self._clock())
        start_response(STATUS_LINES[status], [*headers, ("Content-Length", str(len(body)))])
        return [body]
