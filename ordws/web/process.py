"""The processes of the service: a main one, and workers that each open everything themselves."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple
from wsgiref.types import WSGIApplication

from ordws import server
from ordws.api.services import Services
from ordws.errors import OrdwsError
from ordws.gc_tuning import tune_gc
from ordws.listeners import listen
from ordws.web.flask_app import create_app
from ordws.web.metrics import CountingMiddleware
from ordws.web.request_counts import RequestCounts

_log = logging.getLogger("ordws.web")
THREADS: Final = 320
"""The threads of a worker: many more than run at once, for others wait in queues or for slow bodies, or refuse."""


class StartupCheck(NamedTuple):
    """The name of the edition that would be served, and what was lost of the edition mark, None if nothing was."""

    edition: str
    fault: str | None


def check_startup(open_services: Callable[[], Services]) -> StartupCheck:
    """Open and close all services; raise the error that would keep workers from answering."""
    # The main process starts a failing worker again and again, so a lasting error has to be found before.
    services = open_services()
    create_app(services)
    services.register.check()
    services.register.close()
    return StartupCheck(services.editions.current.name, services.editions.fault)


def load_app(open_services: Callable[[], Services], counts: RequestCounts) -> WSGIApplication:
    """Return the application of one worker, which opens all services itself and counts its requests."""
    try:
        server.init_worker()
        services = open_services()
        app = create_app(services)
    except OrdwsError as err:
        sys.exit(f"ordws: error: {err}")
    tune_gc()  # after everything is loaded, for it freezes the objects that exist now
    _log.info("a worker begins with edition %d", services.editions.current.number)
    return CountingMiddleware(app.wsgi_app, counts.claim_row(lambda: services.editions.current.number))


def serve(open_services: Callable[[], Services], address: str, port: int, workers: int, counts: RequestCounts) -> None:
    """Listen on a TCP address and serve until SIGTERM or SIGINT; requests under way are answered first."""
    serve_on_sockets(open_services, listen(address, port, workers), workers, counts)


def serve_on_sockets(
    open_services: Callable[[], Services], listeners: Sequence[socket.socket], workers: int, counts: RequestCounts
) -> None:
    """Serve as `serve` does, on sockets that listen already."""
    server.run_on_sockets(partial(load_app, open_services, counts), listeners, workers=workers, threads=THREADS)
