"""`ordws rules`: the rule sets and their options."""

from __future__ import annotations

from collections.abc import Collection
from textwrap import fill

import click

from ordws.cli.rules_option import read_rules, variation_option


@click.command("rules")
@click.argument("rules_id", metavar="[ID]", required=False)
@variation_option
@click.option("--json", "as_json", is_flag=True, help="Print what GET /v1/rules or /v1/rules/{id} answers.")
def command(rules_id: str | None, options: tuple[str, ...], as_json: bool) -> int:
    """Name the rule sets, or every option of one: what it is set to, what it is for, and what it may be set to.

    Of one it also lists the two-letter words, and the disallowed words where there are any.

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
        click.echo(
            replies.public(listed).body if as_json else _columns([(each.id, each.title) for each in listed.rules])
        )
        return 0
    rules = read_rules(rules_id, options, hint="ID")
    shown = rule_set_options(rules)
    if as_json:
        click.echo(replies.public(shown).body)
        return 0
    click.echo(f"{shown.id}: {shown.title}\n")
    click.echo("\n".join([f"{each.name}={each.value}\n    {each.says}\n    {each.values}" for each in shown.options]))
    _print_words("two-letter words", published_word_lists(rules).twos)
    _print_words("disallowed words", published_word_lists(rules).struck)
    return 0


def _print_words(heading: str, words: Collection[str]) -> None:
    """What is published of the words, for players who ask in advance. (RULES 6.6, 6.7)"""
    if words:
        click.echo(f"\n{len(words)} {heading}:\n{fill(' '.join(sorted(words)), 100)}")


def _columns(rows: list[tuple[str, str]]) -> str:
    width = max([len(first) for first, _ in rows])
    return "\n".join([f"{first:{width}}  {second}" for first, second in rows])
