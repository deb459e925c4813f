"""`ordws fairplay`: statistics of finished games, for keepers and reviewers."""

from __future__ import annotations

from typing import Final

import click

from ordws.cli.guard import RedactedGroup

_SUBCOMMANDS: Final = {
    "run": ("fairplay_commands", "Take finished games from the results, and write their numbers."),
    "report": ("fairplay_commands", "Show what was looked at, and the flags."),
    "calibrate": ("fairplay_commands", "Refit the honest forms on games that were played in person."),
    "simulate": ("fairplay_commands", "Measure false flags and power with simulated players."),
}


@click.group("fairplay", cls=RedactedGroup, package="ordws.cli", table=_SUBCOMMANDS)
def command() -> None:
    """Find patterns of cheating and quitting in finished games; people decide what they mean.

    \b
    Example:
      ordws fairplay report
    """
