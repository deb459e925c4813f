"""`ordws tiles`: the tiles of a rule set on a sheet of paper."""

from __future__ import annotations

import click

from ordws.cli.rules_option import variation_option


@click.command("tiles")
@click.argument("rules", metavar="ID")
@variation_option
def command(rules: str, options: tuple[str, ...]) -> None:
    """Print the tiles of the rule set ID: counts, values, and what to add to or take from standard sets.

    \b
    Example:
      ordws tiles dover --option three_i_to_aeo=on
    """
    from ordws.cli.rules_option import read_rules
    from ordws.pictures.tile_sheet import render_tile_sheet

    click.echo(render_tile_sheet(read_rules(rules, options, hint="ID")), nl=False)
