"""Charts of the agreement and the progress of a panel."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from ordws.pictures.charts import (
    NARROW,
    BandChart,
    Bar,
    BarChart,
    Chart,
    FanChart,
    MatrixCell,
    MatrixChart,
    Point,
    describe_chart,
    draw_chart,
)

SVG = "{http://www.w3.org/2000/svg}"
BARS = BarChart("Seconds a card", [Bar("all", 6, "6.0 s"), Bar("ben <1>", 3, "3.0 s", True), Bar("new", 0, "none")])
MATRIX = MatrixChart(
    "Kappa",
    ["ann", "ben", "cleo the librarian"],
    {(1, 0): MatrixCell(0.812, 40), (2, 0): MatrixCell(0.21, 12), (2, 1): MatrixCell(None, 0)},
)
BAND = BandChart("Alpha", [Point("2026-11", 0.7, 0.6, 0.8), Point("2026-12", None), Point("2027-01", 0.5)], 0.667)
FAN = FanChart("Open", [("at first", 100), ("2026-11-21", 60)], [(60, 60, 60), (20, 30, 40), (0, 0, 10)], "evening")
CHARTS: list[Chart] = [BARS, MATRIX, BAND, FAN]

texts = st.text(st.characters(exclude_categories=()), max_size=40)
"""Any text, with control characters and lone surrogates."""
parts = st.none() | st.floats(-1, 1)


def parsed(chart: Chart) -> ElementTree.Element:
    return ElementTree.fromstring(draw_chart(chart, chart_id="chart").encode())


def written(chart: Chart) -> list[str]:
    return [text.text or "" for text in parsed(chart).iter(f"{SVG}text")]


@each_row(
    ("chart", "words"),
    [
        (BARS, "all: 6.0 s. ben <1>: 3.0 s, to look at. new: none."),
        (
            MATRIX,
            "ann and ben: 0.81 of 40. ann and cleo the librarian: 0.21 of 12."
            " ben and cleo the librarian: undefined of 0.",
        ),
        (
            BAND,
            "2026-11: 0.70, between 0.60 and 0.80. 2026-12: undefined. 2027-01: 0.50. the line is at 0.667.",
        ),
        (
            FAN,
            "at first: 100 left. 2026-11-21: 60 left. at the soonest, nothing left after 2 evenings."
            " expected, nothing left after 2 evenings.",
        ),
        (BarChart("Empty", []), "Nothing yet."),
    ],
)
def test_a_chart_has_a_title_and_a_description(chart: Chart, words: str) -> None:
    """A chart is an image with a title and a description of everything that is drawn."""
    root = parsed(chart)
    assert describe_chart(chart) == words
    assert (root.get("role"), root.get("aria-labelledby")) == ("img", "chart-title chart-words")
    assert (root[0].text, root[0].get("id")) == (chart.title, "chart-title")
    assert (root[1].text, root[1].get("id")) == (words, "chart-words")


def test_bars_are_proportional_to_their_values() -> None:
    """The length of a bar is proportional to its value, one unit at least, and a marked bar has a sign."""
    _, *widths = [int(rect.get("width", "")) for rect in parsed(BARS).iter(f"{SVG}rect")]
    assert widths == [336, 168, 1]
    assert written(BARS) == ["Seconds a card", "all", "6.0 s", "ben <1>", "3.0 s !", "new", "none"]


def test_every_pair_has_a_cell_with_its_value() -> None:
    """Each pair has a cell below the diagonal with its value, number of cases and grade."""
    said = written(MATRIX)
    assert said[1:5] == ["ben", "cleo the librarian", "ann", "ben"]
    assert said[5:] == ["0.81", "of 40", "0.21", "of 12", "undefined", "of 0"]
    grounds = [rect.get("class") for rect in parsed(MATRIX).iter(f"{SVG}rect")]
    assert grounds == ["g-paper", "g-3l", "g-3w", "g-plain"]


@each_row(("value", "ground"), [(0.8, "3l"), (0.667, "2l"), (0.66, "2w"), (0.4, "2w"), (0.39, "3w"), (-1, "3w")])
def test_a_cell_is_graded(value: float, ground: str) -> None:
    """A cell is blue from 0.667 on and orange below, each in two strengths."""
    rects = list(parsed(MatrixChart("", ["a", "b"], {(1, 0): MatrixCell(value, 1)})).iter(f"{SVG}rect"))
    assert rects[1].get("class") == f"g-{ground}"


def test_an_undefined_month_breaks_the_line() -> None:
    """An undefined month is labelled so and has no dot, and no line joins its neighbours."""
    assert written(BAND)[1:] == [
        "0.0",
        "0.667",
        "1.0",
        "2026",
        "11",
        "0.70",
        "2026",
        "12",
        "undefined",
        "2027",
        "01",
        "0.50",
    ]
    root = parsed(BAND)
    assert len(list(root.iter(f"{SVG}circle"))) == 2
    trend = [path.get("d", "") for path in root.iter(f"{SVG}path")]
    assert [way.count("L") for way in trend] == [0, 0, 1]
    _, _, band = root.iter(f"{SVG}rect")
    assert (band.get("y"), band.get("height")) == ("100.0", "40.0")


def test_the_forecast_begins_where_the_past_ends() -> None:
    """The forecast begins where the line of the past ends."""
    root = parsed(FAN)
    (area,) = root.iter(f"{SVG}polygon")
    expected, past = [path.get("d", "") for path in root.iter(f"{SVG}path")]
    meeting = past.removeprefix("M").split("L")[-1]
    assert expected.startswith(f"M{meeting}L")
    assert area.get("points", "").startswith(meeting.replace(" ", ","))
    assert written(FAN)[1:] == [
        "0",
        "100",
        "100",
        "at first",
        "60",
        "2026-11-21",
        "soonest: 2 evenings",
        "expected: 2 evenings",
    ]


def test_a_chart_without_a_forecast_has_no_area() -> None:
    """A chart without a forecast has no area and no end."""
    root = parsed(FAN._replace(ahead=[]))
    assert list(root.iter(f"{SVG}polygon")) == []
    assert describe_chart(FAN._replace(ahead=[])) == "at first: 100 left. 2026-11-21: 60 left."


@each_row("chart", CHARTS)
def test_a_narrow_chart_fits_a_phone_and_says_the_same(chart: Chart) -> None:
    """In 380 units every mark is within the picture, and its description is that of the wide chart."""
    root = ElementTree.fromstring(draw_chart(chart, chart_id="chart", layout=NARROW).encode())
    assert root.get("viewBox", "").split()[2] == "380"
    assert root[1].text == describe_chart(chart)
    for mark in root.iter():
        end = float(mark.get("x", 0)) + float(mark.get("width", 0)) * (mark.tag == f"{SVG}rect")
        assert 0 <= end <= 380


def test_a_narrow_chart_of_bars_has_names_above() -> None:
    """On a phone the name of a bar stands above it, so that the bar has the width of the screen."""
    root = ElementTree.fromstring(draw_chart(BARS, chart_id="chart", layout=NARROW).encode())
    _, name, label, *_ = root.iter(f"{SVG}text")
    assert (name.text, name.get("x"), label.text) == ("all", "24", "6.0 s")
    assert float(name.get("y", 0)) < float(label.get("y", 0))


def test_a_narrow_chart_shows_the_latest_months() -> None:
    """On a phone a chart of months shows the last six."""
    points = [Point(f"2026-{month:02}", 0.5) for month in range(1, 13)]
    drawn = draw_chart(BandChart("Alpha", points, 0.667), chart_id="chart", layout=NARROW)
    assert drawn.count("<circle") == 6


@each_row("chart", CHARTS)
def test_a_chart_has_light_and_dark_colours_and_loads_nothing(chart: Chart) -> None:
    """A chart has light and dark colours and loads nothing."""
    drawn = draw_chart(chart, chart_id="chart")
    assert "@media screen and (prefers-color-scheme:dark)" in drawn
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")
    assert " style=" not in drawn


@given(
    texts,
    st.lists(st.tuples(texts, parts, parts, parts), max_size=30),
    st.lists(st.tuples(texts, st.integers(0, 10**9)), max_size=4),
    st.lists(st.tuples(*[st.floats(0, 1e9)] * 3), max_size=4),
)
def test_any_figures_are_drawn(title, points, past, ahead) -> None:
    """Any names and missing values make a well-formed chart, with the same bytes each time."""
    names = [name for name, *_ in points[:6]]
    cells = {(i, j): MatrixCell(points[i][1], i) for i in range(len(names)) for j in range(i)}
    for chart in (
        BarChart(title, [Bar(name, count, str(count)) for name, count in past]),
        MatrixChart(title, names, cells),
        BandChart(title, [Point(*each) for each in points], 0.667),
        FanChart(title, past, ahead, "evening"),
    ):
        assert draw_chart(chart, chart_id="chart") == draw_chart(chart, chart_id="chart")
        parsed(chart)


@each_row("days", [1, 2, 3, 9])
@each_row("ahead", [0, 1, 4])
def test_a_chart_stays_within_its_background(days: int, ahead: int) -> None:
    """A chart of any number of days and evenings stays within its background."""
    past = [(f"2026-11-{day + 1:02}", 50 - day) for day in range(days)]
    coming = [(max(0.0, 40.0 - 10 * step),) * 3 for step in range(ahead)]
    root = parsed(FanChart("Open families", past, coming, "evening"))
    ground = root.findall(f"{SVG}rect")[1]
    left, wide = (int(ground.attrib[name]) for name in ("x", "width"))
    drawn = [each.attrib.get("points") or each.attrib.get("d") or "" for each in root]
    places = [float(x) for points in drawn for x in re.findall(r"([0-9.]+)[, ][0-9.]+", points)]
    assert places
    assert left <= min(places)
    assert max(places) <= left + wide + 0.1
