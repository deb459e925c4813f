"""Tests of how *Score a play* looks: pictures, colours, names of squares, widths, and without a connection."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from browser_windows import DESKTOP_VIEWPORT, NARROW_VIEWPORT, TOUCH_PHONE, axe_violations, overflow_pixels
from playwright.sync_api import Page
from score_page import ScorePage, open_score

from ordws.pictures.palette import style_sheet
from ordws.pictures.svg import draw_board
from ordws.records.notation import read_cgp
from ordws.rules.board import Board
from ordws.rules.ruleset import RULE_SETS
from ordws.web.pages import site

FISH = "/".join(["15"] * 7 + ["7FiSH4"] + ["15"] * 7)
EVENT = "/".join(["21"] * 10 + ["10EVeNT6"] + ["21"] * 10)


def plain(drawn: str) -> str:
    """Return a picture without its style sheet, classes and ids for pages."""
    drawn = re.sub(r"<style>.*?</style>\n| class=\"[^\"]*\"", "", drawn, flags=re.DOTALL)
    return re.sub(r"ordws-[0-9a-f]{8}-", "", drawn)


def test_a_picture_is_made_on_the_device(tables, tmp_path):
    """The SVG equals that of ordws/pictures on light paper; the PNG is twice as wide."""
    window = open_score(tables, FISH)
    window.choose("scrabble-o")
    window.lay("8L", "InG")
    drawn = save(window.page, "Picture (SVG)", tmp_path / "position.svg").decode()
    after = read_cgp(FISH.replace("7FiSH4", "7FiSHInG1")).board
    last, stretched = [(7, 11), (7, 12), (7, 13)], [(7, column) for column in range(7, 11)]
    assert plain(drawn) == plain(picture("scrabble-o", after, "8L InG: 53 points", last=last, stretched=stretched))
    png = save(window.page, "Picture (PNG)", tmp_path / "position.png")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == (1344, 1488)


@pytest.mark.long
def test_a_picture_of_a_large_board(tables, tmp_path):
    """The SVG of 21 rows and no play equals that of ordws/pictures."""
    page = open_score(tables, EVENT).page
    drawn = save(page, "Picture (SVG)", tmp_path / "large.svg").decode()
    assert plain(drawn) == plain(picture("scrabble-i", read_cgp(EVENT).board, "A position"))


def picture(rules, board: Board, title, **shown) -> str:
    return draw_board(RULE_SETS[rules].layout, board, title=title, **shown)


def save(page: Page, button: str, path: Path) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    download.value.save_as(path)
    return path.read_bytes()


def test_the_colours_are_those_of_the_pictures():
    """Each colour variable has the value of ordws/pictures, on a light screen and on a dark one."""
    css = site.site_file("/app/board.css").body.decode()
    for light, sheet in ((True, style_sheet()), (False, style_sheet())):
        drawn = sheet.split("@media")[0] if light else sheet.split("@media")[1].split("@supports")[0]
        theme = css.split("@media")[0] if light else css.split("@media")[1]
        assert colours(theme) == colours(drawn)
        assert len(colours(theme)) == 23


def colours(css: str) -> dict[str, str]:
    return dict(re.findall(r"(--ordws-[a-z0-9-]+):\s*(#[0-9a-f]{6})", css))


def test_squares_have_names_and_nothing_typed_is_kept(tables):
    """The board is a grid of rows and cells, each named by its premium or tile, with one place in the Tab order.

    The rack is not filled in, corrected or spell-checked, and nothing typed is stored on the device.
    """
    window = open_score(tables, FISH)
    page = window.page
    grid = page.get_by_role("grid", name="Board of 15 by 15 squares")
    assert (grid.get_by_role("row").count(), grid.get_by_role("gridcell").count()) == (15, 225)
    assert grid.locator("[tabindex='0']").count() == 1
    labels = [window.label(name) for name in ("A1", "B2", "F2", "D1", "B1", "H8", "I8")]
    assert labels == [
        "A1: triple word",
        "B2: double word",
        "F2: triple letter",
        "D1: double letter",
        "B1: empty",
        "H8: F, 4 points",
        "I8: a blank for I, 0 points",
    ]
    assert [window.square(name).inner_text() for name in ("A1", "B2", "F2", "D1", "B1")] == ["3W", "2W", "3L", "2L", ""]
    rack = page.get_by_label("Your rack")
    found = [rack.get_attribute(name) for name in ("autocomplete", "autocorrect", "spellcheck", "autocapitalize")]
    assert found == ["off", "off", "false", "characters"]
    rack.fill("QUIXOTR")
    window.lay("8L", "ERY")
    stores = "[localStorage.length, sessionStorage.length, (await indexedDB.databases()).length, document.cookie]"
    assert page.evaluate(f"async () => {stores}") == [0, 0, 0, ""]


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_scored_play_is_accessible_in_any_width(scheme, tables):
    """With a receipt, a comparison and 21 rows axe finds no violation, and nothing overflows at 320 px."""
    window = open_score(tables, EVENT, viewport=DESKTOP_VIEWPORT, color_scheme=scheme)
    window.lay("11P", "FUl")
    assert axe_violations(window.page, *(["color-contrast"] if scheme == "dark" else [])) == []
    window.page.set_viewport_size(NARROW_VIEWPORT)
    assert overflow_pixels(window.page) <= 0
    assert axe_violations(window.page, "target-size", "scrollable-region-focusable") == []


@pytest.mark.long
def test_a_large_board_is_usable_on_a_phone(tables):
    """At 320 px squares keep 24 px, the board scrolls to the cursor in its frame, and can be shown whole."""
    window = open_score(tables, EVENT, **{**TOUCH_PHONE, "viewport": NARROW_VIEWPORT})
    page = window.page
    assert window.square("A1").bounding_box()["width"] >= 24
    frame = page.locator("#board .frame").bounding_box()
    window.square("U21").tap()
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    box = window.square_with_cursor.bounding_box()
    assert window.square_with_cursor.get_attribute("aria-label") == "A21: empty"
    assert frame["x"] <= box["x"] <= frame["x"] + 60
    page.get_by_role("button", name="Whole board").tap()
    assert window.square("A1").bounding_box()["x"] >= frame["x"]
    last = window.square("U1").bounding_box()
    assert last["x"] + last["width"] <= frame["x"] + frame["width"]
    assert overflow_pixels(page) <= 0


@pytest.mark.long
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_an_empty_receipt_offers_an_example(width, tables):
    """Without a play the page offers an example; on a desktop the receipt begins as high as the board's column."""
    window = open_score(tables, viewport={"width": width, "height": 800}, color_scheme="dark")
    page = window.page
    if width == 1280:
        tops = [page.locator(each).bounding_box()["y"] for each in (".place", ".result")]
        assert abs(tops[0] - tops[1]) < 1
    assert page.locator("#compare").is_hidden()
    page.get_by_role("button", name="Show an example").click()
    assert window.status == "FISHERY: 57 points."
    assert page.locator("#begin").is_hidden()
    heads = page.locator("#comparison thead th").all_inner_texts()
    assert "Scrabble O For Word Lovers" in heads
    assert axe_violations(page) == []
    assert overflow_pixels(page) <= 0
    window.choose("classic")
    assert window.status == "FISHERY: 17 points."


