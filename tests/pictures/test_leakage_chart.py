"""The chart of the leak, in a terminal and as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordws.pictures.charts import Bar
from ordws.pictures.leakage_chart import DayBar, LeakageChart, draw_svg, draw_terminal

SVG = "{http://www.w3.org/2000/svg}"
CHART = LeakageChart(
    "Learned by asking",
    [
        Bar("league", 300, "300 words, 3.00%", True),
        Bar("home <1>", 100, "100 words, 1.00%"),
        Bar("quiet", 0, "0 words"),
    ],
    [DayBar("2026-11-20", 100, 500), DayBar("2026-11-21", 450, 500, True)],
)
PLAIN = """\
Learned by asking
league                   ############################## 300 words, 3.00% !
home <1>                 ##########                     100 words, 1.00%
quiet                                                   0 words
2026-11-20               ######                         100 of 500
2026-11-21               ###########################    450 of 500 !"""

texts = st.text(st.characters(exclude_categories=()), max_size=40)
"""Any text, with control characters and lone surrogates."""


def test_a_chart_in_plain_signs():
    """Keys are drawn to the longest bar, days to their caps, and what is in alarm has a sign."""
    assert draw_terminal(CHART, colour=False).plain == PLAIN


def test_a_chart_in_colour_has_the_same_text():
    """A chart in colour has the same words, numbers and signs."""
    drawn = draw_terminal(CHART)
    assert drawn.plain.replace("\u2588", "#") == PLAIN
    assert len(drawn.spans) >= 5


def test_a_picture_has_a_title_and_a_description():
    """The SVG is an image with a title and a description of everything that is drawn."""
    root = ElementTree.fromstring(draw_svg(CHART).encode())
    assert root.get("role") == "img"
    title, words = root[0], root[1]
    assert (title.text, title.get("id"), words.get("id")) == ("Learned by asking", *root.get("aria-labelledby").split())
    assert words.text == (
        "league: 300 words, 3.00%, in alarm. home <1>: 100 words, 1.00%. quiet: 0 words."
        " 2026-11-20: 100 of 500. 2026-11-21: 450 of 500, in alarm."
    )


def test_bars_are_proportional_to_their_values():
    """The length of a bar is proportional to its value, one unit at least, and days have a line for the cap."""
    root = ElementTree.fromstring(draw_svg(CHART).encode())
    sizes = [[float(rect.get(name)) for name in ("width", "height")] for rect in root.iter(f"{SVG}rect")]
    rects = [(rect.get("class"), *size) for rect, size in zip(root.iter(f"{SVG}rect"), sizes, strict=True)]
    assert [(kind, width) for kind, width, height in rects if height == 20] == [
        ("g-3w", 312),
        ("g-3l", 104),
        ("g-3l", 1),
    ]
    assert [(kind, height) for kind, width, height in rects[-2:]] == [("g-3l", 24), ("g-3w", 108)]
    assert len(root.findall(f".//{SVG}path")) == 2
    assert [text.text for text in root.iter(f"{SVG}text") if text.text.endswith("!")] == ["300 words, 3.00% !"]


def test_a_chart_has_light_and_dark_colours_and_loads_nothing():
    """A chart has light and dark colours and loads nothing."""
    drawn = draw_svg(CHART)
    assert "@media screen and (prefers-color-scheme:dark)" in drawn
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")


@given(texts, st.lists(st.tuples(texts, st.integers(0, 10**9)), max_size=4), st.integers(0, 10**9))
def test_any_name_is_drawn(title, bars, cap):
    """Any name of a key makes a well-formed drawing, with the same bytes each time."""
    chart = LeakageChart(title, [Bar(name, value, f"{value} words") for name, value in bars], [DayBar("today", 5, cap)])
    drawn = draw_svg(chart)
    assert drawn == draw_svg(chart)
    ElementTree.fromstring(drawn.encode())
    assert "\x1b" not in draw_terminal(chart).plain


@pytest.mark.parametrize("colour", [True, False])
def test_a_chart_without_keys_and_days_has_its_title_alone(colour):
    """A chart without keys and days has its title alone."""
    chart = LeakageChart("Nothing", [], [])
    assert draw_terminal(chart, colour=colour).plain == "Nothing"
    assert len(list(ElementTree.fromstring(draw_svg(chart).encode()).iter(f"{SVG}rect"))) == 1
