"""Tests of steps in a kept game that no play makes: swaps, lost turns, overdrawn tiles, and tiles not seen."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from browser_windows import DESKTOP_VIEWPORT
from keep_page import KeepPage, open_keep
from playwright.sync_api import Page, expect

from ordws.pictures.palette import BACKGROUNDS, FOREGROUNDS
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg

WIDTHS = (320, 390, 1280)


TOO_MANY = {
    ("scrabble-o", True): "lays all tiles of the rack face down and mixes them. An opponent looks at 4 of them",
    ("scrabble-o", False): "lays the tiles just drawn face down, apart from the rack. An opponent looks at 4 of them",
    ("dover", False): "Ann shows all tiles. The opponents choose 2 of them",
}
"""What the page says when a player has drawn too many tiles, by the rules and by whether they are mixed already."""


def overdraw(window: KeepPage, rules: str, *, is_mixed: bool) -> None:
    """Ann draws two tiles too many: the page says what the opponents do, and counts the tiles that go back."""
    window.press("Too many tiles drawn")
    window.dialog.get_by_label("How many too many").select_option("2")
    mixed = window.dialog.get_by_label("The new tiles can no longer be told from the rack")
    assert mixed.count() == (rules != "dover")
    if is_mixed:
        mixed.check()
    window.press("Continue", window.dialog)
    expect(window.dialog).to_contain_text(TOO_MANY[rules, is_mixed])
    window.dialog.get_by_label("Tiles put back").fill("q")
    window.press("They are back", window.dialog)
    expect(window.dialog.get_by_role("alert")).to_have_text("Write as many tiles as were too many: 2.")
    window.dialog.get_by_label("Tiles put back").fill("q?")
    window.answer("They are back")
    window.expect_told("Ann drew 2 too many; the opponents put Q? back.")
    window.expect_mover("Ann")


def test_steps_that_are_no_plays(tables):
    """Tiles drawn too many are a step that is written down. A swap is offered after tiles were laid, and leaves them.

    The record has all of it, and is exact.
    """
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.begin(("Ann", "Bob"), "scrabble-o")
    overdraw(window, "scrabble-o", is_mixed=True)
    window.put("8H", "FiSH")
    window.answer("Yes, all are good")
    window.put("8L", "ERY", play=False)
    expect(window.panel.get_by_role("button", name="Play for 56 points")).to_be_visible()
    window.press("Swap for the blank")
    expect(window.dialog).to_contain_text("Swap before you play; it does not use up your turn.")
    window.answer("Swap")
    window.expect_told("Bob takes the blank on I8 for I.")
    window.expect_mover("Bob")
    window.press("Play for 57 points", window.panel)
    window.answer("Yes, all are good")
    window.expect_told("Bob: 8H ....ERY, FISHERY: 57 points.")
    record = window.saved()
    assert b"#note Ann drew 2 too many, which went back into the bag (Q?)" in record
    assert audit_record(read_gcg(record)).is_exact


@pytest.mark.long
@pytest.mark.parametrize(("rules", "is_mixed"), TOO_MANY)
def test_too_many_tiles_are_a_step(rules, is_mixed, tables):
    """Under each rule set and for both cases the step is said as its rules have it, and can be undone."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.begin(("Ann", "Bob"), rules)
    overdraw(window, rules, is_mixed=is_mixed)
    assert audit_record(read_gcg(window.saved())).is_exact
    window.do("Undo", "Undo")
    assert window.sheet == []


@pytest.mark.long
@pytest.mark.parametrize(("rules", "unseen"), [("classic", 96), ("scrabble-i", 296)])
def test_tiles_not_seen_are_counted_by_letter(rules, unseen, tables):
    """The whole pool is counted, less what lies on the board; players may switch the count off."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.begin(("Ann", "Bob"), rules)
    window.put("8H" if rules == "classic" else "11K", "FiSH", play=rules == "classic")
    if rules == "scrabble-i":
        window.play("Yes, all are good")
    window.expect_told("Ann: ")
    window.press("Tiles not seen")
    expect(window.dialog.get_by_role("heading")).to_have_text(f"{unseen} tiles not seen yet")
    shown = window.dialog.get_by_role("listitem").all_inner_texts()
    expected = {"classic": ("S 3", "blank 1"), "scrabble-i": ("S 13", "blank 8")}[rules]
    counted = [" ".join(each.split()) for each in shown]
    assert len(counted) == 27
    assert {*expected} <= {*counted}
    window.answer("Close")


@pytest.mark.long
def test_the_count_can_be_switched_off(tables):
    """A game that is set up without the count does not show it."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.page.goto("/keep#new")
    window.page.get_by_label("Show which tiles nobody has seen yet").uncheck()
    window.fill_in(("Ann", "Bob"), "classic")
    expect(window.page.get_by_role("button", name="Score sheet")).to_be_visible()
    expect(window.page.get_by_role("button", name="Tiles not seen")).to_have_count(0)


CORNER_COLOUR = """async (image) => {
  await image.decode();
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  canvas.drawImage(image, 0, 0);
  return [...canvas.getImageData(0, 0, 1, 1).data];
}"""


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_example_follows_the_theme(scheme, tables):
    """The paper of the drawn example is dark on a dark screen, in the colours of all other boards."""
    page = open_keep(tables, viewport=DESKTOP_VIEWPORT, color_scheme=scheme).page
    example = page.locator(".example img")
    red, green, blue, _ = example.evaluate(CORNER_COLOUR)
    assert f"#{red:02x}{green:02x}{blue:02x}" == getattr(BACKGROUNDS["paper"], scheme)
    style = unquote(example.get_attribute("src") or "").partition("<style>")[2].partition("</style>")[0]
    for kind, colours in BACKGROUNDS.items():
        assert f".g-{kind}{{fill:{colours.dark}}}" in style
        assert f".i-{kind}{{fill:{FOREGROUNDS[kind].dark}}}" in style


@pytest.mark.long
def test_an_empty_list_shows_an_example(tables):
    """Where no game is kept a drawn example stands, which opens as a game."""
    window = open_keep(tables)
    page = window.page
    expect(page.locator(".example img")).to_have_attribute(
        "alt",
        "15 by 15 squares; 15 tiles. Across: 8H FISHERY. "
        "Down: H8 FACTIoN, L7 TEN. Last play: L7, L9. A lower case letter is a blank.",
    )
    for width in WIDTHS:
        resize(page, width)
        window.expect_accessible()
    window.press("Open this example")
    window.expect_scores(62, 60)
    page.get_by_role("link", name="All games").click()
    expect(page.locator(".games li")).to_have_count(1)
    expect(page.locator(".example")).to_have_count(0)


@pytest.mark.long
def test_the_set_up_and_the_board_fit_any_width(tables):
    """With all options open and with a play on the board nothing overflows, and axe finds no violation."""
    window = open_keep(tables)
    page = window.page
    page.goto("/keep#new")
    window.open_options()
    for width in WIDTHS:
        resize(page, width)
        window.expect_accessible()
    window.fill_in(("Ann", "Bob"), "classic")
    window.put("8H", "FISH", play=False)
    frame = page.locator(".board .frame")
    for width in WIDTHS:
        resize(page, width)
        assert frame.evaluate("({ scrollWidth, clientWidth }) => scrollWidth - clientWidth") <= 0
        window.expect_accessible()


def resize(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    expect(page.locator("html")).to_have_js_property("clientWidth", width)
