"""The processes of the service: a main one, and workers that each open everything themselves."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final
from wsgiref.types import WSGIApplication

from ordws import server
from ordws.api.services import Services
from ordws.errors import OrdwsError
from ordws.gc_tuning import tune_gc
from ordws.web.flask_app import create_app
from ordws.web.metrics import CountingMiddleware
from ordws.web.request_counts import RequestCounts

_log = logging.getLogger("ordws.web")
THREADS: Final = 320  # beyond those that answer: they wait for places or slow bodies, and say that there is too much


def check_startup(open_services: Callable[[], Services]) -> str:
    """The name of the edition that would be served; raises what would keep the workers from answering."""
    desk = open_services()
    create_app(desk)
    desk.register.check()
    desk.register.close()
    return desk.editions.current.name


def load_app(open_services: Callable[[], Services], counts: RequestCounts) -> WSGIApplication:
    """The application of one worker, which opens everything itself and counts its requests."""
    try:
        server.init_worker()
        desk = open_services()
        app = create_app(desk)
    except OrdwsError as err:
        sys.exit(f"ordws: error: {err}")
    tune_gc()
    _log.info("a worker begins with edition %d", desk.editions.current.number)
    return CountingMiddleware(app.wsgi_app, counts.claim_row(lambda: desk.editions.current.number))


def serve(open_services: Callable[[], Services], address: str, port: int, workers: int, counts: RequestCounts) -> None:
    """Listen there and serve until SIGTERM or SIGINT; what is under way then is answered first."""
    serve_on_sockets(open_services, server.listen(address, port, workers), workers, counts)


def serve_on_sockets(
    open_services: Callable[[], Services], listeners: Sequence[socket.socket], workers: int, counts: RequestCounts
) -> None:
    """The same on sockets that listen already."""
    server.run_on_sockets(partial(load_app, open_services, counts), listeners, workers=workers, threads=THREADS)
