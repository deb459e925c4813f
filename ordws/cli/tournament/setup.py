"""`ordws tournament new`."""

from __future__ import annotations

import json
import secrets
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from ordws.cli.rules_option import variation_option
from ordws.cli.tournament.event import (
    F,
    director_option,
    file_argument,
    json_option,
    print_facts,
)
from ordws.rules.rulesets import DEFAULT_RULES_ID
from ordws.tournament.commands import Create
from ordws.tournament.facts import EventSettings
from ordws.tournament.store import EventFile


def settings_options(command: F) -> F:
    """Add an option for each setting of an event; those that are not given are None."""
    for option in (
        click.option("--currency", metavar="CODE", help="The currency of fee and prizes, such as EUR."),
        click.option("--prize-fund", type=click.IntRange(0), metavar="HUNDREDTHS", help="Prizes beside the fees."),
        click.option("--entry-fee", type=click.IntRange(0), metavar="HUNDREDTHS", help="What an entry costs."),
        click.option("--fee-percent", type=click.IntRange(0, 100), metavar="N", help="Of the fees, to the prizes."),
        click.option(
            "--equal-percent", type=click.IntRange(0, 100), metavar="N", help="Of the prizes, shared equally."
        ),
        click.option("--forfeit-minutes", type=click.IntRange(1), metavar="N", help="The wait for an absent player."),
        click.option(
            "--unplayed-tiles-round/--no-unplayed-tiles-round",
            default=None,
            help="Reward plays with the tiles that an opponent could not play.",
        ),
        click.option("--consent/--no-consent", "consent_required", default=None, help="Nobody plays without consent."),
        click.option("--automatic/--no-automatic", default=None, help="Rounds follow each other without a director."),
        click.option("--on-line/--in-person", "on_line", default=None, help="Where the games are played."),
    ):
        command = option(command)
    return command


@click.command("new")
@file_argument
@click.option("--rounds", type=int, required=True, metavar="N", help="The number of rounds.")
@click.option("--name", metavar="TEXT", help="The name of the event [default: that of the file].")
@click.option("--rules", metavar="ID", default=DEFAULT_RULES_ID, show_default=True, help="The rule set.")
@variation_option
@click.option(
    "--games-a-round", type=int, default=1, show_default=True, metavar="N", help="1, or 2 with starts swapped."
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="Make all draws reproducible.")
@settings_options
@director_option
@json_option
def new(
    file: Path,
    rounds: int,
    name: str | None,
    rules: str,
    options: tuple[str, ...],
    games_a_round: int,
    seed: int | None,
    director: str,
    as_json: bool,
    **settings: Any,
) -> None:
    """Begin an event in a new FILE.

    The JSON has event, rounds, rules, seed and version. Nobody is checked in without consent on line, unless
    --no-consent is given.

    \b
    Example:
      ordws tournament new club.event --rounds 5
    """
    given = {key: value for key, value in settings.items() if value is not None}
    # Who plays on line agrees to the conditions first, unless the director says otherwise.
    given.setdefault("consent_required", bool(given.get("on_line")))
    create = Create(
        name=name if name is not None else file.stem,
        rules=rules,
        rounds=rounds,
        seed=secrets.randbits(53) if seed is None else seed,
        games_a_round=games_a_round,
        options=options,
        settings=EventSettings(**given),
    )
    with closing(EventFile.create(file, create, actor=director, now=int(time.time()))) as event:
        if as_json:
            made = event.state.event
            row = {"event": made.name, "rounds": made.rounds, "rules": made.rules, "seed": made.seed, "version": 1}
            click.echo(json.dumps(row, ensure_ascii=False))
        else:
            print_facts(event, event.facts, as_json=False)
