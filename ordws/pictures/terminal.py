"""A board in a terminal, two columns for each square, in colours or in plain letters."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ordws.pictures.alt_text import RowColumn, Squares, game_results, sanitize_text
from ordws.pictures.palette import BACKGROUNDS, FOREGROUNDS, LAST_PLAY, PREMIUM_LABELS
from ordws.rules.board import Board
from ordws.rules.layout import MARKS, Layout

_PREMIUM_MARKS: Final = {factors: mark for mark, factors in MARKS.items()}
_LAST_PLAY_STYLE: Final = f"bold {BACKGROUNDS['tile'].light} on {LAST_PLAY.light}"


def draw_position(
    layout: Layout, board: Board, *, title: str, last: Squares = (), stretched: Squares = (), colour: bool = True
) -> Text:
    """Return the text of a position. Without colour `*` follows tiles of the last play and `_` those it stretched."""
    return Text("\n").join(_lines(layout, board, title, last, stretched, colour))


def draw_game(
    layout: Layout,
    board: Board,
    *,
    title: str,
    players: Sequence[tuple[str, int]],
    last: Squares = (),
    stretched: Squares = (),
    colour: bool = True,
    winners: Collection[int] | None = None,
) -> Text:
    """Return the text of a finished game: the board, and under it the final scores in the order of the players.

    The player with most points has won, unless `winners` names other seats, counted from 0.
    """
    results = game_results(players, winners)
    width = max([cell_len(result.name) for result in results], default=0)
    scores = [
        Text(f"{set_cell_size(name, width)} {score:>6}  {label}".rstrip())  # columns, whatever the width of a name
        for name, score, label in results
    ]
    return Text("\n").join([*_lines(layout, board, title, last, stretched, colour), Text(), *scores])


def _lines(layout: Layout, board: Board, title: str, last: Squares, stretched: Squares, colour: bool) -> list[Text]:
    """Return the title, the board with its labels, and a legend of the marks that are on it."""
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
    return [Text(sanitize_text(title)), letters, *rows, letters, *([legend] if legend else [])]


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
