"""A search for words that must not be anywhere: in files, plain or in the encodings that could hide them."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

MARISA = b"We love Marisa."
SQLITE = b"SQLite format 3"
LEAST_CODED = 6
"""The fewest characters of base64 that are looked for: fewer stand in random bytes and in keys by chance."""
SHORT = -1
"""The place of encodings of less than four bytes, which are looked for in every text."""
_MEMBER = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]")


@cache
def encodings(word: str) -> tuple[bytes, ...]:
    """Return every encoding in which a word is looked for (docs/guard.md 5); case is folded for all but base64."""
    return tuple(_encodings(word))


def _encodings(word: str) -> Iterator[bytes]:
    for text in (word, word[::-1]):
        plain = text.lower().encode()
        yield plain
        yield text.lower().encode("utf-16-le")
        yield text.lower().encode("utf-16-be")
    for text in (word, word.lower(), word.capitalize()):
        yield text.encode().hex().encode()
        for shift in range(3):
            # Base64 works on groups of three bytes: only the characters that the word alone decides are looked for.
            coded = base64.b64encode(bytes(shift) + text.encode())
            first, last = (0, 2, 3)[shift], (len(text) + shift) // 3 * 4
            if last - first >= LEAST_CODED:
                yield coded[first:last]


def find_leaks(data: bytes, words: Iterable[str]) -> set[str]:
    """Return the words that stand in the data, also compressed inside it, and "a trie" for the start of a trie."""
    leaks: set[str] = set()
    codes, starts = _codes_by_start(tuple(words))
    for layer in layers(data):
        lower = layer.lower()
        if MARISA.lower() in lower:
            leaks.add("a trie")
        for text in (layer, lower):
            for start in _find_starts(text, starts) | {SHORT} & codes.keys():
                leaks |= {word for code, word in codes[start] if code in text}
    return leaks


@cache
def _codes_by_start(words: tuple[str, ...]) -> tuple[dict[int, list[tuple[bytes, str]]], Any]:
    """Return the encodings of all words, with their words, by their first four bytes, and these in order."""
    codes: dict[int, list[tuple[bytes, str]]] = {}
    for word in words:
        for code in encodings(word):
            start = SHORT if len(code) < 4 else int.from_bytes(code[:4], "little")
            codes.setdefault(start, []).append((code, word))
    return codes, np.array(sorted(codes.keys() - {SHORT}), dtype="<u4")


def _find_starts(text: bytes, starts: Any) -> set[int]:
    """Return which of the first four bytes stand in a text: to look for thousands of encodings takes seconds a MB."""
    found: set[int] = set()
    for shift in range(min(4, len(text) - 3) if len(starts) else 0):
        fours = np.frombuffer(text, "<u4", (len(text) - shift) // 4, shift)
        nearest = starts[np.minimum(np.searchsorted(starts, fours), len(starts) - 1)]
        found |= {*map(int, np.unique(fours[nearest == fours]))}
    return found


def layers(data: bytes) -> Iterator[bytes]:
    """Yield the data, and the contents of every gzip or zlib member in it."""
    yield data
    for match in _MEMBER.finditer(data):
        try:
            unpacked = zlib.decompressobj(wbits=47).decompress(data[match.start() :], 10_000_000)
        except zlib.error:
            continue
        if unpacked:
            yield unpacked


def scan_folder(folder: Path, words: Iterable[str], *, apart_from: Iterable[Path] = ()) -> dict[str, set[str]]:
    """Return leaks by file, of every file below a folder."""
    known, left_out = list(words), list(apart_from)
    by_file = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or any(path.is_relative_to(each) for each in left_out):
            continue
        if leaks := find_leaks(path.read_bytes(), known):
            by_file[str(path.relative_to(folder))] = leaks
    return by_file
