"""`ordws guard report` and `trace`: what callers may have learned, and who could explain a leaked list."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from math import exp, log
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from ordws.api.services import open_editions, open_register
from ordws.cli import format_utc, instance_option, write_output_file
from ordws.cli.guard import open_gate
from ordws.errors import Missing
from ordws.fold import find_fold
from ordws.guard.charge import GUESTS, ID_BYTES, NOBODY
from ordws.guard.gate import Gate
from ordws.guard.leaks import (
    ACCUSED_BELOW,
    BITS_PER_CORE_WORD,
    BITS_PER_WORD,
    Evidence,
    Leak,
    LeakReport,
    ReportedClient,
    Suspect,
    make_leak_report,
    match_words,
    rank_suspects,
    read_charge_histories,
    with_guests_and_visitors,
)
from ordws.instance import Instance
from ordws.pictures.alt_text import sanitize_text
from ordws.pictures.charts import Bar
from ordws.pictures.leakage_chart import DayBar, LeakageChart, draw_svg, draw_terminal
from ordws.retention import DAY

_MAX_KEYS_SHOWN: Final = 20
_DAYS_SHOWN: Final = 14
_PIPE_WIDTH: Final = 200
_MAX_DAYS: Final = 400
_COUNT_SOURCES: Final = {
    "build": "candidates of the last build that are not core",
    "reference": "words of the players' reference that are not core; there is no build on this host",
}
_NOTES: Final = (
    "learned: distinct words charged for, whatever the answers were; for all keys a word counts for each",
    "bits: at most 0.74 a word, since 181,007 words hold 134,000 bits for a holder of all public lists; a verdict has"
    " at most one",
    "core: core words asked, new to the key within 24 hours; they tell 0.21 bits each, which are among the bits",
    "half on: the day on which half of the words are known, at the pace of the last seven days",
)


@click.command("report")
@click.option(
    "--days",
    type=click.IntRange(1, _MAX_DAYS),
    default=30,
    show_default=True,
    metavar="N",
    help="Number of days to look back.",
)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON, with every key.")
@click.option("--svg", metavar="FILE", type=click.Path(path_type=Path), help="Draw the chart into FILE.")
@instance_option
def show_report(days: int, as_json: bool, svg: Path | None, instance: str | None) -> int:
    """Show what each key, and all together, may have learned; signs of mining; the shared budget day by day.

    Nothing is changed, and no word can be shown, since the meters hold keyed hashes. Exit status 1 where a detector is
    in alarm, or the shared budget came near its cap today or yesterday.

    \b
    Example:
      ordws guard report --days 7 --svg leak.svg
    """
    installation, now = Instance.locate(instance), int(time.time())
    gate = open_gate(installation)
    borderline, counted_in = count_borderline(installation)
    clients = with_guests_and_visitors(gate, read_reported_clients(installation), now)
    report = make_leak_report(gate, clients, now, days=days, borderline=borderline)
    if svg is not None:
        write_output_file(svg, draw_svg(_chart(report, len(report.world))).encode())
    if as_json:
        keys = [
            {
                "name": key.subject.name,
                "kind": key.subject.kind,
                "players": key.players if key.subject.names_players else None,
                **_leak_json(key.leak),
                "alarms": [alarm._asdict() | {"until": format_utc(alarm.until)} for alarm in key.alarms],
            }
            for key in report.keys
        ]
        world = [
            day._asdict() | {"day": _date(day.day), "alarm_at": day.alarm_at, "alarm": day.is_alarming}
            for day in report.world
        ]
        shown = {
            "day": _date(report.day),
            "days": len(report.world),
            "alarm": report.is_alarming,
            "borderline": {"words": borderline, "counted_in": counted_in},
            "bits_a_word": round(BITS_PER_WORD, 4),
            "bits_a_core_word": round(BITS_PER_CORE_WORD, 4),
            "keys": keys,
            "all": _leak_json(report.all),
            "world": world,
        }
        click.echo(json.dumps(shown))
    else:
        _print_report(report, counted_in)
    return 1 if report.is_alarming else 0


def read_reported_clients(instance: Instance) -> list[ReportedClient]:
    """Return all clients with live meters; revoked clients are among them, since their charges are kept."""
    with closing(open_register(instance)) as register:
        return [
            ReportedClient(str(client.id), client.name, client.kind) for client in register.list() if not client.is_test
        ]


def count_borderline(instance: Instance) -> tuple[int, str]:
    """Return the number of words that can be learned, and the key of `_COUNT_SOURCES` that they were counted in.

    A build records the settled and the borderline words; a host that does not build has only the public lists. Raises
    Missing if it lacks those too.
    """
    try:
        counts = json.loads(instance.build_record.read_bytes())["counts"]
        count = counts["settled by quorum"] + counts.get("borderline forms", 0) - counts["core words"]
        if count > 0:
            return count, "build"
    except (OSError, ValueError, KeyError, TypeError):
        # No record, or one that is damaged: the public lists give a number too, and the report names its source.
        pass
    try:
        core, reference = [set(path.read_bytes().split()) for path in (instance.core, instance.reference)]
    except FileNotFoundError as error:
        hint = "ordws-build run makes it, or ordws publish where editions are built"
        raise Missing(f'there is no "{error.filename}" yet', hint=hint) from None
    return max(1, len(reference - core)), "reference"


def _print_report(report: LeakReport, counted_in: str) -> None:
    """Print the table, its notes, the chart and the alarms: in colour on a terminal, plain elsewhere."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("key", overflow="fold")
    spent = ("units today", f"in {len(report.world)} days")
    for heading in ("players", *spent, "learned", "core today", spent[1], "bits", "share", "half on", "alarms"):
        table.add_column(heading, justify="right", no_wrap=True)
    for key in report.keys[:_MAX_KEYS_SHOWN]:
        players = str(key.players) if key.subject.names_players else ""
        table.add_row(Text(sanitize_text(key.subject.name)), players, *_cells(key.leak), str(len(key.alarms) or ""))
    if more := len(report.keys[_MAX_KEYS_SHOWN:]):
        table.add_row(f"and {more:,} more, in --json")
    table.add_section()
    table.add_row("all", "", *_cells(report.all), str(sum([len(key.alarms) for key in report.keys]) or ""))

    is_terminal = sys.stdout.isatty()
    console = Console(width=None if is_terminal else _PIPE_WIDTH, highlight=False)
    console.print(table)
    source = f"of {report.borderline:,} words to be learned: {_COUNT_SOURCES[counted_in]}"
    # Rich would break long notes at the width of the terminal.
    console.print(source, *_NOTES, sep="\n", soft_wrap=True)
    console.print()
    console.print(draw_terminal(_chart(report, _DAYS_SHOWN), colour=is_terminal), no_wrap=True)
    for key in report.keys:
        for alarm in key.alarms:
            kind = "game" if key.subject.kind == "guests" else "player"
            owner = sanitize_text(key.subject.name) + (f" / {kind} {alarm.player[:8]}" if alarm.player else "")
            end = "" if alarm.until is None else f", until {format_utc(alarm.until)}"
            console.print(f'in alarm: "{alarm.sign}" of {owner}{end}', markup=False)


