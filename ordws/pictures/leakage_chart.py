"""What was learned, as a chart: a bar a key, and the days of all keys together under their caps. No word is in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple
from xml.sax.saxutils import escape
from zlib import crc32

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from ordws.pictures.alt_text import sanitize_text
from ordws.pictures.palette import BACKGROUNDS, FOREGROUNDS, LAST_PLAY, style_sheet

_WIDTH: Final = 720
_MARGIN: Final = 24
_NAMES_WIDTH: Final = 190
_LINE_HEIGHT: Final = 26
_HEADER_HEIGHT: Final = 60
_DAYS_HEIGHT: Final = 120
_LONGEST_NAME: Final = 24
_TERMINAL_BAR_WIDTH: Final = 30
_FONTS: Final = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"


class KeyBar(NamedTuple):
    """One key: what it learned, as a number and as it is said; marked where it is in alarm."""

    name: str
    value: float
    label: str
    is_marked: bool = False


class DayBar(NamedTuple):
    """What all keys together spent on a day, under a cap; marked where it came near."""

    name: str
    value: int
    cap: int
    is_marked: bool = False


class LeakageChart(NamedTuple):
    """A title, keys with most first, and days in their order."""

    title: str
    bars: Sequence[KeyBar]
    days: Sequence[DayBar]


def draw_terminal(chart: LeakageChart, *, colour: bool = True) -> Text:
    """The text of a chart, a line a bar; `!` stands behind what is in alarm."""
    lines = [Text(sanitize_text(chart.title))]
    most = max([bar.value for bar in chart.bars], default=0)
    lines += [
        _terminal_line(bar.name, _fraction(bar.value, most), bar.label, bar.is_marked, colour) for bar in chart.bars
    ]
    for day in chart.days:
        lines.append(_terminal_line(day.name, _fraction(day.value, day.cap), _cap_text(day), day.is_marked, colour))
    return Text("\n").join(lines)


def draw_svg(chart: LeakageChart) -> str:
    """The SVG of a chart: the same chart gives the same bytes, with its words for those who do not see it."""
    days_top = _HEADER_HEIGHT + _LINE_HEIGHT * len(chart.bars) + 20
    height = days_top + (_DAYS_HEIGHT + 60 if chart.days else 0)
    words = _describe(chart)
    shown = f"ordws-{crc32(f'{chart.title} {words}'.encode(errors='replace')):08x}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="ordws-board" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}"'
            f' height="{height}" role="img" aria-labelledby="{shown}-title {shown}-words"'
            f' font-family="{_FONTS}" font-size="14">',
            f'<title id="{shown}-title">{_escape_text(chart.title)}</title>',
            f'<desc id="{shown}-words">{_escape_text(words)}</desc>',
            style_sheet(),
            f'<rect {_background("paper")} width="{_WIDTH}" height="{height}"/>',
            _text(_MARGIN, 34, chart.title, 'font-size="20" font-weight="600"'),
            *_draw_bars(chart.bars),
            *_draw_days(chart.days, days_top),
            "</svg>\n",
        ]
    )


def _terminal_line(name: str, part: float, label: str, is_marked: bool, colour: bool) -> Text:
    full = round(part * _TERMINAL_BAR_WIDTH) or int(part > 0)
    bar = ("\u2588" if colour else "#") * full
    style = f"bold {LAST_PLAY.light}" if is_marked else BACKGROUNDS["3l"].light
    name = set_cell_size(_truncate(name), _LONGEST_NAME)
    return Text.assemble(
        f"{name} ",
        (f"{bar:{_TERMINAL_BAR_WIDTH}}", style if colour else ""),
        f" {sanitize_text(label)}{' !' if is_marked else ''}",
    )


def _draw_bars(bars: Sequence[KeyBar]) -> list[str]:
    most = max([bar.value for bar in bars], default=0)
    room = _WIDTH - 2 * _MARGIN - _NAMES_WIDTH - 170
    drawn = []
    for place, bar in enumerate(bars):
        y, left = _HEADER_HEIGHT + _LINE_HEIGHT * place, _MARGIN + _NAMES_WIDTH
        width = max(1, round(room * _fraction(bar.value, most)))
        said = bar.label + (" !" if bar.is_marked else "")
        drawn += [
            "<g>",
            f"<title>{_escape_text(_bar_text(bar))}</title>",
            _text(left - 8, y + 16, _truncate(bar.name), 'text-anchor="end"'),
            f'<rect {_background(_bar_background(bar.is_marked))} x="{left}" y="{y + 2}" width="{width}" height="{_LINE_HEIGHT - 6}"/>',
            _text(left + width + 8, y + 16, said),
            "</g>",
        ]
    return drawn


def _draw_days(days: Sequence[DayBar], top: int) -> list[str]:
    """A column a day, all to one scale, each under the line of its cap."""
    if not days:
        return []
    most = max([max(day.value, day.cap, 1) for day in days])
    step, foot = (_WIDTH - 2 * _MARGIN) / len(days), top + _DAYS_HEIGHT
    drawn = [
        f'<rect {_background("wing")} x="{_MARGIN}" y="{top}" width="{_WIDTH - 2 * _MARGIN}" height="{_DAYS_HEIGHT}"/>'
    ]
    for place, day in enumerate(days):
        x, tall, cap = _MARGIN + step * place, _DAYS_HEIGHT * day.value / most, foot - _DAYS_HEIGHT * day.cap / most
        drawn.append(
            f"<g><title>{_escape_text(f'{day.name}: {_cap_text(day)}')}</title>"
            f'<rect {_background(_bar_background(day.is_marked))} x="{x + step * 0.1:.1f}" y="{foot - tall:.1f}"'
            f' width="{step * 0.8:.1f}" height="{tall:.1f}"/>'
            f'<path class="s-last" stroke="{LAST_PLAY.light}" stroke-width="2" d="M{x:.1f} {cap:.1f}h{step:.1f}"/></g>'
        )
    ends = [
        _text(_MARGIN, foot + 20, days[0].name),
        _text(_WIDTH - _MARGIN, foot + 20, days[-1].name, 'text-anchor="end"'),
    ]
    key = "columns: units a day that were new to the world; line: the cap of all who are not verified"
    return [*drawn, *ends, _text(_MARGIN, foot + 42, key, 'font-size="12"')]


def _describe(chart: LeakageChart) -> str:
    keys = [f"{_bar_text(bar)}." for bar in chart.bars]
    days = [f"{day.name}: {_cap_text(day)}{', in alarm' if day.is_marked else ''}." for day in chart.days]
    return " ".join([*keys, *days])


def _bar_text(bar: KeyBar) -> str:
    return f"{bar.name}: {bar.label}{', in alarm' if bar.is_marked else ''}"


def _cap_text(day: DayBar) -> str:
    return f"{day.value} of {day.cap}"


def _fraction(value: float, most: float) -> float:
    return min(1.0, value / most) if most else 0.0


def _bar_background(is_marked: bool) -> str:
    """Orange for what is in alarm, blue for the rest: colour-blind people tell them apart, and there is the sign."""
    return "3w" if is_marked else "3l"


def _truncate(name: str) -> str:
    name = sanitize_text(name)
    return name if cell_len(name) <= _LONGEST_NAME else set_cell_size(name, _LONGEST_NAME - 1) + "\u2026"


def _background(kind: str) -> str:
    return f'class="g-{kind}" fill="{BACKGROUNDS[kind].light}"'


def _text(x: float, y: int, words: str, more: str = "") -> str:
    return (
        f'<text class="i-paper" fill="{FOREGROUNDS["paper"].light}" x="{x}" y="{y}" {more}>{_escape_text(words)}</text>'
    )


def _escape_text(words: str) -> str:
    return escape(sanitize_text(words))
