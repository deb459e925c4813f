"""`ordws rules`: the rule sets and their options."""

from __future__ import annotations

from textwrap import fill

import click

from ordws.cli.rules_option import read_rules, variation_option


@click.command("rules")
@click.argument("rules_id", metavar="[ID]", required=False)
@variation_option
@click.option("--json", "as_json", is_flag=True, help="Print what GET /v1/rules or /v1/rules/{id} answers.")
def command(rules_id: str | None, options: tuple[str, ...], as_json: bool) -> int:
    """List the rule sets, or every option of the rule set ID with its value, its purpose and its possible values.

    With ID it also lists the two-letter words, and the disallowed words if there are any.

    \b
    Example:
      ordws rules scrabble-i
    """
    from ordws.api import replies
    from ordws.api.public import rule_set_options, rule_sets
    from ordws.rules.rulesets import published_word_lists

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
    click.echo("\n".join([f"{each.name}={each.value}\n    {each.says}\n    {each.values}" for each in shown.options]))
    # The rule books publish these two lists (docs/rules.md 6.6, 6.7), so they are not secret.
    lists = published_word_lists(rules)
    for heading, words in (("two-letter words", lists.twos), ("disallowed words", lists.struck)):
        if words:
            click.echo(f"\n{len(words)} {heading}:\n{fill(' '.join(sorted(words)), 100)}")
    return 0
