"""What Prometheus is told: how the service fares, and never a word, whose it was, or what was answered.

It listens apart from the service, in the main process, for this host alone. (GUARD, decision 15)
"""

from __future__ import annotations

import ipaddress
import logging
import platform
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from itertools import accumulate
from time import perf_counter
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import msgspec
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from ordws.errors import BadInput, StoreDown
from ordws.guard.leak_report import GuardStatus
from ordws.logs import redact_error
from ordws.rules import engine
from ordws.web.browser_headers import device_token
from ordws.web.request_counts import BUCKET_BOUNDS, RefusalLabels, RequestCounts, WorkerCounts
from ordws.web.wsgi import ROUTE_TEMPLATE

_log = logging.getLogger("ordws.web")
_HINT: Final = "--metrics names another HOST:PORT of this host, or off"
_POLL_SECONDS: Final = 0.1
_TEST_KEY: Final = "ordws_test_"
_TEST_DEVICE: Final = "test."


class CountingMiddleware:
    """An application whose requests are counted: how many, how long, and what was refused."""

    def __init__(self, app: WSGIApplication, row: WorkerCounts) -> None:
        self._app = app
        self._row = row

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = perf_counter()
        self._row.begin()
        status = 0

        def start(line: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], object]:
            nonlocal status
            status = int(line[:3])
            return start_response(line, headers, exc_info)

        refusal = None
        try:
            parts = self._app(environ, start)
            if status >= 400:
                refusal = _refusal_labels(environ, parts)
            return parts
        finally:
            self._row.end(environ.get(ROUTE_TEMPLATE, "-"), status, perf_counter() - began, refusal)


class _ProblemLabels(msgspec.Struct):
    code: str
    budget: str = ""


def _refusal_labels(environ: WSGIEnvironment, parts: Iterable[bytes]) -> RefusalLabels | None:
    """What a caller was told; not where he had none, or asked by a test key or device, whose refusals are played."""
    body = b"".join(parts)
    is_test = _TEST_KEY in environ.get("HTTP_AUTHORIZATION", "") or device_token(environ).startswith(_TEST_DEVICE)
    if not body or is_test:
        return None
    told = msgspec.json.decode(body, type=_ProblemLabels)
    return RefusalLabels(told.code, told.budget)


class Metrics:
    """All metrics, as they stand when they are asked for."""

    def __init__(self, counts: RequestCounts, levels: Callable[[], GuardStatus]) -> None:
        self._counts = counts
        self._levels = levels

    def render(self) -> bytes:
        """The metrics in the format that is scraped."""
        return generate_latest(self)

    def collect(self) -> Iterator[Metric]:
        yield from self._request_metrics()
        yield from self._meter_metrics()
        names = {"version": version("ordws"), "python": platform.python_version(), "engine": engine.engine_build()}
        info = GaugeMetricFamily("ordws_build_info", "The program that runs.", labels=list(names))
        info.add_metric(list(names.values()), 1)
        yield info

    def _request_metrics(self) -> Iterator[Metric]:
        totals = self._counts.totals()
        requests = CounterMetricFamily("ordws_requests", "Requests answered.", labels=["route", "status"])
        for route, status, count in totals.requests():
            requests.add_metric([route, str(status or "other")], count)
        yield requests
        seconds = HistogramMetricFamily("ordws_request_seconds", "How long an answer took.", labels=["route"])
        for route, buckets, spent in totals.latencies():
            ends = [*map(str, BUCKET_BOUNDS), "+Inf"]
            seconds.add_metric([route], list(zip(ends, accumulate(buckets), strict=True)), spent)
        yield seconds
        refusals = CounterMetricFamily("ordws_refusals", "Problems told, to live keys.", labels=["code", "budget"])
        failed = 0
        for refusal, count in totals.refusals():
            refusals.add_metric(list(refusal), count)
            failed += count if refusal.code == "store-down" else 0
        yield refusals
        yield CounterMetricFamily("ordws_store_failures", "Requests that a store did not answer.", failed)
        yield GaugeMetricFamily("ordws_requests_in_flight", "Requests under way.", totals.in_flight)
        yield GaugeMetricFamily("ordws_edition_number", "The edition that is served.", totals.edition)

    def _meter_metrics(self) -> Iterator[Metric]:
        try:
            world, alarming = self._levels()
        except StoreDown:
            yield GaugeMetricFamily("ordws_meters_up", "Whether the meters answer.", 0)
            return
        yield GaugeMetricFamily("ordws_meters_up", "Whether the meters answer.", 1)
        for name, says, value in (
            ("world_spent", "Units new to the world today, of all who are not verified.", world.spent),
            ("world_cap", "How many they may be today.", world.cap),
            ("world_alarm", "From how many on a keeper is told.", world.alarm_at),
            ("reserve_spent", "Units new to the world today, of all who are verified.", world.reserve_spent),
            ("reserve", "How many they may be.", world.reserve),
        ):
            yield GaugeMetricFamily(f"ordws_{name}_units", says, value)
        identities = GaugeMetricFamily("ordws_alarming_identities", "Identities with a sign in alarm.", labels=["sign"])
        for sign, count in alarming.items():
            identities.add_metric([sign], count)
        yield identities


class MetricsServer(ThreadingHTTPServer):
    """Answers GET /metrics and nothing else."""

    daemon_threads = True

    def __init__(self, family: socket.AddressFamily, address: tuple[Any, ...], page: Callable[[], bytes]) -> None:
        self.address_family = family
        self.page = page
        super().__init__(address[:2], _Handler)

    @property
    def url(self) -> str:
        address, port = self.server_address[:2]
        return f"http://[{address!s}]:{port}/metrics" if ":" in str(address) else f"http://{address!s}:{port}/metrics"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """What went wrong, without its values; a scraper that went away is none of it."""
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, OSError):
            _log.error("the metrics were not told: %s", redact_error(error))


class _Handler(BaseHTTPRequestHandler):
    server: MetricsServer
    server_version, sys_version = "ordws", ""
    timeout = 5

    def do_GET(self) -> None:
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
        """Nothing is written of a scrape."""


@contextmanager
def serve_metrics(host: str, port: int, page: Callable[[], bytes]) -> Iterator[MetricsServer]:
    """Show a page on an address of this host alone; raises BadInput where that is not possible."""
    server = _create_server(host, port, page)
    threading.Thread(target=server.serve_forever, args=(_POLL_SECONDS,), name="metrics", daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def _create_server(host: str, port: int, page: Callable[[], bytes]) -> MetricsServer:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        if not ipaddress.ip_address(address[0]).is_loopback:
            raise BadInput(f'metrics are for this host alone, and "{host}" is not its loopback', hint=_HINT)
        return MetricsServer(family, address, page)
    except (OSError, UnicodeError) as err:
        why = err.strerror if isinstance(err, OSError) else "no such name"
        raise BadInput(f'metrics cannot be shown on "{host}:{port}": {why}', hint=_HINT) from err
