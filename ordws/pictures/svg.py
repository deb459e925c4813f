"""A board as SVG: the same board gives the same bytes, with its words for those who do not see it."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final
from zlib import crc32

from ordws.pictures.alt_text import (
    PlayerResult,
    RowColumn,
    Squares,
    describe_board,
    describe_scores,
    describe_square,
    game_results,
    sanitize_text,
)
from ordws.pictures.palette import (
    BACKGROUNDS,
    FOREGROUNDS,
    LAST_PLAY,
    PREMIUM_LABELS,
    STRETCHED_LINE,
    TILE_EDGE,
    style_sheet,
)
from ordws.rules.board import Board
from ordws.rules.layout import Layout
from ordws.rules.tiles import TILE_VALUES

_SQUARE_SIZE: Final = 40
_MARGIN: Final = 36
_HEADER_HEIGHT: Final = 70
_SCORE_HEIGHT: Final = 36
_STAR: Final = "l1.8 4.1 4.4.5-3.3 3 .9 4.4-3.8-2.2-3.8 2.2.9-4.4-3.3-3 4.4-.5z"
_FONTS: Final = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"


def draw_position(
    layout: Layout,
    board: Board,
    *,
    title: str,
    last: Squares = (),
    stretched: Squares = (),
    values: Mapping[str, int] = TILE_VALUES,
) -> str:
    """The SVG of a position; `last` squares are outlined, `stretched` ones underlined, `values` are by capital."""
    drawn = _draw_board(layout, board, last, stretched, values)
    return _svg_document(board.side, title, describe_board(layout, board, last, stretched), drawn)


def draw_game(
    layout: Layout,
    board: Board,
    *,
    title: str,
    players: Sequence[tuple[str, int]],
    last: Squares = (),
    stretched: Squares = (),
    values: Mapping[str, int] = TILE_VALUES,
    winners: Collection[int] | None = None,
) -> str:
    """The SVG of a finished game: the board, and under it the final scores in the order of the players.

    Who has most points has won, unless `winners` names other seats, counted from 0.
    """
    ended = game_results(players, winners)
    drawn = _draw_board(layout, board, last, stretched, values)
    words = f"{describe_board(layout, board, last, stretched)} {describe_scores(ended)}"
    return _svg_document(
        board.side, title, words, drawn, [_draw_score(board.side, i, each) for i, each in enumerate(ended)]
    )


def _svg_document(side: int, title: str, words: str, board: list[str], scores: Sequence[str] = ()) -> str:
    width, height = 2 * _MARGIN + side * _SQUARE_SIZE, _board_bottom(side) + _SCORE_HEIGHT * len(scores) + 8
    drawn = "".join([title, words, *board, *scores]).encode(errors="replace")
    shown = f"ordws-{crc32(drawn):08x}"  # two boards may stand on one page
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="ordws-board" viewBox="0 0 {width} {height}" width="{width}"'
            f' height="{height}" role="img" aria-labelledby="{shown}-title {shown}-words" text-anchor="middle"'
            f' font-family="{_FONTS}">',
            f'<title id="{shown}-title">{_escape_text(title)}</title>',
            f'<desc id="{shown}-words">{_escape_text(words)}</desc>',
            style_sheet(),
            f'<rect {_background("paper")} width="{width}" height="{height}"/>',
            _text("paper", width // 2, 32, _truncate(title, width // 11), 'font-size="20" font-weight="600"'),
            *board,
            *scores,
            "</svg>\n",
        ]
    )


def _board_bottom(side: int) -> int:
    """Where the board with its labels and its key ends."""
    return _HEADER_HEIGHT + side * _SQUARE_SIZE + 66


def _draw_board(
    layout: Layout, board: Board, last: Squares, stretched: Squares, values: Mapping[str, int]
) -> list[str]:
    _check_squares(layout, board, [*last, *stretched])
    squares = [(row, column) for row in range(board.side) for column in range(board.side)]
    laid = [square for square in squares if board.letter_at(*square) != "."]
    told = [square for square in squares if board.letter_at(*square) == "." and _is_labelled(layout, square)]

    def named(square: RowColumn, drawn: str) -> str:
        words = describe_square(layout, board, square, values, last, stretched)
        return f"<g><title>{_escape_text(words)}</title>{drawn}</g>"

    return [
        *_draw_labels(board.side),
        *_draw_grounds(layout, squares),
        '<g font-size="14" font-weight="600">',
        *[named(square, _draw_premium(layout, square)) for square in told],
        "</g>",
        *[named(square, _draw_tile(square, board.letter_at(*square), values)) for square in laid],
        *[_draw_underline(square) for square in stretched],
        *[_draw_outline(square) for square in last],
        *_draw_legend(board, last, stretched),
    ]


def _check_squares(layout: Layout, board: Board, squares: Squares) -> None:
    if layout.side != board.side:
        raise ValueError(f"the layout has {layout.side} squares a side, the board {board.side}")
    for row, column in squares:
        if not (0 <= row < board.side and 0 <= column < board.side):
            raise ValueError(f"row {row}, column {column} is not on a board of {board.side} squares a side")


def _is_labelled(layout: Layout, square: RowColumn) -> bool:
    """Whether there is something to see on a square without a tile."""
    return layout.premium(*square) != (1, 1) or square == layout.start


def _draw_labels(side: int) -> Iterator[str]:
    """The letters of the columns and the numbers of the rows, on all four sides."""
    yield f'<g {_foreground("paper")} font-size="13">'
    for i in range(side):
        (x, y), letter = _square_corner((i, i)), chr(ord("A") + i)
        yield from [
            f'<text x="{x + 20}" y="{at}">{letter}</text>'
            for at in (_HEADER_HEIGHT - 9, _HEADER_HEIGHT + side * _SQUARE_SIZE + 19)
        ]
        yield from [f'<text x="{at}" y="{y + 25}">{i + 1}</text>' for at in (20, 52 + side * _SQUARE_SIZE)]
    yield "</g>"


def _draw_grounds(layout: Layout, squares: Squares) -> Iterator[str]:
    """All squares, those in the wings paler."""
    for kind, inner in (("wing", False), ("plain", True)):
        corners = [_square_corner(square) for square in squares if layout.is_inner(*square) is inner]
        if corners:
            yield f'<path {_background(kind)} d="{"".join([f"M{x + 1} {y + 1}h38v38h-38z" for x, y in corners])}"/>'


def _draw_premium(layout: Layout, square: RowColumn) -> str:
    """A premium square with its label; a star where the first play has to go."""
    kind, (x, y), starts = PREMIUM_LABELS.get(layout.premium(*square)), _square_corner(square), square == layout.start
    drawn = ""
    if kind:
        label = _text(kind, x + 20, y + (33 if starts else 25), kind.upper())
        drawn = f'<rect {_background(kind)} x="{x + 1}" y="{y + 1}" width="38" height="38"/>{label}'
    if starts:
        drawn += f'<path {_foreground(kind or "plain")} d="M{x + 20} {y + 5}{_STAR}"/>'
    return drawn


def _draw_tile(square: RowColumn, letter: str, values: Mapping[str, int]) -> str:
    """A tile with its value; a blank is circled and counts 0."""
    x, y = _square_corner(square)
    body = (
        f'<rect class="g-tile s-rim" fill="{BACKGROUNDS["tile"].light}" stroke="{TILE_EDGE.light}" x="{x + 2}" y="{y + 2}"'
        ' width="36" height="36" rx="4"/>'
    )
    if letter.islower():
        ring = f'<circle cx="{x + 18}" cy="{y + 18}" r="12.5" fill="none" stroke="{FOREGROUNDS["tile"].light}"/>'
        face = ring + _text("tile", x + 18, y + 24, letter.upper(), 'font-size="17" font-weight="600"')
    else:
        face = _text("tile", x + 17, y + 27, letter, 'font-size="21" font-weight="600"')
    value = 0 if letter.islower() else values[letter]
    return body + face + _text("tile", x + 36, y + 33, str(value), 'font-size="10" text-anchor="end"')


def _draw_underline(square: RowColumn) -> str:
    x, y = _square_corner(square)
    return f'<path class="s-stretched" stroke="{STRETCHED_LINE.light}" stroke-width="4" d="M{x} {y + 37}h40"/>'


def _draw_outline(square: RowColumn) -> str:
    x, y = _square_corner(square)
    return (
        f'<rect class="s-last" stroke="{LAST_PLAY.light}" stroke-width="3" fill="none" x="{x + 1.5}" y="{y + 1.5}"'
        ' width="37" height="37" rx="5"/>'
    )


def _draw_legend(board: Board, last: Squares, stretched: Squares) -> list[str]:
    """What the marks mean that are on the board."""
    marks = ["outlined: last play"] * bool(last) + ["underlined: stretched"] * bool(stretched)
    marks += ["circled: a blank"] * any(row != row.upper() for row in board.rows())
    middle = _MARGIN + board.side * _SQUARE_SIZE // 2
    return [_text("paper", middle, _board_bottom(board.side) - 20, ", ".join(marks), 'font-size="13"')] if marks else []


def _draw_score(side: int, seat: int, result: PlayerResult) -> str:
    """The line of a player: name, result and score."""
    right, top = _MARGIN + side * _SQUARE_SIZE, _board_bottom(side) + _SCORE_HEIGHT * seat
    said = [
        f'<rect {_background("wing")} x="{_MARGIN}" y="{top}" width="{side * _SQUARE_SIZE}" height="{_SCORE_HEIGHT - 4}"/>',
        _text("wing", _MARGIN + 12, top + 22, _truncate(result.name, 40), 'text-anchor="start"'),
        _text("wing", right - 120, top + 22, result.label),
        _text("wing", right - 12, top + 22, str(result.score), 'text-anchor="end"'),
    ]
    weight = ' font-weight="600"' if result.label else ""
    return f'<g font-size="18"{weight}>{"".join(said)}</g>'


def _square_corner(square: RowColumn) -> tuple[int, int]:
    """Where a square begins, from the left and from the top."""
    row, column = square
    return _MARGIN + column * _SQUARE_SIZE, _HEADER_HEIGHT + row * _SQUARE_SIZE


def _background(kind: str) -> str:
    return f'class="g-{kind}" fill="{BACKGROUNDS[kind].light}"'


def _foreground(kind: str) -> str:
    return f'class="i-{kind}" fill="{FOREGROUNDS[kind].light}"'


def _text(kind: str, x: int, y: int, words: str, more: str = "") -> str:
    return f'<text {_foreground(kind)} x="{x}" y="{y}"{" " if more else ""}{more}>{_escape_text(words)}</text>'


def _truncate(words: str, most: int) -> str:
    """What has room: signs of double width count twice."""
    words, used = sanitize_text(words), 0
    for i, sign in enumerate(words):
        used += 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        if used > most:
            return words[: i - 1] + "\u2026"
    return words


def _escape_text(words: str) -> str:
    """As XML holds it, in a text or between quotes."""
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        words = words.replace(sign, entity)
    return sanitize_text(words)
