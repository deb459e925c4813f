"""The metrics of the program's process: the turns that it took, the time they took, and what failed."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import generate_latest

from ordws.computer.process import FAILURES, ComputerCounts
from ordws.computer.words import Strength


class ComputerMetrics:
    """A collector of the counts, read when Prometheus asks for them."""

    def __init__(self, counts: ComputerCounts) -> None:
        self._counts = counts

    def render(self) -> bytes:
        """Return the metrics in the text format of Prometheus."""
        return generate_latest(self)

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics; prometheus_client calls this for every scrape."""
        counts = self._counts
        yield GaugeMetricFamily(
            "ordws_computer_games", "Games against the program that run at this host.", counts.games
        )
        seconds = "Processor time in which turns were chosen."
        yield CounterMetricFamily("ordws_computer_seconds", seconds, counts.seconds)
        turns = CounterMetricFamily("ordws_computer_turns", "Turns that the program took.", labels=["strength"])
        for strength in Strength:
            turns.add_metric([strength.value], counts.turns[strength.value])
        yield turns
        failures = CounterMetricFamily(
            "ordws_computer_failures",
            "What went wrong: a choice, a refused turn, the service, a review.",
            labels=["what"],
        )
        for what in FAILURES:
            failures.add_metric([what], counts.failures[what])
        yield failures
