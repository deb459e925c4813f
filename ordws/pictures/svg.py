"""A board as SVG: the same board gives the same bytes, with its words for those who do not see it."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final
from zlib import crc32

from ordws.pictures.palette import GROUNDS, INKS, LAST, PREMIUMS, RIM, STRETCHED, style_sheet
from ordws.pictures.words import Result, Square, Squares, clean, describe, describe_scores, describe_square, results
from ordws.rules.board import Board
from ordws.rules.layout import Layout
from ordws.rules.tiles import VALUES

_CELL: Final = 40
_EDGE: Final = 36
_HEAD: Final = 70
_LINE: Final = 36
_STAR: Final = "l1.8 4.1 4.4.5-3.3 3 .9 4.4-3.8-2.2-3.8 2.2.9-4.4-3.3-3 4.4-.5z"
_FONTS: Final = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"


def draw_position(
    layout: Layout,
    board: Board,
    *,
    title: str,
    last: Squares = (),
    stretched: Squares = (),
    values: Mapping[str, int] = VALUES,
) -> str:
    """The SVG of a position; `last` squares are outlined, `stretched` ones underlined, `values` are by capital."""
    drawn = _draw_board(layout, board, last, stretched, values)
    return _whole(board.side, title, describe(layout, board, last, stretched), drawn)


def draw_game(
    layout: Layout,
    board: Board,
    *,
    title: str,
    players: Sequence[tuple[str, int]],
    last: Squares = (),
    stretched: Squares = (),
    values: Mapping[str, int] = VALUES,
    winners: Collection[int] | None = None,
) -> str:
    """The SVG of a finished game: the board, and under it the final scores in the order of the players.

    Who has most points has won, unless `winners` names other seats, counted from 0.
    """
    ended = results(players, winners)
    drawn = _draw_board(layout, board, last, stretched, values)
    words = f"{describe(layout, board, last, stretched)} {describe_scores(ended)}"
    return _whole(board.side, title, words, drawn, [_draw_score(board.side, i, each) for i, each in enumerate(ended)])


def _whole(side: int, title: str, words: str, board: list[str], scores: Sequence[str] = ()) -> str:
    width, height = 2 * _EDGE + side * _CELL, _bottom(side) + _LINE * len(scores) + 8
    drawn = "".join([title, words, *board, *scores]).encode(errors="replace")
    shown = f"ordws-{crc32(drawn):08x}"  # two boards may stand on one page
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="ordws-board" viewBox="0 0 {width} {height}" width="{width}"'
            f' height="{height}" role="img" aria-labelledby="{shown}-title {shown}-words" text-anchor="middle"'
            f' font-family="{_FONTS}">',
            f'<title id="{shown}-title">{_escaped(title)}</title>',
            f'<desc id="{shown}-words">{_escaped(words)}</desc>',
            style_sheet(),
            f'<rect {_ground("paper")} width="{width}" height="{height}"/>',
            _text("paper", width // 2, 32, _cut(title, width // 11), 'font-size="20" font-weight="600"'),
            *board,
            *scores,
            "</svg>\n",
        ]
    )


def _bottom(side: int) -> int:
    """Where the board with its labels and its key ends."""
    return _HEAD + side * _CELL + 66


def _draw_board(
    layout: Layout, board: Board, last: Squares, stretched: Squares, values: Mapping[str, int]
) -> list[str]:
    _check(layout, board, [*last, *stretched])
    squares = [(row, column) for row in range(board.side) for column in range(board.side)]
    laid = [square for square in squares if board.at(*square) != "."]
    told = [square for square in squares if board.at(*square) == "." and _is_told(layout, square)]

    def named(square: Square, drawn: str) -> str:
        words = describe_square(layout, board, square, values, last, stretched)
        return f"<g><title>{_escaped(words)}</title>{drawn}</g>"

    return [
        *_draw_labels(board.side),
        *_draw_grounds(layout, squares),
        '<g font-size="14" font-weight="600">',
        *[named(square, _draw_premium(layout, square)) for square in told],
        "</g>",
        *[named(square, _draw_tile(square, board.at(*square), values)) for square in laid],
        *[_draw_underline(square) for square in stretched],
        *[_draw_outline(square) for square in last],
        *_draw_key(board, last, stretched),
    ]


def _check(layout: Layout, board: Board, squares: Squares) -> None:
    if layout.side != board.side:
        raise ValueError(f"the layout has {layout.side} squares a side, the board {board.side}")
    for row, column in squares:
        if not (0 <= row < board.side and 0 <= column < board.side):
            raise ValueError(f"row {row}, column {column} is not on a board of {board.side} squares a side")


def _is_told(layout: Layout, square: Square) -> bool:
    """Whether there is something to see on a square without a tile."""
    return layout.premium(*square) != (1, 1) or square == layout.start


def _draw_labels(side: int) -> Iterator[str]:
    """The letters of the columns and the numbers of the rows, on all four sides."""
    yield f'<g {_ink("paper")} font-size="13">'
    for i in range(side):
        (x, y), letter = _corner((i, i)), chr(ord("A") + i)
        yield from [f'<text x="{x + 20}" y="{at}">{letter}</text>' for at in (_HEAD - 9, _HEAD + side * _CELL + 19)]
        yield from [f'<text x="{at}" y="{y + 25}">{i + 1}</text>' for at in (20, 52 + side * _CELL)]
    yield "</g>"


def _draw_grounds(layout: Layout, squares: Squares) -> Iterator[str]:
    """All squares, those in the wings paler."""
    for kind, inner in (("wing", False), ("plain", True)):
        corners = [_corner(square) for square in squares if layout.is_inner(*square) is inner]
        if corners:
            yield f'<path {_ground(kind)} d="{"".join([f"M{x + 1} {y + 1}h38v38h-38z" for x, y in corners])}"/>'


def _draw_premium(layout: Layout, square: Square) -> str:
    """A premium square with its label; a star where the first play has to go."""
    kind, (x, y), starts = PREMIUMS.get(layout.premium(*square)), _corner(square), square == layout.start
    drawn = ""
    if kind:
        label = _text(kind, x + 20, y + (33 if starts else 25), kind.upper())
        drawn = f'<rect {_ground(kind)} x="{x + 1}" y="{y + 1}" width="38" height="38"/>{label}'
    if starts:
        drawn += f'<path {_ink(kind or "plain")} d="M{x + 20} {y + 5}{_STAR}"/>'
    return drawn


def _draw_tile(square: Square, letter: str, values: Mapping[str, int]) -> str:
    """A tile with its value; a blank is circled and counts 0."""
    x, y = _corner(square)
    body = (
        f'<rect class="g-tile s-rim" fill="{GROUNDS["tile"].light}" stroke="{RIM.light}" x="{x + 2}" y="{y + 2}"'
        ' width="36" height="36" rx="4"/>'
    )
    if letter.islower():
        ring = f'<circle cx="{x + 18}" cy="{y + 18}" r="12.5" fill="none" stroke="{INKS["tile"].light}"/>'
        face = ring + _text("tile", x + 18, y + 24, letter.upper(), 'font-size="17" font-weight="600"')
    else:
        face = _text("tile", x + 17, y + 27, letter, 'font-size="21" font-weight="600"')
    value = 0 if letter.islower() else values[letter]
    return body + face + _text("tile", x + 36, y + 33, str(value), 'font-size="10" text-anchor="end"')


def _draw_underline(square: Square) -> str:
    x, y = _corner(square)
    return f'<path class="s-stretched" stroke="{STRETCHED.light}" stroke-width="4" d="M{x} {y + 37}h40"/>'


def _draw_outline(square: Square) -> str:
    x, y = _corner(square)
    return (
        f'<rect class="s-last" stroke="{LAST.light}" stroke-width="3" fill="none" x="{x + 1.5}" y="{y + 1.5}"'
        ' width="37" height="37" rx="5"/>'
    )


def _draw_key(board: Board, last: Squares, stretched: Squares) -> list[str]:
    """What the marks mean that are on the board."""
    marks = ["outlined: last play"] * bool(last) + ["underlined: stretched"] * bool(stretched)
    marks += ["circled: a blank"] * any(row != row.upper() for row in board.rows())
    middle = _EDGE + board.side * _CELL // 2
    return [_text("paper", middle, _bottom(board.side) - 20, ", ".join(marks), 'font-size="13"')] if marks else []


def _draw_score(side: int, seat: int, ended: Result) -> str:
    """The line of a player: name, result and score."""
    right, top = _EDGE + side * _CELL, _bottom(side) + _LINE * seat
    said = [
        f'<rect {_ground("wing")} x="{_EDGE}" y="{top}" width="{side * _CELL}" height="{_LINE - 4}"/>',
        _text("wing", _EDGE + 12, top + 22, _cut(ended.name, 40), 'text-anchor="start"'),
        _text("wing", right - 120, top + 22, ended.said),
        _text("wing", right - 12, top + 22, str(ended.score), 'text-anchor="end"'),
    ]
    weight = ' font-weight="600"' if ended.said else ""
    return f'<g font-size="18"{weight}>{"".join(said)}</g>'


def _corner(square: Square) -> tuple[int, int]:
    """Where a square begins, from the left and from the top."""
    row, column = square
    return _EDGE + column * _CELL, _HEAD + row * _CELL


def _ground(kind: str) -> str:
    return f'class="g-{kind}" fill="{GROUNDS[kind].light}"'


def _ink(kind: str) -> str:
    return f'class="i-{kind}" fill="{INKS[kind].light}"'


def _text(kind: str, x: int, y: int, words: str, more: str = "") -> str:
    return f'<text {_ink(kind)} x="{x}" y="{y}"{" " if more else ""}{more}>{_escaped(words)}</text>'


def _cut(words: str, most: int) -> str:
    """What has room: signs of double width count twice."""
    words, used = clean(words), 0
    for i, sign in enumerate(words):
        used += 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        if used > most:
            return words[: i - 1] + "\u2026"
    return words


def _escaped(words: str) -> str:
    """As XML holds it, in a text or between quotes."""
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        words = words.replace(sign, entity)
    return clean(words)
