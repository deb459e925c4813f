"""A board as SVG; the same board gives the same bytes. For the browser, ordws/web/pages/static/svg.js draws it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from zlib import crc32

from ordws.pictures.alt_text import (
    RowColumn,
    Squares,
    describe_board,
    describe_scores,
    describe_square,
    game_results,
)
from ordws.pictures.palette import BACKGROUNDS, FOREGROUNDS, LAST_PLAY, PREMIUM_LABELS, STRETCHED_LINE, TILE_EDGE
from ordws.pictures.svg_elements import (
    FONT_FAMILY,
    background,
    draw_document,
    draw_text,
    escape_text,
    foreground,
    truncate_text,
)
from ordws.rules.board import Board
from ordws.rules.layout import Layout
from ordws.rules.tiles import TILE_VALUES

_SQUARE_SIZE: Final = 40
_MARGIN: Final = 36
_HEADER_HEIGHT: Final = 70
_FOOTER_HEIGHT: Final = 66
_SCORE_HEIGHT: Final = 36
_STAR: Final = "l1.8 4.1 4.4.5-3.3 3 .9 4.4-3.8-2.2-3.8 2.2.9-4.4-3.3-3 4.4-.5z"


class Part(NamedTuple):
    """A part of a board: its first row and column, from 0, and how many columns and rows it has."""

    row: int
    column: int
    width: int
    height: int


def draw_part(layout: Layout, board: Board, part: Part, *, title: str, last: Squares = ()) -> str:
    """Return the SVG of a part of a board without its margins, `last` squares outlined; the words tell all of it."""
    columns = range(part.column, part.column + part.width)
    shown = [(row, column) for row in range(part.row, part.row + part.height) for column in columns]
    elements = _draw_squares(layout, board, [square for square in last if square in shown], (), shown)
    return draw_document(
        f"ordws-{crc32(''.join([title, *board.rows()]).encode()):08x}",
        size=(part.width * _SQUARE_SIZE, part.height * _SQUARE_SIZE),
        origin=_square_corner((part.row, part.column)),
        attributes=f'text-anchor="middle" font-family="{FONT_FAMILY}"',
        title=title,
        description=describe_board(layout, board, last, ()),
        elements=elements,
    )


def draw_board(
    layout: Layout,
    board: Board,
    *,
    title: str,
    players: Sequence[tuple[str, int]] = (),
    last: Squares = (),
    stretched: Squares = (),
) -> str:
    """Return the SVG of a board: `last` squares outlined, `stretched` ones underlined.

    Under it stand the names and final scores of `players`, if the game is over.
    """
    side, results = board.side, game_results(players)
    if layout.side != side:
        raise ValueError(f"the layout has {layout.side} squares a side, the board {side}")
    description = describe_board(layout, board, last, stretched)
    if results:
        description += f" {describe_scores(results)}"
    right, bottom = _MARGIN + side * _SQUARE_SIZE, _HEADER_HEIGHT + side * _SQUARE_SIZE + _FOOTER_HEIGHT
    marks = ["outlined: last play"] * bool(last) + ["underlined: stretched"] * bool(stretched)
    marks += ["circled: a blank"] * any(row != row.upper() for row in board.rows())
    elements = [
        *_draw_labels(side),
        *_draw_squares(
            layout, board, last, stretched, [(row, column) for row in range(side) for column in range(side)]
        ),
        *([draw_text((_MARGIN + right) // 2, bottom - 20, ", ".join(marks), 'font-size="13"')] if marks else []),
    ]
    for seat, (name, score, label) in enumerate(results):
        top = bottom + _SCORE_HEIGHT * seat
        width, height = right - _MARGIN, _SCORE_HEIGHT - 4
        texts = [
            f'<rect {background("wing")} x="{_MARGIN}" y="{top}" width="{width}" height="{height}"/>',
            draw_text(_MARGIN + 12, top + 22, truncate_text(name, 40), 'text-anchor="start"', "wing"),
            draw_text(right - 120, top + 22, label, kind="wing"),
            draw_text(right - 12, top + 22, str(score), 'text-anchor="end"', "wing"),
        ]
        weight = ' font-weight="600"' if label else ""
        elements.append(f'<g font-size="18"{weight}>{"".join(texts)}</g>')
    whole = right + _MARGIN
    # A letter of the title takes about eleven units.
    heading = truncate_text(title, whole // 11)
    return draw_document(
        # Two boards may stand on one page, so that the ids have to follow from all that is drawn. A name may have lone
        # surrogates, which cannot be encoded.
        f"ordws-{crc32(''.join([title, description, *elements]).encode(errors='replace')):08x}",
        size=(whole, bottom + _SCORE_HEIGHT * len(results) + 8),
        attributes=f'text-anchor="middle" font-family="{FONT_FAMILY}"',
        title=title,
        description=description,
        elements=[draw_text(whole // 2, 32, heading, 'font-size="20" font-weight="600"'), *elements],
    )


def _draw_labels(side: int) -> Iterator[str]:
    """Yield the labels of rows and columns."""
    far = side * _SQUARE_SIZE
    yield f'<g {foreground("paper")} font-size="13">'
    for i in range(side):
        x, y = _square_corner((i, i))
        letter = chr(ord("A") + i)
        yield from [f'<text x="{x + 20}" y="{at + _HEADER_HEIGHT}">{letter}</text>' for at in (-9, far + 19)]
        yield from [f'<text x="{at}" y="{y + 25}">{i + 1}</text>' for at in (20, far + 52)]
    yield "</g>"


def _draw_squares(
    layout: Layout,
    board: Board,
    last: Squares,
    stretched: Squares,
    squares: Squares,
) -> Iterator[str]:
    """Yield some squares of a board, those in the wings paler, the tiles on them, and the marks on these."""
    for kind, is_inner in (("wing", False), ("plain", True)):
        corners = [_square_corner(square) for square in squares if layout.is_inner(*square) is is_inner]
        if corners:
            yield f'<path {background(kind)} d="{"".join([f"M{x + 1} {y + 1}h38v38h-38z" for x, y in corners])}"/>'
    premiums: list[str] = []
    tiles: list[str] = []
    for square in squares:
        letter = board.letter_at(*square)
        if drawn := _draw_square(layout, square, letter):
            words = describe_square(layout, board, square, last, stretched)
            (premiums if letter == "." else tiles).append(f"<g><title>{escape_text(words)}</title>{drawn}</g>")
    yield from ['<g font-size="14" font-weight="600">', *premiums, "</g>", *tiles]
    for x, y in map(_square_corner, stretched):
        yield f'<path class="s-stretched" stroke="{STRETCHED_LINE.light}" stroke-width="4" d="M{x} {y + 37}h40"/>'
    for x, y in map(_square_corner, last):
        yield (
            f'<rect class="s-last" stroke="{LAST_PLAY.light}" stroke-width="3" fill="none" x="{x + 1.5}" y="{y + 1.5}"'
            ' width="37" height="37" rx="5"/>'
        )


def _draw_square(layout: Layout, square: RowColumn, letter: str) -> str:
    """Return a tile with its value, or the label of a square without one, which is empty if there is none to see."""
    x, y = _square_corner(square)
    if letter == ".":
        kind, is_start = PREMIUM_LABELS.get(layout.premium(*square)), square == layout.start
        drawn = ""
        if kind:
            label = draw_text(x + 20, y + (33 if is_start else 25), kind.upper(), kind=kind)
            drawn = f'<rect {background(kind)} x="{x + 1}" y="{y + 1}" width="38" height="38"/>{label}'
        if is_start:
            drawn += f'<path {foreground(kind or "plain")} d="M{x + 20} {y + 5}{_STAR}"/>'
        return drawn
    fill, edge = BACKGROUNDS["tile"].light, TILE_EDGE.light
    shape = f'x="{x + 2}" y="{y + 2}" width="36" height="36" rx="4"'
    drawn = f'<rect class="g-tile s-rim" fill="{fill}" stroke="{edge}" {shape}/>'
    if letter.islower():
        drawn += f'<circle cx="{x + 18}" cy="{y + 18}" r="12.5" fill="none" stroke="{FOREGROUNDS["tile"].light}"/>'
        drawn += draw_text(x + 18, y + 24, letter.upper(), 'font-size="17" font-weight="600"', "tile")
    else:
        drawn += draw_text(x + 17, y + 27, letter, 'font-size="21" font-weight="600"', "tile")
    value = 0 if letter.islower() else TILE_VALUES[letter]
    return drawn + draw_text(x + 36, y + 33, str(value), 'font-size="10" text-anchor="end"', "tile")


def _square_corner(square: RowColumn) -> tuple[int, int]:
    """Return the left and top of a square."""
    row, column = square
    return _MARGIN + column * _SQUARE_SIZE, _HEADER_HEIGHT + row * _SQUARE_SIZE
