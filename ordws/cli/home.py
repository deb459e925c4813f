"""`ordws home`: the two-book check of home play."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ordws.cli import instance_option
from ordws.cli.judge import fold_words
from ordws.errors import Missing

if TYPE_CHECKING:
    from ordws.homeplay.book import PlayerAnswers
    from ordws.homeplay.result import LookupRequest, WordRuling
    from ordws.homeplay.word_check import BookEdition

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("home")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@click.option(
    "--dictionary",
    metavar="FILE",
    type=_FILE,
    help="Your dictionary: a word a line, or columns separated by tabs: word, part of speech, main or secondary, label."
    " [default: the command asks you on the terminal]",
)
@click.option(
    "--reference",
    metavar="FILE",
    type=_FILE,
    help="The players' reference, as the OSPD, a word a line. [default: the open one of the installation]",
)
@click.option("--rules", metavar="ID", default="scrabble-i", show_default=True, help="The rule set.")
@click.option(
    "--edition",
    type=click.Choice(["print", "electronic"]),
    default="print",
    show_default=True,
    help="The edition of the dictionary; under dover the electronic one decides plurals of its main entries.",
)
@click.option(
    "--affixes",
    type=click.Choice(["strict", "extended"]),
    default="extended",
    show_default=True,
    help="Only the affixes that the rule books name, or all of English.",
)
@click.option(
    "--by-exclusion",
    is_flag=True,
    help="Play without a dictionary: accept what the reference has, except for the rule set's short lists.",
)
@click.option("--json", "as_json", is_flag=True, help="Print an object a line, one for each word.")
@instance_option
def command(
    words: tuple[str, ...],
    dictionary: Path | None,
    reference: Path | None,
    rules: str,
    edition: BookEdition,
    affixes: str,
    by_exclusion: bool,
    as_json: bool,
    instance: str | None,
) -> int:
    """Rule on words at home: the base in your dictionary, then any formative that the players' reference shows.

    Ends with status 0 if all words are acceptable, 1 if one is not. The secret word set is not used: no edition and no
    key are needed.

    \b
    Example:
      ordws home bashings revote --dictionary my-dictionary.txt --reference ospd.txt
    """
    from ordws.homeplay.affixes import read_affixes
    from ordws.homeplay.book import PlayerAnswers, read_book
    from ordws.homeplay.decide import decide_word
    from ordws.homeplay.result import WordRuling
    from ordws.instance import Instance
    from ordws.rules.rulesets import RULE_SETS

    if rules not in RULE_SETS:
        raise click.BadParameter(f'"{rules}" is none of {", ".join(RULE_SETS)}', param_hint="--rules")
    if by_exclusion and dictionary is not None:
        raise click.UsageError("--by-exclusion cannot be combined with --dictionary")
    folded = fold_words(words)
    own_book = None if dictionary is None else read_book(dictionary)
    if reference is None:
        reference = Instance.locate(instance).reference
        if not reference.is_file():
            hint = "--reference FILE, or ordws-build run"
            raise Missing(f'there is no players\' reference at "{reference}"', hint=hint)
    reference_book = read_book(reference)
    known_affixes = read_affixes(affixes)
    status = 0
    for word in folded:
        answers = PlayerAnswers({})
        while not isinstance(
            ruling := decide_word(
                word,
                RULE_SETS[rules],
                answers if own_book is None else own_book,
                reference_book,
                edition,
                affixes=known_affixes,
                by_exclusion=by_exclusion,
            ),
            WordRuling,
        ):
            answers = _ask_player(answers, ruling)
        status = status if ruling.acceptable else 1
        _print_ruling(ruling, as_json=as_json)
    return status


def _ask_player(answers: PlayerAnswers, lookup: LookupRequest) -> PlayerAnswers:
    """Return the answers with one more: yes, no, or another base word that the player has looked up.

    Raises Missing where standard input is not a terminal.
    """
    from ordws.fold import find_fold
    from ordws.homeplay.book import PlayerAnswers
    from ordws.homeplay.formatives import derivations_from

    if not sys.stdin.isatty():
        raise Missing(f"there is no terminal to ask on: {lookup.question}", hint="--dictionary FILE")
    choice = "y/n" if lookup.about == "main-entry" else "y/n, or a base word that is in it"
    while True:
        typed = str(click.prompt(f"{lookup.question} [{choice}]", err=True, prompt_suffix=" ")).strip().lower()
        if typed in ("y", "yes", "n", "no"):
            answer = {lookup.words[0]: typed.startswith("y")}
            if lookup.about == "main-entry":
                return PlayerAnswers(answers.lookups, {**answers.main_entries, **answer})
            return PlayerAnswers({**answers.lookups, **answer}, answers.main_entries)
        base = find_fold(typed)
        if base is None or lookup.about != "dictionary":
            continue
        if derivations_from(lookup.word, base):
            return PlayerAnswers({**answers.lookups, base: True}, answers.main_entries)
        click.echo(f"{lookup.word} is not known to be made from {base}.", err=True)


def _print_ruling(ruling: WordRuling, *, as_json: bool) -> None:
    """Print the ruling on a word: the reason, the steps from its base and the source, or all of it as a JSON object."""
    from ordws.homeplay.result import consequence_text

    if as_json:
        fields = ("word", "acceptable", "base", "steps", "rule", "because", "affix", "source", "follows")
        shown = {field: getattr(ruling, field) for field in fields}
        click.echo(json.dumps(shown, separators=(",", ":"), ensure_ascii=False))
        return
    click.echo(f"{ruling.word}: {'acceptable' if ruling.acceptable else 'not acceptable'}\n  {ruling.because}")
    if len(ruling.steps) > 1:
        click.echo(f"  {' > '.join(ruling.steps)}")
    if ruling.follows is not None:
        click.echo(f"  {consequence_text(ruling.follows)}")
    click.echo(f"  ({ruling.source})")
