"""Metrics for Prometheus: load, latency, problems and meters, and never a word, an identity or a verdict.

They are served apart from the service, by the main process, to this host alone (docs/guard.md Decision 15).
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import accumulate
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from ordws.errors import StoreDown
from ordws.guard.leaks import GuardStatus
from ordws.metrics_server import Collector, family
from ordws.rules import engine
from ordws.web.telemetry import BUCKET_BOUNDS, RequestCounts

_STEPS: Final = 20


class Metrics(Collector):
    """The load, the problems and the meters of the service."""

    def __init__(self, counts: RequestCounts, levels: Callable[[], GuardStatus]) -> None:
        self._counts = counts
        self._levels = levels

    def collect(self) -> Iterator[Metric]:
        totals = self._counts.totals()
        requests = [([route, str(status or "other")], count) for route, status, count in totals.requests()]
        says = "Requests answered; the route has {id} in place of an id, and is - for pages and unknown paths."
        yield family(CounterMetricFamily, "ordws_requests", says, "route status", requests)
        bounds = [*map(str, BUCKET_BOUNDS), "+Inf"]
        latencies = [
            ([route], list(zip(bounds, accumulate(buckets), strict=True)), total_seconds)
            for route, buckets, total_seconds in totals.latencies()
        ]
        seconds = "Seconds from request to reply, in buckets from 0.0005 to 2.5."
        yield family(HistogramMetricFamily, "ordws_request_seconds", seconds, "route", latencies)
        refusals = [([*refusal], count) for refusal, count in totals.refusals()]
        says = "Problems sent to live keys; the budget with budget-spent only."
        yield family(CounterMetricFamily, "ordws_refusals", says, "code budget", refusals)
        failed = sum([count for (code, _), count in refusals if code == "store-down"])
        yield CounterMetricFamily("ordws_store_failures", "Requests that failed because a store was down.", failed)
        yield GaugeMetricFamily(
            "ordws_requests_in_flight", "Requests under way, as each worker notes once a second.", totals.in_flight
        )
        yield GaugeMetricFamily("ordws_edition_number", "The edition that is served.", totals.edition)
        try:
            world, alarming, guests = self._levels()
        except StoreDown:
            yield GaugeMetricFamily("ordws_meters_up", "Whether the meters answer; if not, what follows is absent.", 0)
        else:
            yield GaugeMetricFamily("ordws_meters_up", "Whether the meters answer; if not, what follows is absent.", 1)
            for name, description, value in (
                (
                    "spent_units",
                    "Units today, of unverified identities, in twentieths of the cap.",
                    in_steps(world.spent, world.cap),
                ),
                ("cap_units", "The cap of these units today.", world.cap),
                ("alarm_units", "The alarm threshold of these units: 80 % of the cap.", world.alarm_at),
                (
                    "spent_core",
                    "Core words today, of unverified identities, in twentieths of the cap.",
                    in_steps(world.core_spent, world.core_cap),
                ),
                ("cap_core", "The cap of these core words today.", world.core_cap),
            ):
                yield GaugeMetricFamily(f"ordws_world_{name}", description, value)
            left, a_day = "Whole games that guests may still open today.", "Whole games of guests on a new day."
            yield GaugeMetricFamily("ordws_guest_games_left", left, guests.games_left)
            yield GaugeMetricFamily("ordws_guest_games_a_day", a_day, guests.games_a_day)
            says = "Identities with a detector in alarm: run (words in order), pace (more than games explain)."
            signs = [([sign], n) for sign, n in alarming.items()]
            yield family(GaugeMetricFamily, "ordws_alarming_identities", says, "sign", signs)
        build = {"version": version("ordws"), "python": platform.python_version(), "engine": engine.engine_build()}
        says, row = "The program that runs, and whether the engine is compiled.", ([*build.values()], 1)
        yield family(GaugeMetricFamily, "ordws_build_info", says, " ".join(build), [row])


def in_steps(spent: int, cap: int) -> int:
    """Return what is spent of a cap, rounded down to a twentieth of the cap, so that no single question shows."""
    # The steps themselves are rounded up: at four fifths an alert must not miss by a fraction.
    return -(-(spent * _STEPS // cap) * cap // _STEPS) if cap else 0
