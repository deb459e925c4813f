"""What was learned, as a chart: a bar a key, and the days of all keys together under their caps. No word is in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple
from xml.sax.saxutils import escape
from zlib import crc32

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ordws.pictures.palette import GROUNDS, INKS, LAST, style_sheet
from ordws.pictures.words import clean

_WIDTH: Final = 720
_EDGE: Final = 24
_NAMES: Final = 190
_LINE: Final = 26
_HEAD: Final = 60
_HEIGHT: Final = 120
_LONGEST_NAME: Final = 24
_CELLS: Final = 30
_FONTS: Final = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"


class Bar(NamedTuple):
    """One key: what it learned, as a number and as it is said; marked where it is in alarm."""

    name: str
    value: float
    said: str
    is_marked: bool = False


class Day(NamedTuple):
    """What all keys together spent on a day, under a cap; marked where it came near."""

    name: str
    value: int
    cap: int
    is_marked: bool = False


class Chart(NamedTuple):
    """A title, keys with most first, and days in their order."""

    title: str
    bars: Sequence[Bar]
    days: Sequence[Day]


def draw_terminal(chart: Chart, *, colour: bool = True) -> Text:
    """The text of a chart, a line a bar; `!` stands behind what is in alarm."""
    lines = [Text(clean(chart.title))]
    most = max([bar.value for bar in chart.bars], default=0)
    lines += [_line(bar.name, _part(bar.value, most), bar.said, bar.is_marked, colour) for bar in chart.bars]
    for day in chart.days:
        lines.append(_line(day.name, _part(day.value, day.cap), _of_cap(day), day.is_marked, colour))
    return Text("\n").join(lines)


def draw_svg(chart: Chart) -> str:
    """The SVG of a chart: the same chart gives the same bytes, with its words for those who do not see it."""
    days_top = _HEAD + _LINE * len(chart.bars) + 20
    height = days_top + (_HEIGHT + 60 if chart.days else 0)
    words = _describe(chart)
    shown = f"ordws-{crc32(f'{chart.title} {words}'.encode(errors='replace')):08x}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="ordws-board" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}"'
            f' height="{height}" role="img" aria-labelledby="{shown}-title {shown}-words"'
            f' font-family="{_FONTS}" font-size="14">',
            f'<title id="{shown}-title">{_escaped(chart.title)}</title>',
            f'<desc id="{shown}-words">{_escaped(words)}</desc>',
            style_sheet(),
            f'<rect {_ground("paper")} width="{_WIDTH}" height="{height}"/>',
            _text(_EDGE, 34, chart.title, 'font-size="20" font-weight="600"'),
            *_draw_bars(chart.bars),
            *_draw_days(chart.days, days_top),
            "</svg>\n",
        ]
    )


def _line(name: str, part: float, said: str, is_marked: bool, colour: bool) -> Text:
    full = round(part * _CELLS) or int(part > 0)
    bar = ("\u2588" if colour else "#") * full
    style = f"bold {LAST.light}" if is_marked else GROUNDS["3l"].light
    name = set_cell_size(_cut(name), _LONGEST_NAME)
    return Text.assemble(
        f"{name} ", (f"{bar:{_CELLS}}", style if colour else ""), f" {clean(said)}{' !' if is_marked else ''}"
    )


def _draw_bars(bars: Sequence[Bar]) -> list[str]:
    most = max([bar.value for bar in bars], default=0)
    room = _WIDTH - 2 * _EDGE - _NAMES - 170
    drawn = []
    for place, bar in enumerate(bars):
        y, left = _HEAD + _LINE * place, _EDGE + _NAMES
        width = max(1, round(room * _part(bar.value, most)))
        said = bar.said + (" !" if bar.is_marked else "")
        drawn += [
            "<g>",
            f"<title>{_escaped(_said(bar))}</title>",
            _text(left - 8, y + 16, _cut(bar.name), 'text-anchor="end"'),
            f'<rect {_ground(_kind(bar.is_marked))} x="{left}" y="{y + 2}" width="{width}" height="{_LINE - 6}"/>',
            _text(left + width + 8, y + 16, said),
            "</g>",
        ]
    return drawn


def _draw_days(days: Sequence[Day], top: int) -> list[str]:
    """A column a day, all to one scale, each under the line of its cap."""
    if not days:
        return []
    most = max([max(day.value, day.cap, 1) for day in days])
    step, foot = (_WIDTH - 2 * _EDGE) / len(days), top + _HEIGHT
    drawn = [f'<rect {_ground("wing")} x="{_EDGE}" y="{top}" width="{_WIDTH - 2 * _EDGE}" height="{_HEIGHT}"/>']
    for place, day in enumerate(days):
        x, tall, cap = _EDGE + step * place, _HEIGHT * day.value / most, foot - _HEIGHT * day.cap / most
        drawn.append(
            f"<g><title>{_escaped(f'{day.name}: {_of_cap(day)}')}</title>"
            f'<rect {_ground(_kind(day.is_marked))} x="{x + step * 0.1:.1f}" y="{foot - tall:.1f}"'
            f' width="{step * 0.8:.1f}" height="{tall:.1f}"/>'
            f'<path class="s-last" stroke="{LAST.light}" stroke-width="2" d="M{x:.1f} {cap:.1f}h{step:.1f}"/></g>'
        )
    ends = [_text(_EDGE, foot + 20, days[0].name), _text(_WIDTH - _EDGE, foot + 20, days[-1].name, 'text-anchor="end"')]
    key = "columns: units a day that were new to the world; line: the cap of all who are not verified"
    return [*drawn, *ends, _text(_EDGE, foot + 42, key, 'font-size="12"')]


def _describe(chart: Chart) -> str:
    keys = [f"{_said(bar)}." for bar in chart.bars]
    days = [f"{day.name}: {_of_cap(day)}{', in alarm' if day.is_marked else ''}." for day in chart.days]
    return " ".join([*keys, *days])


def _said(bar: Bar) -> str:
    return f"{bar.name}: {bar.said}{', in alarm' if bar.is_marked else ''}"


def _of_cap(day: Day) -> str:
    return f"{day.value} of {day.cap}"


def _part(value: float, most: float) -> float:
    return min(1.0, value / most) if most else 0.0


def _kind(is_marked: bool) -> str:
    """Orange for what is in alarm, blue for the rest: colour-blind people tell them apart, and there is the sign."""
    return "3w" if is_marked else "3l"


def _cut(name: str) -> str:
    name = clean(name)
    return name if cell_len(name) <= _LONGEST_NAME else set_cell_size(name, _LONGEST_NAME - 1) + "\u2026"


def _ground(kind: str) -> str:
    return f'class="g-{kind}" fill="{GROUNDS[kind].light}"'


def _text(x: float, y: int, words: str, more: str = "") -> str:
    return f'<text class="i-paper" fill="{INKS["paper"].light}" x="{x}" y="{y}" {more}>{_escaped(words)}</text>'


def _escaped(words: str) -> str:
    return escape(clean(words))
