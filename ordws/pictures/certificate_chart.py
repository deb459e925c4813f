"""The distance of an event from one in which everyone played the average player, among random schedules of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from ordws.pictures.alt_text import sanitize_text
from ordws.pictures.charts import MARGIN, WIDE, ChartLayout, draw_chart_document
from ordws.pictures.plot_area import PlotArea, format_tick, tick_values
from ordws.pictures.svg_elements import background, draw_text, escape_text

_HEIGHT: Final = 220
_TOP: Final = 104
_COLUMNS: Final = 24


class ScheduleChart(NamedTuple):
    """The root mean square of all players' residuals in points a turn: the event's, and that of random schedules."""

    title: str
    residual: float
    randoms: Sequence[float]


def draw_schedules(chart: ScheduleChart, *, chart_id: str, layout: ChartLayout = WIDE) -> str:
    """Return the SVG of the chart; `chart_id` tells its parts from those of other charts on a page."""
    most = max([chart.residual, *chart.randoms, 0.1]) * 1.05
    step = most / _COLUMNS
    counts = Counter([min(_COLUMNS - 1, int(value / step)) for value in chart.randoms])
    left = MARGIN + 46
    tallest = max(counts.values(), default=1)
    area = PlotArea(left, _TOP, layout.width - left - MARGIN, _HEIGHT, (0.0, most), (0.0, tallest * 1.25))
    x_ticks, y_ticks = tick_values(0.0, most, 8), tick_values(0.0, tallest, 5)
    elements = [
        draw_text(MARGIN, 60, _closer_in_words(chart, is_short=layout.has_names_above), 'font-size="13"'),
        area.draw_ground(),
        *area.draw_y_labels([(value, format_tick(value, y_ticks)) for value in y_ticks], "random schedules"),
        *area.draw_x_labels(
            [(value, format_tick(value, x_ticks)) for value in x_ticks],
            "distance of the opponents from the field, in points a turn"
            if not layout.has_names_above
            else "distance from the field",
        ),
    ]
    for column, count in sorted(counts.items()):
        x, y = area.x(column * step), area.y(count)
        words = f"{count} random schedules from {column * step:.2f} to {(column + 1) * step:.2f}"
        elements.append(
            f'<rect {background("3l")} x="{x + 1:.1f}" y="{y:.1f}" width="{area.width / _COLUMNS - 2:.1f}"'
            f' height="{area.foot - y:.1f}"><title>{escape_text(words)}</title></rect>'
        )
    x = area.x(chart.residual)
    anchor = "start" if chart.residual < most * 0.6 else "end"
    elements += [
        area.draw_line([(chart.residual, 0), (chart.residual, area.y_range[1])], 'stroke-width="3"'),
        draw_text(
            x + (6 if anchor == "start" else -6),
            _TOP + 16,
            f"this event: {chart.residual:.2f}",
            f'text-anchor="{anchor}" font-size="13" font-weight="600"',
        ),
    ]
    return draw_chart_document(
        chart_id, chart.title, describe_schedules(chart), elements, layout=layout, height=_TOP + _HEIGHT + 56
    )


def describe_schedules(chart: ScheduleChart) -> str:
    """Return the chart in words."""
    sentences = [f"The opponents of this event are {chart.residual:.2f} points a turn from the field, root mean square"]
    if chart.randoms:
        ordered = sorted(chart.randoms)
        quarter, middle, last = [ordered[round(part * (len(ordered) - 1))] for part in (0.25, 0.5, 0.75)]
        sentences += [
            f"Of {len(ordered):,} random schedules the closest is {ordered[0]:.2f}, the furthest {ordered[-1]:.2f}",
            f"Half of them lie between {quarter:.2f} and {last:.2f}, the middle one is {middle:.2f}",
            _closer_in_words(chart, is_short=False),
        ]
    return " ".join([f"{sanitize_text(sentence)}." for sentence in sentences])


def _closer_in_words(chart: ScheduleChart, *, is_short: bool) -> str:
    """Return how many of the random schedules come closer than the event."""
    closer = sum([value < chart.residual for value in chart.randoms])
    count = "None" if closer == 0 else f"{closer:,}"
    return f"{count} of {len(chart.randoms):,} random schedules came closer" + (
        "" if is_short else " to everyone having played the average player"
    )
