"""`ordws judge`: one verdict on this machine."""

from __future__ import annotations

import json
from typing import Final

import click

from ordws.api.verdicts import are_acceptable
from ordws.cli import instance_option
from ordws.cli.editions import open_to_judge
from ordws.cli.rules_option import read_rules, variation_option
from ordws.errors import BadWord
from ordws.fold import fold
from ordws.instance import Instance
from ordws.lexicon.edition import Edition
from ordws.rules.board import Board
from ordws.rules.ruleset import RuleSet
from ordws.rules.statistics import words_on

VERDICT_TEXT: Final = {True: "acceptable", False: "not acceptable"}


@click.command("judge")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@click.option("--rules", metavar="ID", default="scrabble-i", show_default=True, help="The rule set.")
@variation_option
@click.option("--json", "as_json", is_flag=True, help='Print {"valid":true} or {"valid":false}.')
@instance_option
def command(words: tuple[str, ...], rules: str, options: tuple[str, ...], as_json: bool, instance: str | None) -> int:
    """Print one verdict for all the words, and never which word is not acceptable.

    Ends with status 0 for acceptable, 1 for not acceptable. Nothing is charged and nothing is recorded, since anybody
    who holds the opening key could read the set anyway.

    \b
    Example:
      ordws judge word lovers
      ordws judge --rules dover --option allow=ZIG,ZAG revote zig
    """
    chosen = read_rules(rules, options)
    edition = open_to_judge(Instance.locate(instance))
    valid = are_acceptable(edition, chosen, fold_words(words))
    click.echo(json.dumps({"valid": valid}, separators=(",", ":")) if as_json else VERDICT_TEXT[valid])
    return 0 if valid else 1


def judge_board(edition: Edition, rules: RuleSet, board: Board) -> bool | None:
    """Return one verdict for all words of a board; None for a board with tiles beyond A to Z."""
    words = words_on(board)
    return are_acceptable(edition, rules, words) if board.across.isascii() else None


def fold_words(words: tuple[str, ...]) -> list[str]:
    """Return the words in their normal form; raise BadWord, with the place but not the word, for any that has none."""
    folded = []
    for place, word in enumerate(words, start=1):
        try:
            folded.append(fold(word))
        except BadWord as err:
            raise BadWord(f"word {place}: {err}") from err
    return folded
