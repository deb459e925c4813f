"""`ordws slip`: a rule set on a slip of paper."""

from __future__ import annotations

import click

from ordws.cli.rules_option import variation_option


@click.command("slip")
@click.argument("rules", metavar="ID")
@variation_option
def command(rules: str, options: tuple[str, ...]) -> None:
    """Print a slip of the rule set ID, to keep by the rack: bonuses, two-letter words, and other differences.

    \b
    Example:
      ordws slip scrabble-i --option small_word_cap=on
    """
    from ordws.cli.rules_option import read_rules
    from ordws.pictures.slip import render_slip

    click.echo(render_slip(read_rules(rules, options, hint="ID")), nl=False)
