"""The processes of the service: a main one, and workers that each open everything themselves."""

from __future__ import annotations

import logging
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple
from wsgiref.types import WSGIApplication

from ordws import server
from ordws.api.services import Services
from ordws.errors import OrdwsError
from ordws.gc_tuning import tune_gc
from ordws.logs import redact_error
from ordws.web.application import system_clock
from ordws.web.flask_app import create_app
from ordws.web.senders import THREADS, Admission
from ordws.web.telemetry import RequestCounts, WorkerCounts

_log = logging.getLogger("ordws.web")


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
        admission = Admission.to(services)
        row = counts.claim_row()
        app = create_app(services, admission=admission, counts=row)
    except OrdwsError as err:
        sys.exit(f"ordws: error: {err}")
    tune_gc()  # after everything is loaded, for it freezes the objects that exist now
    _log.info("a worker begins with edition %d", services.editions.current.number)
    threading.Thread(target=_keep_house, args=(services, admission, row), name="housekeeping", daemon=True).start()
    return app.wsgi_app


def _keep_house(services: Services, admission: Admission, row: WorkerCounts) -> None:
    """Once a second do what is due beside requests, for as long as the worker lives."""
    while True:
        try:
            services.housekeeping.run(system_clock())
            row.note(services.editions.current.number, admission.under_way)
        except Exception as error:  # noqa: BLE001 - without this thread new editions and alarms would go unnoticed
            _log.error("fault", extra={"fields": {"fault": redact_error(error)}})
        time.sleep(1 - time.time() % 1)


def serve_on_sockets(
    open_services: Callable[[], Services], listeners: Sequence[socket.socket], workers: int, counts: RequestCounts
) -> None:
    """Serve on sockets that listen already until SIGTERM or SIGINT; requests under way are answered first."""
    server.run_on_sockets(partial(load_app, open_services, counts), listeners, workers=workers, threads=THREADS)
