"""Positions as CGP writes them: rows, racks, scores, turns without points. (INTERFACES 2, 4)"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Final, NamedTuple

from ordws.errors import BadInput
from ordws.rules.board import Board, board_from_rows, empty_board

BOARD_SIDES: Final = (15, 21)
_ROW: Final = re.compile(r"(?:[A-Za-z]|[1-9]\d?(?!\d))+", re.ASCII)
_PART: Final = re.compile(r"[A-Za-z]|\d+", re.ASCII)
_RACKS: Final = re.compile(r"[A-Z?]*(?:/[A-Z?]*)*", re.ASCII)
_SCORES: Final = re.compile(r"/*|-?\d{1,5}(?:/-?\d{1,5})*", re.ASCII)
_LONGEST: Final = 4_096
_OPERATIONS: Final = frozenset(
    ("bb", "bdn", "cr", "etl", "gid", "ld", "lex", "lm", "mcnz", "oru", "ti", "tmr", "to", "var")
)


class BadPosition(BadInput):
    """A text is not a position."""


class Position(NamedTuple):
    """What CGP says. Racks, scores and turns without points may be missing; operations are kept as they stand."""

    board: Board
    racks: tuple[str, ...] = ()
    """In capitals, `?` for a blank, that of the player to move first."""

    scores: tuple[int, ...] = ()
    scoreless: int = 0
    operations: tuple[str, ...] = ()


def read_cgp(text: str) -> Position:
    """The position of a line of CGP; raises BadPosition, saying in which row."""
    if len(text) > _LONGEST:
        raise BadPosition(f"a position has {_LONGEST} characters at most")
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


def read_board(text: str) -> Board:
    """The board of rows joined by `/`, of 15 or 21 squares a side; raises BadPosition."""
    rows = text.split("/")
    if len(rows) not in BOARD_SIDES:
        raise BadPosition(f"a position has 15 or 21 rows, this has {len(rows)}")
    return board_from_rows([_read_row(number, row, len(rows)) for number, row in enumerate(rows, start=1)])


def _read_row(number: int, row: str, side: int) -> str:
    if not _ROW.fullmatch(row):
        raise BadPosition(f"row {number} of the position is not made of letters and numbers of empty squares")
    squares = "".join(["." * int(part) if part.isdigit() else part for part in _PART.findall(row)])
    if len(squares) != side:
        raise BadPosition(f"row {number} of the position has {len(squares)} squares, {side} were expected")
    return squares


def write_cgp(position: Position) -> str:
    """The line of CGP of a position."""
    fields = [
        write_board(position.board),
        "/".join(position.racks) or "/",
        "/".join([str(score) for score in position.scores]) or "0/0",
        str(position.scoreless),
    ]
    return " ".join([*fields, *(f"{operation};" for operation in position.operations)])


def write_board(board: Board) -> str:
    """The rows of a board joined by `/`."""
    return "/".join([re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in board.rows()])


def empty_position(side: int) -> Position:
    return Position(empty_board(side))
