"""The server of a process's metrics, apart from whatever else it serves, for this host alone."""

from __future__ import annotations

import ipaddress
import logging
import re
import socket
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, TypeVar

from prometheus_client.core import Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from ordws.errors import BadInput
from ordws.logs import redact_error

_log = logging.getLogger("ordws.metrics")
_HINT: Final = "--metrics names another HOST:PORT of this host, or off"
_POLL_SECONDS: Final = 0.1


M = TypeVar("M", bound=Metric)


class Collector(ABC):
    """A collector of the metrics of a process, read when Prometheus asks for them."""

    def render(self) -> bytes:
        """Return the metrics in the text format of Prometheus."""
        return generate_latest(self)

    @abstractmethod
    def collect(self) -> Iterator[Metric]:
        """Yield all metrics; prometheus_client calls this for every scrape."""


def family(kind: type[M], name: str, says: str, labels: str, rows: Iterable[tuple[Any, ...]]) -> M:
    """Return a metric with labels, whose names stand in one text; a row has the arguments of each of its values."""
    made = kind(name, says, labels=labels.split())  # type: ignore[call-arg]
    for row in rows:
        made.add_metric(*row)  # type: ignore[attr-defined]
    return made


class MetricsServer(ThreadingHTTPServer):
    """An HTTP server that answers GET /metrics and nothing else."""

    daemon_threads = True

    def __init__(self, listener: socket.socket, host: str, page: Callable[[], bytes]) -> None:
        self.address_family = listener.family
        self.page = page
        self._names = {"localhost", host.lower()}
        super().__init__(listener.getsockname()[:2], _Handler, bind_and_activate=False)
        self.socket.close()  # of its own, which was never bound
        self.socket = listener

    @property
    def url(self) -> str:
        address, port = self.server_address[:2]
        return f"http://[{address!s}]:{port}/metrics" if ":" in str(address) else f"http://{address!s}:{port}/metrics"

    def is_own_name(self, host: str) -> bool:
        """Return True for a Host header with a loopback address, "localhost", or the name of `--metrics`.

        A web page could make any other name point here, and its scripts read the metrics (DNS rebinding). The port is
        not compared, for a tunnel has another one.
        """
        name = re.sub(r":[0-9]*$", "", host.strip().lower()).strip("[]")
        try:
            return name in self._names or ipaddress.ip_address(name).is_loopback
        except ValueError:
            return False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log an error without its values; a scraper that disconnected is no error."""
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, OSError):
            _log.error("the metrics could not be served: %s", redact_error(error))


class _Handler(BaseHTTPRequestHandler):
    server: MetricsServer
    server_version, sys_version = "ordws", ""
    timeout = 5  # seconds, after which a connection that sends nothing ends and frees its thread

    def do_GET(self) -> None:
        if not self.server.is_own_name(self.headers.get("Host", "")):
            self.send_error(421)
            return
        if self.path.partition("?")[0] != "/metrics":
            self.send_error(404)
            return
        body = self.server.page()
        self.send_response(200)
        self.send_header("Content-Type", CONTENT_TYPE_LATEST)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Do not log scrapes."""


def listen_for_metrics(host: str, port: int) -> socket.socket:
    """Return a listening socket on a loopback address of this host; raise BadInput where that is not possible."""
    with ExitStack() as stack:
        try:
            family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            if not ipaddress.ip_address(address[0]).is_loopback:
                raise BadInput(f'metrics are for this host alone, and "{host}" is not its loopback', hint=_HINT)
            listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen()
        except (OSError, UnicodeError) as err:
            why = err.strerror if isinstance(err, OSError) else "no such name"
            raise BadInput(f'metrics cannot be served on "{host}:{port}": {why}', hint=_HINT) from err
        stack.pop_all()
    return listener


def serve_metrics_on(listener: socket.socket, host: str, page: Callable[[], bytes]) -> MetricsServer:
    """Serve a page on a listening socket, in a thread, until the server is shut down or the process ends."""
    server = MetricsServer(listener, host, page)
    threading.Thread(target=server.serve_forever, args=(_POLL_SECONDS,), name="metrics", daemon=True).start()
    return server


@contextmanager
def serve_metrics(host: str, port: int, page: Callable[[], bytes]) -> Iterator[MetricsServer]:
    """Serve a page on a loopback address of this host; raise BadInput where that is not possible."""
    server = serve_metrics_on(listen_for_metrics(host, port), host, page)
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
