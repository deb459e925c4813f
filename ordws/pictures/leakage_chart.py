"""The leak of an installation as a chart: a bar for each key, and all keys together by days under their caps.

It shows numbers alone, no word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple
from zlib import crc32

from rich.cells import set_cell_size
from rich.text import Text

from ordws.pictures.alt_text import sanitize_text
from ordws.pictures.charts import (
    HEADER_HEIGHT,
    LINE_HEIGHT,
    LONGEST_NAME,
    MARGIN,
    WIDE,
    WIDTH,
    Bar,
    bar_background,
    draw_bars,
    draw_chart_document,
)
from ordws.pictures.palette import BACKGROUNDS, LAST_PLAY
from ordws.pictures.svg_elements import background, draw_text, escape_text, truncate_text

_LABEL_WIDTH: Final = 194
_DAYS_HEIGHT: Final = 120
_TERMINAL_BAR_WIDTH: Final = 30


class DayBar(NamedTuple):
    """The units that all unverified keys together spent on a day, and the cap; marked if they came near it."""

    name: str
    value: int
    cap: int
    is_marked: bool = False


class LeakageChart(NamedTuple):
    """A title, a bar for each key, which is marked if the key is in alarm, and days in their order."""

    title: str
    bars: Sequence[Bar]
    days: Sequence[DayBar]


def draw_terminal(chart: LeakageChart, *, colour: bool = True) -> Text:
    """Return the chart as text, a line for each bar; `!` marks what is in alarm."""
    most = max([bar.value for bar in chart.bars], default=0)
    rows = [(bar.name, bar.value, most, bar.label, bar.is_marked) for bar in chart.bars]
    rows += [(day.name, day.value, day.cap, _day_label(day), day.is_marked) for day in chart.days]
    lines = [Text(sanitize_text(chart.title))]
    for name, value, scale, label, is_marked in rows:
        part = min(1.0, value / scale) if scale else 0.0
        full = round(part * _TERMINAL_BAR_WIDTH) or int(part > 0)  # of little a trace is left, of nothing none
        bar = ("\u2588" if colour else "#") * full
        style = f"bold {LAST_PLAY.light}" if is_marked else BACKGROUNDS["3l"].light
        lines.append(
            Text.assemble(
                f"{set_cell_size(truncate_text(name, LONGEST_NAME), LONGEST_NAME)} ",
                (f"{bar:{_TERMINAL_BAR_WIDTH}}", style if colour else ""),
                f" {sanitize_text(label)}{' !' if is_marked else ''}",
            )
        )
    return Text("\n").join(lines)


def draw_svg(chart: LeakageChart) -> str:
    """Return the chart as SVG; the same chart gives the same bytes."""
    sentences = [f"{bar.name}: {bar.label}{', in alarm' if bar.is_marked else ''}" for bar in chart.bars]
    days = [f"{day.name}: {_day_label(day)}{', in alarm' if day.is_marked else ''}" for day in chart.days]
    description = " ".join([f"{sentence}." for sentence in [*sentences, *days]])
    elements: list[str] = []
    for sentence, drawn in zip(sentences, draw_bars(chart.bars, _LABEL_WIDTH), strict=True):
        elements += ["<g>", f"<title>{escape_text(sentence)}</title>", *drawn, "</g>"]
    top = height = HEADER_HEIGHT + LINE_HEIGHT * len(chart.bars) + 20
    if chart.days:
        # A column for each day, all to one scale, with a line at the height of its cap.
        height, foot, width = top + _DAYS_HEIGHT + 60, top + _DAYS_HEIGHT, WIDTH - 2 * MARGIN
        most, step = max([max(day.value, day.cap, 1) for day in chart.days]), width / len(chart.days)
        elements.append(f'<rect {background("wing")} x="{MARGIN}" y="{top}" width="{width}" height="{_DAYS_HEIGHT}"/>')
        for place, day in enumerate(chart.days):
            x, tall, cap = MARGIN + step * place, _DAYS_HEIGHT * day.value / most, foot - _DAYS_HEIGHT * day.cap / most
            elements.append(
                f"<g><title>{escape_text(f'{day.name}: {_day_label(day)}')}</title>"
                f'<rect {background(bar_background(day.is_marked))} x="{x + step * 0.1:.1f}" y="{foot - tall:.1f}"'
                f' width="{step * 0.8:.1f}" height="{tall:.1f}"/>'
                f'<path class="s-last" stroke="{LAST_PLAY.light}" stroke-width="2" d="M{x:.1f} {cap:.1f}h{step:.1f}"/>'
                "</g>"
            )
        key = "columns: units a day of all who are not verified; line: their cap"
        elements += [
            draw_text(MARGIN, foot + 20, chart.days[0].name),
            draw_text(WIDTH - MARGIN, foot + 20, chart.days[-1].name, 'text-anchor="end"'),
            draw_text(MARGIN, foot + 42, key, 'font-size="12"'),
        ]
    # A name may have lone surrogates, which cannot be encoded.
    chart_id = f"ordws-{crc32(f'{chart.title} {description}'.encode(errors='replace')):08x}"
    return draw_chart_document(chart_id, chart.title, description, elements, layout=WIDE, height=height)


def _day_label(day: DayBar) -> str:
    return f"{day.value} of {day.cap}"
