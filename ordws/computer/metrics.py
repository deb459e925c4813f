"""The metrics of the program's process: the turns that it took, the time they took, and what failed."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from ordws.computer.process import FAILURES, ComputerCounts
from ordws.computer.words import Strength
from ordws.metrics_server import Collector, family


class ComputerMetrics(Collector):
    """The counts of the program's process."""

    def __init__(self, counts: ComputerCounts) -> None:
        self._counts = counts

    def collect(self) -> Iterator[Metric]:
        counts = self._counts
        yield GaugeMetricFamily(
            "ordws_computer_games", "Games against the program that run at this host.", counts.games
        )
        seconds = "Processor time in which turns were chosen."
        yield CounterMetricFamily("ordws_computer_seconds", seconds, counts.seconds)
        turns = [([strength.value], counts.turns[strength.value]) for strength in Strength]
        yield family(CounterMetricFamily, "ordws_computer_turns", "Turns that the program took.", "strength", turns)
        failures = [([what], counts.failures[what]) for what in FAILURES]
        says = "What went wrong: a choice, a refused turn, the service, a review."
        yield family(CounterMetricFamily, "ordws_computer_failures", says, "what", failures)
