"""A table with the columns word, pos, labels, gloss and forms, as CSV or TSV; its first line names the columns.

Only the word is required. Labels and forms are separated by spaces or semicolons; a form may name its inflection, as in
"plural:indices", and may be an ending, "-ies" (docs/dictionaries.md 7).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, get_args

from builders.entry import Label, Slot, StatedForm
from builders.readers.senses import Sense
from builders.readers.source_files import FaultHandler, find_single_file, numbered_lines
from builders.readers.terms import (
    SenseLabels,
    complete_form,
    guess_slot,
    is_word,
    label_by_case,
    parse_gloss_labels,
    parse_labels,
    parse_parts_of_speech,
)
from ordws.errors import BadSource

_COLUMNS: Final = ("word", "pos", "labels", "gloss", "forms")
_SLOTS: Final[dict[str, Slot]] = {slot: slot for slot in get_args(Slot)}
_LABELS: Final[dict[str, Label]] = {label: label for label in get_args(Label)}
_SEPARATORS: Final = re.compile(r"[\s;,]+")


def files(path: Path) -> tuple[Path, ...]:
    """Return the table at the path, or the only one in a folder; raises Missing."""
    return (find_single_file(path, "*.[ct]sv*", "a table of words"),)


@label_by_case
def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
    """Yield the senses in the order of the rows; raises BadSource for a header that cannot be used."""
    (file,) = files
    lines = numbered_lines(file, report)
    header = next(lines, (1, ""))[1]
    delimiter = next((mark for mark in "\t;" if mark in header), ",")
    try:
        columns = [name.strip().lower() for name in next(csv.reader([header], delimiter=delimiter), [])]
        for at, name in enumerate(columns):
            if name not in _COLUMNS:
                raise ValueError(f'found "{name}"')
            if name in columns[:at]:
                raise ValueError(f'found "{name}" twice')
        if "word" not in columns:
            raise ValueError('found no "word"')
    except (csv.Error, ValueError) as error:
        expected = f"expected a header with the columns {', '.join(_COLUMNS)}"
        raise BadSource(str(file), "line 1", f"{expected}, {error}") from error
    for line, cells in _records(file, lines, delimiter, report):
        values = list(map(str.strip, cells))
        if len(values) > len(columns):
            expected = f"expected at most {len(columns)} cells, as the header has, found {len(values)}"
            report(BadSource(str(file), f"line {line}", expected))
        elif any(values):
            try:
                yield from _senses(dict.fromkeys(_COLUMNS, "") | dict(zip(columns, values, strict=False)))
            except ValueError as error:
                report(BadSource(str(file), f"line {line}", str(error)))


def _records(
    file: Path, lines: Iterable[tuple[int, str]], delimiter: str, report: FaultHandler
) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each record and the line that it begins in: cells in quotes may span several lines."""
    consumed: list[int] = []

    def texts() -> Iterator[str]:
        for number, line in lines:
            consumed.append(number)
            yield line + "\n"

    reader = csv.reader(texts(), delimiter=delimiter, strict=True)
    while True:
        # The reader's own line_num counts from its first line and skips undecodable ones.
        consumed.clear()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            report(BadSource(str(file), f"line {consumed[0]}", f"expected cells with or without quotes, {error}"))
        else:
            yield consumed[0], cells


def _senses(cells: dict[str, str]) -> Iterator[Sense]:
    """Yield one sense for each part of speech of a row; ValueError says what was expected of a cell."""
    word, gloss = cells["word"], cells["gloss"]
    if not word:
        raise ValueError('expected a word in the column "word", found nothing')
    # "suffix" and "proper noun" are labels as much as parts of speech.
    positions, labels = parse_parts_of_speech(cells["pos"]), parse_labels(cells["pos"])
    if cells["pos"] and cells["pos"].lower() != "other" and not positions and not labels.labels:
        raise ValueError('expected a part of speech, such as noun or v, in the column "pos"')
    own = SenseLabels(
        frozenset(_LABELS[term] for term in _SEPARATORS.split(cells["labels"].lower()) if term in _LABELS)
    )
    for part in cells["labels"].split(";"):
        own = own.union(parse_labels(part))
    labels = labels.union(SenseLabels(own.labels - own.partial, own.partial)).union(parse_gloss_labels(gloss))
    forms = []
    for printed in filter(None, _SEPARATORS.split(cells["forms"])):
        slot, colon, form = printed.rpartition(":")
        if colon and slot not in _SLOTS:
            raise ValueError(f'expected a form as one of {", ".join(_SLOTS)} in the column "forms"')
        whole = complete_form(word, form)
        if whole is None:
            raise ValueError('expected forms, or endings that fit the word, in the column "forms"')
        forms.append((whole, _SLOTS.get(slot)))
    if is_word(word):
        for pos in positions or ("other",):
            stated = tuple(StatedForm(form, slot or guess_slot(pos, form)) for form, slot in forms if is_word(form))
            yield Sense(word, pos, labels.labels, labels.partial, gloss, stated)
