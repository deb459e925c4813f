"""`ordws serve`: the service on a production server."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import click

from ordws.cli import instance_option

if TYPE_CHECKING:
    from ordws.instance import Instance


@click.command("serve")
@click.option("--bind", metavar="HOST:PORT", default="127.0.0.1:8000", show_default=True, help="Where to listen.")
@click.option(
    "--workers", metavar="N", type=click.IntRange(1, 64), default=os.cpu_count() or 1, help="Processes."
    " [default: one a processor]",
)  # fmt: skip
@instance_option
def command(bind: str, workers: int, instance: str | None) -> None:
    """Answer questions over HTTP, until SIGTERM.

    A newer edition that is dropped into the instance is followed without a restart. Towards the internet put a proxy
    in front that reads whole requests before it passes them on: slow ones hold a thread here until they are read.

    \b
    Example:
      ordws serve --bind 127.0.0.1:8000 --workers 2
    """
    host, port = _host_and_port(bind)
    from functools import partial

    from ordws.desk.wiring import open_desk
    from ordws.instance import Instance
    from ordws.service.process import check, find_address, harden, serve

    harden()
    place = Instance.locate(instance)
    opens = partial(open_desk, place)
    name = check(opens)
    _replace_lost_meters(place)
    address, port = find_address(host, port)
    url = f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"
    click.echo(f'ordws: "{name}" is served at {url}, the reference is at {url}/docs', err=True)
    serve(opens, address, port, workers)


def _replace_lost_meters(place: Instance) -> None:
    """Where the meters are gone nobody knows what was spent today, so today counts as spent."""
    from ordws.guard.price import DAY
    from ordws.guard.stores.sqlite import SqliteStore

    if place.meters.exists():
        return
    midnight = (int(time.time()) // DAY + 1) * DAY
    store = SqliteStore.create(place.meters)
    store.close_until(midnight)
    store.close()
    click.echo("ordws: warning: the meters were gone; nothing is answered before the next day, UTC", err=True)


def _host_and_port(bind: str) -> tuple[str, int]:
    host, colon, port = bind.rpartition(":")
    if not (host and colon and port.isascii() and port.isdecimal() and int(port) < 65_536):
        raise click.BadParameter(f'"{bind}" is not HOST:PORT, as in 127.0.0.1:8000', param_hint="--bind")
    return host.strip("[]"), int(port)
