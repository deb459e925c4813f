"""The process of an application with pages: one worker, because what its threads share is in the memory of that."""

from __future__ import annotations

import json
import logging
import pickle
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.serving import WSGIRequestHandler, make_server

from ordws import server
from ordws.errors import OrdwsError
from ordws.logs import redact_error

THREADS: Final = 208
"""The threads of the worker: more than read, wait and run at once (`frame.application`), so that some refuse others."""
_FAULT_BODY: Final = json.dumps({"code": "internal-error", "detail": "the fault is in the log"}).encode()


class Proxy(NamedTuple):
    """The headers that one proxy in front adds, each 1 where the application believes it."""

    x_for: int = 1
    x_proto: int = 0
    x_host: int = 0


def load_app(pickled: bytes, name: str, proxy: Proxy | None = None, *sockets: socket.socket) -> WSGIApplication:
    """Return the application, in its worker; `pickled` is the function that opens it with everything that it needs.

    Sockets that listen already are given beside it, for they can be handed to a worker alone, and not be pickled.
    """
    log = logging.getLogger("ordws.frame")
    try:
        # Signals are blocked before the function is unpickled, which imports the rest: numpy is among it, whose threads
        # would else take the SIGTERM that the worker waits for, and it would be killed with requests under way.
        server.init_worker()
        open_app: Callable[..., Flask] = pickle.loads(pickled)
        app = open_app(*sockets)
    except OrdwsError as error:
        sys.exit(f"ordws: error: {error}")
    app.config["PROPAGATE_EXCEPTIONS"] = True  # to the middleware: Flask would log a traceback with values
    log.info("%s: open", name)
    return ErrorMiddleware(ProxyFix(app.wsgi_app, **proxy._asdict()) if proxy else app.wsgi_app, log)


def serve(
    open_app: Callable[..., Flask],
    name: str,
    address: str,
    port: int,
    *sockets: socket.socket,
    proxy: Proxy | None = None,
) -> None:
    """Serve what `open_app` returns, given the sockets, until SIGTERM or SIGINT; requests under way are answered first.

    Behind a proxy, and only there, the address of a client is the one that the proxy adds to X-Forwarded-For.
    """
    load = partial(load_app, pickle.dumps(open_app), name, proxy, *sockets)
    server.run(load, address, port, workers=1, threads=THREADS)


def system_clock() -> int:
    return int(time.time())


@contextmanager
def serving_in_thread(app: Flask, address: str, port: int) -> Iterator[None]:
    """Serve an application from a thread of this process while the block runs: for a few people, and not for long."""
    server = make_server(address, port, app, threaded=True, request_handler=_QuietHandler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _QuietHandler(WSGIRequestHandler):
    """A handler that logs no address and keeps connections open."""

    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: object) -> None:
        return None


class ErrorMiddleware:
    """Middleware that answers 500 after a programming error, and logs its place but never its values."""

    def __init__(self, inner: WSGIApplication, log: logging.Logger) -> None:
        self._inner, self._log = inner, log

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            return self._inner(environ, start_response)
        except Exception as error:  # noqa: BLE001 - beyond this line the server would print it, with its values
            self._log.error("fault", extra={"fields": {"fault": redact_error(error)}})
            start_response("500 Internal Server Error", [("Content-Type", "application/json")])
            return [_FAULT_BODY]
