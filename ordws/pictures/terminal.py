"""A board in a terminal, two columns a square: in colours, or in plain letters where there are none."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ordws.pictures.alt_text import PlayerResult, RowColumn, Squares, game_results, sanitize_text
from ordws.pictures.palette import BACKGROUNDS, FOREGROUNDS, LAST_PLAY, PREMIUM_LABELS
from ordws.rules.board import Board
from ordws.rules.layout import MARKS, Layout

_PREMIUM_MARKS: Final = {factors: mark for mark, factors in MARKS.items()}
_LAST_PLAY_STYLE: Final = f"bold {BACKGROUNDS['tile'].light} on {LAST_PLAY.light}"


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
    lines = [
        *_lines(layout, board, title, last, stretched, colour),
        Text(),
        *_score_lines(game_results(players, winners)),
    ]
    return Text("\n").join(lines)


def _lines(layout: Layout, board: Board, title: str, last: Squares, stretched: Squares, colour: bool) -> list[Text]:
    if layout.side != board.side:
        raise ValueError(f"the layout has {layout.side} squares a side, the board {board.side}")
    draw = _coloured_square if colour else _plain_square
    letters = Text("   " + " ".join([chr(ord("A") + column) for column in range(board.side)]))
    rows = []
    for row in range(board.side):
        squares = [draw(layout, board, (row, column), last, stretched) for column in range(board.side)]
        rows.append(Text.assemble(f"{row + 1:>2} ", *squares, f" {row + 1}"))
    key = _legend(layout, board, last, stretched, colour)
    return [Text(sanitize_text(title)), letters, *rows, letters, *([key] if key else [])]


def _coloured_square(
    layout: Layout, board: Board, square: RowColumn, last: Squares, stretched: Squares
) -> tuple[str, str]:
    """Two columns and their style: a letter on a tile, or what an empty square multiplies."""
    letter = board.letter_at(*square)
    if letter == ".":
        label = PREMIUM_LABELS.get(layout.premium(*square), "")
        kind = label or ("plain" if layout.is_inner(*square) else "wing")
        return f"{label.upper():2}", _style(kind)
    if square in last:
        return f"{letter} ", _LAST_PLAY_STYLE
    return f"{letter} ", f"bold {_style('tile')}" + " underline" * (square in stretched)


def _plain_square(layout: Layout, board: Board, square: RowColumn, last: Squares, stretched: Squares) -> str:
    """A sign and its mark: a letter, what an empty square multiplies, a dot, or nothing in the wings."""
    letter = board.letter_at(*square)
    if letter == ".":
        return f"{_PREMIUM_MARKS[layout.premium(*square)] if layout.is_inner(*square) else ' '} "
    return letter + ("*" if square in last else "_" if square in stretched else " ")


def _style(kind: str) -> str:
    return f"{FOREGROUNDS[kind].light} on {BACKGROUNDS[kind].light}"


def _legend(layout: Layout, board: Board, last: Squares, stretched: Squares, colour: bool) -> Text:
    """What the marks mean that are on the board; a premium square in colour says itself what it is."""
    marks: list[str | tuple[str, str]] = []
    if last:
        marks.append(("last play", _LAST_PLAY_STYLE) if colour else "* last play")
    if stretched:
        marks.append(("stretched", f"bold underline {_style('tile')}") if colour else "_ stretched")
    if any(row != row.upper() for row in board.rows()):
        marks.append("lower case: a blank")
    if not colour:
        signs = {_PREMIUM_MARKS[factors]: label.upper() for factors, label in PREMIUM_LABELS.items()}
        marks += [f"{sign} {label}" for sign, label in signs.items() if any(sign in row for row in layout.rows)]
    return Text("  ").join([Text.assemble(mark) for mark in marks])


def _score_lines(results: list[PlayerResult]) -> list[Text]:
    """A line a player: name, score and result in columns."""
    width = max([cell_len(each.name) for each in results], default=0)
    return [Text(f"{set_cell_size(name, width)} {score:>6}  {said}".rstrip()) for name, score, said in results]
