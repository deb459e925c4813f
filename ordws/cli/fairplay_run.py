"""`ordws fairplay run`: the process that takes finished games and writes their numbers."""

from __future__ import annotations

import logging.config
import os
import signal
import threading
import time
from collections.abc import Iterator
from random import SystemRandom
from typing import TYPE_CHECKING

import click

from ordws.cli import instance_option
from ordws.errors import BadInput, Missing

if TYPE_CHECKING:
    from pathlib import Path

    from ordws.fairplay.process import FinishedGames
    from ordws.fairplay.store import FairPlayStore
    from ordws.instance import Instance


@click.command("run")
@click.option("--once", is_flag=True, help="Take what has finished, and end.")
@click.option("--every", type=click.IntRange(1), default=60, show_default=True, help="Seconds between two passes.")
@click.option(
    "--players", type=click.IntRange(1), default=200, show_default=True, help="Size of the field, for the threshold."
)
@instance_option
def command(once: bool, every: int, players: int, instance: str | None) -> None:
    """Take finished sealed games, write their numbers, and look at players at their milestones, until SIGTERM.

    It runs on the host that holds the opening key, has no listener, and gets only the time that nobody else wants. It
    writes numbers, never words, to fairplay.db, encrypted under keys/fairplay.key, and keeps them for 400 days. Games
    that were taken are not taken again, so it can be ended and started at any time within a day.

    \b
    Example:
      ordws fairplay run --once
      ordws fairplay run --players 1000
    """
    from ordws.fairplay.forms import read_forms
    from ordws.fairplay.lexicons import Lexicons
    from ordws.fairplay.milestones import EVENT_MILESTONES, threshold
    from ordws.fairplay.process import FairPlay, become_idle
    from ordws.instance import Instance
    from ordws.logs import LOGGING_CONFIG
    from ordws.server import harden

    harden()
    logging.config.dictConfig(LOGGING_CONFIG)
    installation = Instance.locate(instance)
    forms = read_forms(installation.fairplay_forms)
    queue = open_queue(installation)
    fair_play = FairPlay(
        queue, Lexicons(installation), create_store(installation), forms, threshold(players, EVENT_MILESTONES)
    )
    become_idle()
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    note = "calibrated" if forms.calibrated else "uncalibrated: nobody may be accused"
    if once:
        taken = fair_play.take_games(int(time.time()))
        click.echo(f"ordws: {note}: {taken.games} games taken, {taken.gone} of them gone, {taken.flags} flags raised")
        return
    click.echo(f"ordws: fair play is running, {note}", err=True)
    fair_play.run(_ticks(every, stop), stop)


def _ticks(every: int, stop: threading.Event) -> Iterator[int]:
    """Yield the second since 1970, now and after each pause, until told to stop."""
    yield int(time.time())
    while not stop.wait(every):
        yield int(time.time())


def open_queue(instance: Instance) -> FinishedGames:
    """Return the finished games of an installation; raises Missing where there are none to read."""
    from ordws.api.settings import read_settings
    from ordws.fairplay.process import FinishedGames
    from ordws.referee.game_store import GameStore
    from ordws.referee.games import SealedGames
    from ordws.referee.results import Results, ResultStore

    key = _read_key(instance.games_key, "ordws serve makes it as it starts")
    redis = read_settings(instance.settings).store.redis
    rows: GameStore
    results: ResultStore
    if redis is None:
        from ordws.referee.stores.sqlite import SqliteGameStore
        from ordws.referee.stores.sqlite_results import SqliteResultStore

        if not instance.results.exists():
            raise Missing(f'no results of games in "{instance.root}"', hint="ordws serve makes them as it starts")
        rows, results = SqliteGameStore(instance.games), SqliteResultStore(instance.results)
    else:
        # An installation on one host need not have the redis package.
        from ordws.referee.stores.redis import RedisGameStore
        from ordws.referee.stores.redis_results import RedisResultStore

        rows, results = RedisGameStore(redis), RedisResultStore(redis)
    return FinishedGames(Results(results, key), SealedGames(rows, key, SystemRandom()))


def create_store(instance: Instance) -> FairPlayStore:
    """Open the numbers of an installation, and make their key and file where there are none."""
    from ordws.atomic_files import SECRET_MODE, write_atomically
    from ordws.fairplay.store import FairPlayStore
    from ordws.referee.game_store import KEY_BYTES

    if not instance.fairplay_key.exists():
        if instance.fairplay.exists():
            raise BadInput(f'the key "{instance.fairplay_key}" is gone', hint="ordws restore, from a backup")
        write_atomically(instance.fairplay_key, os.urandom(KEY_BYTES), SECRET_MODE)
    return FairPlayStore.create(instance.fairplay, instance.fairplay_key.read_bytes())


def _read_key(path: Path, hint: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as err:
        raise Missing(f'no key at "{path}": {err.strerror}', hint=hint) from err
