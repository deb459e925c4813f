"""The console's process: it has one worker, since the leases of the queue are in that worker's memory."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final
from wsgiref.types import WSGIApplication

from werkzeug.middleware.proxy_fix import ProxyFix

from ordws import server
from ordws.error_middleware import ErrorMiddleware
from ordws.errors import OrdwsError

if TYPE_CHECKING:
    from ordws.console.state import ConsoleState

_log = logging.getLogger("ordws.console")
_THREADS: Final = 64


def load_app(
    open_state: Callable[[], ConsoleState], origin: str, sources: str | None, *, is_behind_proxy: bool
) -> WSGIApplication:
    """Return the console, in its worker, which opens the ledger itself."""
    try:
        # Signals are blocked before the import: it loads numpy, whose threads would else take the SIGTERM that the
        # worker waits for, and it would be killed instead of finishing its requests.
        server.init_worker()
        from ordws.console.app import create_app  # in the worker alone: the main process only waits

        app = create_app(open_state(), origin=origin, sources=sources)
    except OrdwsError as error:
        sys.exit(f"ordws: error: {error}")
    app.config["PROPAGATE_EXCEPTIONS"] = True  # to the middleware: Flask would log a traceback with values
    _log.info("the console is open")
    inner = ProxyFix(app.wsgi_app, x_for=1, x_proto=0, x_host=0) if is_behind_proxy else app.wsgi_app
    return ErrorMiddleware(inner, _log)


def serve(
    open_state: Callable[[], ConsoleState],
    origin: str,
    sources: str | None,
    address: str,
    port: int,
    *,
    is_behind_proxy: bool,
) -> None:
    """Serve until SIGTERM or SIGINT; requests under way are answered first.

    Behind a proxy, and only there, the address of a client is the one that the proxy adds to X-Forwarded-For.
    """
    loads = partial(load_app, open_state, origin, sources, is_behind_proxy=is_behind_proxy)
    server.run(loads, address, port, workers=1, threads=_THREADS)


def system_clock() -> int:
    return int(time.time())
