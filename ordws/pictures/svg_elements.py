"""The elements that all SVG pictures share: the frame, texts, and colours that a page may change."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable
from typing import Final

from ordws.pictures.alt_text import sanitize_text
from ordws.pictures.palette import BACKGROUNDS, FOREGROUNDS, LAST_PLAY, style_sheet

FONT_FAMILY: Final = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"


def draw_document(
    document_id: str,
    *,
    size: tuple[int, int],
    attributes: str,
    title: str,
    description: str,
    elements: Iterable[str],
    origin: tuple[int, int] = (0, 0),
) -> str:
    """Return an SVG image with its accessible title and description.

    `document_id` tells their ids from those of other pictures on a page; `size` is width and height, `origin` the left
    and top of what is shown.
    """
    (width, height), (left, top) = size, origin
    corner = f'x="{left}" y="{top}" ' if any(origin) else ""
    labels = f'aria-labelledby="{document_id}-title {document_id}-words"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="ordws-board" viewBox="{left} {top} {width} {height}"'
            f' width="{width}" height="{height}" role="img" {labels} {attributes}>',
            f'<title id="{document_id}-title">{escape_text(title)}</title>',
            f'<desc id="{document_id}-words">{escape_text(description)}</desc>',
            style_sheet(),
            f'<rect {background("paper")} {corner}width="{width}" height="{height}"/>',
            *elements,
            "</svg>\n",
        ]
    )


def draw_text(x: float, y: int, text: str, attributes: str = "", kind: str = "paper") -> str:
    """Return a text in the colour that is readable on a background of this kind."""
    # Boards have whole coordinates, which are written without a decimal.
    left = x if isinstance(x, int) else f"{x:.1f}"
    return (
        f'<text {foreground(kind)} x="{left}" y="{y}"{" " if attributes else ""}{attributes}>{escape_text(text)}</text>'
    )


def draw_path(points: Iterable[tuple[float, float]], attributes: str = 'stroke-width="2"') -> str:
    """Return a line from point to point."""
    way = "L".join([f"{x:.1f} {y:.1f}" for x, y in points])
    return f'<path class="s-last" fill="none" stroke="{LAST_PLAY.light}" {attributes} d="M{way}"/>'


def background(kind: str) -> str:
    """Return the attributes that fill a shape with a background colour of the palette."""
    return f'class="g-{kind}" fill="{BACKGROUNDS[kind].light}"'


def foreground(kind: str) -> str:
    """Return the attributes that fill a text or a sign with the colour for a background of this kind."""
    return f'class="i-{kind}" fill="{FOREGROUNDS[kind].light}"'


def truncate_text(text: str, most: int) -> str:
    """Return a text with at most this many columns, sanitized; characters of double width count twice."""
    text, used = sanitize_text(text), 0
    for i, character in enumerate(text):
        used += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if used > most:
            return text[: i - 1] + "\u2026"
    return text


def escape_text(text: str) -> str:
    """Return a text as XML holds it, in an element or between quotes, sanitized."""
    return sanitize_text(html.escape(text))
