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
    from ordws.homeplay.book import PlayerAnswers, WordBook
    from ordws.homeplay.result import LookupRequest, WordRuling
    from ordws.homeplay.word_check import BookEdition

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
    from ordws.homeplay.decide import PROCEDURES

    if rules not in PROCEDURES:
        raise click.BadParameter(f'"{rules}" is none of {", ".join(PROCEDURES)}', param_hint="--rules")
    if by_exclusion and dictionary is not None:
        raise click.UsageError("--by-exclusion goes without a dictionary")
    folded = _fold_words(words)
    books = _Books(_read_dictionary(dictionary), _read_reference(reference, instance), edition, read_affixes(affixes))
    acceptable = True
    for word in folded:
        ruling = _rule_interactively(word, rules, books, by_exclusion)
        click.echo(_ruling_json(ruling) if as_json else _describe_ruling(ruling))
        acceptable = acceptable and ruling.acceptable
    return 0 if acceptable else 1


class _Books(NamedTuple):
    dictionary: WordBook | None
    reference: Container[str]
    edition: BookEdition
    affixes: Affixes


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


def _read_dictionary(path: Path | None) -> WordBook | None:
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


def _rule_interactively(word: str, rules: str, books: _Books, by_exclusion: bool) -> WordRuling:
    """The ruling on a word, after what has to be looked up in the player's own dictionary was asked."""
    from ordws.homeplay.book import PlayerAnswers
    from ordws.homeplay.decide import decide_word
    from ordws.homeplay.result import WordRuling

    told = PlayerAnswers({})
    while True:
        found = decide_word(
            word,
            rules,
            told if books.dictionary is None else books.dictionary,
            books.reference,
            books.edition,
            affixes=books.affixes,
            by_exclusion=by_exclusion,
        )
        if isinstance(found, WordRuling):
            return found
        told = _ask_player(told, found)


def _ask_player(answers: PlayerAnswers, lookup: LookupRequest) -> PlayerAnswers:
    """What a player says of his dictionary: yes, no, or a base that he found himself."""
    from ordws.errors import Missing
    from ordws.fold import find_fold
    from ordws.homeplay.book import PlayerAnswers
    from ordws.homeplay.formatives import derivations_from

    if not sys.stdin.isatty():
        raise Missing(f"there is no terminal to ask on: {lookup.question}", hint="--dictionary FILE")
    choice = "y/n" if lookup.about == "main-entry" else "y/n, or a base that is there"
    while True:
        said = str(click.prompt(f"{lookup.question} [{choice}]", err=True, prompt_suffix=" ")).strip().lower()
        if said in ("y", "yes", "n", "no"):
            answer = {lookup.words[0]: said.startswith("y")}
            if lookup.about == "main-entry":
                return PlayerAnswers(answers.lookups, {**answers.main_entries, **answer})
            return PlayerAnswers({**answers.lookups, **answer}, answers.main_entries)
        base = find_fold(said)
        if base is None or lookup.about != "dictionary":
            continue
        if derivations_from(lookup.word, base):
            return PlayerAnswers({**answers.lookups, base: True}, answers.main_entries)
        click.echo(f"{lookup.word} is not seen to be made of {base}.", err=True)


def _ruling_json(ruling: WordRuling) -> str:
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


def _describe_ruling(ruling: WordRuling) -> str:
    from ordws.homeplay.result import consequence_text

    lines = [f"{ruling.word}: {'acceptable' if ruling.acceptable else 'not acceptable'}", f"  {ruling.because}"]
    if len(ruling.steps) > 1:
        lines.append(f"  {' > '.join(ruling.steps)}")
    if ruling.follows is not None:
        lines.append(f"  {consequence_text(ruling.follows)}")
    return "\n".join([*lines, f"  ({ruling.source})"])
