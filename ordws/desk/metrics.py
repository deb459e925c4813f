"""The metrics of a desk: commands that could not be written, and how on-line rounds go; no name is among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from ordws.desk.events import Events
from ordws.metrics_server import Collector, family

if TYPE_CHECKING:
    from ordws.desk.online_loop import OnlineLoop


class DeskMetrics(Collector):
    """The figures that a keeper has to act on: a metric for each alert of `deploy/`."""

    def __init__(self, events: Events, online: OnlineLoop | None) -> None:
        self._events, self._online = events, online

    def collect(self) -> Iterator[Metric]:
        says, failed = "Commands to events that their files kept out.", self._events.failed
        yield family(CounterMetricFamily, "ordws_desk_commands", says, "outcome", [(["failed"], failed)])
        if self._online is not None:
            behind, stepped = self._online.behind, self._online.stepped_at
            yield GaugeMetricFamily(
                "ordws_desk_online_behind",
                "Events whose on-line rounds wait or fail; absent without on-line rounds.",
                behind,
            )
            yield GaugeMetricFamily(
                "ordws_desk_online_step_timestamp_seconds",
                "The end of the last step of all on-line rounds, since 1970; over a minute ago, nothing is played.",
                stepped,
            )
