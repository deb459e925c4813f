"""`ordws home`: the two-book check of home play."""

from __future__ import annotations

import json
import sys
from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from ordws.cli import instance_option

if TYPE_CHECKING:
    from ordws.homeplay.affixes import Affixes
    from ordws.homeplay.book import Told, WordBook
    from ordws.homeplay.case import BookEdition
    from ordws.homeplay.ruling import Ask, Ruling

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("home")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@click.option(
    "--dictionary",
    metavar="FILE",
    type=_FILE,
    help="Your dictionary: a word a line, or columns parted by tabs: word, part of speech, main or secondary, label."
    " [default: you are asked on the terminal]",
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
    help="Of the dictionary; under dover the electronic one decides on the plurals of its main entries.",
)
@click.option(
    "--affixes",
    type=click.Choice(["strict", "extended"]),
    default="extended",
    show_default=True,
    help="Those that the rule books name, or all of English.",
)
@click.option("--by-exclusion", is_flag=True, help="No dictionary: all that the reference has, but for short lists.")
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

    Ends with status 0 if all words are acceptable, 1 if one is not. The word set is not asked: this needs no edition
    and no key.

    \b
    Example:
      ordws home bashings revote --dictionary my-dictionary.txt --reference ospd.txt
    """
    from ordws.homeplay.affixes import read_affixes
    from ordws.homeplay.rulings import WAYS

    if rules not in WAYS:
        raise click.BadParameter(f'"{rules}" is none of {", ".join(WAYS)}', param_hint="--rules")
    if by_exclusion and dictionary is not None:
        raise click.UsageError("--by-exclusion goes without a dictionary")
    folded = _folded(words)
    books = _Books(_read(dictionary), _read_reference(reference, instance), edition, read_affixes(affixes))
    acceptable = True
    for word in folded:
        ruling = _converse(word, rules, books, by_exclusion)
        click.echo(_json(ruling) if as_json else _told(ruling))
        acceptable = acceptable and ruling.acceptable
    return 0 if acceptable else 1


class _Books(NamedTuple):
    dictionary: WordBook | None
    reference: Container[str]
    edition: BookEdition
    affixes: Affixes


def _folded(words: tuple[str, ...]) -> list[str]:
    from ordws.errors import BadWord
    from ordws.fold import fold

    folded = []
    for place, word in enumerate(words, start=1):
        try:
            folded.append(fold(word))
        except BadWord as err:
            raise BadWord(f"word {place}: {err}") from err
    return folded


def _read(path: Path | None) -> WordBook | None:
    from ordws.homeplay.book import read_book

    return None if path is None else read_book(path)


def _read_reference(path: Path | None, instance: str | None) -> WordBook:
    from ordws.errors import Missing
    from ordws.homeplay.book import read_book
    from ordws.instance import Instance

    if path is not None:
        return read_book(path)
    stand_in = Instance.locate(instance).reference
    if not stand_in.is_file():
        raise Missing(f'there is no players\' reference at "{stand_in}"', hint="--reference FILE, or ordws-build run")
    return read_book(stand_in)


def _converse(word: str, rules: str, books: _Books, by_exclusion: bool) -> Ruling:
    """The ruling on a word, after what has to be looked up in the player's own dictionary was asked."""
    from ordws.homeplay.book import Told
    from ordws.homeplay.ruling import Ruling
    from ordws.homeplay.rulings import rule_on

    told = Told({})
    while True:
        found = rule_on(
            word,
            rules,
            told if books.dictionary is None else books.dictionary,
            books.reference,
            books.edition,
            affixes=books.affixes,
            exclusion=by_exclusion,
        )
        if isinstance(found, Ruling):
            return found
        told = _answered(told, found)


def _answered(told: Told, ask: Ask) -> Told:
    """What a player says of his dictionary: yes, no, or a base that he found himself."""
    from ordws.errors import Missing
    from ordws.fold import find_fold
    from ordws.homeplay.book import Told
    from ordws.homeplay.formatives import ways

    if not sys.stdin.isatty():
        raise Missing(f"there is no terminal to ask on: {ask.question}", hint="--dictionary FILE")
    choice = "y/n" if ask.about == "main-entry" else "y/n, or a base that is there"
    while True:
        said = str(click.prompt(f"{ask.question} [{choice}]", err=True, prompt_suffix=" ")).strip().lower()
        if said in ("y", "yes", "n", "no"):
            answer = {ask.words[0]: said.startswith("y")}
            if ask.about == "main-entry":
                return Told(told.answers, {**told.main_entries, **answer})
            return Told({**told.answers, **answer}, told.main_entries)
        base = find_fold(said)
        if base is None or ask.about != "dictionary":
            continue
        if ways(ask.word, base):
            return Told({**told.answers, base: True}, told.main_entries)
        click.echo(f"{ask.word} is not seen to be made of {base}.", err=True)


def _json(ruling: Ruling) -> str:
    shown = {
        "word": ruling.word,
        "acceptable": ruling.acceptable,
        "base": ruling.base,
        "steps": list(ruling.steps),
        "rule": ruling.rule,
        "because": ruling.because,
        "affix": ruling.affix,
        "source": ruling.source,
        "follows": ruling.follows,
    }
    return json.dumps(shown, separators=(",", ":"), ensure_ascii=False)


def _told(ruling: Ruling) -> str:
    from ordws.homeplay.ruling import follows_in_words

    lines = [f"{ruling.word}: {'acceptable' if ruling.acceptable else 'not acceptable'}", f"  {ruling.because}"]
    if len(ruling.steps) > 1:
        lines.append(f"  {' > '.join(ruling.steps)}")
    if ruling.follows is not None:
        lines.append(f"  {follows_in_words(ruling.follows)}")
    return "\n".join([*lines, f"  ({ruling.source})"])
