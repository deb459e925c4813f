"""`ordws guard trace`: who explains a leaked list."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator
from hashlib import sha256
from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from ordws.cli import instance_option

if TYPE_CHECKING:
    from rich.table import Table

    from ordws.guard.gate import Gate
    from ordws.guard.leak_report import ReportedClient
    from ordws.guard.leak_trace import Evidence, Suspect
    from ordws.instance import Instance

MAX_WORDS: Final = 10_000
"""Of a longer list a part is taken, which is plenty: each identity has its own keyed hash of each word."""

_MAX_HASHES: Final = 5_000_000
"""So many are made, in some ten seconds, as long as there are other words to compare with."""

_MAX_SHOWN: Final = 10
_PIPE_WIDTH: Final = 200


class LeakedList(NamedTuple):
    """A list as it can be traced: folded words that cost a unit; how many lines were something else."""

    words: tuple[str, ...]
    non_words: int
    free_or_repeated: int
    """Core words, words of two letters, and words that stood there before."""
    left_out: int


@click.command("trace")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON, with every identity.")
@instance_option
def command(file: Path, as_json: bool, instance: str | None) -> int:
    """Rank those who asked by how well that explains FILE, a leaked list of a word a line.

    What each was charged for is compared among the words of FILE and other words, of the players' reference, that were
    asked by as many. The chance is that of so many matches by accident, by anybody at all, if the list came about
    without regard to who asked what. It accuses wrongly where somebody had a reason of his own to ask just what the
    list was made for. No word of FILE is shown. Exit status 1 where somebody explains the list.

    \b
    Example:
      ordws guard trace leaked.txt
    """
    from ordws.api.services import open_editions
    from ordws.cli.guard import open_gate
    from ordws.cli.guard_report import read_subjects
    from ordws.guard.leak_trace import rank_suspects
    from ordws.instance import Instance

    here = Instance.locate(instance)
    gate = open_gate(here)
    core = open_editions(here, adopting=False).current.core
    leaked = read_leaked(file, core)
    known = read_subjects(here)
    others = read_comparison_words(here, core.union(leaked.words))
    findings = rank_suspects(list(_gather_evidence(gate, known, leaked.words, others)), leaked=len(leaked.words))
    names = {gate.pricing.client_key(each.client): each.name for each in known}
    if as_json:
        click.echo(json.dumps(_findings_json(leaked, findings, names)))
    else:
        _print_findings(leaked, findings, names)
    return 1 if any(each.is_accused for each in findings) else 0


def read_leaked(file: Path, core: Collection[str]) -> LeakedList:
    """The words of a list that can tell anything, in an order that nobody chose."""
    from ordws.fold import find_fold

    lines = [line.strip() for line in file.read_text("utf-8-sig", "replace").splitlines()]
    folded = [find_fold(line) for line in lines if line]
    found = [word for word in folded if word is not None]
    dear = sorted({word for word in found if len(word) > 2 and word not in core}, key=_shuffle_key)
    words = tuple(dear[:MAX_WORDS])
    return LeakedList(words, len(folded) - len(found), len(found) - len(dear), len(dear) - len(words))


def read_comparison_words(instance: Instance, known: Collection[str]) -> tuple[str, ...]:
    """Words of the public reference to compare with, in an order that nobody chose."""
    listed = instance.reference.read_text("ascii", "replace").split()
    return tuple(sorted([word for word in listed if len(word) > 2 and word not in known], key=_shuffle_key))


def _shuffle_key(word: str) -> bytes:
    return sha256(word.encode()).digest()


def _gather_evidence(
    gate: Gate, subjects: Collection[ReportedClient], leaked: tuple[str, ...], others: tuple[str, ...]
) -> Iterator[Evidence]:
    """The evidence on each identity of each client, with a bar on a terminal."""
    from rich.console import Console
    from rich.progress import track

    from ordws.guard.leak_report import read_charge_histories
    from ordws.guard.leak_trace import match_words

    prefixes = [gate.pricing.client_key(subject.client) for subject in subjects]
    identities = sum([1 for prefix in prefixes for _ in read_charge_histories(gate.store, prefix)])
    room = max(len(leaked), _MAX_HASHES // max(1, identities) - len(leaked))
    words = (*leaked, *others[:room])
    console = Console(stderr=True)
    shown = console.is_terminal
    for prefix in track(prefixes, "comparing", console=console, transient=True, disable=not shown):
        for diary in read_charge_histories(gate.store, prefix):
            yield match_words(gate.pricing, diary, words)


def _print_findings(leaked: LeakedList, findings: list[Suspect], names: dict[str, str]) -> None:
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    for line in _count_lines(leaked):
        console.print(line, soft_wrap=True)
    if not findings:
        console.print("nobody was ever charged for a word")
        return
    console.print(_table(leaked, findings, names))
    accused = [each for each in findings if each.is_accused]
    if not accused:
        console.print("nobody explains the list")
    for each in accused:
        share = f"{each.matched / len(leaked.words):.0%}"
        console.print(f"{_identity_name(each, names)} explains {share} of it", markup=False, soft_wrap=True)


def _count_lines(leaked: LeakedList) -> Iterator[str]:
    yield f"words of the list that cost a unit: {len(leaked.words):,}"
    if leaked.non_words:
        yield f"lines that are no words: {leaked.non_words:,}"
    if leaked.free_or_repeated:
        yield f"free to ask, or there twice: {leaked.free_or_repeated:,}"
    if leaked.left_out:
        yield f"left out, for these tell enough: {leaked.left_out:,}"


def _table(leaked: LeakedList, findings: list[Suspect], names: dict[str, str]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("identity", overflow="fold")
    for heading in ("charged for", "of the list", "expected", "nobody else", "chance of a wrong accusation"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in findings[: max(_MAX_SHOWN, sum([each.is_accused for each in findings]))]:
        counts = (f"{each.charged:,}", f"{each.matched:,}", f"{each.expected:,.1f}", f"{each.alone:,}")
        table.add_row(Text(_identity_name(each, names)), *counts, _format_chance(each.log_chance))
    return table


def _findings_json(leaked: LeakedList, findings: list[Suspect], names: dict[str, str]) -> dict[str, Any]:
    from ordws.guard.leak_trace import ACCUSED_BELOW

    return {
        "words": len(leaked.words),
        "no_words": leaked.non_words,
        "free": leaked.free_or_repeated,
        "left_out": leaked.left_out,
        "accused_below": ACCUSED_BELOW,
        "identities": [
            {
                "name": _identity_name(each, names),
                "charged": each.charged,
                "matched": each.matched,
                "expected": round(each.expected, 2),
                "alone": each.alone,
                "chance": exp(each.log_chance),
                "log10_chance": round(each.log_chance / log(10), 2),
                "accused": each.is_accused,
            }
            for each in findings
        ],
    }


def _identity_name(finding: Suspect, names: dict[str, str]) -> str:
    """A client by its name in the register, its player by the beginning of the hash that the meters know."""
    from ordws.pictures.alt_text import sanitize_text

    client, _, player = finding.key.partition(".")
    return sanitize_text(names[client]) + (f" / player {player[:8]}" if player else "")


def _format_chance(log_chance: float) -> str:
    exponent = log_chance / log(10)
    return f"{exp(log_chance):.2g}" if exponent > -6 else f"10^{exponent:.0f}"
