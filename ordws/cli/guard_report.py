"""`ordws guard report`: the leak meter."""

from __future__ import annotations

import json
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ordws.cli import instance_option
from ordws.cli.output_file import write_output_file
from ordws.errors import Missing

if TYPE_CHECKING:
    from rich.table import Table

    from ordws.guard.leak_report import Alarm, KeyLeak, Leak, LeakReport, ReportedClient
    from ordws.instance import Instance
    from ordws.pictures.leakage_chart import LeakageChart

_DAY: Final = 86_400
_MAX_KEYS_SHOWN: Final = 20
_DAYS_SHOWN: Final = 14
_PIPE_WIDTH: Final = 200
_MAX_DAYS: Final = 400
_COUNT_SOURCES: Final = {
    "build": "candidates of the last build that are not core",
    "reference": "words of the players' reference that are not core; there is no build here",
}
_NOTES: Final = (
    "learned: distinct words charged for, whatever the answers were; of all keys no more than were new to the world",
    "bits: at most 0.74 a word, for 134,000 bits are in 181,007 words to who has all public lists; a verdict tells one",
    "half on: when half of them are known, at the pace of the last seven days",
)


@click.command("report")
@click.option(
    "--days", type=click.IntRange(1, _MAX_DAYS), default=30, show_default=True, metavar="N", help="Look back so far."
)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON, with every key.")
@click.option("--svg", metavar="FILE", type=click.Path(path_type=Path), help="Draw the chart into FILE.")
@instance_option
def command(days: int, as_json: bool, svg: Path | None, instance: str | None) -> int:
    """Show what each key, and all together, may have learned of the words; signs of mining; the days of the world.

    Nothing is changed, and no word is known here: the meters hold keyed hashes. Exit status 1 where a sign is in
    alarm, or the world came near its cap today or yesterday.

    \b
    Example:
      ordws guard report --days 7 --svg leak.svg
    """
    from ordws.cli.guard import open_gate
    from ordws.guard.leak_report import make_leak_report
    from ordws.instance import Instance
    from ordws.pictures.leakage_chart import draw_svg

    here = Instance.locate(instance)
    gate = open_gate(here)
    borderline, counted = count_borderline(here)
    report = make_leak_report(gate, read_subjects(here), int(time.time()), days=days, borderline=borderline)
    if svg is not None:
        write_output_file(svg, draw_svg(_chart(report, len(report.world))).encode())
    if as_json:
        click.echo(json.dumps(_report_json(report, counted)))
    else:
        _print_report(report, counted)
    return 1 if report.is_alarming else 0


def read_subjects(instance: Instance) -> list[ReportedClient]:
    """All clients that ask under live meters, also revoked ones, whose charges are kept."""
    from ordws.api.services import open_register
    from ordws.guard.leak_report import ReportedClient

    with closing(open_register(instance)) as register:
        return [
            ReportedClient(str(each.id), each.name, each.kind == "operator")
            for each in register.list()
            if not each.is_test
        ]


def count_borderline(instance: Instance) -> tuple[int, str]:
    """How many words there are to be learned, and what they were counted in.

    A build records what was settled and what is borderline; a host that does not build has the public lists alone.
    """
    try:
        counts = json.loads(instance.build_record.read_bytes())["counts"]
        found = counts["settled by quorum"] + counts.get("borderline forms", 0) - counts["core words"]
        if found > 0:
            return found, "build"
    except (OSError, ValueError, KeyError, TypeError):
        pass
    try:
        core, reference = [set(path.read_bytes().split()) for path in (instance.core, instance.reference)]
    except FileNotFoundError as error:
        hint = "ordws-build run makes it, or ordws publish where editions are built"
        raise Missing(f'there is no "{error.filename}" yet', hint=hint) from None
    return max(1, len(reference - core)), "reference"


