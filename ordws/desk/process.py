"""The desk's process: one worker, whose threads share the open events."""

from __future__ import annotations

import logging
import os
import socket
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from wsgiref.types import WSGIApplication

from werkzeug.middleware.proxy_fix import ProxyFix

from ordws import server
from ordws.error_middleware import ErrorMiddleware
from ordws.errors import OrdwsError

if TYPE_CHECKING:
    from ordws.desk.events import Events
    from ordws.desk.online_loop import OnlineLoop

_log = logging.getLogger("ordws.desk")
_THREADS: Final = 32


@dataclass(frozen=True)
class DeskSettings:
    """The file or folder of events that a desk serves, under its key."""

    events: Path
    key: Path
    players_key: Path | None = None
    """The file with the key of players' pseudonyms, made where there is none; None where no game is on line."""

    service: str = ""
    """The address of the service that says whether an operator's key may direct; empty on a laptop, where the desk's
    own key does."""

    operator_key: Path | None = None
    """The file with the operator's key by which on-line rounds are played at the service; None where none are."""

    is_secure: bool = False
    is_behind_proxy: bool = False
    hosts: frozenset[str] = frozenset()
    """The names under which a desk is reached that only this machine sees; empty where others reach it."""

    metrics: socket.socket | None = None
    """A socket that listens on this host's loopback, for whoever collects metrics."""


def load_app(settings: DeskSettings) -> WSGIApplication:
    """Return the desk, in its worker, which opens the events itself."""
    try:
        # Signals are blocked before the imports: they load numpy, whose threads would else take the SIGTERM that the
        # worker waits for, and it would be killed instead of finishing its requests.
        server.init_worker()
        from ordws.desk.app import create_app
        from ordws.desk.context import Desk
        from ordws.desk.desk_key import DeskKey
        from ordws.desk.events import Events

        events = Events(settings.events)
        online, find_operator_of = _online_loop(settings, events), None
        if settings.service:
            from ordws.desk.operators import find_operator

            find_operator_of = partial(find_operator, settings.service)
        desk = Desk(events, DeskKey.open(settings.key), system_clock, find_operator_of, online=online)
        app = create_app(desk, is_secure=settings.is_secure, hosts=settings.hosts)
        if settings.metrics is not None:
            from ordws.desk.metrics import DeskMetrics
            from ordws.metrics_server import serve_metrics_on

            serve_metrics_on(settings.metrics, "localhost", DeskMetrics(events, online).render)
    except OrdwsError as error:
        sys.exit(f"ordws: error: {error}")
    app.config["PROPAGATE_EXCEPTIONS"] = True  # to the middleware: Flask would log a traceback with values
    _log.info("the desk is open")
    inner = ProxyFix(app.wsgi_app, x_for=1, x_proto=1, x_host=1) if settings.is_behind_proxy else app.wsgi_app
    return ErrorMiddleware(inner, _log)


def serve(settings: DeskSettings, address: str, port: int) -> None:
    """Serve until SIGTERM or SIGINT; requests under way are answered first."""
    server.run(partial(load_app, settings), address, port, workers=1, threads=_THREADS)


def system_clock() -> int:
    return int(time.time())


def own_key_path() -> Path:
    """Return the path of the key for desks of single files on this machine."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "ordws" / "desk.key"


def _online_loop(settings: DeskSettings, events: Events) -> OnlineLoop | None:
    """Start the thread of the on-line rounds, if the desk has a key for them."""
    if settings.operator_key is None or settings.players_key is None:
        return None
    from ordws.desk.online_loop import OnlineLoop
    from ordws.desk.operators import is_on_this_host, open_client, read_key
    from ordws.desk.players_key import open_players_key

    client = open_client(settings.service, read_key(settings.operator_key))
    # Behind one proxy, players reach the desk and the service at the same address.
    site = "" if settings.is_behind_proxy or is_on_this_host(settings.service) else settings.service
    loop = OnlineLoop(events, client, site, system_clock, open_players_key(settings.players_key))
    loop.start()
    return loop
