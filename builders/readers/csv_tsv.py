"""A table with the columns word, pos, labels, gloss and forms, as CSV or TSV; its first line names the columns.

Only the word is required. Labels and forms are parted by spaces or semicolons; a form may say what it is, as in
"plural:indices", and may be an ending, "-ies".
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, get_args

from builders.entry import Entry, Label, Pos, Slot, StatedForm
from builders.readers.forms import complete_form, guess_slot
from builders.readers.letter_case import add_case_labels
from builders.readers.senses import Sense, merge_senses
from builders.readers.source_files import FaultHandler, find_single_file, numbered_lines
from builders.readers.terms import SenseLabels, is_word, parse_gloss_labels, parse_labels, parse_parts_of_speech
from ordws.errors import BadSource

_COLUMNS: Final = ("word", "pos", "labels", "gloss", "forms")
_SLOTS: Final[dict[str, Slot]] = {slot: slot for slot in get_args(Slot)}
_LABELS: Final[dict[str, Label]] = {label: label for label in get_args(Label)}
_SEPARATORS: Final = re.compile(r"[\s;,]+")


class SourceRow(NamedTuple):
    """One row by its columns, and the line that it begins in."""

    line: int
    cells: dict[str, str]


def files(path: Path) -> tuple[Path, ...]:
    """The table that is named, or the only one in a folder."""
    return (find_single_file(path, "*.[ct]sv*", "a table of words"),)


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Entry]:
    """Entries in the order of the rows."""
    yield from merge_senses(add_case_labels(_all_senses(files[0], report)))


def _all_senses(file: Path, report: FaultHandler) -> Iterator[Sense]:
    for row in _rows(file, report):
        try:
            yield from _senses(row.cells)
        except ValueError as error:
            report(BadSource(str(file), f"line {row.line}", str(error)))


def _rows(file: Path, report: FaultHandler) -> Iterator[SourceRow]:
    """The rows beneath the header; raises BadSource where there is no header that can be used."""
    lines = numbered_lines(file, report)
    header = next(lines, (1, ""))[1]
    delimiter = next((mark for mark in "\t;" if mark in header), ",")
    try:
        columns = [name.strip().lower() for name in next(csv.reader([header], delimiter=delimiter), [])]
        _check_header(columns)
    except (csv.Error, ValueError) as error:
        expected = f"expected a header with the columns {', '.join(_COLUMNS)}"
        raise BadSource(str(file), "line 1", f"{expected}, {error}") from error
    for line, cells in _records(file, lines, delimiter, report):
        if len(cells) > len(columns):
            expected = f"expected at most {len(columns)} cells, as the header has, found {len(cells)}"
            report(BadSource(str(file), f"line {line}", expected))
        elif any(map(str.strip, cells)):
            yield SourceRow(line, dict.fromkeys(_COLUMNS, "") | dict(zip(columns, map(str.strip, cells), strict=False)))


def _check_header(columns: list[str]) -> None:
    """Nothing where each column is known and stands once, one of them the word; ValueError says what was found."""
    for at, name in enumerate(columns):
        if name not in _COLUMNS:
            raise ValueError(f'found "{name}"')
        if name in columns[:at]:
            raise ValueError(f'found "{name}" twice')
    if "word" not in columns:
        raise ValueError('found no "word"')


def _records(
    file: Path, lines: Iterable[tuple[int, str]], delimiter: str, report: FaultHandler
) -> Iterator[tuple[int, list[str]]]:
    """Cells of each record and the line that it begins in: cells in quotes may go over several."""
    begun: list[int] = []

    def texts() -> Iterator[str]:
        for number, line in lines:
            begun.append(number)
            yield line + "\n"

    reader = csv.reader(texts(), delimiter=delimiter, strict=True)
    while True:
        begun.clear()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            report(BadSource(str(file), f"line {begun[0]}", f"expected cells with or without quotes, {error}"))
        else:
            yield begun[0], cells


def _senses(cells: dict[str, str]) -> Iterator[Sense]:
    """One sense for each part of speech of a row; ValueError says what a cell should have held."""
    word, gloss = cells["word"], cells["gloss"]
    if not word:
        raise ValueError('expected a word in the column "word", found nothing')
    positions, kind = _read_pos(cells["pos"])
    said = kind.union(_read_labels(cells["labels"])).union(parse_gloss_labels(gloss))
    forms = [_split_form(word, printed) for printed in _SEPARATORS.split(cells["forms"]) if printed]
    if is_word(word):
        for pos in positions:
            stated = tuple(StatedForm(form, slot or guess_slot(pos, form)) for form, slot in forms if is_word(form))
            yield Sense(word, pos, said.labels, said.partial, gloss, stated)


def _read_pos(text: str) -> tuple[tuple[Pos, ...], SenseLabels]:
    """The parts of speech of a cell, and the labels that it means: "suffix", "proper noun"."""
    positions, kind = parse_parts_of_speech(text), parse_labels(text)
    if text and text.lower() != "other" and not positions and not kind.labels:
        raise ValueError('expected a part of speech, such as noun or v, in the column "pos"')
    return positions or ("other",), kind


def _read_labels(text: str) -> SenseLabels:
    """The labels of a cell, by the terms of dictionaries or by our own names."""
    said = SenseLabels(frozenset(_LABELS[term] for term in _SEPARATORS.split(text.lower()) if term in _LABELS))
    for part in text.split(";"):
        said = said.union(parse_labels(part))
    return said._replace(labels=said.labels - said.partial)


def _split_form(word: str, printed: str) -> tuple[str, Slot | None]:
    slot, colon, form = printed.rpartition(":")
    if colon and slot not in _SLOTS:
        raise ValueError(f'expected a form as one of {", ".join(_SLOTS)} in the column "forms"')
    whole = complete_form(word, form)
    if whole is None:
        raise ValueError('expected forms, or endings that fit the word, in the column "forms"')
    return whole, _SLOTS.get(slot)
