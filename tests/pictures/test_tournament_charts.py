"""Pictures of events: the figures that they show, in marks and in words, and the same bytes for the same figures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

from each_row import each_row

from ordws.pictures.charts import NARROW, WIDE
from ordws.pictures.svg_elements import PlotArea, format_tick, tick_values
from ordws.pictures.tournament_charts import (
    MOST_PATHS,
    OpponentsChart,
    OpponentsPath,
    RankChart,
    RankDot,
    ScheduleChart,
    describe_opponents,
    describe_ranks,
    describe_schedules,
    draw_opponents,
    draw_ranks,
    draw_schedules,
)

OPPONENTS = OpponentsChart(
    "Opponents",
    28.0,
    (
        OpponentsPath("Ann <Ode>", (-4.0, -1.5, 0.1)),
        OpponentsPath("Ben", (3.0, None, -0.2)),
        OpponentsPath("Cy", (None, 2.0, -0.001)),
    ),
    "Ben",
)
RANKS = RankChart(
    "Ranks",
    tuple([RankDot(rank, f"P{rank}", won, 30 - rank) for rank, won in enumerate([1, 0.75, 0.75, 0.75, 0.5, 0], 1)]),
    "P3",
)
SCHEDULES = ScheduleChart("Certificate", 0.31, [0.5 + at / 1000 for at in range(1000)])
DRAWINGS = (
    (draw_opponents, OPPONENTS),
    (draw_opponents, OpponentsChart("None", 0.0, ())),
    (draw_ranks, RANKS),
    (draw_ranks, RankChart("None", ())),
    (draw_schedules, SCHEDULES),
    (draw_schedules, ScheduleChart("None", 0.0, ())),
)


@each_row("layout", [WIDE, NARROW])
@each_row(("draw", "chart"), DRAWINGS)
def test_charts_stay_in_their_frame(draw, chart, layout):
    """Everything is inside of the picture, which has a title and words, and the same figures give the same bytes."""
    svg = draw(chart, chart_id="c", layout=layout)
    assert svg == draw(chart, chart_id="c", layout=layout)
    root = ET.fromstring(svg)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    texts = {each.tag.split("}")[1]: each.text for each in root}
    assert texts["title"] == chart.title
    assert texts["desc"]
    for name, limit in (("x", width), ("cx", width), ("y", height), ("cy", height)):
        assert all(0 <= float(each.attrib[name]) <= limit for each in root.iter() if name in each.attrib)


def test_opponents_in_words():
    """The field after each round, then the distances of each player; a round without an opponent is none."""
    assert describe_opponents(OPPONENTS) == (
        "The field makes 28.00 points a turn. "
        "After round 1: root mean square 3.54, furthest -4.00, the opponents of Ann <Ode>. "
        "After round 2: root mean square 1.77, furthest +2.00, the opponents of Cy. "
        "After round 3: root mean square 0.13, furthest -0.20, the opponents of Ben. "
        "Ann <Ode>: -4.00, -1.50, +0.10. Ben: +3.00, none, -0.20. Cy: none, +2.00, +0.00."
    )


def test_every_dot_says_its_value():
    """A dot tells the player, the round and the average; that of the marked player has another colour."""
    svg = draw_opponents(OPPONENTS, chart_id="c")
    assert "<title>Ben after round 1: opponents at 31.00, 3.00 above the field</title>" in svg
    assert len(re.findall(r'<circle class="g-3w"', svg)) == 2
    assert len(re.findall(r'<circle class="g-3l"', svg)) == 5
    assert "s 28.00</text>" in svg


def test_names_at_the_edge_do_not_overlap():
    """Lines that end at the same height have their names one below the other."""
    paths = tuple([OpponentsPath(f"Player {at}", (0.01 * at,)) for at in range(16)])
    svg = draw_opponents(OpponentsChart("x", 1.0, paths), chart_id="c")
    heights = sorted(int(y) for y in re.findall(r'y="(\d+)"[^>]*>[+-][\d.]+ Player', svg))
    assert len(heights) == 16
    assert min(b - a for a, b in pairwise(heights)) >= 14
    # A dashed line leads from the end of each line to its name, which tells where it ended.
    leaders = re.findall(r'stroke-dasharray="2 3" d="M[\d.]+ ([\d.]+)L.*?L[\d.]+ ([\d.]+)"', svg)
    assert len(leaders) == 16
    assert [round(float(foot)) + 4 for _, foot in leaders] == heights
    assert ">+0.15 Player 15<" in svg


def test_labels_of_ranks_cover_no_label_and_no_dot():
    """Names beside dots that are close together stand clear of each other."""
    dots = tuple([RankDot(rank, f"Player {rank}", 0.6 - rank % 3 / 20, 30 - rank / 3) for rank in range(1, 9)])
    svg = draw_ranks(RankChart("x", dots), chart_id="c")
    place = r'<text class="[^"]*"[^>]* x="([\d.]+)" y="(\d+)" text-anchor="(\w+)" font-size="11">(\d Player \d)<'
    labels = [(float(x), int(y), anchor, name) for x, y, anchor, name in re.findall(place, svg)]
    assert len(labels) == 8
    lefts = {name: x - {"start": 0, "middle": 28, "end": 56}[anchor] for x, _, anchor, name in labels}
    for one, other in combinations(labels, 2):
        assert abs(one[1] - other[1]) >= 11 or abs(lefts[one[3]] - lefts[other[3]]) >= 55, (one, other)


def test_many_players_are_bands():
    """Too many lines to tell apart are drawn as the whole field and its middle half, but for the marked player."""
    paths = tuple([OpponentsPath(f"Player {at}", (at - 40.0, (at - 40) / 4)) for at in range(MOST_PATHS + 21)])
    svg = draw_opponents(OpponentsChart("x", 1.0, paths, "Player 7"), chart_id="c")
    assert svg.count("<polygon") == 2
    assert svg.count("<circle") == 2


def test_ranks_are_banded_by_quarters():
    """The edge of a band steps where both sides have won as many games, at the points a turn that part them."""
    svg = draw_ranks(RANKS, chart_id="c")
    assert list(re.findall(r">(ranks? [^<]+)<", svg)) == [
        "ranks 1 to 2",
        "rank 3",
        "rank 4",
        "ranks 5 to 6",
    ]
    assert describe_ranks(RANKS).startswith("1. P1: 1.000 and 29.00 points a turn. 2. P2: 0.750 and")


def test_certificate_counts_closer_schedules():
    """The chart says how many random schedules came closer, and where half of them lie."""
    closer = ScheduleChart("Certificate", 0.6, SCHEDULES.randoms)
    assert "100 of 1,000 random schedules came closer to everyone" in draw_schedules(closer, chart_id="c")
    assert describe_schedules(SCHEDULES) == (
        "The opponents of this event are 0.31 points a turn from the field, root mean square. "
        "Of 1,000 random schedules the closest is 0.50, the furthest 1.50. "
        "Half of them lie between 0.75 and 1.25, the middle one is 1.00. "
        "None of 1,000 random schedules came closer to everyone having played the average player."
    )


@each_row(
    ("low", "high", "most", "ticks"),
    [
        (-1.2, 1.3, 6, ["-1.0", "-0.5", "0.0", "0.5", "1.0"]),
        (0, 1000, 5, ["0", "500", "1000"]),
        (26.4, 29.6, 8, ["26.5", "27.0", "27.5", "28.0", "28.5", "29.0", "29.5"]),
        (0.031, 0.049, 6, ["0.035", "0.040", "0.045"]),
        (5, 5, 6, ["5"]),
    ],
)
def test_axes_have_round_values(low, high, most, ticks):
    """Steps are 1, 2 or 5 times a power of ten, with as many decimals as they need."""
    values = tick_values(low, high, most)
    assert [format_tick(value, values) for value in values] == ticks


def test_values_stand_where_the_axes_say():
    """The lowest value is at the foot and the highest at the top."""
    area = PlotArea(10, 20, 100, 50, (0, 10), (-1, 1))
    assert [area.x(0), area.x(10), area.y(-1), area.y(1)] == [10, 110, 70, 20]
