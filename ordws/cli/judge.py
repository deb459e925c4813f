"""`ordws judge`: one verdict on this machine."""

from __future__ import annotations

import json

import click

from ordws.cli import instance_option


@click.command("judge")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@click.option("--rules", metavar="ID", default="scrabble-i", show_default=True, help="The rule set.")
@click.option("--json", "as_json", is_flag=True, help='Print {"valid":true} or {"valid":false}.')
@instance_option
def command(words: tuple[str, ...], rules: str, as_json: bool, instance: str | None) -> int:
    """Say whether all the words are acceptable: one verdict, never which word.

    Ends with status 0 for acceptable, 1 for not acceptable. Nothing is metered and nothing recorded: whoever holds
    the opening key can read the set.

    \b
    Example:
      ordws judge word lovers
    """
    from ordws.api.services import open_editions
    from ordws.api.words import are_acceptable
    from ordws.instance import Instance
    from ordws.rules.rulesets import RULE_SETS, published_word_lists

    if rules not in RULE_SETS:
        raise click.BadParameter(f'"{rules}" is none of {", ".join(RULE_SETS)}', param_hint="--rules")
    edition = open_editions(Instance.locate(instance), adopting=False).current
    valid = are_acceptable(edition, published_word_lists(RULE_SETS[rules]), _fold_words(words))
    click.echo(json.dumps({"valid": valid}, separators=(",", ":")) if as_json else _VERDICT_TEXT[valid])
    return 0 if valid else 1


_VERDICT_TEXT = {True: "acceptable", False: "not acceptable"}


def _fold_words(words: tuple[str, ...]) -> list[str]:
    from ordws.errors import BadWord
    from ordws.fold import fold

    folded = []
    for place, word in enumerate(words, start=1):
        try:
            folded.append(fold(word))
        except BadWord as err:
            raise BadWord(f"word {place}: {err}") from err
    return folded
