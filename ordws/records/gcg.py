"""GCG, read as it is really written and written as other programs read it. (INTERFACES 4)"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ordws.errors import BadInput
from ordws.records.encoding import decode
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

_LINES: Final = re.compile(r"\r*\n|\r")
_PRAGMA: Final = re.compile(r"#([A-Za-z][\w-]*)\s*(.*)", re.ASCII)
_PLAY_LINE: Final = re.compile(
    r">(\S+):\s+([A-Z?]+)\s+(\d{1,2}[A-Z]|[A-Z]\d{1,2})\s+([A-Za-z.]+)\s+\+(\d{1,12})\s+(-?\d{1,12})", re.ASCII
)
"""What nearly every line is, read at one go; all others are read token by token, to the same result."""

_START: Final = re.compile(r"\d{1,2}[A-Za-z]|[A-Za-z]\d{1,2}", re.ASCII)
_NUMBER: Final = re.compile(r"\+?([-−]?)(\d{1,12})", re.ASCII)
_LETTER: Final = re.compile(r"[^\W\d_]|\.")
_ENCODING: Final = "character-encoding"


class BadRecord(BadInput):
    """A file has not one line of a game record."""


def read_gcg(data: bytes) -> Record:
    """The record of any bytes that have a line beginning with `#` or `>`; raises BadRecord where there is none."""
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
    """The record in UTF-8, each line as other programs read it; reading it gives the same record."""
    lines = [f"#{_ENCODING} UTF-8"]
    for item in record.items:
        match item:
            case GcgEvent():
                lines.append(write_event(item))
            case Note():
                lines += _write_note(item.text)
            case Pragma():
                lines.append(f"#{item.name} {item.text}".rstrip().replace("\n", "\n#- "))
            case UnparsedLine():
                lines.append(item.text)
    return ("\n".join(lines) + "\n").encode()


def write_event(event: GcgEvent) -> str:
    """`>nick: RACK 8D WORD +24 24`; without a rack there are two spaces, which other programs look for."""
    tail = [event.extra] if event.extra else []
    if event.total is not None:
        tail = [str(event.total), *tail]
    if event.points is not None:
        # Where no move is told from them, -3 points would read as an exchange.
        tail = [f"+{event.points}" if isinstance(event.move, UnknownMove) else f"{event.points:+d}", *tail]
    return " ".join([f">{event.nick}:", event.rack, _write_move(event.move), *tail])


class _Reader:
    """The items read so far, and the lines with which the last one goes on."""

    def __init__(self) -> None:
        self._items: list[RecordItem] = []
        self._continuation_lines: list[str] = []

    def read(self, number: int, line: str) -> None:
        if line[0] == ">":
            self._add(_read_event(number, line))
        elif line[0] != "#" or line.startswith("#-"):
            self._continue(number, line)
        elif found := _PRAGMA.fullmatch(line):
            self._read_pragma(number, found[1].lower(), found[2].strip())
        else:
            self._add(UnparsedLine(number, line, "no name stands behind its #"))

    def close(self) -> tuple[RecordItem, ...]:
        self._join_continuation()
        return tuple(self._items)

    def _add(self, item: RecordItem) -> None:
        self._join_continuation()
        self._items.append(item)

    def _read_pragma(self, number: int, name: str, text: str) -> None:
        if name != "note":
            if name != _ENCODING or number > 1:
                self._add(Pragma(number, name, text))
        elif text:
            self._add(Note(number, text))

    def _continue(self, number: int, line: str) -> None:
        """A bare line goes on with a note, `#-` with any pragma."""
        last = self._items[-1] if self._items else None
        if isinstance(last, Note) or (isinstance(last, Pragma) and line[0] == "#" and last.name != _ENCODING):
            self._continuation_lines.append(line.removeprefix("#-").strip())
        else:
            self._add(UnparsedLine(number, line, "it begins with neither # nor >, and follows no note"))

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
    return _read_tokens(number, line)


def _read_tokens(number: int, line: str) -> GcgEvent | UnparsedLine:
    first, *tokens = line[1:].split() or [""]
    if first.endswith(":"):
        nick = first[:-1]
    else:
        nick, colon, rest = line[1:].partition(":")
        if not colon:
            return UnparsedLine(number, line, "no colon stands behind the player")
        tokens = rest.split()
    rack = tokens.pop(0) if tokens and not (_is_move(tokens[0]) or _find_number(tokens[0]) is not None) else ""
    deed = _take_move(tokens)
    points = _take_number(tokens)
    total = _take_number(tokens) if points is not None else None
    return GcgEvent(number, nick.strip(), rack, deed, points, total, " ".join(tokens))


def _is_move(token: str) -> bool:
    return token[0] in "-(" or _START.fullmatch(token) is not None


def _take_move(tokens: list[str]) -> GcgMove:
    """What the first tokens say was done; they are removed."""
    match tokens:
        case [first, *_] if first[0] == "-":
            del tokens[0]
            return _DASH_MOVES.get(first) or TileExchange(first[1:])
        case [first, *_] if first[0] == "(" and (n := _find_closing(tokens)):
            inside = "".join(tokens[:n])[1:-1]
            del tokens[:n]
            return _PARENTHESIZED_MOVES.get(inside.lower()) or UnplayedTilesScore(inside)
        case [start, word, *_] if _START.fullmatch(start) and _LETTER.search(word):
            del tokens[:2]
            return TilePlacement(start, word.replace("(", "").replace(")", ""))
    n = next((i for i, token in enumerate(tokens) if _find_number(token) is not None), len(tokens))
    unclear = UnknownMove(" ".join(tokens[:n]))
    del tokens[:n]
    return unclear


_DASH_MOVES: Final[dict[str, GcgMove]] = {"-": PassedTurn(), "-0": PassedTurn(), "--": Withdrawal()}
_PARENTHESIZED_MOVES: Final[dict[str, GcgMove]] = {"challenge": ChallengeBonus(), "time": TimePenalty()}


def _find_closing(tokens: list[str]) -> int:
    """How many tokens a parenthesis runs over; 0 where it is not closed."""
    return next((n for n, token in enumerate(tokens, start=1) if token.endswith(")")), 0)


def _take_number(tokens: list[str]) -> int | None:
    """The number that stands first is removed."""
    number = _find_number(tokens[0]) if tokens else None
    if number is not None:
        del tokens[0]
    return number


def _find_number(token: str) -> int | None:
    """`+24`, `24`, `-24` or `+-20`."""
    if not token[-1].isdigit():
        return None
    found = _NUMBER.fullmatch(token)
    if found is None:
        return None
    return -int(found[2]) if found[1] else int(found[2])


def _write_move(move: GcgMove) -> str:
    match move:
        case TilePlacement(start, word):
            return f"{start} {word}"
        case TileExchange(tiles):
            return f"-{tiles}"
        case PassedTurn():
            return "-"
        case Withdrawal():
            return "--"
        case ChallengeBonus():
            return "(challenge)"
        case TimePenalty():
            return "(time)"
        case UnplayedTilesScore(tiles):
            return f"({tiles})"
        case UnknownMove(text):
            return text


def _write_note(text: str) -> list[str]:
    """Lines of a note; one that would be read as something else begins a note of its own."""
    first, *more = [line.strip() for line in text.split("\n") if line.strip()] or [""]
    return [f"#note {first}", *(f"#note {line}" if line[0] in "#>" else line for line in more)]
