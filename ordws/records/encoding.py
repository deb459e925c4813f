"""Bytes of a record as text, whatever they were written in. (INTERFACES 4)"""

from __future__ import annotations

import codecs
import re
from typing import Final, NamedTuple

LATIN_1: Final = "ISO-8859-1"
"""What a record is written in that does not say so."""

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
"""Byte order marks; those of UTF-32 begin like those of UTF-16 and come first."""

_DECLARED: Final = re.compile(rb"\s*#character-encoding\s+([!-~]+)\s*", re.IGNORECASE)
_UTF_8: Final = re.compile(r"utf[-_]?8", re.IGNORECASE)
_ONE_BYTE: Final = re.compile(
    r"(?:us[-_]?)?ascii|iso[-_]?8859[-_]?\d+|latin[-_]?\d+|l\d|(?:windows|cp)[-_]?\d{3,4}|mac[-_]?\w+|koi8[-_]?\w",
    re.IGNORECASE | re.ASCII,
)
_REPLACED: Final = "\N{REPLACEMENT CHARACTER}"
_CONTROLS: Final = re.compile(rb"[\x80-\x9f]")
_WINDOWS: Final = {code: bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(0x80, 0xA0)}


class DecodedText(NamedTuple):
    """A record's text, the encoding it was read in, and what was wrong about that."""

    text: str
    encoding: str
    faults: tuple[str, ...] = ()


def decode(data: bytes) -> DecodedText:
    """The text of any bytes: what they declare, where it is true; else UTF-8 if they are that, else ISO 8859-1."""
    for mark, codec, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_marked(data[len(mark) :], codec, name)
    if (wide := _find_utf_16(data)) is not None:
        return DecodedText(data.decode(wide, "replace"), "UTF-16", ("the text is UTF-16 and has no mark of it",))
    found = _DECLARED.fullmatch(re.split(rb"[\r\n]", data, maxsplit=1)[0])
    declared = found[1].decode("ascii") if found else None
    if declared is not None and not _UTF_8.fullmatch(declared):
        return _decode_declared(data, declared)
    return _decode_default(data, declared)


def _decode_default(data: bytes, declared: str | None) -> DecodedText:
    """UTF-8 where it is declared or where the bytes are plainly that."""
    try:
        text = data.decode()
    except UnicodeDecodeError as err:
        line = data.count(b"\n", 0, err.start) + 1
        mended = data.decode(errors="replace")
        if (bad := mended.count(_REPLACED)) < sum([not letter.isascii() for letter in mended]) - bad:
            return DecodedText(mended, "UTF-8", (f"the text is UTF-8, but line {line} is not",))
        if declared is None:
            return _decode_latin(data)
        latin = _decode_latin(data)
        return latin._replace(faults=(f"{declared} is declared, but line {line} is not that", *latin.faults))
    if declared is not None:
        return DecodedText(text, "UTF-8")
    if text.isascii():
        return DecodedText(text, LATIN_1)
    return DecodedText(text, "UTF-8", ("the text is UTF-8 and does not declare it",))


def _decode_declared(data: bytes, declared: str) -> DecodedText:
    """What is declared and is not UTF-8, unless that is what the bytes are."""
    if not data.isascii():
        try:
            return DecodedText(data.decode(), "UTF-8", (f'"{declared}" is declared, but the text is UTF-8',))
        except UnicodeDecodeError:
            pass
    if _ONE_BYTE.fullmatch(declared):
        try:
            codec = codecs.lookup(declared).name
            return DecodedText(data.decode(codec), _encoding_name(codec))
        except (LookupError, UnicodeDecodeError):
            pass
    text, encoding, faults = _decode_latin(data)
    return DecodedText(text, encoding, (f'the text is not "{declared}", which is declared', *faults))


def _decode_latin(data: bytes) -> DecodedText:
    text = data.decode("latin-1")
    if not _CONTROLS.search(data):
        return DecodedText(text, LATIN_1)
    return DecodedText(text.translate(_WINDOWS), "windows-1252", ("the text is windows-1252 and does not declare it",))


def _decode_marked(data: bytes, codec: str, name: str) -> DecodedText:
    try:
        return DecodedText(data.decode(codec), name, (f"the text begins with the byte order mark of {name}",))
    except UnicodeDecodeError:
        broken = f"the text begins with the byte order mark of {name}, and is not that"
        return DecodedText(data.decode(codec, "replace"), name, (broken,))


def _find_utf_16(data: bytes) -> str | None:
    """UTF-16 without a mark shows by every other byte being null."""
    head = data[:200]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) * 3 < len(head) or min(even, odd) * 10 > len(head):
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def _encoding_name(codec: str) -> str:
    return {"ascii": LATIN_1, "cp1252": "windows-1252"}.get(codec, codec.upper().replace("ISO8859", "ISO-8859"))
