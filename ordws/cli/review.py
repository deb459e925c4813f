"""`ordws review`: the best plays from public words for each turn of game records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ordws.cli import fail, instance_option
from ordws.cli.output import printable
from ordws.cli.rules_option import read_rules, rules_options
from ordws.computer.review import (
    REVIEW_DISCLAIMER,
    ReviewedTurn,
    describe_best,
    recorded_turns,
    review_turns,
    write_turn,
)
from ordws.computer.words import PublicWords
from ordws.errors import BadInput
from ordws.instance import Instance
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg

_ALTERNATIVES = 3


@click.command("review")
@rules_options
@click.option("--json", "as_json", is_flag=True, help="Print an object a turn.")
@instance_option
@click.argument("files", metavar="FILE.gcg...", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(
    rules: str | None, options: tuple[str, ...], as_json: bool, instance: str | None, files: tuple[Path, ...]
) -> int:
    """Show the best plays from public words for each turn, and what the turn that was taken lost against them.

    The word set is never asked: it goes by the public lists of the installation, which everybody may read, and a play
    counts as if it had stood. Without --rules a record is reviewed under the rule set that it names, or else under
    classic. Plays that stood and exchanges are reviewed where the record has the whole rack. Ends with status 2 if a
    file cannot be read.

    The JSON has file, rules, number, player, rack, move, score, value (its equity less what replies take off it),
    lost and best, each with move, score and value.

    \b
    Example:
      ordws review --rules classic game.gcg
    """
    chosen = read_rules(rules or "classic", options) if rules or options else None
    words = PublicWords.load(Instance.locate(instance).public)
    status = 0
    for file in files:
        try:
            record = read_gcg(file.read_bytes())
        except (OSError, BadInput) as error:
            status = fail(f'"{printable(str(file))}" cannot be read: {getattr(error, "strerror", None) or error}')
            continue
        audit = audit_record(record, chosen)
        reviewed = review_turns(recorded_turns(record, audit), words)
        if as_json:
            for turn in reviewed:
                click.echo(json.dumps({"file": str(file), "rules": audit.rules.id, **_describe(turn)}))
        else:
            for line in _table(str(file), audit.rules.id, reviewed):
                click.echo(printable(line))
    return status


def _describe(turn: ReviewedTurn) -> dict[str, Any]:
    """Return a reviewed turn as one object of JSON."""
    rounded = {"value": round(turn.value, 1), "lost": round(turn.lost, 1)}
    return {**turn._asdict(), **rounded, "best": describe_best(turn.best)}


def _table(file: str, rules: str, turns: Iterator[ReviewedTurn]) -> Iterator[str]:
    """Yield the lines of a review: a turn a line, with the best turns behind it, then what each player lost."""
    yield f"{file} ({rules}): {REVIEW_DISCLAIMER}"
    yield f"{'turn':>4}  {'player':<12} {'rack':<9} {'played':<20} {'score':>5} {'lost':>5}  best by public words"
    lost: dict[str, list[float]] = {}
    for turn in turns:
        lost.setdefault(turn.player, []).append(turn.lost)
        best = ", ".join([f"{write_turn(each)} {each.score}" for each in turn.best[:_ALTERNATIVES]])
        yield (
            f"{turn.number:>4}  {turn.player[:12]:<12} {turn.rack:<9} {turn.move:<20} {turn.score:>5} {turn.lost:>5.1f}"
            f"  {best}"
        )
    for player, each in lost.items():
        yield f"{player}: {sum(each):.1f} points lost in {len(each)} turns, {sum(each) / len(each):.1f} a turn"
    if not lost:
        yield "no turn has a whole rack, so none is reviewed"
