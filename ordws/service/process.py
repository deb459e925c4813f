"""The processes of the service: a main one, and workers that each open everything themselves."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from functools import partial
from typing import Final
from wsgiref.types import WSGIApplication

from ordws import server
from ordws.desk.wiring import Desk
from ordws.errors import OrdwsError
from ordws.service.counts import Counts
from ordws.service.door_flask import MOST_IN_FLIGHT, create_app
from ordws.service.metrics import Counted

_log = logging.getLogger("ordws.service")
_THREADS: Final = MOST_IN_FLIGHT + 16  # so that there is always one left to say that there are too many


def check(open_desk: Callable[[], Desk]) -> str:
    """The name of the edition that would be served; raises what would keep the workers from answering."""
    desk = open_desk()
    create_app(desk)
    desk.register.check()
    desk.register.close()
    return desk.shelf.current.name


def load(open_desk: Callable[[], Desk], counts: Counts) -> WSGIApplication:
    """The application of one worker, which opens everything itself and counts its requests."""
    try:
        server.begin_worker()
        desk = open_desk()
        app = create_app(desk)
    except OrdwsError as err:
        sys.exit(f"ordws: error: {err}")
    _log.info("a worker begins with edition %d", desk.shelf.current.number)
    return Counted(app.wsgi_app, counts.take_row(lambda: desk.shelf.current.number))


def serve(open_desk: Callable[[], Desk], address: str, port: int, workers: int, counts: Counts) -> None:
    """Serve until SIGTERM or SIGINT; what is under way then is answered first."""
    server.run(partial(load, open_desk, counts), address, port, workers=workers, threads=_THREADS)
