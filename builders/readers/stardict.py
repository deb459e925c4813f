"""StarDict: NAME.ifo, NAME.idx or .idx.gz, NAME.dict or .dict.dz, and NAME.syn where there is one.

Its texts are made for reading. A line that begins with a part of speech, as "n 1: ..." or "noun", begins a part;
numbers at the beginning of a line separate the senses (docs/dictionaries.md 7).
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from builders.entry import StatedForm
from builders.readers.senses import Sense
from builders.readers.source_files import FaultHandler, encoding_fault, find_single_file, read_decompressed
from builders.readers.terms import (
    UNLABELLED,
    SenseLabels,
    is_word,
    label_by_case,
    parse_gloss_labels,
    parse_labels,
    parse_pos,
)
from ordws.errors import BadSource, Missing

_MAGIC: Final = "StarDict's dict ifo file"
_READABLE_TYPES: Final = frozenset("mghx")  # plain text, Pango's markup, HTML, XDXF
_KNOWN_TYPES: Final = _READABLE_TYPES | frozenset("ltykwnrWPX")

_BREAK: Final = re.compile(r"<(?:br|/?(?:p|div|li|tr|dt|dd|def|blockquote))\b[^<>]*>", re.IGNORECASE)
_KEY: Final = re.compile(r"<k>", re.IGNORECASE)
_KEY_END: Final = re.compile(r"</k>", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]*>")
_PART: Final = re.compile(
    r"^[^\S\n]*+(?:[/\[][^\n/\]]*+[/\]]\s*+){0,20}+"  # pronunciations
    r"((?:n|v|vb|adj|adv|prep|pron|conj|interj|det|num|a(?!\..*\n\s*b\.))"  # "a." beside "b." counts the senses
    r"(?:\.(?:[ ]?(?:t|i|pl)\.)*|(?=[ ]\d))"
    r"|(?i:proper[ ]noun|noun|verb|adjective|adverb|pronoun|preposition|conjunction|interjection|determiner)\b)",
    re.MULTILINE | re.VERBOSE,
)
_NUMBER: Final = re.compile(r"(?:^|\n)[^\S\n]*\d{1,2}[.:)]\s+")
_BRACKETED: Final = re.compile(r"\[([^\[\]]{1,40})\]")
_STRIPPED_CHARACTERS: Final = " \n.,:;)]>"
_MAX_DIGITS: Final = 20  # as many as 64 bits need


class StarDictInfo(NamedTuple):
    """The settings in the .ifo file, which say how the others are read."""

    words: int
    index_size: int
    offset_bytes: int
    types: str


class IndexRecord(NamedTuple):
    """One record of the index: a headword, and the place of its text."""

    word: str
    offset: int
    size: int


def files(path: Path) -> tuple[Path, ...]:
    """Return an .ifo file, or the only one in a folder, its index, texts, and synonyms if any; raises Missing."""
    info = find_single_file(path, "*.ifo", "a StarDict dictionary")
    needed = []
    for suffixes in ((".idx", ".idx.gz"), (".dict.dz", ".dict")):
        present = [file for suffix in suffixes if (file := info.with_name(info.stem + suffix)).is_file()]
        if not present:
            raise Missing(f'a file of a StarDict dictionary is missing: no {" or ".join(suffixes)} beside "{info}"')
        needed.append(present[0])
    synonyms = info.with_name(info.stem + ".syn")
    return (info, *needed, *([synonyms] if synonyms.is_file() else []))


@label_by_case
def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
    """Yield the senses in the order of the index."""
    info = _read_info(files[0])
    data = read_decompressed(files[2])
    records = list(_read_index(files[1], info, len(data), report))
    # By place in the index; the format does not say whether a synonym is an inflected form.
    synonyms: dict[int, list[str]] = defaultdict(list)
    for file in files[3:]:
        for at, synonym, tail in _records(file, read_decompressed(file), 4, report):
            place = int.from_bytes(tail)
            if place >= len(records):
                expected = f"expected the number of one of {len(records)} words, found {place}"
                report(BadSource(str(file), f"offset {at}", expected))
            elif is_word(synonym):
                synonyms[place].append(synonym)
    for number, (word, offset, size) in enumerate(records):
        if not is_word(word):
            continue
        try:
            texts = []
            for kind, field in _fields(data[offset : offset + size], info.types):
                if kind not in _READABLE_TYPES:
                    continue
                text = field.decode()
                if kind != "m":
                    *before, rest = _KEY_END.split(text)
                    # Without <k>headword</k>, and without the rest of the markup.
                    text = "".join(_KEY.split(part, maxsplit=1)[0] for part in before) + rest
                    text = html.unescape(_TAG.sub("", _BREAK.sub("\n", text)))
                texts.append(text)
        except UnicodeDecodeError as error:
            report(encoding_fault(files[2], f"offset {offset}", error))
        except ValueError as error:
            report(BadSource(str(files[2]), f"offset {offset}", str(error)))
        else:
            yield from _senses(word, "\n".join(texts), tuple(synonyms.get(number, ())))


def _read_info(file: Path) -> StarDictInfo:
    """Return the counts and settings of an .ifo file; raises BadSource at the first that cannot be used."""
    try:
        magic, *lines = read_decompressed(file).decode("utf-8-sig").splitlines() or [""]
    except UnicodeDecodeError as error:
        raise encoding_fault(file, "line 1", error) from error
    if magic != _MAGIC:
        raise BadSource(str(file), "line 1", f'expected "{_MAGIC}"')
    settings: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines, 2):
        name, _, value = line.partition("=")
        settings[name.strip()] = number, value.strip()
    bits = _read_number(file, settings, "idxoffsetbits", default="32", allowed=(32, 64))
    line_number, types = settings.get("sametypesequence", (0, ""))
    if types and not _READABLE_TYPES & set(types):
        expected = f"expected a sametypesequence with one of {', '.join(sorted(_READABLE_TYPES))}"
        raise BadSource(str(file), f"line {line_number}", f'{expected}, found "{types}"')
    return StarDictInfo(
        _read_number(file, settings, "wordcount"), _read_number(file, settings, "idxfilesize"), bits // 8, types
    )


def _read_number(
    file: Path, settings: dict[str, tuple[int, str]], name: str, *, default: str = "", allowed: tuple[int, ...] = ()
) -> int:
    line, value = settings.get(name, (len(settings) + 1, default))
    number = value.isascii() and value.isdecimal() and len(value) <= _MAX_DIGITS
    if not number or (allowed and int(value) not in allowed):
        wanted = " or ".join(map(str, allowed)) or f"a number of at most {_MAX_DIGITS} digits"
        raise BadSource(str(file), f"line {line}", f'expected {name}={wanted}, found "{value[:40]}"')
    return int(value)


def _read_index(file: Path, info: StarDictInfo, texts_size: int, report: FaultHandler) -> Iterator[IndexRecord]:
    """Yield the index, which must be as long as the .ifo file says and point into the texts."""
    data = read_decompressed(file)
    if len(data) != info.index_size:
        expected = f"expected {info.index_size} bytes as the .ifo file says, found {len(data)}"
        raise BadSource(str(file), f"offset {len(data)}", expected)
    count = 0
    for at, word, tail in _records(file, data, info.offset_bytes + 4, report):
        count += 1
        offset, size = int.from_bytes(tail[:-4]), int.from_bytes(tail[-4:])
        if offset + size > texts_size:
            expected = f"expected a text within {texts_size} bytes, found one at {offset} of length {size}"
            report(BadSource(str(file), f"offset {at}", expected))
            word, offset, size = "", 0, 0  # the record keeps its place, since synonyms count the records
        yield IndexRecord(word, offset, size)
    if count != info.words:
        expected = f"expected {info.words} words as the .ifo file says, found {count}"
        report(BadSource(str(file), f"offset {len(data)}", expected))


def _records(file: Path, data: bytes, tail: int, report: FaultHandler) -> Iterator[tuple[int, str, bytes]]:
    """Yield offset, word and the bytes behind its zero for each record; a word that is no UTF-8 becomes empty."""
    at = 0
    while at < len(data):
        end = data.find(b"\0", at)
        if end < 0 or end + 1 + tail > len(data):
            report(BadSource(str(file), f"offset {at}", f"expected a word, a zero and {tail} bytes, the file ends"))
            return
        try:
            word = data[at:end].decode()
        except UnicodeDecodeError as error:
            report(encoding_fault(file, f"offset {at}", error))
            word = ""
        yield at, word, data[end + 1 : end + 1 + tail]
        at = end + 1 + tail


def _fields(data: bytes, types: str) -> Iterator[tuple[str, bytes]]:
    """Yield kind and bytes of each field; raises ValueError.

    A field of a small letter ends with a zero, that of a capital begins with its length. If the types are the same in
    all texts, they are not repeated in each, and the last field simply ends with the text.
    """
    at = 0
    for number in range(len(types) or len(data)):
        if not types and at >= len(data):
            return
        kind = types[number] if types else chr(data[at])
        at += not types
        if kind not in _KNOWN_TYPES:
            raise ValueError(f'expected a field of a known type, found "{kind}"')
        if number + 1 == len(types):
            begin, end, behind = at, len(data), len(data)
        elif kind.isupper():
            begin = at + 4
            end = behind = begin + int.from_bytes(data[at:begin])
        else:
            begin, end = at, data.find(b"\0", at)
            behind = end + 1
        if not begin <= end <= len(data):
            raise ValueError(f'expected the end of a field of type "{kind}", the text ends before it')
        yield kind, data[begin:end]
        at = behind


def _senses(word: str, text: str, synonyms: tuple[str, ...]) -> Iterator[Sense]:
    """Yield the numbered senses of each part of a text, whose first word may be the headword again."""
    if repeated := re.match(rf"\s*{re.escape(word)}(?![\w.])", text, re.IGNORECASE):
        text = text[repeated.end() :]
    forms = tuple(StatedForm(synonym, "form") for synonym in synonyms if synonym != word)
    marks = list(_PART.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    parts = [(mark[1], text[mark.end() : end]) for mark, end in zip(marks, ends, strict=False)] or [("", text)]
    for kind, part in parts:
        # Labels before the first number apply to all senses of the part.
        shared, *numbered = _NUMBER.split(part.strip(_STRIPPED_CHARACTERS))
        inherited = parse_labels(kind).union(_parse_labels(shared) if numbered else UNLABELLED)
        for sense in numbered or [shared]:
            labels, partial = inherited.union(_parse_labels(sense))
            yield Sense(word, parse_pos(kind), labels, partial, " ".join(sense.split()), forms)


def _parse_labels(text: str) -> SenseLabels:
    """Return the labels that a text has in brackets or in its own words."""
    labels = parse_gloss_labels(" ".join(text.split()))
    for match in _BRACKETED.finditer(text):
        labels = labels.union(parse_labels(match[1]))
    return labels
