"""`ordws computer`: the process in which the program of `/play` chooses its turns."""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack
from typing import Final

import click

from ordws.api.practice_register import write_credential
from ordws.cli import instance_option
from ordws.cli.listening import begin_process, metrics_option, parse_metrics, read_key, start_metrics, was_typed
from ordws.computer.metrics import ComputerMetrics
from ordws.computer.process import ComputerCounts, ComputerProcess, LocalService
from ordws.computer.words import PublicWords
from ordws.instance import Instance
from ordws.stream.notify import DatagramReceiver

_METRICS_PORT: Final = 9467
_NICE: Final = 19
"""The lowest priority that still gets some time on a busy host, since a person waits for the turn."""


@click.command("computer")
@click.option(
    "--service",
    metavar="http://HOST:PORT|unix:PATH",
    default="http://127.0.0.1:8000",
    show_default=True,
    help="Where the service listens.",
)
@metrics_option(_METRICS_PORT)
@instance_option
@click.pass_context
def command(ctx: click.Context, service: str, metrics: str, instance: str | None) -> None:
    """Play against people who practise on /play, until SIGTERM.

    It asks the service which turns are due, chooses them by the public lists of the installation, and takes them as a
    browser does. It reads no key but its own credential, opens no edition, and gets only the time that nobody else
    wants. It may be ended at any point, and goes on when it is started again. `ordws serve` starts one beside itself;
    run it by itself behind a proxy, as deploy/README.md says.

    Its lists are core, reference, common and dover-charged of public/; where one is missing it does not start. A
    worker tells it of a turn; else it asks every two seconds, and every five while nobody plays. An installation has
    one on each host, which plays the games that were opened there.

    \b
    Example:
      ordws computer --service http://127.0.0.1:8000
      ordws computer --service unix:/run/ordws/ordws.sock
    """
    metrics_address = parse_metrics(metrics)
    begin_process()
    os.nice(_NICE)
    # A key press ends it without a word.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    installation = Instance.locate(instance)
    local = LocalService(service, write_credential(read_key(installation.computer_key)))
    # Without them it does not ask for turns, and the page offers no game.
    words, counts = PublicWords.load(installation.public), ComputerCounts()
    with ExitStack() as stack:
        receiver = DatagramReceiver(installation.computer_notices)
        stack.callback(receiver.close)
        notice = start_metrics(
            stack, metrics_address, ComputerMetrics(counts).render, is_given=was_typed(ctx, "metrics")
        )
        click.echo(f"ordws: the program plays at {service}; its {notice}", err=True)
        ComputerProcess(local, words, receiver, counts).run()
