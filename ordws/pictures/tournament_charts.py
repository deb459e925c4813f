"""The charts of an event: everyone's opponents round by round, the ranking, and the event among random schedules.

The opponents close on the field's line: for each player and round the chart shows the average that the opponents so far
make a turn, less that of the field, both as they stand now, so that the last round's dots are what the certificate
measures (docs/rules.md 10.3). The ranking is points a turn against winning percentage, a dot a player, with its
quarters as bands; ranks go by winning percentage and then by points a turn (docs/rules.md 10.2), hence the steps
between the bands. The third chart is the distance of an event from one in which everyone played the average player.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from ordws.pictures.alt_text import sanitize_text
from ordws.pictures.charts import MARGIN, WIDE, ChartLayout, draw_chart_document
from ordws.pictures.svg_elements import (
    PlotArea,
    background,
    draw_path,
    draw_text,
    escape_text,
    format_tick,
    tick_values,
    truncate_text,
)

MOST_PATHS: Final = 60
"""The most players who have lines of their own; more are drawn as bands."""

_MOST_PATHS_LISTED: Final = 40
_OPPONENTS_HEIGHT: Final = 300
_TOP: Final = 84
_MOST_PATHS_NAMED: Final = 40
_NAME_HEIGHT: Final = 15
_LEADER_WIDTH: Final = 34
"""The room in which names that would stand on each other are led apart."""
_FIELD_BANDS: Final = ((0.0, "plain"), (0.25, "2l"))
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
    letters = 0 if len(chart.paths) > _MOST_PATHS_NAMED else 10 if layout.has_names_above else 17
    width = layout.width - left - MARGIN - (_LEADER_WIDTH + letters * 7 + 34 if letters else 0)
    height = max(_OPPONENTS_HEIGHT, _NAME_HEIGHT * len(chart.paths) if letters else 0)
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
        *(
            _draw_paths(chart, area, letters)
            if len(chart.paths) <= MOST_PATHS
            else _draw_field_bands(chart, area, rounds)
        ),
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


def _draw_field_bands(chart: OpponentsChart, area: PlotArea, rounds: int) -> list[str]:
    """Return the whole field and its middle half as bands from round to round, and the line of a marked player."""
    drawn: list[str] = []
    columns = [(number, values) for number in range(1, rounds + 1) if (values := _column(chart, number))]
    for outside, kind in _FIELD_BANDS:
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
    for path in chart.paths if len(chart.paths) <= _MOST_PATHS_LISTED else []:
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


_RANKS_HEIGHT: Final = 340
_MOST_DOTS_NAMED: Final = 24
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
    area = PlotArea(left, _TOP, layout.width - left - MARGIN, _RANKS_HEIGHT, (low, high), (-0.06, 1.12))
    x_ticks, y_ticks = tick_values(low, high, 5 if layout.has_names_above else 8), [0.0, 0.25, 0.5, 0.75, 1.0]
    has_names = len(chart.dots) <= _MOST_DOTS_NAMED and not layout.has_names_above
    bands, taken = _draw_rank_bands(chart.dots, area)
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
        chart_id, chart.title, describe_ranks(chart), elements, layout=layout, height=_TOP + _RANKS_HEIGHT + 56
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


def _draw_rank_bands(dots: Sequence[RankDot], area: PlotArea) -> tuple[list[str], list[_Box]]:
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


_SCHEDULES_HEIGHT: Final = 220
_SCHEDULES_TOP: Final = 104
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
    area = PlotArea(
        left, _SCHEDULES_TOP, layout.width - left - MARGIN, _SCHEDULES_HEIGHT, (0.0, most), (0.0, tallest * 1.25)
    )
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
            _SCHEDULES_TOP + 16,
            f"this event: {chart.residual:.2f}",
            f'text-anchor="{anchor}" font-size="13" font-weight="600"',
        ),
    ]
    return draw_chart_document(
        chart_id,
        chart.title,
        describe_schedules(chart),
        elements,
        layout=layout,
        height=_SCHEDULES_TOP + _SCHEDULES_HEIGHT + 56,
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
