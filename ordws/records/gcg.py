"""GCG: read as it is written in practice, in any encoding, and written as others read it (docs/interfaces.md 4)."""

from __future__ import annotations

import codecs
import re
from dataclasses import replace
from typing import Final, NamedTuple

from ordws.errors import BadInput
from ordws.records.record import (
    ChallengeBonus,
    GcgEvent,
    GcgMove,
    Note,
    PassedTurn,
    Pragma,
    Record,
    RecordItem,
    TileExchange,
    TilePlacement,
    TimePenalty,
    UnknownMove,
    UnparsedLine,
    UnplayedTilesScore,
    Withdrawal,
)

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


# A text that was converted for DOS twice ends its lines with CR CR LF. No more of them are looked at together: from
# each of many, all others would be looked through for an LF.
_LINES: Final = re.compile(r"\r{0,2}\n|\r")
_PRAGMA: Final = re.compile(r"#([A-Za-z][\w-]*)\s*(.*)", re.ASCII)
_PLAY_LINE: Final = re.compile(
    r">(\S+):\s+([A-Z?]+)\s+(\d{1,2}[A-Z]|[A-Z]\d{1,2})\s+([A-Za-z.]+)\s+\+(\d{1,12})\s+(-?\d{1,12})", re.ASCII
)
"""The form of nearly every line, which one match reads; all others are read token by token, to the same result."""

_START: Final = re.compile(r"\d{1,2}[A-Za-z]|[A-Za-z]\d{1,2}", re.ASCII)
# The second character of the class is the minus sign, which some programs write instead of a hyphen.
_NUMBER: Final = re.compile(r"\+?([-−]?)(\d{1,12})", re.ASCII)
_LETTER: Final = re.compile(r"[^\W\d_]|\.")
_ENCODING: Final = "character-encoding"
_DASH_MOVES: Final[dict[str, GcgMove]] = {"-": PassedTurn(), "-0": PassedTurn(), "--": Withdrawal()}
_PARENTHESIZED_MOVES: Final[dict[str, GcgMove]] = {"challenge": ChallengeBonus(), "time": TimePenalty()}


class BadRecord(BadInput):
    """A file without a single line of a game record."""


def read_gcg(data: bytes) -> Record:
    """Return the record of any bytes that have a line beginning with `#` or `>`; raises BadRecord if there is none."""
    text, encoding, faults = decode(data)
    reader = _Reader()
    for number, line in enumerate(_LINES.split(text), start=1):
        if line := line.strip():
            reader.read(number, line)
    items = reader.close()
    if not any(not isinstance(item, UnparsedLine) or item.text[0] in "#>" for item in items):
        raise BadRecord("it has no line of a game record" if data.strip() else "it is empty")
    return Record(items, encoding, faults)


def write_gcg(record: Record) -> bytes:
    """Return the record in UTF-8, each line as other programs read it; reading it gives the same items again."""
    lines = [f"#{_ENCODING} UTF-8"]
    for item in record.items:
        match item:
            case GcgEvent():
                lines.append(write_event(item))
            case Note():
                first, *more = [line.strip() for line in item.text.split("\n") if line.strip()] or [""]
                lines.append(f"#note {first}")
                # A further line that would be read as a pragma or an event is marked as a continuation.
                lines += [f"#- {line}" if line[0] in "#>" else line for line in more]
            case Pragma():
                lines.append(f"#{item.name} {item.text}".rstrip().replace("\n", "\n#- "))
            case UnparsedLine():
                lines.append(item.text)
    return ("\n".join(lines) + "\n").encode()


def write_event(event: GcgEvent) -> str:
    """Return the line `>nick: RACK 8D WORD +24 24`; without a rack it has two spaces, which other programs expect."""
    match event.move:
        case TilePlacement(start, word):
            move = f"{start} {word}"
        case TileExchange(tiles):
            move = f"-{tiles}"
        case PassedTurn():
            move = "-"
        case Withdrawal():
            move = "--"
        case ChallengeBonus():
            move = "(challenge)"
        case TimePenalty():
            move = "(time)"
        case UnplayedTilesScore(tiles):
            move = f"({tiles})"
        case UnknownMove(text):
            move = text
    tail = [event.extra] if event.extra else []
    if event.total is not None:
        tail = [str(event.total), *tail]
    if event.points is not None:
        # Behind a move that could not be read, -3 points would be read as an exchange of three tiles.
        tail = [f"+{event.points}" if isinstance(event.move, UnknownMove) else f"{event.points:+d}", *tail]
    return " ".join([f">{event.nick}:", event.rack, move, *tail])


