"""`ordws serve`: the service on a production server."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from ordws.cli import instance_option
from ordws.errors import BadInput, StoreDown

if TYPE_CHECKING:
    from ordws.instance import Instance
    from ordws.web.request_counts import RequestCounts

_LAST_PORT: Final = 65_535
_DEFAULT_METRICS: Final = "127.0.0.1:9464"
"""The default port of OpenTelemetry's Prometheus exporter."""


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
    help="Number of processes. [default: one per processor]",
)
@click.option(
    "--metrics",
    metavar="HOST:PORT|off",
    default=_DEFAULT_METRICS,
    show_default=True,
    help="Where Prometheus finds /metrics.",
)
@click.option(
    "--stream",
    metavar="HOST:PORT|unix:PATH|off",
    help="Where players wait for new rows. [default: the port after --bind's, where that is one]",
)
@click.option(
    "--computer",
    type=click.Choice(["on", "off"]),
    help="Whether the program plays against people who practise. [default: on, where --bind has a port]",
)
@instance_option
@click.pass_context
def command(
    ctx: click.Context,
    bind: str,
    workers: int,
    metrics: str,
    stream: str | None,
    computer: str | None,
    instance: str | None,
) -> None:
    """Answer questions over HTTP until SIGTERM.

    A newer edition that is put into the installation is adopted without a restart. SIGHUP restarts the workers, which
    read settings.toml again. A socket from systemd takes the place of --bind, and then a restart loses no request.
    Two processes are started beside it: a stream, which tells players of new rows of their games (ordws stream), and
    the program that they can play against (ordws computer).
    On a loopback address it shows a play link, where ordws init or ordws play-link made one for this machine.
    On the internet, put a proxy in front that passes on whole requests only: here a slow request holds a thread
    until it is read.

    Where a default port of --metrics or --stream is taken, the service runs without it and warns; metrics are
    answered on a loopback address only. With --metrics given, those of the stream are at the next port and those of
    the program at the one after it. A worker that ends is replaced; if its successor ends within seconds too, the
    service ends with status 1.

    \b
    Example:
      ordws serve --bind 127.0.0.1:8000 --workers 2
      ordws serve --bind unix:/run/ordws/ordws.sock
    """
    address = parse_address(bind, "--bind")
    metrics_address = None if metrics == "off" else parse_host_and_port(metrics, "--metrics")
    stream_address = None if stream in (None, "off") else parse_address(stream, "--stream")
    from functools import partial

    from ordws.api.services import create_games, open_meters, open_services
    from ordws.api.settings import read_settings
    from ordws.instance import Instance
    from ordws.server import harden
    from ordws.stream.notify import require_no_receiver
    from ordws.web.process import check_startup, serve_on_sockets
    from ordws.web.request_counts import RequestCounts

    harden()
    installation = Instance.locate(instance)
    # The store of games may be lost, or the installation may be older than sealed games.
    if installation.pepper.exists():
        create_games(installation)
    open_worker_services = partial(open_services, installation)
    # Behind a proxy, which leads to a Unix socket or to one of systemd, it has to lead to the stream too.
    has_port = not isinstance(address, Path) and os.environ.get("LISTEN_PID") != str(os.getpid())
    has_stream = stream_address is not None or (stream is None and has_port)
    has_computer = computer == "on" or (computer is None and has_port)
    # A second one of them would end as it begins, again and again.
    if has_stream:
        require_no_receiver(installation.stream_notices)
    if has_computer:
        require_no_receiver(installation.computer_notices)
    # Opened once in this process, so that an error is reported before any worker begins.
    name, fault = check_startup(open_worker_services)
    warn_if_closed(installation, int(time.time()))
    is_bind_given = ctx.get_parameter_source("bind") is not ParameterSource.DEFAULT
    is_metrics_given = ctx.get_parameter_source("metrics") is not ParameterSource.DEFAULT
    counts = RequestCounts.create(workers)
    with ExitStack() as stack:
        listeners = open_listeners(stack, address, workers, is_given=is_bind_given)
        notice = "metrics are off"
        if metrics_address:
            notice = start_metrics(stack, metrics_address, installation, counts, is_given=is_metrics_given)
        url = listener_url(listeners[0])
        # A browser can open the reference, unless a proxy stands between.
        reference = "" if url.startswith("unix:") else f", the reference is at {url}/docs"
        click.echo(f'ordws: "{name}" is served at {url}{reference}', err=True)
        click.echo(f"ordws: {notice}", err=True)
        if has_port:  # a socket of systemd leads to a proxy, and what is printed there to a log
            show_play_link(installation, url)
        if fault:
            click.echo(f"ordws: warning: {fault}", err=True)
        given = ["--instance", str(installation.root)]
        # The metrics of the stream are at the next port, those of the program at the third: the second is the desk's.
        ports = [next_port(metrics), next_port(next_port(next_port(metrics)))] if is_metrics_given else []
        stream_options, computer_options = [[*given, "--metrics", port] for port in ports] or [given, given]
        if has_computer:
            start_computer(stack, url, computer_options)
        stream_port = None
        if has_stream:
            place = stream_address or parse_host_and_port(next_port(bind), "--bind")
            stream_port = start_stream(stack, place, stream_options, is_given=stream_address is not None)
        serve_on_sockets(partial(open_worker_services, stream_port=stream_port), listeners, workers, counts)
    # The workers have ended: whoever closes the meters last brings what they wrote to disk.
    with suppress(StoreDown):
        open_meters(installation, read_settings(installation.settings)).close()


