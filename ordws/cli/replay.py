"""`ordws replay`: game records audited."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordws.cli import fail
from ordws.cli.output_file import write_output_file
from ordws.cli.rules_option import read_rules, rules_options

if TYPE_CHECKING:
    from ordws.records.audit import RecordAudit
    from ordws.records.record import Record


@click.command("replay")
@rules_options
@click.option("--json", "as_json", is_flag=True, help="Print an object a file, with its findings.")
@click.option("--svg", "folder", metavar="DIR", type=click.Path(path_type=Path), help="Draw each final board into DIR.")
@click.argument("files", metavar="FILE.gcg...", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(
    rules: str | None, options: tuple[str, ...], as_json: bool, folder: Path | None, files: tuple[Path, ...]
) -> int:
    """Audit game records: compute every score, total, challenge, exchange and end adjustment again.

    Without --rules a record is audited under the rule set that it names, or else under classic; --option alone varies
    classic. Ends with status 0 if all are exact, 1 if not, 2 if a file cannot be read at all; the others are audited
    all the same.

    \b
    Example:
      ordws replay --json game.gcg
    """
    from ordws.errors import BadInput
    from ordws.records.audit import audit_record
    from ordws.records.gcg import read_gcg

    chosen = read_rules(rules or "classic", options) if rules or options else None
    status = 0
    drawn: set[Path] = set()
    for file in files:
        try:
            record = read_gcg(file.read_bytes())
        except (OSError, BadInput) as error:
            status = fail(f'"{_printable(str(file))}" cannot be read: {getattr(error, "strerror", None) or error}')
            continue
        audited = audit_record(record, chosen)
        click.echo(json.dumps(_audit_json(file, audited)) if as_json else "\n".join(_audit_lines(file, audited)))
        status = max(status, 0 if audited.is_exact else 1)
        if folder:
            status = max(status, _write_picture(_picture_path(folder, file, drawn), record, audited))
    return status


def _audit_json(file: Path, audited: RecordAudit) -> dict[str, Any]:
    return {
        "file": str(file),
        "rules": audited.rules.id,
        "encoding": audited.encoding,
        "players": list(audited.players),
        "moves": audited.moves,
        "exact": audited.is_exact,
        "totals": audited.totals,
        "findings": [finding._asdict() | {"kind": finding.kind.value} for finding in audited.findings],
    }


def _audit_lines(file: Path, audited: RecordAudit) -> list[str]:
    """A line for the record, and a line for each finding."""
    name = _printable(str(file))
    totals = ", ".join([f"{nick} {total}" for nick, total in audited.totals.items()])
    verdict = "exact" if audited.is_exact else "not exact"
    summary = f"{name}: {verdict}: {audited.moves} moves, {totals or 'no player'} ({audited.rules.id})"
    findings = [f"{name}:{each.line}: {each.kind.value}: {each.message}" for each in audited.findings]
    return [_printable(line) for line in (summary, *findings)]


def _printable(text: str) -> str:
    """The text without what a terminal would obey."""
    return "".join([letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text])


def _picture_path(folder: Path, file: Path, drawn: set[Path]) -> Path:
    """Where the picture of a file goes; two files of one name have two pictures."""
    path, n = folder / f"{file.stem}.svg", 1
    while path in drawn:
        n += 1
        path = folder / f"{file.stem}-{n}.svg"
    drawn.add(path)
    return path


def _write_picture(path: Path, record: Record, audited: RecordAudit) -> int:
    from ordws.pictures.svg import draw_game

    if not audited.board.across.isascii():
        return fail(f'"{_printable(path.name)}" is not drawn: its tiles are not those of the English alphabet')
    title = record.find_pragma("title")
    picture = draw_game(
        audited.rules.layout,
        audited.board,
        title=title.text if title and title.text else path.stem,
        players=list(audited.totals.items()),
        last=audited.last_play,
        stretched=audited.stretched,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_output_file(path, picture.encode())
    return 0
