"""`ordws cases publish`, `review`, `strike`, `minor` and `update`."""

from __future__ import annotations

import click

from ordws.api.settings import read_settings
from ordws.cases.commands import mark_under_age, publish, review_entry, strike_entry
from ordws.cli import instance_option
from ordws.cli.cases.keeper import Keeper, as_keeper, open_keeper, text_option
from ordws.retention import DAY


@click.command("publish")
@click.argument("case")
@as_keeper
def publish_command(kept: Keeper, case: str) -> None:
    """Enter a decision in the register, once no appeal can come any more. Nobody under age is entered.

    \b
    Example:
      ordws cases publish 2026-1
    """
    kept.update()  # so that nobody is named who is under age in an event since
    kept.take(case, lambda state: publish(state, kept.now))


@click.command("review")
@click.argument("case")
@click.option("--note", default="", metavar="TEXT", help="A note that stands beside the entry from now on.")
@as_keeper
def review_command(kept: Keeper, case: str, note: str) -> None:
    """Record that somebody looked at an entry again and that it stays. Due every three years.

    \b
    Example:
      ordws cases review 2026-1
    """
    kept.take(case, lambda state: review_entry(state, note, kept.now))


@click.command("strike")
@click.argument("case")
@text_option
@as_keeper
def strike_command(kept: Keeper, case: str, text: str) -> None:
    """Take an entry out of the register for good; the text is the reasons.

    \b
    Example:
      ordws cases strike 2026-1 --text "A fault of the program was found."
    """
    kept.take(case, lambda state: strike_entry(state, text, kept.now))


@click.command("minor")
@click.argument("case")
@text_option
@as_keeper
def minor_command(kept: Keeper, case: str, text: str) -> None:
    """Mark the player of a case as under age, at any time: no entry is published, and one that stands is withdrawn.

    The text is the reasons. An entrant who is marked as under age in an event of the case is marked here by themselves.

    \b
    Example:
      ordws cases minor 2026-1 --text "The club has shown the date of birth."
    """
    kept.take(case, lambda state: mark_under_age(state, text))


@click.command("update")
@instance_option
def update_command(instance: str | None) -> None:
    """Hold and let go prizes, write the register, and erase old exhibits; for a timer, each hour.

    A case whose player is under age in one of its events since then is marked so, and has no entry any more.

    The register, public/register.json, has version (1), made, entries (pseudonym, offence, first_game, last_game,
    decided, published, looked_at, note), years with the counts of steps, and head, the last link of the chain.

    \b
    Example:
      ordws cases update
    """
    with open_keeper(instance) as kept:
        days = read_settings(kept.instance.settings).retention.case_exhibits_days
        if erased := kept.files.erase_old(kept.name, kept.now, days * DAY):
            click.echo(f"ordws: the exhibits of cases without an entry were erased: {erased} cases", err=True)
        kept.update()
