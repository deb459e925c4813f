"""A WSGI application at a port of this host, in a thread of the test, where no process of its own is needed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server


class Quiet(WSGIRequestHandler):
    """A handler that writes no line a request."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def served_in_thread(app: Any) -> Iterator[int]:
    """Serve an application, and yield its port."""
    server = make_server("127.0.0.1", 0, app, handler_class=Quiet)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()
