"""The elements that SVG pictures share: the frame, texts, colours that a page may change, and an area with two axes."""

from __future__ import annotations

import html
import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

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


class PlotArea(NamedTuple):
    """A rectangle in units of the picture, and the values at its edges."""

    left: float
    top: float
    width: float
    height: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def foot(self) -> float:
        return self.top + self.height

    def x(self, value: float) -> float:
        low, high = self.x_range
        return self.left + self.width * (value - low) / (high - low)

    def y(self, value: float) -> float:
        """Return the height of a value in the picture, where higher values stand further up."""
        low, high = self.y_range
        return self.foot - self.height * (value - low) / (high - low)

    def draw_ground(self) -> str:
        """Return the ground of the area."""
        return (
            f'<rect {background("wing")} x="{self.left:.1f}" y="{self.top:.1f}" width="{self.width:.1f}"'
            f' height="{self.height:.1f}"/>'
        )

    def draw_x_labels(self, labels: Sequence[tuple[float, str]], name: str) -> Iterator[str]:
        """Yield the labels under the area, and the name of the axis under these."""
        for value, label in labels:
            yield draw_text(self.x(value), round(self.foot) + 18, label, 'text-anchor="middle" font-size="12"')
        yield draw_text(self.left + self.width / 2, round(self.foot) + 38, name, 'text-anchor="middle" font-size="13"')

    def draw_y_labels(self, labels: Sequence[tuple[float, str]], name: str) -> Iterator[str]:
        """Yield the labels left of the area, and the name of the axis above it."""
        for value, label in labels:
            yield draw_text(self.left - 8, round(self.y(value)) + 4, label, 'text-anchor="end" font-size="12"')
        yield draw_text(self.left, round(self.top) - 8, name, 'font-size="13"')

    def draw_line(self, points: Sequence[tuple[float, float]], attributes: str = 'stroke-width="2"') -> str:
        """Return a line through values."""
        return draw_path([(self.x(x), self.y(y)) for x, y in points], attributes)

    def draw_dot(self, x: float, y: float, words: str, *, kind: str = "3l", radius: float = 4) -> str:
        """Return a dot that says its values where a pointer rests on it."""
        return (
            f'<circle {background(kind)} cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="{radius}">'
            f"<title>{escape_text(words)}</title></circle>"
        )


def tick_values(low: float, high: float, most: int = 6) -> list[float]:
    """Return round values from low to high, at most `most`, in steps of 1, 2 or 5 times a power of ten."""
    span = high - low
    if span <= 0:
        return [low]
    step = 10.0 ** math.floor(math.log10(span / most))
    while True:
        for factor in (1, 2, 5):
            first = math.ceil(low / (step * factor) - 1e-9)
            last = math.floor(high / (step * factor) + 1e-9)
            if last - first < most:
                return [step * factor * at for at in range(first, last + 1)]
        step *= 10


def format_tick(value: float, ticks: Sequence[float]) -> str:
    """Return a value of an axis with as many decimals as its steps need."""
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return f"{value + 0.0:.{decimals}f}" if abs(value) > 1e-12 else f"{0:.{decimals}f}"
