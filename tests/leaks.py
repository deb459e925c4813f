"""Looks for words that must not be anywhere: in files, plain or in any of the encodings they could hide in."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

MARISA = b"We love Marisa."
SQLITE = b"SQLite format 3"
_MEMBER = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]")


def encodings(word: str) -> Iterator[bytes]:
    """Every way in which a word is looked for; case is folded for all but base64. (GUARD 5)"""
    for text in (word, word[::-1]):
        plain = text.lower().encode()
        yield plain
        yield text.lower().encode("utf-16-le")
        yield text.lower().encode("utf-16-be")
    for text in (word, word.lower(), word.capitalize()):
        yield text.encode().hex().encode()
        for shift in range(3):
            # Whatever stands before the word in its group of three: only characters that the word alone decides.
            coded = base64.b64encode(bytes(shift) + text.encode())
            first, last = (0, 2, 3)[shift], (len(text) + shift) // 3 * 4
            yield coded[first:last]


def find_leaks(data: bytes, words: Iterable[str]) -> set[str]:
    """What of the words, or of a trie's beginning, stands in the data or in something packed inside it."""
    found: set[str] = set()
    for layer in layers(data):
        lower = layer.lower()
        if MARISA.lower() in lower:
            found.add("a trie")
        for word in words:
            if any(code in layer or code in lower for code in encodings(word)):
                found.add(word)
    return found


def layers(data: bytes) -> Iterator[bytes]:
    """The data, and what any gzip or zlib member in it unpacks to."""
    yield data
    for match in _MEMBER.finditer(data):
        try:
            unpacked = zlib.decompressobj(wbits=47).decompress(data[match.start() :], 10_000_000)
        except zlib.error:
            continue
        if unpacked:
            yield unpacked


def scan_folder(folder: Path, words: Iterable[str], *, apart_from: Iterable[Path] = ()) -> dict[str, set[str]]:
    """Leaks by file, in every file below a folder."""
    known, left_out = list(words), list(apart_from)
    found = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or any(path.is_relative_to(each) for each in left_out):
            continue
        if leaks := find_leaks(path.read_bytes(), known):
            found[str(path.relative_to(folder))] = leaks
    return found
