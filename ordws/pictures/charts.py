"""How a panel agrees and how far it has come, as charts: the same data give the same bytes. No word is in any.

Every mark bears its value as text, and what a chart shows is said in words for those who do not see it. What is
undefined is drawn as such, never as nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias
from xml.sax.saxutils import escape

from rich.cells import cell_len, set_cell_size

from ordws.pictures.alt_text import sanitize_text
from ordws.pictures.palette import BACKGROUNDS, FOREGROUNDS, LAST_PLAY, style_sheet

_WIDTH: Final = 720
_MARGIN: Final = 24
_NAMES_WIDTH: Final = 190
_LINE_HEIGHT: Final = 26
_HEADER_HEIGHT: Final = 60
_CELL_WIDTH: Final = 76
_LONGEST_NAME: Final = 24
_FONTS: Final = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"
_GRADES: Final = ((0.8, "3l"), (0.667, "2l"), (0.4, "2w"))
"""From which value on a cell has which ground; below the last it has the strongest of the other hue."""


class Bar(NamedTuple):
    """One line: a length, how it is said, and whether it is one to look at, which a `!` says too."""

    name: str
    value: float
    label: str
    is_marked: bool = False


class BarChart(NamedTuple):
    """A bar a line, to one scale."""

    title: str
    bars: Sequence[Bar]


class MatrixCell(NamedTuple):
    """What two have in common: a value, or None where it is undefined, and of how many."""

    value: float | None
    sample_size: int


class MatrixChart(NamedTuple):
    """Every two of these names, by their places in the order, the later first."""

    title: str
    names: Sequence[str]
    cells: Mapping[tuple[int, int], MatrixCell]


class Point(NamedTuple):
    """A value with the band it lies in; None where it is undefined."""

    name: str
    """A month: 2026-11."""
    value: float | None
    low: float | None = None
    high: float | None = None


class BandChart(NamedTuple):
    """Values between nothing and one in their order, and the line under which they should not fall."""

    title: str
    points: Sequence[Point]
    threshold: float


class FanChart(NamedTuple):
    """What was left after each step so far, and what is expected after each further one: low, middle and high."""

    title: str
    past: Sequence[tuple[str, int]]
    ahead: Sequence[tuple[float, float, float]]
    step: str
    """What a step is called: `evening`."""


Chart: TypeAlias = BarChart | MatrixChart | BandChart | FanChart


def draw_chart(chart: Chart, *, chart_id: str) -> str:
    """The SVG of a chart; `id` tells its parts from those of other charts on a page."""
    match chart:
        case BarChart():
            height, drawn = _draw_bars(chart)
        case MatrixChart():
            height, drawn = _draw_matrix(chart)
        case BandChart():
            height, drawn = _draw_band(chart)
        case FanChart():
            height, drawn = _draw_fan(chart)
    width = max(_WIDTH, _NAMES_WIDTH + _CELL_WIDTH * len(chart.names)) if isinstance(chart, MatrixChart) else _WIDTH
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="ordws-board" viewBox="0 0 {width} {height}" width="{width}"'
            f' height="{height}" role="img" aria-labelledby="{chart_id}-title {chart_id}-words" font-family="{_FONTS}" font-size="14">',
            f'<title id="{chart_id}-title">{_escape_text(chart.title)}</title>',
            f'<desc id="{chart_id}-words">{_escape_text(describe_chart(chart))}</desc>',
            style_sheet(),
            f'<rect {_background("paper")} width="{width}" height="{height}"/>',
            _text(_MARGIN, 34, chart.title, 'font-size="20" font-weight="600"'),
            *drawn,
            "</svg>\n",
        ]
    )


def describe_chart(chart: Chart) -> str:
    """All that a chart shows, in words."""
    match chart:
        case BarChart(bars=bars):
            said = [f"{bar.name}: {bar.label}{', to look at' if bar.is_marked else ''}" for bar in bars]
        case MatrixChart(names=names, cells=cells):
            said = [
                f"{names[j]} and {names[i]}: {_value_text(each.value)} of {each.sample_size}"
                for (i, j), each in cells.items()
            ]
        case BandChart(points=points, threshold=line):
            said = [f"{point.name}: {_value_text(point.value)}{_range_text(point)}" for point in points]
            said.append(f"the line is at {line:.3f}")
        case FanChart(past=past, ahead=ahead, step=step):
            said = [f"{name}: {left} left" for name, left in past]
            ends = [_find_zero([each[side] for each in ahead]) for side in range(3)] if ahead else []
            named = zip(("at the soonest", "expected", "at the latest"), ends, strict=True) if ends else ()
            said += [f"{when}, nothing left after {_pluralize(end, step)}" for when, end in named if end is not None]
    return " ".join([f"{sanitize_text(each)}." for each in said]) or "Nothing yet."


def _draw_bars(chart: BarChart) -> tuple[int, list[str]]:
    most = max([bar.value for bar in chart.bars], default=0) or 1
    left, drawn = _MARGIN + _NAMES_WIDTH, []
    for place, bar in enumerate(chart.bars):
        y, width = _HEADER_HEIGHT + _LINE_HEIGHT * place, max(1, round((_WIDTH - left - 170) * bar.value / most))
        drawn += [
            _text(left - 8, y + 16, _truncate(bar.name), 'text-anchor="end"'),
            f'<rect {_background("3w" if bar.is_marked else "3l")} x="{left}" y="{y + 2}" width="{width}" height="20"/>',
            _text(left + width + 8, y + 16, bar.label + (" !" if bar.is_marked else "")),
        ]
    return _HEADER_HEIGHT + _LINE_HEIGHT * len(chart.bars) + 20, drawn


def _draw_matrix(chart: MatrixChart) -> tuple[int, list[str]]:
    """Names down the side and, as far as a column needs one, at the foot: the half below the diagonal says all."""
    left, drawn, middle = _MARGIN + _NAMES_WIDTH, [], 'text-anchor="middle"'
    foot = _HEADER_HEIGHT + 44 * (len(chart.names) - 1)
    for i, name in enumerate(chart.names[1:], 1):
        drawn.append(_text(left - 8, _HEADER_HEIGHT + 44 * (i - 1) + 27, _truncate(name), 'text-anchor="end"'))
    for j, name in enumerate(chart.names[:-1]):
        drawn.append(_text(left + _CELL_WIDTH * j + 36, foot + 16, _truncate(name, 10), middle))
    for (i, j), cell in chart.cells.items():
        x, y, kind = left + _CELL_WIDTH * j, _HEADER_HEIGHT + 44 * (i - 1), _cell_background(cell.value)
        drawn += [
            f'<rect {_background(kind)} x="{x}" y="{y}" width="72" height="40"/>',
            _text(x + 36, y + 18, "undefined" if cell.value is None else f"{cell.value:.2f}", middle, kind),
            _text(x + 36, y + 34, f"of {cell.sample_size}", f'{middle} font-size="11"', kind),
        ]
    return max(foot, _HEADER_HEIGHT) + 36, drawn


def _draw_band(chart: BandChart) -> tuple[int, list[str]]:
    """The band as a box about each value, values joined by a line where both are defined."""
    foot, tall, wide = _HEADER_HEIGHT + 200, 200, _WIDTH - 2 * _MARGIN - 40
    step = wide / max(1, len(chart.points))

    def at(place: int, value: float) -> tuple[float, float]:
        return _MARGIN + 40 + step * (place + 0.5), foot - tall * max(0.0, min(1.0, value))

    drawn = [f'<rect {_background("wing")} x="{_MARGIN + 40}" y="{_HEADER_HEIGHT}" width="{wide}" height="{tall}"/>']
    for value, said in ((0.0, "0.0"), (chart.threshold, f"{chart.threshold:.3f}"), (1.0, "1.0")):
        drawn.append(_text(_MARGIN + 36, round(at(0, value)[1]) + 5, said, 'text-anchor="end" font-size="12"'))
    joined: list[tuple[float, float]] = []
    for place, point in enumerate(chart.points):
        x, name = at(place, 0)[0], 'text-anchor="middle" font-size="11"'
        year, _, month = point.name.partition("-")
        if step >= 50 or place == 0 or month == "01":
            drawn.append(_text(x, foot + 30, year, name))
        drawn.append(_text(x, foot + 16, month, name))
        if point.value is None:
            drawn.append(_text(x, foot - 6, "undefined" if step > 60 else "\u2205", name))
            joined = []
            continue
        if point.low is not None and point.high is not None:
            top, bottom = at(place, point.high)[1], at(place, point.low)[1]
            drawn.append(
                f'<rect {_background("2l")} x="{x - 9:.1f}" y="{top:.1f}" width="18" height="{bottom - top:.1f}"/>'
            )
        joined.append(at(place, point.value))
        drawn += [_path(joined[-2:]), f'<circle {_background("4l")} cx="{x:.1f}" cy="{joined[-1][1]:.1f}" r="4"/>']
        above = at(place, point.value if point.high is None else point.high)[1]
        drawn.append(_text(x, round(above) - 7, f"{point.value:.2f}", name))
    edges = [(_MARGIN + 40.0, at(0, chart.threshold)[1]), (_MARGIN + 40.0 + wide, at(0, chart.threshold)[1])]
    return foot + 44, [*drawn, _path(edges, 'stroke-width="1" stroke-dasharray="2 4"')]


def _draw_fan(chart: FanChart) -> tuple[int, list[str]]:
    """What was left as a line, what is to come as an area between two lines about a third."""
    foot, tall, left, wide = _HEADER_HEIGHT + 220, 200, _MARGIN + 60, _WIDTH - 2 * _MARGIN - 60
    values = [left for _, left in chart.past]
    most = max([*values, *[high for _, _, high in chart.ahead], 1])
    step = wide / max(1, len(values) - 1 + max(0, len(chart.ahead) - 1))

    def line(start: int, values: Sequence[float]) -> list[tuple[float, float]]:
        return [(left + step * (start + i), foot - tall * value / most) for i, value in enumerate(values)]

    lows, middles, highs = [line(len(values) - 1, [each[side] for each in chart.ahead]) for side in range(3)]
    area = " ".join([f"{x:.1f},{y:.1f}" for x, y in [*lows, *reversed(highs)]])
    drawn = [
        f'<rect {_background("wing")} x="{left}" y="{foot - tall}" width="{wide}" height="{tall}"/>',
        *([f'<polygon {_background("2l")} points="{area}"/>'] if area else []),
        *([_path(middles, 'stroke-width="2" stroke-dasharray="6 4"')] if area else []),
        _path(line(0, values), 'stroke-width="3"'),
        _text(left - 8, foot + 5, "0", 'text-anchor="end"'),
        _text(left - 8, foot - tall + 5, f"{most:.0f}", 'text-anchor="end"'),
    ]
    for place in sorted({0, len(values) - 1}) if values else []:
        x, y = line(place, values[place : place + 1])[0]
        drawn.append(_text(x, round(y) - 8, str(values[place]), _text_anchor(x)))
        drawn.append(_text(x, foot + 20, chart.past[place][0], _text_anchor(x)))
    for side, said in enumerate(("soonest", "expected", "latest")):
        end = _find_zero([each[side] for each in chart.ahead])
        if end is not None:
            x = line(len(values) - 1 + end, [0])[0][0]
            drawn.append(_text(x, foot + 38 + 18 * side, f"{said}: {_pluralize(end, chart.step)}", _text_anchor(x)))
    return foot + 90, drawn


def _find_zero(values: Sequence[float]) -> int | None:
    """After how many steps nothing is left."""
    return next((place for place, value in enumerate(values) if value <= 0), None)


def _text_anchor(x: float) -> str:
    """From a place to the right, where a falling line leaves room, unless the edge is near."""
    return f'text-anchor="{"start" if x < _WIDTH - 180 else "end"}"'


def _pluralize(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _value_text(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


def _range_text(point: Point) -> str:
    return "" if point.low is None or point.high is None else f", between {point.low:.2f} and {point.high:.2f}"


def _cell_background(value: float | None) -> str:
    """The ground of a value: blue where it is trusted, orange where it is not, each darker further out."""
    return "plain" if value is None else next((kind for least, kind in _GRADES if value >= least), "3w")


def _path(points: Sequence[tuple[float, float]], more: str = 'stroke-width="2"') -> str:
    way = "L".join([f"{x:.1f} {y:.1f}" for x, y in points])
    return f'<path class="s-last" fill="none" stroke="{LAST_PLAY.light}" {more} d="M{way}"/>'


def _background(kind: str) -> str:
    return f'class="g-{kind}" fill="{BACKGROUNDS[kind].light}"'


def _text(x: float, y: int, words: str, more: str = "", ink: str = "paper") -> str:
    return (
        f'<text class="i-{ink}" fill="{FOREGROUNDS[ink].light}" x="{x:.1f}" y="{y}" {more}>{_escape_text(words)}</text>'
    )


def _truncate(name: str, most: int = _LONGEST_NAME) -> str:
    name = sanitize_text(name)
    return name if cell_len(name) <= most else set_cell_size(name, most - 1) + "\u2026"


def _escape_text(words: str) -> str:
    return escape(sanitize_text(words))
