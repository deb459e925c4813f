"""`ordws fairplay run`: the process that takes finished games and writes their numbers."""

from __future__ import annotations

import logging.config
import time

import click

from ordws.cli import instance_option
from ordws.cli.fairplay_field import field_options, size_of_field
from ordws.cli.stop_signals import stop_on_signals


@click.command("run")
@click.option("--once", is_flag=True, help="Take what has finished, and end.")
@click.option("--every", type=click.IntRange(1), default=60, show_default=True, help="Seconds between two passes.")
@field_options
@instance_option
def command(once: bool, every: int, players: int | None, milestones: int | None, instance: str | None) -> None:
    """Take finished sealed games, write their numbers, and look at players at their milestones, until SIGTERM.

    It runs on the host that holds the opening key, has no listener, and gets only the time that nobody else wants. It
    writes numbers, never words, to fairplay.db, encrypted under keys/fairplay.key, and keeps them for 400 days. Games
    that were taken are not taken again, so it can be ended and started at any time within a day. A game that cannot be
    read is named and put aside, and tried again in the next pass. The size of the field is remembered.

    \b
    Example:
      ordws fairplay run --once
      ordws fairplay run --players 1000
    """
    from ordws.api.settings import read_settings
    from ordws.fairplay.finished_games import open_queue
    from ordws.fairplay.flags import create_store
    from ordws.fairplay.forms import read_forms
    from ordws.fairplay.lexicons import Lexicons
    from ordws.fairplay.process import FairPlay, become_idle
    from ordws.instance import Instance
    from ordws.logs import LOGGING_CONFIG
    from ordws.server import harden

    harden()
    logging.config.dictConfig(LOGGING_CONFIG)
    installation = Instance.locate(instance)
    forms = read_forms(installation.fairplay_forms)
    queue = open_queue(installation, read_settings(installation.settings).store.redis)
    store = create_store(installation)
    size = size_of_field(store, players, milestones)
    store.keep_field(size)
    fair_play = FairPlay(queue, Lexicons(installation), store, forms, size.threshold, size.milestones)
    become_idle()
    note = "calibrated" if forms.calibrated else "uncalibrated: nobody may be accused"
    with stop_on_signals() as stop:
        if once:
            click.echo(f"ordws: {note}: {fair_play.take_games(int(time.time()))}")
            return
        click.echo(f"ordws: fair play is running, {note}", err=True)
        fair_play.run(time.time, stop, every)