LABEL_SIZES = """() => {
  const cells = [...document.querySelectorAll("[role=gridcell]")].filter(({ textContent }) => textContent);
  const sizes = cells.map((cell) => parseFloat(getComputedStyle(cell.querySelector("b") ?? cell).fontSize));
  const cut = cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1);
  return [Math.min(...sizes), cut.map(({ ariaLabel }) => ariaLabel)];
}"""


@pytest.mark.long
@pytest.mark.parametrize("width", [320, 360, 390])
def test_a_board_fits_a_phone(width, tables):
    """All 15 columns are visible at once, every label is at least 11 px, and squares can be made larger."""
    window = open_score(tables, FISH, **{**TOUCH_PHONE, "viewport": {"width": width, "height": 700}})
    page = window.page
    frame = page.locator("#board .frame")
    assert frame.evaluate("({ scrollWidth, clientWidth }) => scrollWidth - clientWidth") <= 0
    assert overflow_pixels(page) <= 0
    first, last = window.square("A1").bounding_box(), window.square("O15").bounding_box()
    assert first["x"] >= 0
    assert last["x"] + last["width"] <= width + 0.5
    smallest, cut = page.evaluate(LABEL_SIZES)
    assert smallest >= 11
    assert cut == []
    page.get_by_role("button", name="Larger squares").tap()
    assert window.square("A1").bounding_box()["width"] >= 32


@pytest.mark.long
def test_the_page_works_without_a_connection(tables):
    """After the first visit the page opens, scores and compares without a connection."""
    window = ScorePage(tables.open("/score"))
    window.page.context.set_offline(True)
    window.page.goto(f"/score#{FISH}")
    window.square_with_cursor.wait_for()
    window.page.reload()
    window.square("I8").wait_for()
    window.lay("8L", "ERY")
    assert window.status == "FISHERY: 16 points."
    assert window.scores()["scrabble-o"] == "56"
