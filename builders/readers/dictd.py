"""The files of a dictd dictionary, NAME.index and NAME.dict or NAME.dict.dz; and plain dictionaries of this format.

A plain dictionary is one whose index is its list of headwords and whose texts begin with the headword, followed by
parts of speech and labels in no fixed format: "Cat /kat/ n. (informal) A tame animal" (docs/dictionaries.md 1b).
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from builders.entry import Pos
from builders.readers.senses import Sense
from builders.readers.source_files import (
    FaultHandler,
    encoding_fault,
    find_single_file,
    numbered_lines,
    read_decompressed,
)
from builders.readers.terms import (
    UNLABELLED,
    is_word,
    label_by_case,
    parse_gloss_labels,
    parse_labels,
    parse_parts_of_speech,
)
from ordws.errors import BadSource, Missing

_METADATA_KEY: Final = re.compile(r"00-|00database")  # entries about the dictionary itself
_PRONUNCIATION: Final = re.compile(r"(?:[\s,;]*(?:/[^/\n]+/|\\[^\\\n]+\\|\[[^\]\n]+\](?=\s*[<(\w])))+")
_PART_OF_SPEECH: Final = re.compile(
    r"[\s,;]*(?:<(?P<angled>[a-z][a-z. &]*)>|\((?P<round>[a-z][a-z. &]*)\)"
    r"|(?P<short>(?:n|v|vb|a|adj|adv|prep|conj|pron|interj|pl|t|i)\.(?:[\s,&]+(?:n|v|a|adj|adv|t|i|pl)\.)*)"
    r"|(?P<long>noun|verb|adjective|adverb|pronoun|preposition|conjunction|interjection)\b(?=[\s,:;]))"
)
_BRACKETED: Final = re.compile(r"[\s,;:.\d]*[\[(<]([A-Za-z][^\[\]()<>]{2,40})[\])>]")


class Definition(NamedTuple):
    """One text of a dictionary, the keys that it is found by, and its offset in the file."""

    keys: tuple[str, ...]
    offset: int
    text: str


def files(path: Path) -> tuple[Path, ...]:
    """Return the index and the texts of a dictionary, at a folder, an index, or a bare NAME; raises Missing."""
    named = path if path.is_dir() else path.with_name(path.name.removesuffix(".index") + ".index")
    index = find_single_file(named, "*.index", "the index of a dictd dictionary")
    name = index.name.removesuffix(".index")
    for texts in (index.with_name(f"{name}.dict.dz"), index.with_name(f"{name}.dict")):
        if texts.is_file():
            return index, texts
    raise Missing(f'the texts of a dictd dictionary are missing: no {name}.dict.dz or {name}.dict beside "{index}"')


@label_by_case
def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
    """Yield a sense for every key, in the order of the texts."""
    for definition in read_definitions(files, "utf-8", report):
        for key in definition.keys:
            # Keys are often in lower case throughout; the text then shows the capitals of a name.
            printed = definition.text[: len(key)]
            word = printed if printed.casefold() == key.casefold() else key
            if not is_word(word):
                continue
            # Before the gloss a text may have the word again, pronunciations, a part of speech and labels.
            text = definition.text.strip()
            if text[: len(word)].casefold() == word.casefold() and not text[len(word) : len(word) + 1].isalpha():
                text = text[len(word) :]
            if pronunciation := _PRONUNCIATION.match(text):
                text = text[pronunciation.end() :]
            pos: Pos = "other"
            labels = UNLABELLED
            named = _PART_OF_SPEECH.match(text)
            if named and (parts := parse_parts_of_speech(named[0])):
                pos, labels, text = parts[0], parse_labels(named[0]), text[named.end() :]
            at = 0
            while bracket := _BRACKETED.match(text, at):
                labels, at = labels.union(parse_labels(bracket[1])), bracket.end()
            gloss = " ".join(text.split()).lstrip(" ,;:")
            labels = labels.union(parse_gloss_labels(gloss))
            yield Sense(word, pos, labels.labels, labels.partial, gloss)


def read_definitions(files: tuple[Path, ...], encoding: str, report: FaultHandler) -> Iterator[Definition]:
    """Yield every text once, in the order of the file."""
    index, texts = files
    data = read_decompressed(texts)
    spans: dict[tuple[int, int], list[str]] = {}
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
        if offset + length > len(data):
            expected = f"expected a text within {len(data)} bytes, found one at {offset} of length {length}"
            report(BadSource(str(index), f"line {number}", expected))
            continue
        # The fourth field, where there is one, is the key as printed.
        key = fields[3] if len(fields) > 3 else fields[0]
        spans.setdefault((offset, length), []).append(key)
    for (offset, length), keys in sorted(spans.items()):
        try:
            raw = data[offset : offset + length]
            yield Definition(tuple(keys), offset, raw.decode("ascii" if raw.isascii() else encoding))
        except UnicodeDecodeError as error:
            report(encoding_fault(texts, f"offset {offset}", error))


@lru_cache(maxsize=1 << 14)  # the same lengths occur again and again
def _decode_number(digits: str) -> int:
    """Return the value of up to eight base 64 digits, the highest first; raises ValueError.

    The letter A is zero, so that a shorter number is padded with it to the eight digits that binascii needs.
    """
    if not 0 < len(digits) <= 8:
        raise ValueError
    return int.from_bytes(binascii.a2b_base64(digits.rjust(8, "A"), strict_mode=True))
