"""Tests of the director's look over finished boards, in the browser of the director's own device."""

from __future__ import annotations

import re

import pytest
from browser_windows import DESKTOP_VIEWPORT, NARROW_VIEWPORT, PHONE_VIEWPORT, axe_violations, overflow_pixels
from judge_page import club_installation, club_service, open_at_noon, paired
from page_fixtures import Tables
from playwright.sync_api import Page, expect

__all__ = ["club_installation", "club_service"]

RECORD = """#player1 Ann Ann Lee
#player2 Bob
#description ordws rules=scrabble-i challenge=double
>Ann: ACT 11J CAT +10 10
>Bob: EIRT 11J ...TIER +10 20
>Ann: GZ K10 {middle} +10 20
#note ordws ended forfeit
"""
GOOD, JUNK = RECORD.format(middle="G.ME"), RECORD.format(middle="Z.G")
"""Boards with CATTIER and GAME, and with CATTIER and ZAG, which is not in the set."""


@pytest.fixture
def desk(tables: Tables) -> Page:
    """Return the desk, open with the club's key, in a browser that has been made the director's device."""
    page = open_at_noon(tables, viewport=DESKTOP_VIEWPORT)
    page.goto("/director")
    page.get_by_label("The club's key").fill(tables.installation.key)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Make this the director's device").click()
    expect(page.locator("#looking")).to_be_visible()
    return page


def keep(tables: Tables, table: str, record: str, checked: list[int] | None = None) -> None:
    """Keep a finished game on a device of a table."""
    body = {"game": "g", "record": record, "checked": checked or []}
    assert paired(tables.service, table).request("POST", "/v1/boards", body)[0] == 201


def reopen(page: Page) -> None:
    """Open the page anew, as a director's device does without a key."""
    page.reload()
    expect(page.locator("#looking")).to_be_visible()


def test_a_board_is_looked_over(desk, tables):
    """The director sees the board and its words, gets one verdict, and then one for each play that nobody checked.

    The id of a game that is none of the club's is answered in words.
    """
    keep(tables, "Table 3", JUNK, checked=[2])
    reopen(desk)
    expect(desk.get_by_label("The club's key")).to_be_visible()
    desk.get_by_role("button", name="Look over Ann Lee, Bob, Table 3").click()
    expect(desk.get_by_role("heading", name="Ann Lee, Bob: Scrabble I For Word Lovers")).to_be_focused()
    board = desk.locator("#board")
    expect(board.locator(".words")).to_have_text("CATTIER ZAG")
    expect(board.locator("img")).to_have_attribute("alt", re.compile("CATTIER"))
    expect(board).to_contain_text("New words that cost a unit: 2; core words: 0.")
    desk.get_by_role("button", name="Judge the whole board").click()
    expect(board.locator(".answer").first).to_have_text("No. At least one word on the board is not acceptable.")
    desk.get_by_role("button", name="Judge the plays that nobody checked (2)").click()
    expect(board.locator("tbody tr")).to_have_text(["11J CATCATacceptable", "K10 Z.GZAGnot acceptable"])
    tables.expected.append("404")
    desk.get_by_label("Or the id of a game").fill("0" * 32)
    desk.keyboard.press("Enter")
    expect(desk.locator("#fault")).to_have_text("There is no such game of your club, or it is too long ago.")


@pytest.mark.long
def test_a_clean_board_gets_a_yes(desk, tables):
    """A board of acceptable words gets a yes; where every play was checked, nothing is left to ask."""
    keep(tables, "Table 4", GOOD, checked=[1, 2, 3])
    reopen(desk)
    desk.get_by_role("button", name="Look over Ann Lee, Bob, Table 4").click()
    desk.get_by_role("button", name="Judge the whole board").click()
    expect(desk.locator("#board .answer").first).to_have_text("Yes. All words on the board are acceptable.")
    expect(desk.locator("#board")).to_contain_text("Every play of this game was checked.")
    expect(desk.get_by_role("button", name="Judge the plays")).to_have_count(0)


def test_a_tables_device_is_offered_no_boards(tables):
    """On the device of a table the page has no boards, and asks for the key."""
    page = paired(tables.service, "Table 5").window(tables, viewport=PHONE_VIEWPORT)
    with page.expect_response("**/v1/device"):
        page.goto("/director")
    expect(page.get_by_label("The club's key")).to_be_visible()
    expect(page.locator("#boards")).to_be_hidden()


@pytest.mark.long
def test_a_board_is_accessible(desk, tables):
    """Axe finds no violation, light and dark, and nothing overflows, with board, verdict and plays shown."""
    keep(tables, "Table 6", JUNK)
    reopen(desk)
    desk.clock.resume()
    desk.get_by_role("button", name="Look over Ann Lee, Bob, Table 6").click()
    desk.get_by_role("button", name="Judge the whole board").click()
    expect(desk.locator("#board .answer").first).to_have_text("No. At least one word on the board is not acceptable.")
    desk.get_by_role("button", name="Judge the plays").click()
    expect(desk.locator("#board tbody tr")).to_have_count(3)
    for viewport in (DESKTOP_VIEWPORT, PHONE_VIEWPORT, NARROW_VIEWPORT):
        desk.set_viewport_size(viewport)
        expect(desk.locator("html")).to_have_js_property("clientWidth", viewport["width"])
        for scheme in ("light", "dark"):
            desk.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert axe_violations(desk) == []
        assert overflow_pixels(desk) <= 0
