"""The desk's process: one worker, whose threads share the open events, and its metrics, which name nobody."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from ordws.desk.context import Desk
from ordws.desk.desk_key import DeskKey
from ordws.desk.events import Events
from ordws.desk.sessions import DeskSessions
from ordws.frame import process
from ordws.frame.process import Proxy, system_clock
from ordws.metrics_server import Collector, family, serve_metrics_on
from ordws.row_cipher import open_key

if TYPE_CHECKING:
    from ordws.desk.online import OnlineLoop


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


@dataclass(frozen=True)
class DeskSettings:
    """The file or folder of events that a desk serves, under its key."""

    events: Path
    key: Path
    sessions: Path
    """The file of the sessions, made where there is none; several desks of one machine may share it."""

    players_key: Path | None = None
    """The file with the key of players' pseudonyms, made where there is none; None where no game is on line."""

    service: str = ""
    """The address of the service that says whether an operator's key may direct; empty on a laptop, where the desk's
    own key does."""

    operator_key: Path | None = None
    """The file with the operator's key by which on-line rounds are played at the service; None where none are."""

    is_secure: bool = False
    is_behind_proxy: bool = False
    hosts: frozenset[str] = frozenset()
    """The names under which a desk is reached that only this machine sees; empty where others reach it."""


def open_app(settings: DeskSettings, metrics: socket.socket | None = None) -> Flask:
    """Return the desk, in its worker, which opens the events itself.

    `metrics` listens on this host's loopback, for whoever collects metrics.
    """
    from ordws.desk.app import create_app  # in the worker alone: the main process only waits

    events = Events(settings.events)
    online, find_operator_of = _online_loop(settings, events), None
    if settings.service:
        from ordws.desk.operators import find_operator

        find_operator_of = partial(find_operator, settings.service)
    key = DeskKey.open(settings.key)
    sessions = DeskSessions.create(settings.sessions, settings.events, key)
    desk = Desk(events, key, sessions, system_clock, find_operator_of, online=online)
    if metrics is not None:
        serve_metrics_on(metrics, "localhost", DeskMetrics(events, online).render)
    return create_app(desk, is_secure=settings.is_secure, hosts=settings.hosts)


def serve(settings: DeskSettings, address: str, port: int, metrics: socket.socket | None) -> None:
    """Serve until SIGTERM or SIGINT; requests under way are answered first."""
    proxy = Proxy(x_proto=1, x_host=1) if settings.is_behind_proxy else None
    sockets = () if metrics is None else (metrics,)
    process.serve(partial(open_app, settings), "the desk", address, port, *sockets, proxy=proxy)


def _online_loop(settings: DeskSettings, events: Events) -> OnlineLoop | None:
    """Start the thread of the on-line rounds, if the desk has a key for them."""
    if settings.operator_key is None or settings.players_key is None:
        return None
    from ordws.desk.online import OnlineLoop
    from ordws.desk.operators import is_on_this_host, open_client, read_key

    client = open_client(settings.service, read_key(settings.operator_key))
    # Behind one proxy, players reach the desk and the service at the same address.
    site = "" if settings.is_behind_proxy or is_on_this_host(settings.service) else settings.service
    loop = OnlineLoop(events, client, site, system_clock, open_key(settings.players_key))
    loop.start()
    return loop
