"""`ordws rules`, `slip` and `tiles`: the rule sets in plain words, on a slip of paper, and their tiles on a sheet."""

from __future__ import annotations

import click

from ordws.api import replies
from ordws.api.public import rule_set_options, rule_sets
from ordws.cli.rules_option import read_rules, variation_option
from ordws.pictures.rule_pages import render_chapters, render_comparison, render_lists
from ordws.pictures.slip import render_slip, render_tile_sheet


@click.command("rules")
@click.argument("rules_id", metavar="[ID]", required=False)
@variation_option
@click.option("--compare", is_flag=True, help="Print all rule sets side by side, rule by rule.")
@click.option("--json", "as_json", is_flag=True, help="Print what GET /v1/rules or /v1/rules/{id} answers.")
def rules(rules_id: str | None, options: tuple[str, ...], compare: bool, as_json: bool) -> int:
    """List the rule sets, or tell the rule set ID in plain words, with every option, its value and possible values.

    With ID it also lists the two-letter words in groups to remember them by, and the disallowed words, with the reasons
    of those that have one.

    \b
    Example:
      ordws rules scrabble-i
    """
    if compare and (rules_id is not None or options or as_json):
        raise click.UsageError("--compare takes neither an ID nor another option")
    if compare:
        click.echo(render_comparison())
        return 0
    if rules_id is None:
        if options:
            raise click.UsageError("--option needs the ID of a rule set")
        listed = rule_sets()
        width = max([len(entry.id) for entry in listed.rules])
        titles = "\n".join([f"{entry.id:{width}}  {entry.title}" for entry in listed.rules])
        click.echo(replies.public(listed).body if as_json else titles)
        return 0
    rules = read_rules(rules_id, options, hint="ID")
    shown = rule_set_options(rules)
    if as_json:
        click.echo(replies.public(shown).body)
        return 0
    click.echo(f"{shown.id}: {shown.title}\n")
    click.echo(f"{render_chapters(rules)}\n\nOptions\n")
    click.echo("\n".join([f"{each.name}={each.value}\n    {each.says}\n    {each.values}" for each in shown.options]))
    click.echo(f"\n{render_lists(rules)}")
    return 0


@click.command("slip")
@click.argument("rules", metavar="ID")
@variation_option
def slip(rules: str, options: tuple[str, ...]) -> None:
    """Print a slip of the rule set ID, to keep by the rack: bonuses, two-letter words, and other differences.

    \b
    Example:
      ordws slip scrabble-i --option small_word_cap=on
    """
    click.echo(render_slip(read_rules(rules, options, hint="ID")), nl=False)


@click.command("tiles")
@click.argument("rules", metavar="ID")
@variation_option
def tiles(rules: str, options: tuple[str, ...]) -> None:
    """Print the tiles of the rule set ID: counts, values, and what to add to or take from standard sets.

    \b
    Example:
      ordws tiles dover --option three_i_to_aeo=on
    """
    click.echo(render_tile_sheet(read_rules(rules, options, hint="ID")), nl=False)
