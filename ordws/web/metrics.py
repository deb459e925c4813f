"""Metrics for Prometheus: load, latency, problems and meters, and never a word, an identity or a verdict.

They are served apart from the service, by the main process, to this host alone (docs/guard.md Decision 15).
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from itertools import accumulate
from time import perf_counter
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import msgspec
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import generate_latest

from ordws.api.problems import PROBLEM_JSON
from ordws.errors import StoreDown
from ordws.guard.leak_report import GuardStatus
from ordws.rules import engine
from ordws.web.browser_headers import device_token
from ordws.web.request_counts import BUCKET_BOUNDS, RefusalLabels, RequestCounts, WorkerCounts
from ordws.web.wsgi import ROUTE_TEMPLATE

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
            world, alarming, guests = self._levels()
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
            left, a_day = "Whole games that guests may still open today.", "Whole games of guests on a new day."
            yield GaugeMetricFamily("ordws_guest_games_left", left, guests.games_left)
            yield GaugeMetricFamily("ordws_guest_games_a_day", a_day, guests.games_a_day)
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
