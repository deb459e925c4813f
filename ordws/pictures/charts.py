"""Charts of the agreement and the progress of a panel, as SVG; the same data give the same bytes.

Every mark has its value as text, and each chart has a description for readers who do not see it. Undefined values are
drawn as such, never left out. No chart holds a word of the word set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from ordws.pictures.alt_text import sanitize_text
from ordws.pictures.svg_elements import FONT_FAMILY, background, draw_document, draw_path, draw_text, truncate_text

WIDTH: Final = 720
MARGIN: Final = 24
LINE_HEIGHT: Final = 26
HEADER_HEIGHT: Final = 60
LONGEST_NAME: Final = 24
_LABEL_WIDTH: Final = 170
_CELL_STRIDE: Final = 44
_GRADES: Final = ((0.8, "3l"), (0.667, "2l"), (0.4, "2w"))
"""The smallest value for each background of a cell, blue for agreement that can be trusted, orange for less."""


class ChartLayout(NamedTuple):
    """The room that a chart has, in units of its picture, which are pixels where the picture is not scaled."""

    width: int = WIDTH
    names_width: int = 190
    longest_name: int = LONGEST_NAME
    cell_width: int = 76
    longest_column: int = 10
    most_points: int = 24
    """The latest points that a chart of months shows."""
    has_names_above: bool = False
    """True where the name of a bar stands above it, and not beside it."""


WIDE: Final = ChartLayout()
NARROW: Final = ChartLayout(380, 92, 10, 58, 6, 6, has_names_above=True)
"""The layout for a phone: its texts are read without scrolling or zooming."""


class Bar(NamedTuple):
    """A bar: its name, value and label; a marked bar has another colour and a `!` behind its label."""

    name: str
    value: float
    label: str
    is_marked: bool = False


class BarChart(NamedTuple):
    """Bars below each other, to one scale."""

    title: str
    bars: Sequence[Bar]


class MatrixCell(NamedTuple):
    """The value of a pair, None if it is undefined, and the number of cases it was computed from."""

    value: float | None
    sample_size: int


class MatrixChart(NamedTuple):
    """A value for every pair of names; a pair is the indices of its names, the larger first."""

    title: str
    names: Sequence[str]
    cells: Mapping[tuple[int, int], MatrixCell]


class Point(NamedTuple):
    """A value with its confidence band; None if it is undefined."""

    name: str
    """The month, as in 2026-11."""
    value: float | None
    low: float | None = None
    high: float | None = None


class BandChart(NamedTuple):
    """Values from 0 to 1 in their order, and the threshold below which they should not fall."""

    title: str
    points: Sequence[Point]
    threshold: float


class FanChart(NamedTuple):
    """The number left after each step so far, and the forecast after each further step: low, middle and high."""

    title: str
    past: Sequence[tuple[str, int]]
    ahead: Sequence[tuple[float, float, float]]
    step: str
    """The name of a step, as in `evening`."""


Chart: TypeAlias = BarChart | MatrixChart | BandChart | FanChart


def draw_chart(chart: Chart, *, chart_id: str, layout: ChartLayout = WIDE) -> str:
    """Return the SVG of a chart; `chart_id` tells its parts from those of other charts on a page."""
    width, cell_width = layout.width, layout.cell_width
    match chart:
        case BarChart():
            lines = 2 if layout.has_names_above else 1
            height = HEADER_HEIGHT + LINE_HEIGHT * lines * len(chart.bars) + 20
            elements = [element for bar in draw_bars(chart.bars, _LABEL_WIDTH, layout) for element in bar]
        case MatrixChart():
            # Only the cells below the diagonal are drawn, since there are no others.
            width = max(width, layout.names_width + cell_width * len(chart.names))
            left, elements, middle = MARGIN + layout.names_width, [], 'text-anchor="middle"'
            center = cell_width // 2 - 2
            foot = HEADER_HEIGHT + _CELL_STRIDE * (len(chart.names) - 1)
            for i, name in enumerate(chart.names[1:]):
                y = HEADER_HEIGHT + _CELL_STRIDE * i + 27
                elements.append(draw_text(left - 8, y, truncate_text(name, layout.longest_name), 'text-anchor="end"'))
            for j, name in enumerate(chart.names[:-1]):
                label = truncate_text(name, layout.longest_column)
                elements.append(draw_text(left + cell_width * j + center, foot + 16, label, middle))
            for (i, j), (value, sample_size) in chart.cells.items():
                x, y = left + cell_width * j, HEADER_HEIGHT + _CELL_STRIDE * (i - 1)
                kind = "plain" if value is None else next((kind for least, kind in _GRADES if value >= least), "3w")
                elements += [
                    f'<rect {background(kind)} x="{x}" y="{y}" width="{cell_width - 4}" height="40"/>',
                    draw_text(
                        x + center,
                        y + 18,
                        "\u2205" if value is None and layout is NARROW else _value_text(value),
                        middle,
                        kind,
                    ),
                    draw_text(x + center, y + 34, f"of {sample_size}", f'{middle} font-size="11"', kind),
                ]
            height = max(foot, HEADER_HEIGHT) + 36
        case BandChart():
            height, elements = _draw_band(chart, layout)
        case FanChart():
            height, elements = _draw_fan(chart, layout)
    return draw_chart_document(
        chart_id, chart.title, describe_chart(chart), elements, layout=layout._replace(width=width), height=height
    )


def draw_chart_document(
    chart_id: str, title: str, description: str, elements: Sequence[str], *, layout: ChartLayout, height: int
) -> str:
    """Return the SVG of a chart with its title above its elements."""
    heading = draw_text(MARGIN, 34, title, f'font-size="{17 if layout.has_names_above else 20}" font-weight="600"')
    return draw_document(
        chart_id,
        size=(layout.width, height),
        attributes=f'font-family="{FONT_FAMILY}" font-size="14"',
        title=title,
        description=description,
        elements=[heading, *elements],
    )


def describe_chart(chart: Chart) -> str:
    """Return everything that a chart shows, in words."""
    match chart:
        case BarChart(bars=bars):
            sentences = [f"{bar.name}: {bar.label}{', to look at' if bar.is_marked else ''}" for bar in bars]
        case MatrixChart(names=names, cells=cells):
            sentences = [
                f"{names[j]} and {names[i]}: {_value_text(cell.value)} of {cell.sample_size}"
                for (i, j), cell in cells.items()
            ]
        case BandChart(points=points, threshold=threshold):
            sentences = []
            for name, value, low, high in points:
                band = "" if low is None or high is None else f", between {low:.2f} and {high:.2f}"
                sentences.append(f"{name}: {_value_text(value)}{band}")
            sentences.append(f"the line is at {threshold:.3f}")
        case FanChart(past=past, ahead=ahead, step=step):
            sentences = [f"{name}: {left} left" for name, left in past]
            for side, when in enumerate(("at the soonest", "expected", "at the latest")):
                if (end := _find_zero(ahead, side)) is not None:
                    sentences.append(f"{when}, nothing left after {_pluralize(end, step)}")
    return " ".join([f"{sanitize_text(sentence)}." for sentence in sentences]) or "Nothing yet."


def draw_bars(bars: Sequence[Bar], label_width: int, layout: ChartLayout = WIDE) -> list[list[str]]:
    """Return the elements of each bar: its name, its length to one scale, its label with this width to spare."""
    most, is_above = max([bar.value for bar in bars], default=0) or 1, layout.has_names_above
    left, drawn = MARGIN + (0 if is_above else layout.names_width), []
    for place, bar in enumerate(bars):
        # The smallest bar is one unit wide, so that its line is seen to have one.
        width = max(1, round((layout.width - left - label_width) * bar.value / most))
        y = HEADER_HEIGHT + LINE_HEIGHT * (2 * place + 1 if is_above else place)
        fill = background(bar_background(bar.is_marked))
        name = truncate_text(bar.name, LONGEST_NAME)
        drawn.append(
            [
                draw_text(left, y - 4, name) if is_above else draw_text(left - 8, y + 16, name, 'text-anchor="end"'),
                f'<rect {fill} x="{left}" y="{y + 2}" width="{width}" height="20"/>',
                draw_text(left + width + 8, y + 16, bar.label + (" !" if bar.is_marked else "")),
            ]
        )
    return drawn


def bar_background(is_marked: bool) -> str:
    """Return orange for a marked bar, else blue, which colour-blind people tell apart."""
    return "3w" if is_marked else "3l"


def _draw_band(chart: BandChart, layout: ChartLayout) -> tuple[int, list[str]]:
    """Return the height and elements of the values, each in a box for its band, joined where both are defined."""
    foot, tall, left, wide = HEADER_HEIGHT + 200, 200, MARGIN + 40, layout.width - 2 * MARGIN - 40
    points = chart.points[-layout.most_points :]
    step = wide / max(1, len(points))

    def point_at(place: int, value: float) -> tuple[float, float]:
        return left + step * (place + 0.5), foot - tall * max(0.0, min(1.0, value))

    elements = [f'<rect {background("wing")} x="{left}" y="{HEADER_HEIGHT}" width="{wide}" height="{tall}"/>']
    for value, label in ((0.0, "0.0"), (chart.threshold, f"{chart.threshold:.3f}"), (1.0, "1.0")):
        y = round(point_at(0, value)[1]) + 5
        elements.append(draw_text(MARGIN + 36, y, label, 'text-anchor="end" font-size="12"'))
    joined: list[tuple[float, float]] = []
    attributes = 'text-anchor="middle" font-size="11"'
    for place, point in enumerate(points):
        x, _ = point_at(place, 0)
        year, _, month = point.name.partition("-")
        # Where months stand close together the year is written once.
        if step >= 45 or place == 0 or month == "01":
            elements.append(draw_text(x, foot + 30, year, attributes))
        elements.append(draw_text(x, foot + 16, month, attributes))
        if point.value is None:
            # Nothing joins the values before and after it.
            elements.append(draw_text(x, foot - 6, "undefined" if step > 60 else "\u2205", attributes))
            joined = []
            continue
        if point.low is not None and point.high is not None:
            top, bottom = point_at(place, point.high)[1], point_at(place, point.low)[1]
            elements.append(
                f'<rect {background("2l")} x="{x - 9:.1f}" y="{top:.1f}" width="18" height="{bottom - top:.1f}"/>'
            )
        joined.append(point_at(place, point.value))
        dot = f'<circle {background("4l")} cx="{x:.1f}" cy="{joined[-1][1]:.1f}" r="4"/>'
        elements += [draw_path(joined[-2:]), dot]
        above = point_at(place, point.value if point.high is None else point.high)[1]
        elements.append(draw_text(x, round(above) - 7, f"{point.value:.2f}", attributes))
    level = point_at(0, chart.threshold)[1]
    line = draw_path([(left, level), (left + wide, level)], 'stroke-width="1" stroke-dasharray="2 4"')
    return foot + 44, [*elements, line]


def _draw_fan(chart: FanChart, layout: ChartLayout) -> tuple[int, list[str]]:
    """Return the height and elements of the past as a line, and of the forecast as an area about a dashed line."""
    foot, tall, left, wide = HEADER_HEIGHT + 220, 200, MARGIN + 60, layout.width - 2 * MARGIN - 60
    # A text starts at its point where a falling line leaves room, and ends there at the edge.
    ends_from = layout.width - 180

    def anchor(x: float) -> str:
        return f'text-anchor="{"start" if x < ends_from else "end"}"'

    values = [value for _, value in chart.past]
    most = max([*values, *[high for _, _, high in chart.ahead], 1])
    step = wide / max(1, len(values) - 1 + max(0, len(chart.ahead) - 1))

    def points_from(start: int, values: Sequence[float]) -> list[tuple[float, float]]:
        return [(left + step * (start + i), foot - tall * value / most) for i, value in enumerate(values)]

    lows, middles, highs = [points_from(len(values) - 1, [each[side] for each in chart.ahead]) for side in range(3)]
    area = " ".join([f"{x:.1f},{y:.1f}" for x, y in [*lows, *reversed(highs)]])
    elements = [
        f'<rect {background("wing")} x="{left}" y="{foot - tall}" width="{wide}" height="{tall}"/>',
        *([f'<polygon {background("2l")} points="{area}"/>'] if area else []),
        *([draw_path(middles, 'stroke-width="2" stroke-dasharray="6 4"')] if area else []),
        draw_path(points_from(0, values), 'stroke-width="3"'),
        draw_text(left - 8, foot + 5, "0", 'text-anchor="end"'),
        draw_text(left - 8, foot - tall + 5, f"{most:.0f}", 'text-anchor="end"'),
    ]
    for place in sorted({0, len(values) - 1}) if values else []:
        x, y = points_from(place, values[place : place + 1])[0]
        elements.append(draw_text(x, round(y) - 8, str(values[place]), anchor(x)))
        elements.append(draw_text(x, foot + 20, chart.past[place][0], anchor(x)))
    for side, when in enumerate(("soonest", "expected", "latest")):
        if (end := _find_zero(chart.ahead, side)) is not None:
            x = points_from(len(values) - 1 + end, [0])[0][0]
            label = f"{when}: {_pluralize(end, chart.step)}"
            elements.append(draw_text(x, foot + 38 + 18 * side, label, anchor(x)))
    return foot + 90, elements


def _find_zero(ahead: Sequence[tuple[float, float, float]], side: int) -> int | None:
    """Return the number of steps after which nothing is left by the low, middle or high forecast; None if never."""
    return next((steps for steps, left in enumerate(ahead) if left[side] <= 0), None)


def _pluralize(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _value_text(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"
