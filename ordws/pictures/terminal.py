"""A board in a terminal, two columns for each square, in colours or in plain letters."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from ordws.pictures.alt_text import RowColumn, Squares, sanitize_text
from ordws.pictures.palette import BACKGROUNDS, FOREGROUNDS, LAST_PLAY, PREMIUM_LABELS
from ordws.rules.board import Board
from ordws.rules.layout import MARKS, Layout

_PREMIUM_MARKS: Final = {factors: mark for mark, factors in MARKS.items()}
_LAST_PLAY_STYLE: Final = f"bold {BACKGROUNDS['tile'].light} on {LAST_PLAY.light}"


def draw_board(
    layout: Layout, board: Board, *, title: str, last: Squares = (), stretched: Squares = (), colour: bool = True
) -> Text:
    """Return the title, the board with its labels, and a legend of the marks that are on it.

    Without colour `*` follows tiles of the last play and `_` those it stretched.
    """
    if layout.side != board.side:
        raise ValueError(f"the layout has {layout.side} squares a side, the board {board.side}")
    draw = _coloured_square if colour else _plain_square
    letters = Text("   " + " ".join([chr(ord("A") + column) for column in range(board.side)]))
    rows = []
    for row in range(board.side):
        squares = [draw(layout, board, (row, column), last, stretched) for column in range(board.side)]
        rows.append(Text.assemble(f"{row + 1:>2} ", *squares, f" {row + 1}"))
    marks: list[str | tuple[str, str]] = []
    if last:
        marks.append(("last play", _LAST_PLAY_STYLE) if colour else "* last play")
    if stretched:
        marks.append(("stretched", f"bold underline {_style('tile')}") if colour else "_ stretched")
    if any(row != row.upper() for row in board.rows()):
        marks.append("lower case: a blank")
    if not colour:  # in colour a premium square shows its label
        signs = {_PREMIUM_MARKS[factors]: label.upper() for factors, label in PREMIUM_LABELS.items()}
        marks += [f"{sign} {label}" for sign, label in signs.items() if any(sign in row for row in layout.rows)]
    legend = Text("  ").join([Text.assemble(mark) for mark in marks])
    return Text("\n").join([Text(sanitize_text(title)), letters, *rows, letters, *([legend] if legend else [])])


def _coloured_square(
    layout: Layout, board: Board, square: RowColumn, last: Squares, stretched: Squares
) -> tuple[str, str]:
    """Return two columns and their style: the letter of a tile, or the premium of an empty square."""
    letter = board.letter_at(*square)
    if letter == ".":
        label = PREMIUM_LABELS.get(layout.premium(*square), "")
        kind = label or ("plain" if layout.is_inner(*square) else "wing")
        return f"{label.upper():2}", _style(kind)
    if square in last:
        return f"{letter} ", _LAST_PLAY_STYLE
    return f"{letter} ", f"bold {_style('tile')}" + " underline" * (square in stretched)


def _plain_square(layout: Layout, board: Board, square: RowColumn, last: Squares, stretched: Squares) -> str:
    """Return a letter and its mark, or the mark of an empty square in a layout; blank in the wings."""
    letter = board.letter_at(*square)
    if letter == ".":
        return f"{_PREMIUM_MARKS[layout.premium(*square)] if layout.is_inner(*square) else ' '} "
    return letter + ("*" if square in last else "_" if square in stretched else " ")


def _style(kind: str) -> str:
    return f"{FOREGROUNDS[kind].light} on {BACKGROUNDS[kind].light}"
