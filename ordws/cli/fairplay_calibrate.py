"""`ordws fairplay calibrate`: the honest forms refitted on games that were played in person."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click

from ordws.atomic_files import write_atomically
from ordws.cli import instance_option
from ordws.errors import BadInput
from ordws.fairplay.calibration import ChoiceInPerson, calibrate
from ordws.fairplay.forms import read_forms, write_forms
from ordws.fairplay.in_person import choices_in_person
from ordws.fairplay.lexicons import Lexicons
from ordws.instance import Instance
from ordws.records.gcg import read_gcg
from ordws.server import harden

_RECORD: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("calibrate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=_RECORD)
@click.option("--dry-run", is_flag=True, help="Show what would change, and write nothing.")
@instance_option
def command(files: tuple[Path, ...], dry_run: bool, instance: str | None) -> None:
    """Refit the honest forms on records (GCG) of games in person, as stations keep them, and put them into force.

    Each record needs the names and the racks of its players. At least 1,000 turns of 8 players are wanted, the
    strongest among them: nobody honest may lie above the ceiling that is fitted. Numbers of games that were taken with
    other forms are not counted any more: calibrate before the games that matter, then start `ordws fairplay run` anew.

    \b
    Example:
      ordws fairplay calibrate preliminary-round/*.gcg
    """
    harden()
    installation = Instance.locate(instance)
    forms = read_forms(installation.fairplay_forms)
    lexicons = Lexicons(installation)
    choices: list[ChoiceInPerson] = []
    with click.progressbar(files, label="records", file=sys.stderr) as bar:
        for file in bar:
            try:
                record = read_gcg(file.read_bytes())
            except BadInput as error:
                raise BadInput(f'"{file}" cannot be read: {error}', hint=error.hint) from error
            choices += choices_in_person(record, lambda rules: lexicons.current_reader(rules, forms))
    fitted = calibrate(choices, forms)
    click.echo(f"ordws: {fitted.turns} turns of {fitted.players} players")
    click.echo(f"ordws: {fitted.before:.4f} nats a turn before, {fitted.after:.4f} with the fitted forms")
    for name, value in fitted.forms.parameters._asdict().items():
        click.echo(f"ordws: {name}: {value}")
    if dry_run:
        return
    write_atomically(installation.fairplay_forms, write_forms(fitted.forms).encode())
    click.echo(f"ordws: honest forms {fitted.forms.version} are in force")
    click.echo("ordws: their false flags are not known before they are simulated: ordws fairplay simulate --in-force")
