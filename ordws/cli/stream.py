"""`ordws stream`: the process that tells players of new rows."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import Final

import click

from ordws.api.settings import read_settings
from ordws.cli import instance_option
from ordws.cli.listening import (
    begin_process,
    listener_url,
    metrics_option,
    open_listeners,
    parse_address,
    parse_metrics,
    read_key,
    start_metrics,
    was_typed,
)
from ordws.instance import Instance
from ordws.referee.stores.news import NewsReader
from ordws.referee.stores.sqlite import SqliteNews
from ordws.stream.hub import StreamCounts
from ordws.stream.metrics import StreamMetrics
from ordws.stream.notify import DatagramReceiver
from ordws.stream.process import StreamProcess
from ordws.stream.tickets import StreamSigner

_METRICS_PORT: Final = 9465


@click.command("stream")
@click.option(
    "--bind",
    metavar="HOST:PORT|unix:PATH",
    default="127.0.0.1:8001",
    show_default=True,
    help="Where to listen.",
)
@metrics_option(_METRICS_PORT)
@instance_option
@click.pass_context
def command(ctx: click.Context, bind: str, metrics: str, instance: str | None) -> None:
    """Tell players that their game has another row, until SIGTERM.

    It reads the key of stream tickets and the number of rows of games, and no other key: `ordws serve` answers, this
    process only wakes. `ordws serve` starts one beside itself; run it by itself behind a proxy, as deploy/README.md
    says. A socket from systemd takes the place of --bind. The key may come as the credential "stream.key" of systemd.

    It has 12,000 streams at most, 256 from one address; others get 503 too-busy, and a reader who does not keep up is
    dropped. A row whose notice was lost is found within a quarter of a second, as long as anybody listens. An
    installation has one on each host, and with a Redis each hears of the rows of all.

    \b
    Example:
      ordws stream --bind 127.0.0.1:8001
      ordws stream --bind unix:/run/ordws/stream.sock
    """
    address = parse_address(bind, "--bind")
    metrics_address = parse_metrics(metrics)

    begin_process()
    installation = Instance.locate(instance)
    signer = StreamSigner(read_key(installation.stream_key))
    redis = read_settings(installation.settings).store.redis
    counts = StreamCounts()
    with ExitStack() as stack:
        (listener,) = open_listeners(stack, address, 1, is_given=was_typed(ctx, "bind"))
        receiver = DatagramReceiver(installation.stream_notices)
        stack.callback(receiver.close)
        notice = start_metrics(stack, metrics_address, StreamMetrics(counts).render, is_given=was_typed(ctx, "metrics"))
        open_news = partial(_open_news, installation, redis)
        process = StreamProcess(listener, signer, open_news, receiver, counts, hears_redis=redis is not None)
        where = listener_url(listener)
        process.run(lambda: click.echo(f"ordws: the stream is at {where}; its {notice}", err=True))


def _open_news(instance: Instance, redis: str | None) -> NewsReader:
    if redis is None:
        return SqliteNews(instance.games)
    # An installation on one host need not have the redis package.
    from ordws.referee.stores.redis import RedisNews

    return RedisNews(redis)
