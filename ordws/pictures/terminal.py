"""A board in a terminal, two columns a square: in colours, or in plain letters where there are none."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ordws.pictures.palette import GROUNDS, INKS, LAST, PREMIUMS
from ordws.pictures.words import Result, Square, Squares, clean, results
from ordws.rules.board import Board
from ordws.rules.layout import MARKS, Layout

_SIGNS: Final = {factors: mark for mark, factors in MARKS.items()}
_LAST: Final = f"bold {GROUNDS['tile'].light} on {LAST.light}"


def draw_position(
    layout: Layout, board: Board, *, title: str, last: Squares = (), stretched: Squares = (), colour: bool = True
) -> Text:
    """The text of a position. Without colour `*` stands behind the last play and `_` behind what it stretched."""
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
    """The text of a finished game: the board, and under it the final scores in the order of the players.

    Who has most points has won, unless `winners` names other seats, counted from 0.
    """
    lines = [*_lines(layout, board, title, last, stretched, colour), Text(), *_scores(results(players, winners))]
    return Text("\n").join(lines)


def _lines(layout: Layout, board: Board, title: str, last: Squares, stretched: Squares, colour: bool) -> list[Text]:
    if layout.side != board.side:
        raise ValueError(f"the layout has {layout.side} squares a side, the board {board.side}")
    draw = _in_colour if colour else _in_signs
    letters = Text("   " + " ".join([chr(ord("A") + column) for column in range(board.side)]))
    rows = []
    for row in range(board.side):
        squares = [draw(layout, board, (row, column), last, stretched) for column in range(board.side)]
        rows.append(Text.assemble(f"{row + 1:>2} ", *squares, f" {row + 1}"))
    key = _key(layout, board, last, stretched, colour)
    return [Text(clean(title)), letters, *rows, letters, *([key] if key else [])]


def _in_colour(layout: Layout, board: Board, square: Square, last: Squares, stretched: Squares) -> tuple[str, str]:
    """Two columns and their style: a letter on a tile, or what an empty square multiplies."""
    letter = board.at(*square)
    if letter == ".":
        label = PREMIUMS.get(layout.premium(*square), "")
        kind = label or ("plain" if layout.is_inner(*square) else "wing")
        return f"{label.upper():2}", _style(kind)
    if square in last:
        return f"{letter} ", _LAST
    return f"{letter} ", f"bold {_style('tile')}" + " underline" * (square in stretched)


def _in_signs(layout: Layout, board: Board, square: Square, last: Squares, stretched: Squares) -> str:
    """A sign and its mark: a letter, what an empty square multiplies, a dot, or nothing in the wings."""
    letter = board.at(*square)
    if letter == ".":
        return f"{_SIGNS[layout.premium(*square)] if layout.is_inner(*square) else ' '} "
    return letter + ("*" if square in last else "_" if square in stretched else " ")


def _style(kind: str) -> str:
    return f"{INKS[kind].light} on {GROUNDS[kind].light}"


def _key(layout: Layout, board: Board, last: Squares, stretched: Squares, colour: bool) -> Text:
    """What the marks mean that are on the board; a premium square in colour says itself what it is."""
    marks: list[str | tuple[str, str]] = []
    if last:
        marks.append(("last play", _LAST) if colour else "* last play")
    if stretched:
        marks.append(("stretched", f"bold underline {_style('tile')}") if colour else "_ stretched")
    if any(row != row.upper() for row in board.rows()):
        marks.append("lower case: a blank")
    if not colour:
        signs = {_SIGNS[factors]: label.upper() for factors, label in PREMIUMS.items()}
        marks += [f"{sign} {label}" for sign, label in signs.items() if any(sign in row for row in layout.drawn_as)]
    return Text("  ").join([Text.assemble(mark) for mark in marks])


def _scores(ended: list[Result]) -> list[Text]:
    """A line a player: name, score and result in columns."""
    width = max([cell_len(each.name) for each in ended], default=0)
    return [Text(f"{set_cell_size(name, width)} {score:>6}  {said}".rstrip()) for name, score, said in ended]