def _print_report(report: LeakReport, counted_in: str) -> None:
    """On a terminal as wide as that is, in colour; elsewhere plain."""
    from rich.console import Console

    from ordws.pictures.leakage_chart import draw_terminal

    on_terminal = sys.stdout.isatty()
    console = Console(width=None if on_terminal else _PIPE_WIDTH, highlight=False)
    console.print(_table(report))
    console.print(
        f"of {report.borderline:,} words to be learned: {_COUNT_SOURCES[counted_in]}", *_NOTES, sep="\n", soft_wrap=True
    )
    console.print()
    console.print(draw_terminal(_chart(report, _DAYS_SHOWN), colour=on_terminal), no_wrap=True)
    for key in report.keys:
        for alarm in key.alarms:
            console.print(f'in alarm: "{alarm.sign}" of {_alarm_owner(key, alarm)}{_alarm_end(alarm)}', markup=False)


def _table(report: LeakReport) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("key", overflow="fold")
    spent = ("units today", f"in {len(report.world)} days")
    for heading in ("players", *spent, "learned", "bits", "share", "half on", "alarms"):
        table.add_column(heading, justify="right", no_wrap=True)
    shown = report.keys[:_MAX_KEYS_SHOWN]
    for key in shown:
        players = str(key.players) if key.subject.is_operator else ""
        table.add_row(Text(_printable(key.subject.name)), players, *_cells(key.leak), str(len(key.alarms) or ""))
    if more := len(report.keys) - len(shown):
        table.add_row(f"and {more:,} more, in --json")
    table.add_section()
    table.add_row("all", "", *_cells(report.all), str(sum([len(key.alarms) for key in report.keys]) or ""))
    return table


def _cells(leak: Leak) -> list[str]:
    counts = [f"{count:,}" for count in (leak.today, leak.units, leak.words, leak.bits)]
    return [*counts, f"{leak.share:.2%}", _date(leak.half_on) or "never"]


def _chart(report: LeakReport, days: int) -> LeakageChart:
    from ordws.pictures.leakage_chart import DayBar, KeyBar, LeakageChart

    bars = [
        KeyBar(key.subject.name, key.leak.words, f"{key.leak.words:,} words, {key.leak.share:.2%}", bool(key.alarms))
        for key in report.keys[:_MAX_KEYS_SHOWN]
    ]
    columns = [DayBar(_date(day.day) or "", day.spent, day.cap, day.is_alarming) for day in report.world[-days:]]
    return LeakageChart(f"Learned by asking, until {_date(report.day)}", bars, columns)


def _report_json(report: LeakReport, counted_in: str) -> dict[str, Any]:
    from ordws.guard.leak_report import BITS_PER_WORD

    return {
        "day": _date(report.day),
        "days": len(report.world),
        "alarm": report.is_alarming,
        "borderline": {"words": report.borderline, "counted_in": counted_in},
        "bits_a_word": round(BITS_PER_WORD, 4),
        "keys": [
            {
                "name": key.subject.name,
                "kind": "operator" if key.subject.is_operator else "home",
                "players": key.players if key.subject.is_operator else None,
                **_leak_json(key.leak),
                "alarms": [each._asdict() | {"until": _utc(each.until)} for each in key.alarms],
            }
            for key in report.keys
        ],
        "all": _leak_json(report.all),
        "world": [
            day._asdict() | {"day": _date(day.day), "alarm_at": day.alarm_at, "alarm": day.is_alarming}
            for day in report.world
        ],
    }


def _leak_json(leak: Leak) -> dict[str, Any]:
    return {
        "learned": leak.words,
        "units_today": leak.today,
        "units": leak.units,
        "bits": leak.bits,
        "share": round(leak.share, 6),
        "learned_a_day": round(leak.a_day, 2),
        "half_on": _date(leak.half_on),
    }


def _alarm_owner(key: KeyLeak, alarm: Alarm) -> str:
    name = _printable(key.subject.name)
    return name if alarm.player is None else f"{name} / player {alarm.player[:8]}"


def _alarm_end(alarm: Alarm) -> str:
    return "" if alarm.until is None else f", until {_utc(alarm.until)}"


def _printable(name: str) -> str:
    from ordws.pictures.alt_text import sanitize_text

    return sanitize_text(name)


def _date(day: int | None) -> str | None:
    return None if day is None else f"{datetime.fromtimestamp(day * _DAY, UTC):%Y-%m-%d}"


def _utc(moment: int | None) -> str | None:
    return None if moment is None else f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%dT%H:%M:%SZ}"