def show_play_link(instance: Instance, url: str) -> None:
    """Show the play link that was made for this machine, where the service answers this machine alone."""
    from ordws.api.services import open_play_links
    from ordws.identity.play_links import play_address
    from ordws.listeners import is_loopback

    if is_loopback(url):
        with closing(open_play_links(instance)) as links:
            if (token := links.find_local()) is not None:
                click.echo(f"ordws: play a friend: {play_address(url, token)}", err=True)


def warn_if_closed(instance: Instance, now: int) -> None:
    """Warn the keeper if no question is answered before some later time."""
    from ordws.api.services import open_meters
    from ordws.api.settings import read_settings

    with closing(open_meters(instance, read_settings(instance.settings))) as store:
        if store.closed_until() > now:
            click.echo(
                "ordws: warning: today's budgets count as spent; nothing is answered before the next day, UTC", err=True
            )


def open_listeners(
    stack: ExitStack, address: Path | tuple[str, int], workers: int, *, is_given: bool
) -> list[socket.socket]:
    """Return the sockets to serve until the stack ends: that from systemd, or else those of `--bind`.

    Raises BadInput where systemd gives a socket and `--bind` is given too.
    """
    from ordws.listeners import listen, listen_unix, take_systemd_socket

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


def listener_url(listener: socket.socket) -> str:
    """Return the address of a listening socket, as `unix:PATH` or as a URL."""
    if listener.family == socket.AF_UNIX:
        return f"unix:{listener.getsockname()}"
    address, port = listener.getsockname()[:2]
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def start_metrics(
    stack: ExitStack, address: tuple[str, int], instance: Instance, counts: RequestCounts, *, is_given: bool
) -> str:
    """Serve metrics until the stack ends, and return a notice for the keeper.

    Raises BadInput if the port is taken and `--metrics` was given; if it was not, the notice is a warning.
    """
    from ordws.cli.guard import open_gate
    from ordws.guard.leak_report import read_guard_status
    from ordws.metrics_server import serve_metrics
    from ordws.web.metrics import Metrics

    gate = open_gate(instance)
    stack.callback(gate.store.close)
    metrics = Metrics(counts, lambda: read_guard_status(gate, int(time.time())))
    try:
        listener = stack.enter_context(serve_metrics(*address, metrics.render))
    except BadInput as err:
        if is_given:
            raise
        return f"warning: {err}"
    return f"metrics are at {listener.url}"


def start_stream(
    stack: ExitStack, address: Path | tuple[str, int], options: Sequence[str], *, is_given: bool
) -> int | None:
    """Start a stream process until the stack ends; return its port, None where it has a Unix socket or there is none.

    Raises BadInput where a given address cannot be listened on; where the default cannot, the keeper is warned.
    """
    from ordws.listeners import listen, listen_unix
    from ordws.process_keeper import ProcessKeeper

    try:
        if isinstance(address, Path):
            listener = listen_unix(address)
            stack.callback(address.unlink, missing_ok=True)
        else:
            (listener,) = listen(*address)
    except BadInput as err:
        if is_given:
            raise BadInput(str(err), hint="--stream names another HOST:PORT or unix:PATH, or off") from err
        click.echo(f"ordws: warning: there is no stream, so pages of games ask again and again: {err}", err=True)
        return None
    stack.enter_context(listener)
    stack.enter_context(closing(ProcessKeeper("stream", options, listener)))
    return None if isinstance(address, Path) else int(listener.getsockname()[1])


def start_computer(stack: ExitStack, url: str, options: Sequence[str]) -> None:
    """Start the process of the program that people play against, until the stack ends."""
    from ordws.process_keeper import ProcessKeeper

    stack.enter_context(closing(ProcessKeeper("computer", ["--service", url, *options])))


def next_port(address: str) -> str:
    """Return HOST:PORT with the port after this one; port 0, any that is free, and "off" stay as they are."""
    host, _, port = address.rpartition(":")
    return f"{host}:{int(port) + 1 if 0 < int(port) < _LAST_PORT else 0}" if host else address


def parse_address(address: str, option: str) -> Path | tuple[str, int]:
    """Return the path of unix:PATH, or the parts of HOST:PORT; raise click.BadParameter."""
    scheme, _, path = address.partition(":")
    return Path(path) if scheme == "unix" and path else parse_host_and_port(address, option)


def parse_host_and_port(address: str, option: str) -> tuple[str, int]:
    """Return the two parts of HOST:PORT, an IPv6 address without its brackets; raise click.BadParameter."""
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isascii() and port.isdecimal() and int(port) < 65_536):
        raise click.BadParameter(f'"{address}" is not HOST:PORT, as in 127.0.0.1:8000', param_hint=option)
    return host.strip("[]"), int(port)
