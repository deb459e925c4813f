"""`ordws tournament new`."""

from __future__ import annotations

import json
import secrets
import time
from contextlib import closing
from pathlib import Path

import click

from ordws.cli.rules_option import variation_option
from ordws.cli.tournament.event import (
    director_option,
    json_option,
    print_facts,
)
from ordws.rules.rulesets import DEFAULT_RULES_ID
from ordws.tournament.facts import Created
from ordws.tournament.store import EventFile


@click.command("new")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--rounds", type=int, required=True, metavar="N", help="The number of rounds.")
@click.option("--name", metavar="TEXT", help="The name of the event [default: that of the file].")
@click.option("--rules", metavar="ID", default=DEFAULT_RULES_ID, show_default=True, help="The rule set.")
@variation_option
@click.option(
    "--games-a-round", type=int, default=1, show_default=True, metavar="N", help="1, or 2 with starts swapped."
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="N", help="Make all draws reproducible.")
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
) -> None:
    """Begin an event in a new FILE.

    Its settings are lines: `ordws tournament do FILE "set on-line on"` ("set" alone names all of them).

    The JSON has event, rounds, rules, seed and version.

    \b
    Example:
      ordws tournament new club.event --rounds 5
    """
    create = Created(
        name=name if name is not None else file.stem,
        rules=rules,
        rounds=rounds,
        seed=secrets.randbits(53) if seed is None else seed,
        games_a_round=games_a_round,
        options=options,
    )
    with closing(EventFile.create(file, create, actor=director, now=int(time.time()))) as event:
        if as_json:
            made = event.state.event
            row = {"event": made.name, "rounds": made.rounds, "rules": made.rules, "seed": made.seed, "version": 1}
            click.echo(json.dumps(row, ensure_ascii=False))
        else:
            print_facts(event, event.facts, as_json=False)
