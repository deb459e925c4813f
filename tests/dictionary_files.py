"""Writers of small dictionaries of our own in the formats that are read."""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path

from builders.entry import Entry
from builders.public_lists import REGIONS
from builders.readers import read_entries
from builders.readers.scowl import SIZES

BASE64_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def read_unique_entries(format: str, path: Path) -> dict[tuple[str, str], Entry]:
    """Return the entries at a path by word and part of speech, and assert that none is there twice."""
    read = list(read_entries(format, path))
    unique = {(entry.word, entry.pos): entry for entry in read}
    assert len(unique) == len(read)
    return unique


def encode_base64_number(value: int) -> str:
    digits = ""
    while value or not digits:
        digits, value = BASE64_DIGITS[value % 64] + digits, value // 64
    return digits


def write_dictd(
    folder: Path, texts: Iterable[str], *, keys: Mapping[int, Iterable[str]] = {}, packed: bool = True
) -> Path:
    """Write NAME.index and NAME.dict[.dz]; a text's key is its first word, unless keys are given for its place."""
    data, lines = b"", []
    for number, text in enumerate(texts):
        raw = text.encode()
        for key in keys.get(number, [text.split(maxsplit=1)[0]]):
            lines.append(f"{key}\t{encode_base64_number(len(data))}\t{encode_base64_number(len(raw))}\n")
        data += raw + b"\n"
    (folder / "own.index").write_text("".join(sorted(lines)))
    if packed:
        (folder / "own.dict.dz").write_bytes(gzip.compress(data))
    else:
        (folder / "own.dict").write_bytes(data)
    return folder / "own"


def write_wordnet(folder: Path, synsets: Mapping[str, Iterable[str]], exceptions: Mapping[str, str] = {}) -> Path:
    """Write data.*, index.* and *.exc; a synset is "words with lex ids|pointers|gloss": `bop 0 whop 1|;u slang|hit`.

    A pointer names the first word of its synset; `;u1 slang` is a pointer of the first word alone.
    """
    parts = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
    placed = {letter: _place_lines(letter, synsets.get(letter, ())) for letter in parts}
    offsets = {line.split()[0]: (letter, at) for letter, lines in placed.items() for at, line in lines}
    for letter, part in parts.items():
        data, index = _HEADER, {}
        for at, line in placed[letter]:
            words, pointers, gloss = line.split("|")
            data += _synset_line(at, letter, words.split(), pointers.split(), gloss, offsets)
            for word in words.split()[::2]:
                index.setdefault(word.partition("(")[0].lower(), []).append(at)
        (folder / f"data.{part}").write_text(data)
        lines = [
            f"{lemma} {letter} {len(at)} 0 {len(at)} 0 {' '.join(f'{offset:08d}' for offset in at)}\n"
            for lemma, at in sorted(index.items())
        ]
        (folder / f"index.{part}").write_text(_HEADER + "".join(lines))
        (folder / f"{part}.exc").write_text(exceptions.get(letter, ""))
    return folder


_HEADER = "  1 A dictionary of our own  \n"


def _place_lines(letter: str, lines: Iterable[str]) -> list[tuple[int, str]]:
    """Return the lines with their final offsets: the length of a line does not depend on the offsets that it names."""
    placed, at = [], len(_HEADER)
    for line in lines:
        placed.append((at, line))
        words, pointers, gloss = line.split("|")
        everything = dict.fromkeys(pointers.split(), (letter, 0))
        at += len(_synset_line(at, letter, words.split(), pointers.split(), gloss, everything))
    return placed


def _synset_line(
    at: int, letter: str, words: list[str], pointers: list[str], gloss: str, offsets: Mapping[str, tuple[str, int]]
) -> str:
    marks = [
        f"{mark[:2]} {offsets[target][1]:08d} {offsets[target][0]} {int(mark[2:] or 0):02x}00"
        for mark, target in zip(pointers[::2], pointers[1::2], strict=True)
    ]
    fields = [f"{at:08d} 00 {letter} {len(words) // 2:02x}", *words, f"{len(marks):03d}", *marks]
    return " ".join(fields) + f" | {gloss}  \n"


def write_stardict(
    folder: Path, words: Mapping[str, str], *, kind: str = "m", packed: bool = False, synonyms: Mapping[str, int] = {}
) -> Path:
    """Write NAME.ifo, .idx, .dict[.dz] and .syn, every definition of one kind."""
    data, index = b"", b""
    for word, text in words.items():
        raw = text.encode()
        index += word.encode() + b"\0" + struct.pack(">II", len(data), len(raw))
        data += raw
    (folder / "own.idx").write_bytes(index)
    (folder / ("own.dict.dz" if packed else "own.dict")).write_bytes(gzip.compress(data) if packed else data)
    if synonyms:
        pairs = [word.encode() + b"\0" + struct.pack(">I", number) for word, number in synonyms.items()]
        (folder / "own.syn").write_bytes(b"".join(pairs))
    facts = f"version=2.4.2\nwordcount={len(words)}\nidxfilesize={len(index)}\nbookname=own\nsametypesequence={kind}\n"
    (folder / "own.ifo").write_text("StarDict's dict ifo file\n" + facts)
    return folder / "own.ifo"


def write_scowl(folder: Path, lists: Mapping[str, str]) -> Path:
    """Write SCOWL's lists of words of every American and British region and size, empty but for those given."""
    every = [f"{region}-words.{size}" for region in (*REGIONS, "british", "british_z", "australian") for size in SIZES]
    for name in {**dict.fromkeys(every, ""), **lists}:
        (folder / name).write_text("".join(f"{word}\n" for word in lists.get(name, "").split()))
    return folder


def write_json_lines(path: Path, values: Iterable[object]) -> Path:
    """Write a JSON value a line."""
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    return path
