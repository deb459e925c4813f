"""`ordws fairplay`: statistics of finished games, for keepers and reviewers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import click

from ordws.cli.guard import GuardGroup


class FairPlayGroup(GuardGroup):
    """The group of the subcommands of fair play, whose mistakes reveal no word."""

    descriptions: ClassVar[Mapping[str, str]] = {
        "run": "Take finished games from the results, and write their numbers.",
        "report": "Show what was looked at, and the flags.",
        "calibrate": "Refit the honest forms on games that were played in person.",
        "simulate": "Measure false flags and power with simulated players.",
    }
    aliases: ClassVar[Mapping[str, str]] = {"report": "run"}
    module_prefix = "ordws.cli.fairplay_"


@click.group("fairplay", cls=FairPlayGroup)
def command() -> None:
    """Find patterns of cheating and quitting in finished games; people decide what they mean.

    \b
    Example:
      ordws fairplay report
    """
