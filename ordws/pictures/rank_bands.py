"""Points a turn against winning percentage, a dot a player, with the quarters of the ranking as bands.

Ranks go by winning percentage and then by points a turn (docs/rules.md 10.2), hence the steps between the bands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from ordws.pictures.alt_text import sanitize_text
from ordws.pictures.charts import MARGIN, WIDE, ChartLayout, draw_chart_document
from ordws.pictures.plot_area import PlotArea, format_tick, tick_values
from ordws.pictures.svg_elements import background, draw_text, truncate_text

_HEIGHT: Final = 340
_TOP: Final = 84
_MOST_NAMED: Final = 24
_MOST_DOTS_LISTED: Final = 200
_Box: TypeAlias = tuple[float, float, float, float]
"""The left, top, right and foot of something that is drawn."""


class RankDot(NamedTuple):
    """A player: the winning percentage from 0 to 1, and the points a turn."""

    rank: int
    name: str
    win_pct: float
    ppt: float


class RankChart(NamedTuple):
    """The players who have had a game, by rank; `marked` is the name of one who stands out."""

    title: str
    dots: Sequence[RankDot]
    marked: str = ""


def draw_ranks(chart: RankChart, *, chart_id: str, layout: ChartLayout = WIDE) -> str:
    """Return the SVG of the chart; `chart_id` tells its parts from those of other charts on a page."""
    averages = [dot.ppt for dot in chart.dots] or [0.0]
    edge = max(0.5, 0.08 * (max(averages) - min(averages)))
    low, high = min(averages) - edge, max(averages) + edge
    left = MARGIN + 46
    area = PlotArea(left, _TOP, layout.width - left - MARGIN, _HEIGHT, (low, high), (-0.06, 1.12))
    x_ticks, y_ticks = tick_values(low, high, 5 if layout.has_names_above else 8), [0.0, 0.25, 0.5, 0.75, 1.0]
    has_names = len(chart.dots) <= _MOST_NAMED and not layout.has_names_above
    bands, taken = _draw_bands(chart.dots, area)
    taken += [_box(area.x(dot.ppt), area.y(dot.win_pct) + 4, 10, "middle") for dot in chart.dots]
    elements = [area.draw_ground(), *bands]
    elements += area.draw_y_labels([(value, f"{value:.3f}") for value in y_ticks], "games won")
    elements += area.draw_x_labels([(value, format_tick(value, x_ticks)) for value in x_ticks], "points a turn")
    for dot in chart.dots:
        is_marked = dot.name == chart.marked
        words = f"{dot.rank}. {dot.name}: {dot.win_pct:.3f}, {dot.ppt:.2f} points a turn"
        kind, radius = ("3w", 6) if is_marked else ("3l", 4.5)
        elements.append(area.draw_dot(dot.ppt, dot.win_pct, words, kind=kind, radius=radius))
        label = f"{dot.rank} {truncate_text(dot.name, 14)}" if has_names else str(dot.rank)
        if len(chart.dots) <= 100 or is_marked:
            elements.append(_draw_label(area, dot, label, taken))
    return draw_chart_document(
        chart_id, chart.title, describe_ranks(chart), elements, layout=layout, height=_TOP + _HEIGHT + 56
    )


def _box(x: float, y: float, width: float, anchor: str) -> _Box:
    """Return the room of a label, or of a dot, whose foot is at a height."""
    left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    return left, y - 9, left + width, y + 2


def _draw_label(area: PlotArea, dot: RankDot, label: str, taken: list[_Box]) -> str:
    """Return a label beside its dot where it covers least of what is there, and add its room to that."""
    x, y, width = area.x(dot.ppt), area.y(dot.win_pct), 6.2 * len(label)
    places = [(x, y - 8, "middle"), (x, y + 17, "middle"), (x + 8, y + 4, "start"), (x - 8, y + 4, "end")]
    places += [(x + side * width / 3, y + step, "middle") for step in (-8, 17) for side in (1, -1)]
    places += [(x, y - 20, "middle"), (x, y + 29, "middle")]
    boxes = [_box(*place[:2], width, place[2]) for place in places]
    covered = [
        sum(left < b and a < right and top < d and c < foot for a, c, b, d in taken)
        + 2 * (left < area.left or right > area.right)
        for left, top, right, foot in boxes
    ]
    best = covered.index(min(covered))
    taken.append(boxes[best])
    at, height, anchor = places[best]
    return draw_text(at, round(height), label, f'text-anchor="{anchor}" font-size="11"')


def _draw_bands(dots: Sequence[RankDot], area: PlotArea) -> tuple[list[str], list[_Box]]:
    """Return every second quarter of the ranking as a band, and the room of the labels.

    A band is all that ranks between two players.
    """
    if len(dots) < 4:
        return [], []
    ends = [round(len(dots) * part / 4) for part in (1, 2, 3)]
    edges = [_edge_below(dots, end, area) for end in ends]
    top = [(area.left, area.top), (area.right, area.top)]
    foot = [(area.left, area.foot), (area.right, area.foot)]
    drawn, taken = [], []
    for number, (upper, lower) in enumerate(zip([top, *edges], [*edges, foot], strict=True)):
        if number % 2 == 0:
            points = " ".join([f"{x:.1f},{y:.1f}" for x, y in [*upper, *reversed(lower)]])
            drawn.append(f'<polygon {background("plain")} points="{points}"/>')
    starts = [0, *ends]
    heights: set[int] = set()
    for number, (edge, start) in enumerate(zip([*edges, foot], starts, strict=True)):
        end = ends[number] if number < 3 else len(dots)
        words = f"ranks {start + 1} to {end}" if end > start + 1 else f"rank {end}"
        y = round(edge[-1][1]) - 6
        # Where one step ends at the foot, the band left of it is named at its left.
        x, anchor = (area.left + 8, "start") if y in heights else (area.right - 8, "end")
        heights.add(y)
        drawn.append(draw_text(x, y, words, f'text-anchor="{anchor}" font-size="11"'))
        taken.append(_box(x, y, 6.2 * len(words), anchor))
    return drawn, taken


def _edge_below(dots: Sequence[RankDot], end: int, area: PlotArea) -> list[tuple[float, float]]:
    """Return the edge under the first `end` players, from left to right: a step where both sides won as many games."""
    inside, outside = dots[end - 1], dots[end]
    if inside.win_pct != outside.win_pct:
        y = area.y((inside.win_pct + outside.win_pct) / 2)
        return [(area.left, y), (area.right, y)]
    levels = sorted({dot.win_pct for dot in dots})
    at = levels.index(inside.win_pct)
    above = (levels[at] + levels[at + 1]) / 2 if at + 1 < len(levels) else area.y_range[1]
    below = (levels[at] + levels[at - 1]) / 2 if at else area.y_range[0]
    x = area.x((inside.ppt + outside.ppt) / 2)
    return [(area.left, area.y(above)), (x, area.y(above)), (x, area.y(below)), (area.right, area.y(below))]


def describe_ranks(chart: RankChart) -> str:
    """Return the chart in words, the first players where there are very many."""
    sentences = [
        f"{dot.rank}. {dot.name}: {dot.win_pct:.3f} and {dot.ppt:.2f} points a turn"
        for dot in chart.dots[:_MOST_DOTS_LISTED]
    ]
    if len(chart.dots) > _MOST_DOTS_LISTED:
        sentences.append(f"{len(chart.dots) - _MOST_DOTS_LISTED} more")
    return " ".join([f"{sanitize_text(sentence)}." for sentence in sentences]) or "No game has been played."
