"""`ordws home`: the two-book check of home play."""

from __future__ import annotations

import json
import sys
from collections.abc import Container
from functools import partial
from pathlib import Path

import click

from ordws.cli import instance_option
from ordws.cli.rules_option import read_rules, variation_option
from ordws.errors import Missing
from ordws.fold import find_fold
from ordws.homeplay.affixes import Affixes, read_affixes
from ordws.homeplay.book import LookupKind, PlayerAnswers, read_book
from ordws.homeplay.decide import decide_word
from ordws.homeplay.formatives import derivations_from
from ordws.homeplay.word_check import BookEdition, LookupRequest, describe_ruling, playable_hint, refuse_unplayable
from ordws.instance import Instance
from ordws.lexicon.edition import OPEN_REFERENCE_NAME
from ordws.lexicon.own_reference import load_own_reference

_FILE = click.Path(dir_okay=False, path_type=Path)
_SHOWN = ("word", "acceptable", "base", "steps", "rule", "because", "affix", "source", "follows", "labels_checked")
"""The fields of a ruling that `--json` prints, in their order."""


@click.command("home")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@click.option(
    "--dictionary",
    metavar="FILE",
    type=_FILE,
    help="Your dictionary: a word a line, or tab-separated columns: word, part of speech, main or secondary, label."
    " [default: the command asks you on the terminal]",
)
@click.option(
    "--reference",
    metavar="FILE",
    type=_FILE,
    help="Your OSPD as a file, a word a line. [default: the players' list of the installation]",
)
@click.option("--rules", metavar="ID", default="scrabble-i", show_default=True, help="The rule set.")
@variation_option
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
    help="Play without a dictionary: accept what the OSPD has, except for the rule set's short lists.",
)
@click.option("--json", "as_json", is_flag=True, help="Print an object a line, one for each word.")
@instance_option
def command(
    words: tuple[str, ...],
    dictionary: Path | None,
    reference: Path | None,
    rules: str,
    options: tuple[str, ...],
    edition: BookEdition,
    affixes: str,
    by_exclusion: bool,
    as_json: bool,
    instance: str | None,
) -> int:
    """Rule on words at home. Two books decide: your dictionary, then the OSPD.

    The base word has to be in your dictionary; if it is, every formative of it that the OSPD shows is good. Without
    --dictionary you are asked what stands in yours, and may name a base yourself. A word that nobody could play is
    named, and the others are ruled on all the same. Names, abbreviations and hyphened words do not count.

    Ends with status 0 if all words are acceptable, 1 if one is not. The secret word set is not used: no edition and no
    key are needed.

    A file is in UTF-8; # begins a remark, and a first line `word` or `headword` with columns is a heading. Of labels
    `offensive` and `vulgar` have an effect. The JSON has the fields of POST /v1/home without ask, about and
    reference, and labels_checked: false where labelled words are out and the file states no label.

    \b
    Example:
      ordws home bashings revote --dictionary my-dictionary.txt --reference ospd.txt
    """
    rule_set = read_rules(rules, options)
    if by_exclusion and dictionary is not None:
        raise click.UsageError("--by-exclusion cannot be combined with --dictionary")
    own_book = None if dictionary is None else read_book(dictionary)
    reference_name, reference_list = read_reference(reference, instance)
    player = _Player(read_affixes(affixes))
    decide = partial(
        decide_word,
        rules=rule_set,
        reference=reference_list,
        edition=edition,
        affixes=player.affixes,
        by_exclusion=by_exclusion,
        reference_name=reference_name,
    )
    status = 0
    for typed in words:
        word = find_fold(typed)
        answers = PlayerAnswers({})
        ruling = refuse_unplayable(typed) if word is None else decide(word, dictionary=own_book or answers)
        while isinstance(ruling, LookupRequest):
            answers = player.answer(answers, ruling)
            ruling = decide(ruling.word, dictionary=own_book or answers)
        status = status if ruling.acceptable else 1
        shown = {field: getattr(ruling, field) for field in _SHOWN}
        line = json.dumps(shown, separators=(",", ":"), ensure_ascii=False)
        click.echo(line if as_json else describe_ruling(ruling))
    return status


def read_reference(file: Path | None, instance: str | None) -> tuple[str, Container[str]]:
    """Return the name and the words of the OSPD: a file of the player's own, or the list of the installation."""
    if file is not None:
        return f"your list {file.name}", read_book(file)
    here = Instance.locate(instance)
    if own := load_own_reference(here.own_reference, here.own_reference_key):
        return own.name, own.words
    if not here.reference.is_file():
        hint = "--reference FILE, or ordws-build run"
        raise Missing(f'there is no players\' reference at "{here.reference}"', hint=hint)
    return OPEN_REFERENCE_NAME, read_book(here.reference)


class _Player:
    """The player at the terminal. No question is asked twice, and a hint comes before the first."""

    def __init__(self, affixes: Affixes) -> None:
        self.affixes = affixes
        self._said: dict[tuple[LookupKind, str], bool] = {}

    def answer(self, answers: PlayerAnswers, lookup: LookupRequest) -> PlayerAnswers:
        """Return the answers with one more: yes, no, or a base word that the player has looked up instead.

        Raises Missing where standard input is not a terminal.
        """
        about, asked = lookup.about, lookup.words[0]
        if (about, asked) in self._said:
            return answers.with_answer(about, asked, self._said[about, asked])
        if not sys.stdin.isatty():
            raise Missing(f"there is no terminal to ask on: {lookup.question}", hint="--dictionary FILE")
        if not self._said:
            click.echo(playable_hint(), err=True)
        choice = "y/n, or a base word that you found there" if about == "dictionary" else "y/n"
        while True:
            typed = str(click.prompt(f"{lookup.question} [{choice}]", err=True, prompt_suffix=" ")).strip().lower()
            if typed in ("y", "yes", "n", "no"):
                self._said[about, asked] = typed.startswith("y")
                return answers.with_answer(about, asked, typed.startswith("y"))
            base = find_fold(typed)
            if base is None or about != "dictionary":
                or_base = ", or a base word of 2 letters or more" if about == "dictionary" else ""
                click.echo(f'Type "y" for yes or "n" for no{or_base}.', err=True)
                continue
            if derivations_from(lookup.word, base, self.affixes):
                self._said[about, base] = True
                return answers.with_answer(about, base, True)
            click.echo(f"{lookup.word} is not known to be made from {base}.", err=True)