def _cells(leak: Leak) -> list[str]:
    spent = (leak.today, leak.units, leak.words, leak.core_today, leak.core, leak.bits)
    counts = [f"{count:,}" for count in spent]
    return [*counts, f"{leak.share:.2%}", _date(leak.half_on) or "never"]


def _chart(report: LeakReport, days: int) -> LeakageChart:
    """Return the chart of the keys that learned most, and of the shared budget on the last days."""
    bars = [
        Bar(key.subject.name, key.leak.words, f"{key.leak.words:,} words, {key.leak.share:.2%}", bool(key.alarms))
        for key in report.keys[:_MAX_KEYS_SHOWN]
    ]
    columns = [DayBar(_date(day.day) or "", day.spent, day.cap, day.is_alarming) for day in report.world[-days:]]
    return LeakageChart(f"Learned by asking, until {_date(report.day)}", bars, columns)


def _leak_json(leak: Leak) -> dict[str, Any]:
    return {
        "learned": leak.words,
        "units_today": leak.today,
        "units": leak.units,
        "core_today": leak.core_today,
        "core": leak.core,
        "bits": leak.bits,
        "share": round(leak.share, 6),
        "learned_a_day": round(leak.a_day, 2),
        "half_on": _date(leak.half_on),
    }


def _date(day: int | None) -> str | None:
    """Return a day, counted from 1970-01-01, as an ISO date, or None for None."""
    return None if day is None else f"{datetime.fromtimestamp(day * DAY, UTC):%Y-%m-%d}"


MAX_WORDS: Final = 10_000
"""The most words of a list that are compared; this is plenty, but each identity has its own hash of each word."""

_MAX_HASHES: Final = 5_000_000
"""The most hashes that are made as long as comparison words are left to drop; these take some ten seconds."""

_MAX_SHOWN: Final = 10


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
def show_trace(file: Path, as_json: bool, instance: str | None) -> int:
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
