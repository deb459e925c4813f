"""The bytes of a record as text, whatever encoding they were written in (docs/interfaces.md 4.1)."""

from __future__ import annotations

import codecs
import re
from typing import Final, NamedTuple

LATIN_1: Final = "ISO-8859-1"
"""The encoding of a record that declares none."""

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
"""Byte order marks; those of UTF-32 begin like those of UTF-16 and come first."""

_DECLARATION: Final = re.compile(rb"\s*#character-encoding\s+([!-~]+)\s*", re.IGNORECASE)
_UTF_8: Final = re.compile(r"utf[-_]?8", re.IGNORECASE)
_ONE_BYTE: Final = re.compile(
    r"(?:us[-_]?)?ascii|iso[-_]?8859[-_]?\d+|latin[-_]?\d+|l\d|(?:windows|cp)[-_]?\d{3,4}|mac[-_]?\w+|koi8[-_]?\w",
    re.IGNORECASE | re.ASCII,
)
"""The names of encodings with one byte for each letter; UTF-8 aside, no other declaration is believed."""

_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
_CONTROLS: Final = re.compile(rb"[\x80-\x9f]")
_WINDOWS: Final = {code: bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(0x80, 0xA0)}


class DecodedText(NamedTuple):
    """The text of a record, the encoding it was read in, and sentences on what was wrong about that."""

    text: str
    encoding: str
    faults: tuple[str, ...] = ()


def decode(data: bytes) -> DecodedText:
    """Return the text of any bytes: in the encoding they declare if they fit it, else in UTF-8 or ISO 8859-1."""
    for mark, codec, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            fault = f"the text begins with the byte order mark of {name}"
            try:
                return DecodedText(data[len(mark) :].decode(codec), name, (fault,))
            except UnicodeDecodeError:
                text = data[len(mark) :].decode(codec, "replace")
                return DecodedText(text, name, (f"{fault}, and is not that",))
    # In UTF-16 of a Latin script nearly every other byte is null.
    head = data[:200]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) * 3 >= len(head) and min(even, odd) * 10 <= len(head):
        text = data.decode("utf-16-be" if even > odd else "utf-16-le", "replace")
        return DecodedText(text, "UTF-16", ("the text is UTF-16 and has no mark of it",))
    found = _DECLARATION.fullmatch(re.split(rb"[\r\n]", data, maxsplit=1)[0])
    declared = found[1].decode("ascii") if found else None
    if declared is not None and not _UTF_8.fullmatch(declared):
        return _decode_declared(data, declared)
    try:
        text = data.decode()
    except UnicodeDecodeError as err:
        line = data.count(b"\n", 0, err.start) + 1
        mended = data.decode(errors="replace")
        # A text with more letters that are valid UTF-8 than bytes that are not is UTF-8 with some damage.
        if (bad := mended.count(_REPLACEMENT)) < sum([not letter.isascii() for letter in mended]) - bad:
            return DecodedText(mended, "UTF-8", (f"the text is UTF-8, but line {line} is not",))
        latin = _decode_latin(data)
        if declared is None:
            return latin
        return latin._replace(faults=(f"{declared} is declared, but line {line} is not that", *latin.faults))
    if declared is not None:
        return DecodedText(text, "UTF-8")
    if text.isascii():
        return DecodedText(text, LATIN_1)
    return DecodedText(text, "UTF-8", ("the text is UTF-8 and does not declare it",))


def _decode_declared(data: bytes, declared: str) -> DecodedText:
    """Return the text in a declared encoding other than UTF-8, unless the bytes are UTF-8 or do not fit it."""
    if not data.isascii():
        try:
            return DecodedText(data.decode(), "UTF-8", (f'"{declared}" is declared, but the text is UTF-8',))
        except UnicodeDecodeError:
            pass
    if _ONE_BYTE.fullmatch(declared):
        try:
            codec = codecs.lookup(declared).name
            common_names = {"ascii": LATIN_1, "cp1252": "windows-1252"}
            return DecodedText(
                data.decode(codec), common_names.get(codec, codec.upper().replace("ISO8859", "ISO-8859"))
            )
        except (LookupError, UnicodeDecodeError):
            pass
    text, encoding, faults = _decode_latin(data)
    return DecodedText(text, encoding, (f'the text is not "{declared}", which is declared', *faults))


def _decode_latin(data: bytes) -> DecodedText:
    """Return the text in ISO 8859-1, or in windows-1252 if it has characters that only that encoding has."""
    text = data.decode("latin-1")
    if not _CONTROLS.search(data):
        return DecodedText(text, LATIN_1)
    return DecodedText(text.translate(_WINDOWS), "windows-1252", ("the text is windows-1252 and does not declare it",))
