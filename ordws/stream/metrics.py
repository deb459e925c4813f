"""The metrics of the stream process: how many listen, what they were told, and by what it was woken."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from ordws.metrics_server import Collector, family
from ordws.stream.hub import ENDINGS, EVENTS, REFUSALS, SOURCES, StreamCounts


class StreamMetrics(Collector):
    """The counts of a stream process."""

    def __init__(self, counts: StreamCounts) -> None:
        self._counts = counts

    def collect(self) -> Iterator[Metric]:
        counts = self._counts
        yield GaugeMetricFamily("ordws_streams", "Streams that are open.", counts.open)
        yield GaugeMetricFamily(
            "ordws_stream_store_up",
            "Whether rows of games can be counted; if not, no stream begins.",
            counts.is_store_up,
        )
        for name, says, label, all_values, counted in (
            ("ordws_stream_events", "Events sent to players.", "event", EVENTS, counts.events),
            (
                "ordws_stream_wakeups",
                "Rows that were told, by what told of them first; poll: a notice was lost.",
                "by",
                SOURCES,
                counts.wakeups,
            ),
            (
                "ordws_streams_ended",
                "Streams that have ended: by the reader, a newer one, a seat that moved, a slow reader, the process.",
                "why",
                ENDINGS,
                counts.endings,
            ),
            ("ordws_stream_refusals", "Requests that got no stream.", "code", REFUSALS, counts.refusals),
        ):
            rows = [([value], counted[value]) for value in all_values]  # type: ignore[index]
            yield family(CounterMetricFamily, name, says, label, rows)
