"""Everyone's opponents closing on the field's line, round by round: the picture that explains an event.

For each player and round it shows the average that the opponents so far make a turn, less that of the field, both as
they stand now: the last round's dots are what the certificate measures (docs/rules.md 10.3).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from ordws.pictures.alt_text import sanitize_text
from ordws.pictures.charts import MARGIN, WIDE, ChartLayout, draw_chart_document
from ordws.pictures.plot_area import PlotArea, format_tick, tick_values
from ordws.pictures.svg_elements import background, draw_path, draw_text, truncate_text

MOST_PATHS: Final = 60
"""The most players who have lines of their own; more are drawn as bands."""

_MOST_LISTED: Final = 40
_HEIGHT: Final = 300
_TOP: Final = 84
_MOST_NAMED: Final = 40
_NAME_HEIGHT: Final = 15
_LEADER_WIDTH: Final = 34
"""The room in which names that would stand on each other are led apart."""
_BANDS: Final = ((0.0, "plain"), (0.25, "2l"))
"""The parts of the field outside of a band on each side, and the colour of the band."""


class OpponentsPath(NamedTuple):
    """A player: after each round the distance of the opponents' average from the field's; None without an opponent."""

    name: str
    distances: Sequence[float | None]


class OpponentsChart(NamedTuple):
    """All players; `field` is the field's average; `marked` is the name of a player whose line stands out."""

    title: str
    field: float
    paths: Sequence[OpponentsPath]
    marked: str = ""


