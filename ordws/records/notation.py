"""Moves and positions as text: `8D STAiNER` as game records write it, and CGP (docs/interfaces.md 2.6, 4.5).

For the browser, ordws/web/pages/static/notation.js reads and writes both.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from itertools import takewhile
from typing import Final, NamedTuple, TypeAlias

from ordws.errors import BadInput
from ordws.rules.board import Axis, Board, board_from_rows, square_name
from ordws.rules.layout import LARGEST_SIDE
from ordws.rules.move import Exchange, Move, Pass, Play
from ordws.rules.ruleset import RULE_SETS

_START: Final = re.compile(r"[1-9]\d?[A-U]|[A-U][1-9]\d?", re.ASCII | re.IGNORECASE)
_LETTERS: Final = re.compile(r"[A-Za-z.]+", re.ASCII)
_TILES: Final = re.compile(r"[A-Z?]+", re.ASCII)


SwapSquares: TypeAlias = tuple[tuple[int, int], ...]
"""Row and column of blanks on the board."""


class BadMove(BadInput):
    """A text that is not a move."""


class MoveWithSwaps(NamedTuple):
    """The squares whose blanks are swapped first, and the move."""

    swaps: SwapSquares
    move: Move


def read_move_with_swaps(text: str) -> MoveWithSwaps:
    """Return the swaps for the blank and the move of a text such as `=H8 8D STAiNER`; raises BadMove."""
    tokens = text.split()
    first = next((i for i, token in enumerate(tokens) if not token.startswith("=")), len(tokens))
    swaps = [find_start(token[1:]) for token in tokens[:first]]
    squares = tuple([start[:2] for start in swaps if start is not None])
    if len(squares) < len(swaps):
        raise BadMove('a swap is "=" with the square of the blank, as in "=H8"')
    if len(set(squares)) < len(squares):
        raise BadMove("a blank is swapped twice")
    return MoveWithSwaps(squares, _read_move(tokens[first:]))


def read_move(text: str) -> Move:
    """Return the move of a text: a play `8D STAiNER`, an exchange `-ABC` or a pass `-`; raises BadMove."""
    return _read_move(text.split())


def write_move_with_swaps(move: MoveWithSwaps) -> str:
    """Return the text that `read_move_with_swaps` reads."""
    return " ".join([*("=" + square_name(*square) for square in move.swaps), write_move(move.move)])


def write_move(move: Move) -> str:
    """Return the text that `read_move` reads."""
    match move:
        case Play(row, column, axis, letters):
            return f"{write_start(row, column, axis)} {letters.decode()}"
        case Exchange(tiles):
            return f"-{tiles}"
        case Pass():
            return "-"


def write_start(row: int, column: int, axis: Axis) -> str:
    """Return the first square of a play: `8D` for a play across, `D8` for one down."""
    name = square_name(row, column)
    return name if axis is Axis.DOWN else name[1:] + name[0]


def find_start(text: str) -> tuple[int, int, Axis] | None:
    """Return row, column and direction of the first square of a play on a board; None for any other text."""
    if not _START.fullmatch(text):
        return None
    start = split_start(text)
    return start if start[0] < LARGEST_SIDE else None


@cache  # the texts that records have here, two digits and a letter at most, are few
def split_start(text: str) -> tuple[int, int, Axis]:
    """Return row, column and direction of a number and a letter, or a letter and a number, on a board of any size."""
    if text[0].isdigit():
        number, letter, axis = text[:-1], text[-1], Axis.ACROSS
    else:
        number, letter, axis = text[1:], text[0], Axis.DOWN
    return int(number) - 1, ord(letter.upper()) - ord("A"), axis


def _read_move(tokens: list[str]) -> Move:
    match tokens:
        case ["-"]:
            return Pass()
        case [token] if token.startswith("-"):
            if not _TILES.fullmatch(token[1:]):
                raise BadMove('an exchange is "-" with the tiles given back in capitals, "?" for a blank')
            return Exchange(token[1:])
        case [square, letters]:
            start = find_start(square)
            if start is None:
                raise BadMove('a play begins with its first square: "8D" across, "D8" down, up to row 21 and column U')
            if len(letters) > LARGEST_SIDE:
                raise BadMove(f"a play spells {LARGEST_SIDE} letters at most")
            if not _LETTERS.fullmatch(letters):
                raise BadMove('a play is spelt in letters, lower case for a blank, "." for a tile already there')
            return Play(*start, letters.encode())
        case _:
            raise BadMove('a move is a play as "8D WORD", an exchange as "-ABC" or a pass as "-"')


_SIDES: Final = sorted({rules.layout.side for rules in RULE_SETS.values()})
_ROW: Final = re.compile(r"(?:[A-Za-z]|[1-9]\d?(?!\d))+", re.ASCII)
_PART: Final = re.compile(r"[A-Za-z]+|\d+", re.ASCII)
_RUN: Final = re.compile(r"\.+")
_EMPTY_SQUARES: Final = {str(number): "." * number for number in range(1, 100)}
_RACKS: Final = re.compile(r"[A-Z?]*(?:/[A-Z?]*)*", re.ASCII)
_SCORES: Final = re.compile(r"/*|-?\d{1,5}(?:/-?\d{1,5})*", re.ASCII)
_MAX_LENGTH: Final = 4_096
# By these names it shows that racks or scores are missing before them.
_OPERATIONS: Final = frozenset(
    ("bb", "bdn", "cr", "etl", "gid", "ld", "lex", "lm", "mcnz", "oru", "ti", "tmr", "to", "var")
)


class BadPosition(BadInput):
    """A text that is not a position."""


class Position(NamedTuple):
    """A position as CGP gives it, of which only the board is required."""

    board: Board
    racks: tuple[str, ...] = ()
    """In capitals, `?` for a blank; the rack of the player to move comes first."""

    scores: tuple[int, ...] = ()
    scoreless: int = 0
    """Turns in a row without points."""

    operations: tuple[str, ...] = ()
    """Kept as they are written, such as `lex NWL23`."""


def read_cgp(text: str) -> Position:
    """Return the position of a line of CGP; raises BadPosition, naming the row at fault."""
    if len(text) > _MAX_LENGTH:
        raise BadPosition(f"a position has {_MAX_LENGTH} characters at most")
    rows, *rest = text.split() or [""]
    board = read_board(rows)
    fields = list(takewhile(lambda token: token not in _OPERATIONS, rest[:3]))
    operations = tuple([part.strip() for part in " ".join(rest[len(fields) :]).split(";") if part.strip()])
    racks, scores, zeros = [*fields, *("", "", "0")[len(fields) :]]
    if not _RACKS.fullmatch(racks):
        raise BadPosition('racks are written in capitals, "?" for a blank, "/" between players')
    if not _SCORES.fullmatch(scores):
        raise BadPosition('scores are numbers, "/" between players')
    if not (zeros.isascii() and zeros.isdigit() and len(zeros) < 4):
        raise BadPosition("turns without points are a number")
    return Position(
        board,
        tuple(racks.split("/")) if racks else (),
        tuple([int(score) for score in scores.split("/") if score]),
        int(zeros),
        operations,
    )


def read_board(text: str, sides: Collection[int] = _SIDES) -> Board:
    """Return the board of rows joined by `/`, by default with as many as a rule set's board; raises BadPosition."""
    rows = text.split("/")
    if len(rows) not in sides:
        raise BadPosition(f"a position has {' or '.join(map(str, sides))} rows, this has {len(rows)}")
    drawn = []
    for number, row in enumerate(rows, start=1):
        squares = _EMPTY_SQUARES.get(row)
        if squares is None:
            if not _ROW.fullmatch(row):
                raise BadPosition(f"row {number} of the position is not made of letters and numbers of empty squares")
            squares = "".join([_EMPTY_SQUARES.get(part, part) for part in _PART.findall(row)])
        if len(squares) != len(rows):
            raise BadPosition(f"row {number} of the position has {len(squares)} squares, {len(rows)} were expected")
        drawn.append(squares)
    return board_from_rows(drawn)


def write_cgp(position: Position) -> str:
    """Return the line of CGP of a position, with every field that other programs expect."""
    fields = [
        write_board(position.board),
        "/".join(position.racks) or "/",
        "/".join([str(score) for score in position.scores]) or "0/0",
        str(position.scoreless),
    ]
    return " ".join([*fields, *(f"{operation};" for operation in position.operations)])


def write_board(board: Board) -> str:
    """Return the rows of a board joined by `/`."""
    side = board.side
    empty, number = "." * side, str(side)
    return "/".join([number if row == empty else _RUN.sub(lambda run: str(len(run[0])), row) for row in board.rows()])
