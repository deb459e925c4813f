"""The files of a dictd dictionary, NAME.index and NAME.dict or NAME.dict.dz; and a plain one as entries. (SOURCES 1b)

A plain dictionary is one whose index is its list of headwords and whose texts begin with the headword.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from builders.entry import Entry
from builders.readers.described import parse_definition
from builders.readers.letter_case import add_case_labels
from builders.readers.senses import Sense, merge_senses
from builders.readers.source_files import (
    FaultHandler,
    encoding_fault,
    find_single_file,
    numbered_lines,
    read_decompressed,
)
from builders.readers.terms import is_word
from ordws.errors import BadSource, Missing

_METADATA_KEY: Final = re.compile(r"00-|00database")  # entries about the dictionary itself


class Definition(NamedTuple):
    """One text of a dictionary, the keys that it is found by, and where it begins."""

    keys: tuple[str, ...]
    offset: int
    text: str


def files(path: Path) -> tuple[Path, ...]:
    """The index and the texts of the dictionary in a folder, or of the one whose index or bare name is given."""
    named = path if path.is_dir() else path.with_name(path.name.removesuffix(".index") + ".index")
    index = find_single_file(named, "*.index", "the index of a dictd dictionary")
    name = index.name.removesuffix(".index")
    for texts in (index.with_name(f"{name}.dict.dz"), index.with_name(f"{name}.dict")):
        if texts.is_file():
            return index, texts
    raise Missing(f'the texts of a dictd dictionary are missing: no {name}.dict.dz or {name}.dict beside "{index}"')


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Entry]:
    """An entry for every key, in the order of the texts."""
    yield from merge_senses(add_case_labels(_senses(files, report)))


def _senses(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
    for definition in read_definitions(files, "utf-8", report):
        for key in definition.keys:
            printed = definition.text[: len(key)]
            word = printed if printed.casefold() == key.casefold() else key
            if is_word(word):
                pos, said, gloss = parse_definition(word, definition.text)
                yield Sense(word, pos, said.labels, said.partial, gloss)


def read_definitions(files: tuple[Path, ...], encoding: str, report: FaultHandler) -> Iterator[Definition]:
    """Every text once, in the order of the file."""
    index, texts = files
    data = read_decompressed(texts)
    spans: dict[tuple[int, int], list[str]] = {}
    for key, offset, length in read_index(index, len(data), report):
        spans.setdefault((offset, length), []).append(key)
    for (offset, length), keys in sorted(spans.items()):
        try:
            raw = data[offset : offset + length]
            yield Definition(tuple(keys), offset, raw.decode("ascii" if raw.isascii() else encoding))
        except UnicodeDecodeError as error:
            report(encoding_fault(texts, f"offset {offset}", error))


def read_index(index: Path, size: int, report: FaultHandler) -> Iterator[tuple[str, int, int]]:
    """Key, offset and length of each line; what describes the dictionary itself is left out."""
    for number, line in numbered_lines(index, report):
        if not line or _METADATA_KEY.match(line):
            continue
        fields = line.split("\t")
        try:
            offset, length = _decode_number(fields[1]), _decode_number(fields[2])
        except (IndexError, ValueError):
            expected = "expected a key, an offset and a length in base 64, with tabs between"
            report(BadSource(str(index), f"line {number}", expected))
            continue
        if offset + length > size:
            expected = f"expected a text within {size} bytes, found one at {offset} of length {length}"
            report(BadSource(str(index), f"line {number}", expected))
            continue
        yield fields[3] if len(fields) > 3 else fields[0], offset, length


@lru_cache(maxsize=1 << 14)  # the same lengths come again and again
def _decode_number(digits: str) -> int:
    """The value of up to eight digits, the highest first. The alphabet is that of base 64, so A leads like a zero."""
    if not 0 < len(digits) <= 8:
        raise ValueError
    return int.from_bytes(binascii.a2b_base64(digits.rjust(8, "A"), strict_mode=True))
