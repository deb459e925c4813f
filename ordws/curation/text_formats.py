"""The text formats of ballots, decisions and the queue: CSV with a header, or NDJSON with the same names. Pure."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from typing import Any, Final, Literal, TypeAlias

import msgspec

from ordws.curation.decision import BALLOT_COLUMNS, FORMULA_PREFIXES, Ballot, Decision, read_ballot
from ordws.curation.family import Family
from ordws.errors import BadBallot

TextFormat: TypeAlias = Literal["csv", "ndjson"]
Fields: TypeAlias = dict[str, Any]

VOTE_COLUMNS: Final = ("family", "vote", "forms", "reason")
DECISION_COLUMNS: Final = ("family", "standing", "outcome", "form", "form_outcome", "ins", "outs")
QUEUE_COLUMNS: Final = (
    "family",
    "standing",
    "form",
    "zipf",
    "band",
    "source",
    "provenance",
    "slot",
    "pos",
    "labels",
    "gloss",
)


def read_ballots(name: str, data: bytes, text_format: TextFormat) -> dict[str, Ballot]:
    """Read the ballots of a file, by their places in it; raise BadBallot at the first line that is not a ballot."""
    try:
        # Spreadsheets put a byte order mark in front.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadBallot(f"{name}, byte {error.start}: not UTF-8") from error
    ballots: dict[str, Ballot] = {}
    for place, fields in _csv_lines(name, text) if text_format == "csv" else _ndjson_lines(name, text):
        forms = fields["forms"]
        fields["forms"] = forms.split() if isinstance(forms, str) else forms
        for column, value in fields.items():
            values = value if column == "forms" and isinstance(value, list) else [value]
            if not all(isinstance(each, str) for each in values):
                raise BadBallot(f"{place}: {column}: not text")
        try:
            ballots[place] = read_ballot(**fields)
        except BadBallot as error:
            raise BadBallot(f"{place}: {error}") from error
    return ballots


def write_ballots(ballots: Iterable[Ballot], text_format: TextFormat) -> str:
    """Write ballots as `read_ballots` reads them."""
    rows = ({column: getattr(ballot, column) for column in BALLOT_COLUMNS} for ballot in ballots)
    return _write_csv(rows, BALLOT_COLUMNS) if text_format == "csv" else _write_ndjson(rows)


def write_votes(ballots: Iterable[Ballot], text_format: TextFormat) -> str:
    """Write what ballots say, and neither who cast them nor when; sorted, so that their order tells neither."""
    votes = sorted([(each.family, each.vote, each.forms, each.reason) for each in ballots])
    rows = [dict(zip(VOTE_COLUMNS, each, strict=True)) for each in votes]
    return _write_csv(rows, VOTE_COLUMNS) if text_format == "csv" else _write_ndjson(rows)


def write_decisions(decisions: Mapping[str, Decision], text_format: TextFormat) -> str:
    """Write decisions, one a line; in CSV one form a line, and after them a line without form for later forms."""
    rows: list[Fields] = []
    for decision in decisions.values():
        head = {"family": decision.family, "standing": decision.standing, "outcome": decision.outcome}
        if text_format == "csv":
            for form, tally in [*decision.forms.items(), ("", decision.rest)]:
                rows.append({**head, "form": form, "form_outcome": tally.outcome, "ins": tally.ins, "outs": tally.outs})
        else:
            forms = {form: tally._asdict() for form, tally in decision.forms.items()}
            rows.append({**head, "forms": forms, "rest": decision.rest._asdict()})
    return _write_csv(rows, DECISION_COLUMNS) if text_format == "csv" else _write_ndjson(rows)


def write_queue(families: Mapping[str, Family], text_format: TextFormat) -> str:
    """Write families, one a line; in CSV one line for each source of each form."""
    if text_format == "ndjson":
        return _write_ndjson(families.values())
    rows: list[Fields] = []
    for family in families.values():
        for candidate in family.candidates:
            head: Fields = {"family": family.base, "standing": family.standing, "form": candidate.word}
            head |= {"zipf": candidate.zipf, "band": candidate.band}
            rows += [{**head, **msgspec.to_builtins(witness)} for witness in candidate.witnesses]
    return _write_csv(rows, QUEUE_COLUMNS)


def _csv_lines(name: str, text: str) -> Iterator[tuple[str, Fields]]:
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    # A cell may have several lines, so a row is named by the line on which it begins, noted before it is read.
    place = f"{name}, line 1"
    try:
        header = [column.strip() for column in next(reader, [])]
        _check_columns(place, header)
        place = f"{name}, line {reader.line_num + 1}"
        for cells in reader:
            if cells:
                if len(cells) != len(header):
                    raise BadBallot(f"{place}: {len(cells)} columns where the header has {len(header)}")
                # `_write_csv` put the apostrophe there, so that a spreadsheet takes the cell for text.
                texts = [cell[1:] if cell.startswith("'") and _is_formula(cell) else cell for cell in cells]
                fields: Fields = dict(zip(header, texts, strict=True))
                yield place, fields
            place = f"{name}, line {reader.line_num + 1}"
    except csv.Error as error:
        raise BadBallot(f"{place}: not CSV: {error}") from error


def _ndjson_lines(name: str, text: str) -> Iterator[tuple[str, Fields]]:
    # Not splitlines, which also splits at characters that may stand inside a JSON string.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"{name}, line {number}"
        try:
            fields = msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadBallot(f"{place}: not a JSON object") from error
        _check_columns(place, list(fields))
        yield place, fields


def _check_columns(place: str, found: list[str]) -> None:
    missing = [column for column in BALLOT_COLUMNS if column not in found]
    if missing:
        raise BadBallot(f"{place}: missing: {', '.join(missing)}", hint=f"a ballot has {', '.join(BALLOT_COLUMNS)}")
    if len(found) > len(BALLOT_COLUMNS):
        raise BadBallot(f"{place}: {len(found)} columns", hint=f"a ballot has {', '.join(BALLOT_COLUMNS)} and no more")


def _write_csv(rows: Iterable[Fields], columns: tuple[str, ...]) -> str:
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        cells = [" ".join(row[column]) if isinstance(row[column], list | tuple) else row[column] for column in columns]
        writer.writerow([f"'{cell}" if isinstance(cell, str) and _is_formula(cell) else cell for cell in cells])
    return text.getvalue()


def _is_formula(cell: str) -> bool:
    """Return whether a spreadsheet would run a cell, or would without the apostrophes in front of it."""
    return cell.lstrip("'")[:1] in {*FORMULA_PREFIXES, "\t", "\r"}


def _write_ndjson(values: Iterable[object]) -> str:
    return "".join([msgspec.json.encode(value).decode() + "\n" for value in values])