class _Reader:
    """The items read so far, and the lines that continue the last of them."""

    def __init__(self) -> None:
        self._items: list[RecordItem] = []
        # They are joined once, since a note of many lines that grew line by line would take quadratic time.
        self._continuation_lines: list[str] = []

    def read(self, number: int, line: str) -> None:
        """Add a line, which is not blank: a bare line continues a note, one that begins with `#-` any pragma."""
        if line[0] == ">":
            self._add(_read_event(number, line))
        elif line[0] != "#" or line.startswith("#-"):
            last = self._items[-1] if self._items else None
            if isinstance(last, Note) or (isinstance(last, Pragma) and line[0] == "#" and last.name != _ENCODING):
                self._continuation_lines.append(line.removeprefix("#-").strip())
            else:
                self._add(UnparsedLine(number, line, "it begins with neither # nor >, and follows no note"))
        elif (found := _PRAGMA.fullmatch(line)) is None:
            self._add(UnparsedLine(number, line, "no name stands behind its #"))
        else:
            name, text = found[1].lower(), found[2].strip()
            if name == "note":
                if text:
                    self._add(Note(number, text))
            elif name != _ENCODING or number > 1:  # the encoding that line 1 declares was used to decode the text
                self._add(Pragma(number, name, text))

    def close(self) -> tuple[RecordItem, ...]:
        """Return all items."""
        self._join_continuation()
        return tuple(self._items)

    def _add(self, item: RecordItem) -> None:
        self._join_continuation()
        self._items.append(item)

    def _join_continuation(self) -> None:
        if self._continuation_lines:
            last = self._items[-1]
            assert isinstance(last, Note | Pragma)
            self._items[-1] = replace(last, text="\n".join([last.text, *filter(None, self._continuation_lines)]))
            self._continuation_lines.clear()


def _read_event(number: int, line: str) -> GcgEvent | UnparsedLine:
    if play := _PLAY_LINE.fullmatch(line):
        nick, rack, start, word, points, total = play.groups()
        return GcgEvent(number, nick, rack, TilePlacement(start, word), int(points), int(total))
    first, *tokens = line[1:].split() or [""]
    if first.endswith(":"):
        nick = first[:-1]
    else:
        nick, colon, rest = line[1:].partition(":")
        if not colon:
            return UnparsedLine(number, line, "no colon stands behind the player")
        tokens = rest.split()
    rack = ""
    if tokens and tokens[0][0] not in "-(" and not _START.fullmatch(tokens[0]) and _find_number(tokens[0]) is None:
        rack = tokens.pop(0)
    move = _take_move(tokens)
    written_points = _take_number(tokens)
    written_total = _take_number(tokens) if written_points is not None else None
    return GcgEvent(number, nick.strip(), rack, move, written_points, written_total, " ".join(tokens))


def _take_move(tokens: list[str]) -> GcgMove:
    """Return the move that the first tokens say, and remove them."""
    match tokens:
        case [first, *_] if first[0] == "-":
            del tokens[0]
            return _DASH_MOVES.get(first) or TileExchange(first[1:])
        case [first, *_] if first[0] == "(":
            # A parenthesis may have spaces in it; one that is never closed is no move.
            closed = next((n for n, token in enumerate(tokens, start=1) if token.endswith(")")), 0)
            if closed:
                inside = "".join(tokens[:closed])[1:-1]
                del tokens[:closed]
                return _PARENTHESIZED_MOVES.get(inside.lower()) or UnplayedTilesScore(inside)
        case [start, word, *_] if _START.fullmatch(start) and _LETTER.search(word):
            del tokens[:2]
            return TilePlacement(start, word.replace("(", "").replace(")", ""))
    n = next((i for i, token in enumerate(tokens) if _find_number(token) is not None), len(tokens))
    unclear = UnknownMove(" ".join(tokens[:n]))
    del tokens[:n]
    return unclear


def _take_number(tokens: list[str]) -> int | None:
    """Return the first token as a number and remove it; None if it is no number."""
    number = _find_number(tokens[0]) if tokens else None
    if number is not None:
        del tokens[0]
    return number


def _find_number(token: str) -> int | None:
    """Return the number of `+24`, `24`, `-24`, `+-20` or one with a minus sign; None for any other token."""
    if not token[-1].isdigit():
        return None
    found = _NUMBER.fullmatch(token)
    if found is None:
        return None
    return -int(found[2]) if found[1] else int(found[2])
