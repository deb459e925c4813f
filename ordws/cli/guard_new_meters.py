"""`ordws guard new-meters`: new meters, in a new Redis server or cluster, or where the old ones were lost."""

from __future__ import annotations

import time
from contextlib import closing

import click

from ordws.api.settings import read_settings
from ordws.cli import instance_option
from ordws.errors import BadInput
from ordws.guard.stores.lmdb import LmdbMeterStore
from ordws.instance import Instance
from ordws.retention import DAY


@click.command("new-meters")
@click.option("--first", is_flag=True, help="Begin open: nothing was ever asked here, as in a new, empty cluster.")
@instance_option
def command(first: bool, instance: str | None) -> None:
    """Make new meters, and refuse all questions until midnight UTC, since nobody knows what was spent today.

    For meters that are missing or damaged. With --first for a new Redis server or cluster, which no installation has
    used: `ordws init` does the same for the folder of one host.

    \b
    Example:
      ordws guard new-meters --first
    """
    installation = Instance.locate(instance)
    redis = read_settings(installation.settings).store.redis
    reopens = 0 if first else (int(time.time()) // DAY + 1) * DAY
    if redis is None:
        if first:
            raise BadInput("--first is for a Redis server or cluster", hint="ordws init begins open on one host")
        LmdbMeterStore.replace(installation.meters, closed_until=reopens)
    else:
        # Needs the extra "cluster", which a host with a folder of meters may lack.
        from ordws.guard.stores.redis import RedisMeterStore

        with closing(RedisMeterStore.create(redis, closed_until=reopens)) as store:
            if not store.is_new:
                raise BadInput("the server has meters already, and nothing was changed")
    click.echo("new meters: open" if first else "new meters: nothing is answered before the next day, UTC")
