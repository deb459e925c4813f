"""`ordws serve`: the service on a production server."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import Final

import click

from ordws.api.services import create_games, open_meters, open_play_links, open_services
from ordws.api.settings import read_settings
from ordws.cli import instance_option
from ordws.cli.guard import open_gate
from ordws.cli.listening import (
    listener_url,
    metrics_option,
    next_port,
    open_listeners,
    parse_address,
    parse_host_and_port,
    parse_metrics,
    start_metrics,
    was_typed,
)
from ordws.errors import BadInput, StoreDown
from ordws.guard.leaks import read_guard_status
from ordws.identity.play_links import play_address
from ordws.instance import Instance
from ordws.listeners import is_loopback, listen, listen_unix
from ordws.process_keeper import ProcessKeeper
from ordws.server import harden
from ordws.stream.notify import require_no_receiver
from ordws.web.metrics import Metrics
from ordws.web.serving import check_startup, serve_on_sockets
from ordws.web.telemetry import RequestCounts

_METRICS_PORT: Final = 9464
"""That of OpenTelemetry's Prometheus exporter."""


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
@metrics_option(_METRICS_PORT)
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
    service ends with status 1. Standard output is the log, a JSON object a line. A terminal is shown no
    requests but those that ended with a fault; `ordws serve | cat` shows all.

    \b
    Example:
      ordws serve --bind 127.0.0.1:8000 --workers 2
      ordws serve --bind unix:/run/ordws/ordws.sock
    """
    address = parse_address(bind, "--bind")
    metrics_address = parse_metrics(metrics)
    stream_address = None if stream in (None, "off") else parse_address(stream, "--stream")
    harden()
    installation = Instance.locate(instance)
    # The store of games may be lost, or the installation may be older than sealed games.
    if installation.pepper.exists():
        create_games(installation)
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
    name, fault = check_startup(partial(open_services, installation))
    warn_if_closed(installation, int(time.time()))
    counts = RequestCounts.create(workers)
    with ExitStack() as stack:
        listeners = open_listeners(stack, address, workers, is_given=was_typed(ctx, "bind"))
        notice = "metrics are off"
        if metrics_address:
            own = open_metrics(stack, installation, counts)
            notice = start_metrics(stack, metrics_address, own.render, is_given=was_typed(ctx, "metrics"))
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
        ports = [next_port(metrics), next_port(next_port(next_port(metrics)))] if was_typed(ctx, "metrics") else []
        stream_options, computer_options = [[*given, "--metrics", port] for port in ports] or [given, given]
        if has_computer:
            stack.enter_context(closing(ProcessKeeper("computer", ["--service", url, *computer_options])))
        stream_port = None
        if has_stream:
            place = stream_address or parse_host_and_port(next_port(bind), "--bind")
            stream_port = start_stream(stack, place, stream_options, is_given=stream_address is not None)
        serve_on_sockets(partial(open_services, installation, stream_port=stream_port), listeners, workers, counts)
    # The workers have ended: whoever closes the meters last brings what they wrote to disk.
    with suppress(StoreDown):
        open_meters(installation, read_settings(installation.settings)).close()


def show_play_link(instance: Instance, url: str) -> None:
    """Show the play link that was made for this machine, where the service answers this machine alone."""
    if is_loopback(url):
        with closing(open_play_links(instance)) as links:
            if (token := links.find_local()) is not None:
                click.echo(f"ordws: the play link, to play a friend: {play_address(url, token)}", err=True)


def warn_if_closed(instance: Instance, now: int) -> None:
    """Warn the keeper if no question is answered before some later time."""
    with closing(open_meters(instance, read_settings(instance.settings))) as store:
        if store.closed_until() > now:
            click.echo(
                "ordws: warning: today's budgets count as spent; nothing is answered before the next day, UTC", err=True
            )


def open_metrics(stack: ExitStack, instance: Instance, counts: RequestCounts) -> Metrics:
    """Return the metrics of the service, with its meters, which are open until the stack ends."""
    gate = open_gate(instance)
    stack.callback(gate.store.close)
    return Metrics(counts, lambda: read_guard_status(gate, int(time.time())))


def start_stream(
    stack: ExitStack, address: Path | tuple[str, int], options: Sequence[str], *, is_given: bool
) -> int | None:
    """Start a stream process until the stack ends; return its port, None where it has a Unix socket or there is none.

    Raises BadInput where a given address cannot be listened on; where the default cannot, the keeper is warned.
    """
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
