"""The process of the reviewers' pages."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from functools import partial
from typing import Final
from wsgiref.types import WSGIApplication

from werkzeug.middleware.proxy_fix import ProxyFix

from ordws import server
from ordws.cases.pages.app import create_review_app
from ordws.cases.pages.state import ReviewState
from ordws.error_middleware import ErrorMiddleware
from ordws.errors import OrdwsError

_log = logging.getLogger("ordws.cases")
_THREADS: Final = 16


def load_app(open_state: Callable[[], ReviewState], origin: str, *, is_behind_proxy: bool) -> WSGIApplication:
    """Return the application, in its worker, which opens the case files itself."""
    try:
        server.init_worker()
        app = create_review_app(open_state(), origin=origin)
    except OrdwsError as error:
        sys.exit(f"ordws: error: {error}")
    app.config["PROPAGATE_EXCEPTIONS"] = True  # to the middleware: Flask would log a traceback with values
    _log.info("the reviewers' pages are open")
    inner = ProxyFix(app.wsgi_app, x_for=1, x_proto=0, x_host=0) if is_behind_proxy else app.wsgi_app
    return ErrorMiddleware(inner, _log)


def serve(
    open_state: Callable[[], ReviewState], origin: str, address: str, port: int, *, is_behind_proxy: bool
) -> None:
    """Serve until SIGTERM or SIGINT; requests under way are answered first."""
    loads = partial(load_app, open_state, origin, is_behind_proxy=is_behind_proxy)
    server.run(loads, address, port, workers=1, threads=_THREADS)
