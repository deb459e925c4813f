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
from prometheus_client.exposition import generate_latest

from ordws.errors import StoreDown
from ordws.guard.leak_report import GuardStatus
from ordws.rules import engine
from ordws.web.request_counts import BUCKET_BOUNDS, RequestCounts

_STEPS: Final = 20


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
        requests = CounterMetricFamily(
            "ordws_requests",
            "Requests answered; the route has {id} in place of an id, and is - for pages and unknown paths.",
            labels=["route", "status"],
        )
        for route, status, count in totals.requests():
            requests.add_metric([route, str(status or "other")], count)
        yield requests
        seconds = HistogramMetricFamily(
            "ordws_request_seconds", "Seconds from request to reply, in buckets from 0.0005 to 2.5.", labels=["route"]
        )
        for route, buckets, total_seconds in totals.latencies():
            bounds = [*map(str, BUCKET_BOUNDS), "+Inf"]
            seconds.add_metric([route], list(zip(bounds, accumulate(buckets), strict=True)), total_seconds)
        yield seconds
        refusals = CounterMetricFamily(
            "ordws_refusals",
            "Problems sent to live keys; the budget with budget-spent only.",
            labels=["code", "budget"],
        )
        failed = 0
        for refusal, count in totals.refusals():
            refusals.add_metric(list(refusal), count)
            failed += count if refusal.code == "store-down" else 0
        yield refusals
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
            identities = GaugeMetricFamily(
                "ordws_alarming_identities",
                "Identities with a detector in alarm: run (words in order), pace (more than games explain).",
                labels=["sign"],
            )
            for sign, count in alarming.items():
                identities.add_metric([sign], count)
            yield identities
        build = {"version": version("ordws"), "python": platform.python_version(), "engine": engine.engine_build()}
        info = GaugeMetricFamily(
            "ordws_build_info", "The program that runs, and whether the engine is compiled.", labels=list(build)
        )
        info.add_metric(list(build.values()), 1)
        yield info


def in_steps(spent: int, cap: int) -> int:
    """Return what is spent of a cap, rounded down to a twentieth of the cap, so that no single question shows."""
    # The steps themselves are rounded up: at four fifths an alert must not miss by a fraction.
    return -(-(spent * _STEPS // cap) * cap // _STEPS) if cap else 0