def draw_opponents(chart: OpponentsChart, *, chart_id: str, layout: ChartLayout = WIDE) -> str:
    """Return the SVG of the chart; `chart_id` tells its parts from those of other charts on a page."""
    rounds = max([len(path.distances) for path in chart.paths], default=0)
    most = max([abs(value) for path in chart.paths for value in path.distances if value is not None], default=0.0)
    limit = max(0.5, most * 1.08)
    left = MARGIN + 46
    letters = 0 if len(chart.paths) > _MOST_NAMED else 10 if layout.has_names_above else 17
    width = layout.width - left - MARGIN - (_LEADER_WIDTH + letters * 7 + 34 if letters else 0)
    height = max(_HEIGHT, _NAME_HEIGHT * len(chart.paths) if letters else 0)
    area = PlotArea(left, _TOP, width, height, (0.6, max(1, rounds) + 0.4), (-limit, limit))
    ticks = tick_values(-limit, limit, 7)
    steps = max(1, -(-rounds // (8 if layout.has_names_above else 20)))
    elements = [
        area.draw_ground(),
        *area.draw_y_labels(
            [(value, f"{'+' if value > 1e-9 else ''}{format_tick(value, ticks)}") for value in ticks],
            f"opponents' points a turn, less the field's {chart.field:.2f}",
        ),
        *area.draw_x_labels([(number, str(number)) for number in range(1, rounds + 1, steps)], "after round"),
        *(_draw_paths(chart, area, letters) if len(chart.paths) <= MOST_PATHS else _draw_bands(chart, area, rounds)),
        area.draw_line([(area.x_range[0], 0), (area.x_range[1], 0)], 'stroke-width="3"'),
    ]
    return draw_chart_document(
        chart_id, chart.title, describe_opponents(chart), elements, layout=layout, height=_TOP + height + 56
    )


def _draw_paths(chart: OpponentsChart, area: PlotArea, letters: int) -> list[str]:
    """Return a line with dots for each player, with so many letters of the name at its end."""
    drawn: list[str] = []
    ends: list[tuple[float, float, OpponentsPath]] = []
    for path in sorted(chart.paths, key=lambda path: path.name == chart.marked):
        points = [(number, value) for number, value in enumerate(path.distances, 1) if value is not None]
        if not points:
            continue
        is_marked = path.name == chart.marked
        drawn.append(area.draw_line(points, 'stroke-width="3"' if is_marked else 'stroke-width="1" opacity=".35"'))
        for number, value in points:
            side = "above" if value > 0 else "below"
            words = (
                f"{path.name} after round {number}: opponents at {chart.field + value:.2f}, {abs(value):.2f} {side}"
                " the field"
            )
            kind, radius = ("3w", 5) if is_marked else ("3l", 3.5)
            drawn.append(area.draw_dot(number, value, words, kind=kind, radius=radius))
        ends.append((area.y(points[-1][1]), area.x(points[-1][0]), path))
    if letters:
        ends.sort(key=lambda end: end[0])
        # Names of lines that end close together are set apart, as near to their lines as the others leave room:
        # a group that would overlap stands about the mean of its lines.
        groups: list[tuple[float, int]] = []
        for y, _, _ in ends:
            groups.append((y, 1))
            while len(groups) > 1 and _first_name(groups[-2]) + _NAME_HEIGHT * groups[-2][1] > _first_name(groups[-1]):
                (one, size), (other, more) = groups[-2:]
                groups[-2:] = [((one * size + other * more) / (size + more), size + more)]
        heights = [_first_name(group) + _NAME_HEIGHT * at for group in groups for at in range(group[1])]
        heights = [max(height, area.top + _NAME_HEIGHT * at) for at, height in enumerate(heights)]
        heights = [min(height, area.foot - _NAME_HEIGHT * at) for at, height in enumerate(reversed(heights))][::-1]
        for height, (y, x, path) in zip(heights, ends, strict=True):
            leader = [(x, y), (area.right, y), (area.right + _LEADER_WIDTH - 4, height)]
            drawn.append(draw_path(leader, 'stroke-width="1" stroke-dasharray="2 3"'))
            weight = ' font-weight="600"' if path.name == chart.marked else ""
            last = [value for value in path.distances if value is not None][-1]
            name = f"{_signed(last)} {truncate_text(path.name, letters)}"
            drawn.append(draw_text(area.right + _LEADER_WIDTH, round(height) + 4, name, f'font-size="12"{weight}'))
    return drawn


def _first_name(group: tuple[float, int]) -> float:
    """Return the height of the first of a group of names, given the height of their middle and their number."""
    middle, size = group
    return middle - _NAME_HEIGHT * (size - 1) / 2


def _draw_bands(chart: OpponentsChart, area: PlotArea, rounds: int) -> list[str]:
    """Return the whole field and its middle half as bands from round to round, and the line of a marked player."""
    drawn: list[str] = []
    columns = [(number, values) for number in range(1, rounds + 1) if (values := _column(chart, number))]
    for outside, kind in _BANDS:
        low = [(number, _quantile(values, outside)) for number, values in columns]
        high = [(number, _quantile(values, 1 - outside)) for number, values in columns]
        edge = " ".join([f"{area.x(x):.1f},{area.y(y):.1f}" for x, y in [*low, *reversed(high)]])
        drawn.append(f'<polygon {background(kind)} points="{edge}"/>')
    x, anchor = area.right - 6, 'text-anchor="end" font-size="12"'
    drawn.append(draw_text(x, round(area.top) + 16, "pale: the whole field; dark: its middle half", anchor))
    marked = [path for path in chart.paths if path.name == chart.marked]
    return drawn + (_draw_paths(chart._replace(paths=marked), area, letters=0) if marked else [])


def describe_opponents(chart: OpponentsChart) -> str:
    """Return the chart in words: the field after each round, then each player where there are not too many."""
    rounds = max([len(path.distances) for path in chart.paths], default=0)
    sentences = [f"The field makes {chart.field:.2f} points a turn"]
    for number in range(1, rounds + 1):
        values = _column(chart, number)
        if values:
            root = math.sqrt(sum([value * value for value in values]) / len(values))
            furthest = max(
                [
                    path
                    for path in chart.paths
                    if len(path.distances) >= number and path.distances[number - 1] is not None
                ],
                key=lambda path: abs(path.distances[number - 1] or 0.0),
            )
            sentences.append(
                f"After round {number}: root mean square {root:.2f}, furthest"
                f" {_signed(furthest.distances[number - 1] or 0.0)}, the opponents of {furthest.name}"
            )
    for path in chart.paths if len(chart.paths) <= _MOST_LISTED else []:
        values_in_words = ", ".join(["none" if value is None else _signed(value) for value in path.distances])
        if path.distances:
            sentences.append(f"{path.name}: {values_in_words}")
    return " ".join([f"{sanitize_text(sentence)}." for sentence in sentences])


def _column(chart: OpponentsChart, number: int) -> list[float]:
    """Return the distances after a round, sorted."""
    values = [path.distances[number - 1] for path in chart.paths if len(path.distances) >= number]
    return sorted([value for value in values if value is not None])


def _quantile(values: Sequence[float], part: float) -> float:
    """Return the value below which this part of the sorted values lies."""
    return values[round(part * (len(values) - 1))]


def _signed(value: float) -> str:
    # A sum of 0.0 turns the minus of a rounded zero into a plus.
    return f"{round(value, 2) + 0.0:+.2f}"
