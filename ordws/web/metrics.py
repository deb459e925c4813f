"""Metrics for Prometheus: load, latency, problems and meters, and never a word, an identity or a verdict.

They are served apart from the service, by the main process, to this host alone (docs/guard.md Decision 15).
"""

from __future__ import annotations

import ipaddress
import logging
import platform
import re
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

from ordws.api.problems import PROBLEM_JSON
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
_STEPS: Final = 20
# As `ordws.identity` defines them, which metrics may not import (tests/test_arrows.py).
_TEST_KEY: Final = "ordws_test_"
_TEST_DEVICE: Final = "test."


class CountingMiddleware:
    """A WSGI application whose requests, latencies and problems are counted."""

    def __init__(self, app: WSGIApplication, row: WorkerCounts) -> None:
        self._app = app
        self._row = row

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = perf_counter()
        self._row.begin()
        status, is_problem = 0, False

        def start(line: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], object]:
            nonlocal status, is_problem
            status = int(line[:3])
            # A browser gets a page instead at a wrong address.
            is_problem = status >= 400 and PROBLEM_JSON in headers
            return start_response(line, headers, exc_info)

        refusal = None
        try:
            parts = self._app(environ, start)
            # The replies to HEAD have no body. Test keys and devices get problems on request, which are not counted.
            if (
                is_problem
                and (body := b"".join(parts))
                and _TEST_KEY not in environ.get("HTTP_AUTHORIZATION", "")
                and not device_token(environ).startswith(_TEST_DEVICE)
            ):
                labels = msgspec.json.decode(body, type=_ProblemLabels)
                refusal = RefusalLabels(labels.code, labels.budget)
            return parts
        finally:
            self._row.end(environ.get(ROUTE_TEMPLATE, "-"), status, perf_counter() - began, refusal)


class _ProblemLabels(msgspec.Struct):
    """The members of a problem document that are counted."""

    code: str
    budget: str = ""


class Metrics:
    """A collector of all metrics, read when Prometheus asks for them."""

    def __init__(self, counts: RequestCounts, levels: Callable[[], GuardStatus]) -> None:
        self._counts = counts
        self._levels = levels

    def render(self) -> bytes:
        """Return the metrics in the text format of Prometheus."""
        return generate_latest(self)

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics; prometheus_client calls this for every scrape."""
        totals = self._counts.totals()
        requests = CounterMetricFamily("ordws_requests", "Requests answered.", labels=["route", "status"])
        for route, status, count in totals.requests():
            requests.add_metric([route, str(status or "other")], count)
        yield requests
        seconds = HistogramMetricFamily("ordws_request_seconds", "Seconds from request to reply.", labels=["route"])
        for route, buckets, total_seconds in totals.latencies():
            bounds = [*map(str, BUCKET_BOUNDS), "+Inf"]
            seconds.add_metric([route], list(zip(bounds, accumulate(buckets), strict=True)), total_seconds)
        yield seconds
        refusals = CounterMetricFamily("ordws_refusals", "Problems sent to live keys.", labels=["code", "budget"])
        failed = 0
        for refusal, count in totals.refusals():
            refusals.add_metric(list(refusal), count)
            failed += count if refusal.code == "store-down" else 0
        yield refusals
        yield CounterMetricFamily("ordws_store_failures", "Requests that failed because a store was down.", failed)
        yield GaugeMetricFamily("ordws_requests_in_flight", "Requests under way.", totals.in_flight)
        yield GaugeMetricFamily("ordws_edition_number", "The edition that is served.", totals.edition)
        try:
            world, alarming = self._levels()
        except StoreDown:
            yield GaugeMetricFamily("ordws_meters_up", "Whether the meters answer.", 0)
        else:
            yield GaugeMetricFamily("ordws_meters_up", "Whether the meters answer.", 1)
            for name, description, value in (
                ("spent_units", "Units today, of unverified identities, in steps.", in_steps(world.spent, world.cap)),
                ("cap_units", "The cap of these units today.", world.cap),
                ("alarm_units", "The alarm threshold of these units: 80 % of the cap.", world.alarm_at),
                (
                    "spent_core",
                    "Core words today, of unverified identities, in steps.",
                    in_steps(world.core_spent, world.core_cap),
                ),
                ("cap_core", "The cap of these core words today.", world.core_cap),
            ):
                yield GaugeMetricFamily(f"ordws_world_{name}", description, value)
            identities = GaugeMetricFamily(
                "ordws_alarming_identities", "Identities with a detector in alarm.", labels=["sign"]
            )
            for sign, count in alarming.items():
                identities.add_metric([sign], count)
            yield identities
        build = {"version": version("ordws"), "python": platform.python_version(), "engine": engine.engine_build()}
        info = GaugeMetricFamily("ordws_build_info", "The program that runs.", labels=list(build))
        info.add_metric(list(build.values()), 1)
        yield info


def in_steps(spent: int, cap: int) -> int:
    """Return what is spent of a cap, rounded down to a twentieth of the cap, so that no single question shows."""
    # The steps themselves are rounded up: at four fifths an alert must not miss by a fraction.
    return -(-(spent * _STEPS // cap) * cap // _STEPS) if cap else 0


class MetricsServer(ThreadingHTTPServer):
    """An HTTP server that answers GET /metrics and nothing else."""

    daemon_threads = True

    def __init__(
        self, family: socket.AddressFamily, address: tuple[Any, ...], host: str, page: Callable[[], bytes]
    ) -> None:
        self.address_family = family
        self.page = page
        self._names = {"localhost", host.lower()}
        super().__init__(address[:2], _Handler)

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


@contextmanager
def serve_metrics(host: str, port: int, page: Callable[[], bytes]) -> Iterator[MetricsServer]:
    """Serve a page on a loopback address of this host; raise BadInput where that is not possible."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        if not ipaddress.ip_address(address[0]).is_loopback:
            raise BadInput(f'metrics are for this host alone, and "{host}" is not its loopback', hint=_HINT)
        server = MetricsServer(family, address, host, page)
    except (OSError, UnicodeError) as err:
        why = err.strerror if isinstance(err, OSError) else "no such name"
        raise BadInput(f'metrics cannot be served on "{host}:{port}": {why}', hint=_HINT) from err
    threading.Thread(target=server.serve_forever, args=(_POLL_SECONDS,), name="metrics", daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
