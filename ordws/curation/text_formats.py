"""Ballots, decisions and the queue as text: CSV with a header, or NDJSON with the same names as keys. Pure."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from typing import Any, Final, Literal, TypeAlias

import msgspec

from ordws.curation.ballot import COLUMNS, FORMULA_PREFIXES, Ballot, read_ballot
from ordws.curation.decision import Decision
from ordws.curation.family import Family
from ordws.errors import BadBallot

TextFormat: TypeAlias = Literal["csv", "ndjson"]
Fields: TypeAlias = dict[str, Any]

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
    """The ballots of a file by the place they stand at; raises BadBallot at the first line that is none."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadBallot(f"{name}, byte {error.start}: not UTF-8") from error
    lines = _csv_lines(name, text) if text_format == "csv" else _ndjson_lines(name, text)
    return {place: _read_ballot(place, fields) for place, fields in lines}


def write_ballots(ballots: Iterable[Ballot], text_format: TextFormat) -> str:
    """Ballots as `read_ballots` reads them."""
    return _write(({column: getattr(ballot, column) for column in COLUMNS} for ballot in ballots), COLUMNS, text_format)


def write_decisions(decisions: Mapping[str, Decision], text_format: TextFormat) -> str:
    """A line a family; in CSV a line a form, the last of a family, with no form, for those that join it later."""
    if text_format == "csv":
        return _write((row for each in decisions.values() for row in _form_fields(each)), DECISION_COLUMNS, text_format)
    return "".join([_json(_family_fields(each)) for each in decisions.values()])


def write_queue(families: Mapping[str, Family], text_format: TextFormat) -> str:
    """A line a family; in CSV a line for each that attests a form."""
    if text_format == "csv":
        return _write(
            (row for family in families.values() for row in _witness_fields(family)), QUEUE_COLUMNS, text_format
        )
    return "".join([_json(family) for family in families.values()])


def _csv_lines(name: str, text: str) -> Iterator[tuple[str, Fields]]:
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    place = f"{name}, line 1"
    try:
        header = [column.strip() for column in next(reader, [])]
        _check_columns(place, header)
        place = f"{name}, line {reader.line_num + 1}"
        for cells in reader:
            if cells:
                if len(cells) != len(header):
                    raise BadBallot(f"{place}: {len(cells)} columns where the header has {len(header)}")
                fields: Fields = dict(zip(header, map(_unescape_cell, cells), strict=True))
                yield place, fields
            place = f"{name}, line {reader.line_num + 1}"
    except csv.Error as error:
        raise BadBallot(f"{place}: not CSV: {error}") from error


def _ndjson_lines(name: str, text: str) -> Iterator[tuple[str, Fields]]:
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
    missing = [column for column in COLUMNS if column not in found]
    if missing:
        raise BadBallot(f"{place}: missing: {', '.join(missing)}", hint=f"a ballot has {', '.join(COLUMNS)}")
    if len(found) > len(COLUMNS):
        raise BadBallot(f"{place}: {len(found)} columns", hint=f"a ballot has {', '.join(COLUMNS)} and no more")


def _read_ballot(place: str, fields: Fields) -> Ballot:
    forms = fields["forms"]
    texts = {**fields, "forms": forms.split() if isinstance(forms, str) else forms}
    for column, value in texts.items():
        values = value if column == "forms" and isinstance(value, list) else [value]
        if not all(isinstance(each, str) for each in values):
            raise BadBallot(f"{place}: {column}: not text")
    try:
        return read_ballot(**texts)
    except BadBallot as error:
        raise BadBallot(f"{place}: {error}") from error


def _family_fields(decision: Decision) -> Fields:
    head = {"family": decision.family, "standing": decision.standing, "outcome": decision.outcome}
    forms = {form: tally._asdict() for form, tally in decision.forms.items()}
    return {**head, "forms": forms, "rest": decision.rest._asdict()}


def _form_fields(decision: Decision) -> Iterator[Fields]:
    head = {"family": decision.family, "standing": decision.standing, "outcome": decision.outcome}
    for form, tally in [*decision.forms.items(), ("", decision.rest)]:
        yield {**head, "form": form, "form_outcome": tally.outcome, "ins": tally.ins, "outs": tally.outs}


def _witness_fields(family: Family) -> Iterator[Fields]:
    for candidate in family.candidates:
        head = {"family": family.base, "standing": family.standing, "form": candidate.word}
        measured = {"zipf": candidate.zipf, "band": candidate.band}
        for witness in candidate.witnesses:
            yield {**head, **measured, **msgspec.to_builtins(witness)}


def _write(rows: Iterable[Fields], columns: tuple[str, ...], text_format: TextFormat) -> str:
    if text_format == "ndjson":
        return "".join([_json(row) for row in rows])
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[_escape_cell(row[column]) for column in columns] for row in rows])
    return text.getvalue()


def _escape_cell(value: Any) -> Any:
    """What stands in a cell; a text that a spreadsheet would run begins with an apostrophe, which reading takes off."""
    text = " ".join(value) if isinstance(value, list | tuple) else value
    return f"'{text}" if isinstance(text, str) and text.lstrip("'")[:1] in {*FORMULA_PREFIXES, "\t", "\r"} else text


def _unescape_cell(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell.lstrip("'")[:1] in {*FORMULA_PREFIXES, "\t", "\r"} else cell


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode() + "\n"
