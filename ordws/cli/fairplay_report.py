"""`ordws fairplay report`: what was looked at, and the flags."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import click

from ordws.cli import instance_option
from ordws.cli.fairplay_field import field_options, size_of_field


@click.command("report")
@field_options
@click.option("--json", "as_json", is_flag=True, help="Print one object instead of lines.")
@instance_option
def command(players: int | None, milestones: int | None, as_json: bool, instance: str | None) -> None:
    """Show how many games and players were looked at, what raises a flag, and the flags.

    As long as the honest forms were not refitted on games in person, every line says "uncalibrated": nobody may be
    accused then. A flag asks people to look; it decides nothing. The bound of false flags is that of the honest
    forms in force, and is missing until these were simulated (`ordws fairplay simulate --in-force`).

    \b
    Example:
      ordws fairplay report
      ordws fairplay report --json
    """
    from ordws.fairplay.flags import open_store
    from ordws.fairplay.report import make_report, report_lines
    from ordws.instance import Instance

    installation = Instance.locate(instance)
    with closing(open_store(installation)) as store:
        report: dict[str, Any] = make_report(store, installation, size_of_field(store, players, milestones))
    if as_json:
        click.echo(json.dumps(report, indent=2))
        return
    for line in report_lines(report):
        click.echo(line)
