"""`ordws serve`: the service on a production server."""

from __future__ import annotations

import os
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from ordws.cli import instance_option
from ordws.errors import BadInput

if TYPE_CHECKING:
    from ordws.guard.gate import MeterStore
    from ordws.instance import Instance
    from ordws.web.request_counts import RequestCounts

_DEFAULT_METRICS: Final = "127.0.0.1:9464"
"""Where exporters usually are; nothing else of ours is there."""


@click.command("serve")
@click.option(
    "--bind",
    metavar="HOST:PORT|unix:PATH",
    default="127.0.0.1:8000",
    show_default=True,
    help="Where to listen.",
)
@click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(1, 64),
    default=os.cpu_count() or 1,
    help="Processes. [default: one a processor]",
)
@click.option(
    "--metrics",
    metavar="HOST:PORT|off",
    default=_DEFAULT_METRICS,
    show_default=True,
    help="Where Prometheus finds /metrics, on this host alone.",
)
@instance_option
@click.pass_context
def command(ctx: click.Context, bind: str, workers: int, metrics: str, instance: str | None) -> None:
    """Answer questions over HTTP, until SIGTERM.

    A newer edition that is dropped into the instance is followed without a restart; SIGHUP has the workers begin anew,
    which reads settings.toml again. A socket that systemd hands over takes the place of --bind, and a restart loses
    nothing then. Towards the internet put a proxy in front that reads whole requests before it passes them on: slow
    ones hold a thread here until they are read.

    \b
    Example:
      ordws serve --bind 127.0.0.1:8000 --workers 2
      ordws serve --bind unix:/run/ordws/ordws.sock
    """
    where = parse_bind(bind)
    shown_at = None if metrics == "off" else parse_host_and_port(metrics, "--metrics")
    from functools import partial

    from ordws.api.services import create_games, open_services
    from ordws.instance import Instance
    from ordws.server import harden
    from ordws.web.process import check_startup, serve_on_sockets
    from ordws.web.request_counts import RequestCounts

    harden()
    place = Instance.locate(instance)
    if place.pepper.exists():
        create_games(place)  # games that were lost, or an installation older than they are
    opens = partial(open_services, place)
    name = check_startup(opens)
    prepare_meters(place, int(time.time()))
    is_given = ctx.get_parameter_source("bind") is not ParameterSource.DEFAULT
    is_asked = ctx.get_parameter_source("metrics") is not ParameterSource.DEFAULT
    counts = RequestCounts.create(workers)
    with ExitStack() as stack:
        listeners = open_listeners(stack, where, workers, is_given=is_given)
        shown = serve_metrics(stack, shown_at, place, counts, is_asked=is_asked) if shown_at else "metrics are off"
        click.echo(f'ordws: "{name}" is served at {describe_listener(listeners[0])}', err=True)
        click.echo(f"ordws: {shown}", err=True)
        serve_on_sockets(opens, listeners, workers, counts)


def open_listeners(
    stack: ExitStack, address: Path | tuple[str, int], workers: int, *, is_given: bool
) -> list[socket.socket]:
    """The sockets to serve, until the stack ends: the one that was handed over, or those where `--bind` says."""
    from ordws.server import listen, listen_unix, take_systemd_socket

    handed_over = take_systemd_socket(os.environ)
    if handed_over is not None and is_given:
        raise BadInput("a socket was handed over, and --bind names another", hint="leave --bind out")
    if handed_over is not None:
        listeners = [handed_over]
    elif isinstance(address, Path):
        listeners = [listen_unix(address)]
        stack.callback(address.unlink, missing_ok=True)
    else:
        listeners = listen(*address, workers)
    for listener in listeners:
        stack.enter_context(listener)
    return listeners


def describe_listener(listener: socket.socket) -> str:
    """Where a socket listens, and where the reference is."""
    if listener.family == socket.AF_UNIX:
        return f"unix:{listener.getsockname()}"
    address, port = listener.getsockname()[:2]
    url = f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"
    return f"{url}, the reference is at {url}/docs"


def serve_metrics(
    stack: ExitStack, address: tuple[str, int], instance: Instance, counts: RequestCounts, *, is_asked: bool
) -> str:
    """Show them until the stack ends; returns what to say. The usual port may be taken, where nobody asked for it."""
    from ordws.cli.guard import open_gate
    from ordws.guard.leak_report import read_guard_status
    from ordws.web.metrics import Metrics, serve_metrics

    gate = open_gate(instance)
    metrics = Metrics(counts, lambda: read_guard_status(gate, int(time.time())))
    try:
        listener = stack.enter_context(serve_metrics(*address, metrics.render))
    except BadInput as err:
        if is_asked:
            raise
        return f"warning: {err}"
    return f"metrics are at {listener.url}"


def prepare_meters(instance: Instance, now: int) -> None:
    """Meters that are gone are made, and old ones brought up to date.

    Where they are gone nobody knows what was spent today, so today counts as spent.
    """
    from ordws.api.settings import read_settings
    from ordws.guard.policy import DAY
    from ordws.guard.price import Meter

    midnight = (now // DAY + 1) * DAY
    store, are_lost = _create_meters(instance, read_settings(instance.settings).store.redis, now)
    if are_lost:
        store.refuse_until(midnight)
    (standing,) = store.read([Meter("any", 1, now)], now)
    store.close()
    if standing.spent:
        why = "the meters were gone" if are_lost else "today's budgets count as spent"
        click.echo(f"ordws: warning: {why}; nothing is answered before the next day, UTC", err=True)


def _create_meters(instance: Instance, redis: str | None, now: int) -> tuple[MeterStore, bool]:
    """The meters, made where there are none, and whether there were some that are lost.

    An instance that was never asked anything has its own file, unused: Redis takes its place, with nothing lost.
    """
    from ordws.guard.price import Meter
    from ordws.guard.stores.sqlite import SqliteMeterStore

    if redis is None:
        file = SqliteMeterStore.create(instance.meters)
        return file, file.is_new
    from ordws.guard.stores.redis import RedisMeterStore

    store = RedisMeterStore.create(redis)
    is_unused = False
    if instance.meters.exists():
        file = SqliteMeterStore.create(instance.meters)
        (standing,) = file.read([Meter("any", 1, now)], now)
        is_unused = not standing.spent and next(file.stored_meters(""), None) is None
        file.close()
        if is_unused:
            instance.meters.unlink()
    return store, store.is_new and not is_unused


def parse_bind(bind: str) -> Path | tuple[str, int]:
    """Where to listen: a path, or host and port."""
    scheme, _, path = bind.partition(":")
    return Path(path) if scheme == "unix" and path else parse_host_and_port(bind, "--bind")


def parse_host_and_port(bind: str, option: str) -> tuple[str, int]:
    host, colon, port = bind.rpartition(":")
    if not (host and colon and port.isascii() and port.isdecimal() and int(port) < 65_536):
        raise click.BadParameter(f'"{bind}" is not HOST:PORT, as in 127.0.0.1:8000', param_hint=option)
    return host.strip("[]"), int(port)
