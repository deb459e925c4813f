"""`ordws guard trace`: a ranking of the callers who could explain a leaked list."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Collection, Iterator
from hashlib import sha256
from math import exp, log
from pathlib import Path
from typing import Final, NamedTuple

import click
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from ordws.api.services import open_editions
from ordws.cli import instance_option
from ordws.cli.guard import open_gate
from ordws.cli.guard_report import read_reported_clients
from ordws.fold import find_fold
from ordws.guard.charge import GUESTS, ID_BYTES, NOBODY
from ordws.guard.gate import Gate
from ordws.guard.leak_report import ReportedClient, read_charge_histories, with_guests_and_visitors
from ordws.guard.leak_trace import ACCUSED_BELOW, Evidence, Suspect, match_words, rank_suspects
from ordws.instance import Instance
from ordws.pictures.alt_text import sanitize_text

MAX_WORDS: Final = 10_000
"""The most words of a list that are compared; this is plenty, but each identity has its own hash of each word."""

_MAX_HASHES: Final = 5_000_000
"""The most hashes that are made as long as comparison words are left to drop; these take some ten seconds."""

_MAX_SHOWN: Final = 10
_PIPE_WIDTH: Final = 200


class LeakedList(NamedTuple):
    """A list as it can be traced: the folded words that cost a unit, and the numbers of the other lines."""

    words: tuple[str, ...]
    non_words: int
    free_or_repeated: int
    """Core words, words of two letters, and repeated words."""
    left_out: int
    """Words beyond MAX_WORDS."""


@click.command("trace")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON, with every identity.")
@instance_option
def command(file: Path, as_json: bool, instance: str | None) -> int:
    """Rank callers by how well their questions explain FILE, a leaked list of a word a line.

    For each caller, the words of FILE that it was charged for are compared with other words, of the players'
    reference, that as many callers asked. The chance printed is that of anybody matching so many words by accident, if
    the list was made without regard to who asked what. An accusation is wrong if the caller had another reason to ask
    just the kind of words in the list. No word of FILE is shown. Exit status 1 where somebody explains the list.

    \b
    Example:
      ordws guard trace leaked.txt
    """
    installation = Instance.locate(instance)
    gate = open_gate(installation)
    core = open_editions(installation, adopting=False).current.core
    leaked = read_leaked(file, core)
    reference = installation.reference.read_text("ascii", "replace").split()
    excluded = core.union(leaked.words)
    others = sorted([word for word in reference if len(word) > 2 and word not in excluded], key=_shuffle_key)
    now = int(time.time())
    gate.store.collect(now)
    clients = with_guests_and_visitors(gate, read_reported_clients(installation), now)
    suspects = rank_suspects(list(_gather_evidence(gate, clients, leaked.words, others)), leaked=len(leaked.words))
    names = {gate.pricing.client_id(client.client): client.name for client in clients}
    if as_json:
        identities = [
            {
                "name": _identity_name(suspect, names),
                "charged": suspect.charged,
                "matched": suspect.matched,
                "expected": round(suspect.expected, 2),
                "alone": suspect.alone,
                "chance": exp(suspect.log_chance),
                "log10_chance": round(suspect.log_chance / log(10), 2),
                "accused": suspect.is_accused,
            }
            for suspect in suspects
        ]
        counts = {"words": len(leaked.words), "no_words": leaked.non_words, "free": leaked.free_or_repeated}
        settings = {"left_out": leaked.left_out, "accused_below": ACCUSED_BELOW}
        click.echo(json.dumps({**counts, **settings, "identities": identities}))
    else:
        _print_suspects(leaked, suspects, names)
    return 1 if any(suspect.is_accused for suspect in suspects) else 0


def read_leaked(file: Path, core: Collection[str]) -> LeakedList:
    """Read a leaked list; its words are in the order of their hashes, so that a part of them is a fair sample."""
    # A byte order mark is dropped, and a damaged byte makes its line one that is no word.
    lines = [line.strip() for line in file.read_text("utf-8-sig", "replace").splitlines()]
    folded = [find_fold(line) for line in lines if line]
    words = [word for word in folded if word is not None]
    # Words of two letters and core words cost nothing, so the meters do not show who asked them.
    charged = sorted({word for word in words if len(word) > 2 and word not in core}, key=_shuffle_key)
    traced = tuple(charged[:MAX_WORDS])
    return LeakedList(traced, len(folded) - len(words), len(words) - len(charged), len(charged) - len(traced))


def _shuffle_key(word: str) -> bytes:
    # Hashes order words the same way each time, and a part of them is spread over the whole alphabet.
    return sha256(word.encode()).digest()


def _gather_evidence(
    gate: Gate, clients: Collection[ReportedClient], leaked: tuple[str, ...], others: list[str]
) -> Iterator[Evidence]:
    """Yield the evidence on each identity of each client, with a progress bar on a terminal."""
    ids = [gate.pricing.client_id(client.client) for client in clients]
    identities = sum([1 for id in ids for _ in read_charge_histories(gate.store, id)])
    # Each identity hashes every word under its own key, so many identities leave room for fewer comparison words; at
    # least as many as leaked words are kept.
    comparison_count = max(len(leaked), _MAX_HASHES // max(1, identities) - len(leaked))
    words = (*leaked, *others[:comparison_count])
    console = Console(stderr=True)
    for id in track(ids, "comparing", console=console, transient=True, disable=not console.is_terminal):
        for history in read_charge_histories(gate.store, id):
            yield match_words(gate.pricing, history, words)


def _print_suspects(leaked: LeakedList, suspects: list[Suspect], names: dict[bytes, str]) -> None:
    """Print the counts of the list, a table of the likeliest suspects, and a sentence for each who is accused."""
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    console.print(f"words of the list that cost a unit: {len(leaked.words):,}", soft_wrap=True)
    for heading, count in (
        ("lines that are no words", leaked.non_words),
        ("words that cost nothing, or are repeated", leaked.free_or_repeated),
        ("words left out, since the others are enough", leaked.left_out),
    ):
        if count:
            console.print(f"{heading}: {count:,}", soft_wrap=True)
    if not suspects:
        console.print("nobody was ever charged for a word")
        return
    accused = [suspect for suspect in suspects if suspect.is_accused]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("identity", overflow="fold")
    for heading in ("charged for", "of the list", "expected", "nobody else", "chance of a wrong accusation"):
        table.add_column(heading, justify="right", no_wrap=True)
    for suspect in suspects[: max(_MAX_SHOWN, len(accused))]:
        counts = (f"{suspect.charged:,}", f"{suspect.matched:,}", f"{suspect.expected:,.1f}", f"{suspect.alone:,}")
        exponent = suspect.log_chance / log(10)
        chance = f"{exp(suspect.log_chance):.2g}" if exponent > -6 else f"10^{exponent:.0f}"
        table.add_row(Text(_identity_name(suspect, names)), *counts, chance)
    console.print(table)
    if not accused:
        console.print("nobody explains the list")
    for suspect in accused:
        share = f"{suspect.matched / len(leaked.words):.0%}"
        console.print(f"{_identity_name(suspect, names)} explains {share} of it", markup=False, soft_wrap=True)


def _identity_name(suspect: Suspect, names: dict[bytes, str]) -> str:
    """Return a client's name in the register, with the beginning of the hash that the meters know a player by."""
    client, player = suspect.subject[:ID_BYTES], suspect.subject[ID_BYTES:]
    kind = "game" if client == GUESTS else "player"
    return sanitize_text(names[client]) + ("" if player == NOBODY else f" / {kind} {player.hex()[:8]}")
