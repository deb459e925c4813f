"""The metrics of a desk: how its events stand, how commands end, and how on-line rounds go; no name is among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, get_args

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from ordws.desk.events import OUTCOMES, Events
from ordws.errors import OrdwsError
from ordws.metrics_server import Collector, family
from ordws.tournament.decide_rounds import find_missing
from ordws.tournament.state import EventPhase

if TYPE_CHECKING:
    from ordws.desk.online_loop import OnlineLoop

_WAITING: Final = ("missing", "unconfirmed", "disputed")


class DeskMetrics(Collector):
    """The events of a desk and its on-line rounds."""

    def __init__(self, events: Events, online: OnlineLoop | None) -> None:
        self._events, self._online = events, online

    def collect(self) -> Iterator[Metric]:
        phases, waiting = Counter[str](), Counter[str]()
        for event in self._events.all():
            try:
                state = event.snapshot().state
            except OrdwsError:  # a file that cannot be read now
                continue
            phases[state.phase] += 1
            for pairing, number in find_missing(state):
                game = pairing.games[number - 1]
                waiting["missing" if game is None else "disputed" if game.dispute else "unconfirmed"] += 1
        outcomes = self._events.outcomes()
        for kind, name, says, label, values, counts in (
            (
                GaugeMetricFamily,
                "ordws_desk_events",
                "Events, by where they stand.",
                "phase",
                get_args(EventPhase),
                phases,
            ),
            (
                GaugeMetricFamily,
                "ordws_desk_results_waiting",
                "Games of open rounds without a result that counts.",
                "state",
                _WAITING,
                waiting,
            ),
            (
                CounterMetricFamily,
                "ordws_desk_commands",
                "Commands to events, by their end; conflict: another was faster.",
                "outcome",
                OUTCOMES,
                outcomes,
            ),
        ):
            yield family(kind, name, says, label, [([each], counts[each]) for each in values])
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
