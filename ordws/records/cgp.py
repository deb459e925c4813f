"""Positions as CGP writes them: rows, racks, scores, turns without points (docs/interfaces.md 2.6, 4.5).

For the browser, ordws/web/pages/static/notation.js reads and writes them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import takewhile
from typing import Final, NamedTuple

from ordws.errors import BadInput
from ordws.rules.board import Board, board_from_rows
from ordws.rules.rulesets import RULE_SETS

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
