"""Tests of *Keep a game*: by keys alone, on a paired device, in another window, on a narrow phone."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from browser_windows import DESKTOP_VIEWPORT, NARROW_VIEWPORT
from judge_page import club_installation, club_service
from keep_page import KeepPage, open_keep
from playwright.sync_api import expect

from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg

__all__ = ["club_installation", "club_service"]

RECORD: Final = Path(__file__).parents[1] / "vectors" / "gcg" / "sound_six_passes.gcg"
FIRST_LINE: Final = "Ann Archer: 8H VIOL +14 (14)"
LAST_LINE: Final = "Bob Baker: tiles left: A D E I I L Y -11 (20)"


def test_a_game_is_kept_by_keys_alone(tables):
    """A game on a desktop needs no mouse: set-up, a play, a challenge, and the end; its record is exact."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    page = window.page
    window.reach("New game")
    window.type("Enter")
    expect(page.get_by_label("Player 1")).to_be_visible()
    for number, name in enumerate(("Ann", "Bob"), start=1):
        window.reach(f"Player {number}")
        page.keyboard.type(name)
    window.reach("Rule set")
    page.keyboard.type("classic")
    window.reach("Begin")
    window.type("Enter")
    window.square(7, 7).wait_for()  # the board comes after the game is stored, and would take the focus again
    window.reach("Skip to the page")
    window.type("Enter")
    window.reach("H8")
    window.type("f", "i", "Shift+s", "h", "Enter")
    expect(window.panel.get_by_role("button", name="Play for 18 points")).to_be_focused()
    window.type("Enter")
    window.expect_told("Ann: 8H FIsH, FISH: 18 points.")
    window.type("Tab", "Enter")
    window.reach("Judge")
    window.type("Enter")
    window.reach("Yes, all are good")
    window.type("Enter")
    window.expect_told("Bob's challenge fails: the play stands.")
    window.expect_mover("Ann")
    window.expect_scores(18, 0)
    window.reach("Pass")
    window.type("Enter")
    window.reach("Pass")
    window.type("Enter")
    window.expect_told("Ann passes.")
    window.reach("End the game")
    window.type("Enter")
    window.reach("End the game")
    window.type("Enter")
    window.reach("On the rack of Bob")
    page.keyboard.type("qu?")
    window.reach("Count them")
    window.type("Enter")
    expect(window.panel.get_by_role("heading")).to_have_text("Ann wins with 18 points")
    window.expect_scores(18, -11)
    found = audit_record(read_gcg(window.record()))
    assert (found.is_exact, found.rules.id, found.totals) == (True, "classic", {"Ann": 18, "Bob": -11})


@pytest.mark.long
def test_a_paired_device_uses_the_service(tables, served):
    """The service judges the words of a play and checks the OSPD; without a connection the players' books decide.

    Each game has a label of its own, so that its budgets are its own.
    """
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    page = window.page
    requests: list[dict[str, Any]] = []
    page.on("request", lambda request: requests.append({"path": request.url, **(request.post_data_json or {})}))
    status, body = served.request("POST", "/v1/devices", json.dumps({"table": "Table 3", "log": False}))
    assert status == 201
    page.evaluate("async (code) => (await import('/app/api.js')).pairDevice(code)", json.loads(body)["code"])
    window.begin(("Ann", "Bob"), "scrabble-i-classic")
    window.put("8H", "ACTION")
    window.expect_told("Ann: 8H ACTION, ACTION: 48 points.")
    window.press("Notes")
    expect(window.dialog).to_contain_text("judged by the service: ORDWS 2026")
    window.answer("Close")
    window.put("H9", "AXE")
    window.expect_told("Bob: H8 .AXE, AAXE, comes off.")
    window.press("Check the OSPD")
    window.expect_told("Bob did not find the play in the OSPD.")
    window.put("J9", "ILE")
    window.expect_told("Ann: J8 .ILE, TILE, comes off.")
    window.press("Check the OSPD")
    window.expect_told("Ann found the play in the OSPD, and plays again.")
    window.put("J9", "ABLE")
    window.expect_told("Ann: J8 .ABLE, TABLE: 13 points.")
    tables.expected.append("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    window.put("12K", "VENT")
    expect(window.dialog).to_contain_text("no connection")
    window.press("By our own books", window.dialog)
    window.answer("Yes, all are good")
    window.expect_told("Bob: 12J .VENT, EVENT: 16 points.")
    window.expect_scores(61, 5)
    judged = [each for each in requests if each["path"].endswith("/v1/judge")]
    assert [each["words"] for each in judged] == [["ACTION"], ["AAXE"], ["TILE"], ["TABLE"], ["EVENT"]]
    assert len({each["game"] for each in judged}) == 1
    assert [each["words"] for each in requests if each["path"].endswith("/v1/ospd")] == [["AAXE"], ["TILE"]]
    assert audit_record(read_gcg(window.saved())).is_exact


@pytest.mark.long
def test_the_words_of_a_club_decide_first(tables, served):
    """Words that the players allow or strike need no answer; with others they go to the service, which judges alike."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    page = window.page
    asked: list[dict[str, Any]] = []
    page.on("request", lambda sent: sent.url.endswith("/v1/judge") and asked.append(sent.post_data_json))
    status, body = served.request("POST", "/v1/devices", json.dumps({"table": "Table 5", "log": False}))
    assert status == 201
    page.evaluate("async (code) => (await import('/app/api.js')).pairDevice(code)", json.loads(body)["code"])
    given = {"Words_you_allow": "zag, misfeed", "Words_you_strike_out": "lovers"}
    window.begin(("Ann", "Bob"), "scrabble-i-classic", **given)
    window.put("8H", "ZAG")
    window.expect_told("Ann: 8H ZAG, ZAG: 26 points.")
    assert asked == []
    window.put("J9", "LIME")
    window.expect_told("Bob: J8 .LIME, GLIME")
    window.put("9K", "OVERS")
    window.expect_told("Ann: 9J .OVERS, LOVERS, comes off.")
    assert [each["words"] for each in asked] == [["GLIME"]]
    assert asked[0]["options"] == {"allow": ["MISFEED", "ZAG"], "strike": ["LOVERS"]}


@pytest.mark.long
def test_an_event_that_cannot_be_stored_is_dropped(tables):
    """Where storage is full the page says so, and shows the game as it is stored."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.begin(("Ann", "Bob"), "scrabble-o")
    window.page.evaluate("""() => {
        IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
    }""")
    window.do("Pass", "Pass")
    window.expect_told("This device could not store it")
    window.expect_mover("Ann")
    window.reload()
    window.do("Pass", "Pass")
    window.expect_told("Ann passes.")
    window.expect_mover("Bob")


def test_a_game_is_open_in_one_window_and_deleted_after_confirmation(tables):
    """A second window says where the game is open; the list deletes a game after a confirmation."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.begin(("Ann", "Bob"), "scrabble-i")
    other = window.page.context.new_page()
    other.goto(window.page.url)
    expect(other.get_by_role("status")).to_contain_text("That game is open in another window.")
    window.page.get_by_role("link", name="All games").click()
    expect(window.page.locator(".games li")).to_have_count(1)
    other.reload()
    expect(other.locator(".scores li")).to_have_count(2)
    other.get_by_role("link", name="All games").click()
    window = KeepPage(other)
    window.do("Delete", "Cancel")
    expect(other.locator(".games li")).to_have_count(1)
    window.do("Delete", "Delete")
    expect(other.get_by_text("No game is kept here yet")).to_be_visible()


@pytest.mark.long
def test_an_invalid_set_up_is_refused(tables):
    """A game needs two players with different names, and enough tiles for their racks."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    page, fault = window.page, window.page.get_by_role("alert")
    window.press("New game")
    window.press("Begin")
    expect(fault).to_have_text("Name at least two players.")
    for number in (1, 2):
        page.get_by_label(f"Player {number}").fill("Ann")
    window.press("Begin")
    expect(fault).to_have_text("Two players have the same name.")
    page.get_by_label("Player 2").fill("Bob")
    window.open_options()
    page.get_by_label("Tiles in the game").fill("13")
    window.press("Begin")
    expect(fault).to_have_text("The game takes 14 to 300 tiles.")
    page.get_by_label("Tiles in the game").fill("99")
    window.press("Begin")
    expect(page.locator(".whose")).to_contain_text("85 in the bag")


@pytest.mark.long
def test_every_state_is_accessible_on_the_narrowest_phone(tables):
    """Axe finds no violation of WCAG 2.2 AA in light or dark, and nothing overflows at 320 px."""
    window = open_keep(tables, viewport=NARROW_VIEWPORT)
    window.press("New game")
    window.open_options()
    window.expect_accessible()
    window.press("Cancel")
    window.begin(("Ann", "Bob", "Cy", "Dee"), "scrabble-i-classic", Clock="20")
    window.put("8H", "ZEST", play=False)
    window.page.get_by_text("Receipt", exact=True).click()
    window.expect_accessible()
    window.press("Play for")
    window.expect_accessible(without_board=True)
    window.answer("No")
    window.expect_accessible(without_board=True)
    window.press("Not all")
    window.press("Director")
    window.expect_accessible(without_board=True)
    window.press("Adjust a score", window.dialog)
    window.expect_accessible(without_board=True)
    window.answer("Cancel")
    window.press("Score sheet")
    window.dialog.get_by_text("comes off").click()
    window.expect_accessible(without_board=True)
    window.answer("Close")
    window.do("End the game", "End the game")
    window.expect_accessible(without_board=True)
    window.press("Count them")
    expect(window.panel.get_by_role("heading")).to_contain_text("A tie")
    window.expect_accessible()
    window.page.get_by_role("link", name="All games").click()
    expect(window.page.locator(".games li")).to_have_count(1)
    window.expect_accessible()


def test_a_device_goes_on_when_no_more_replies_are_stored(tables, served):
    """Where the service stores no more replies for the device, the page must ask again without an idempotency key."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    page = window.page
    keys: list[str | None] = []

    def refuse_keys(route):
        keys.append(key := route.request.headers.get("idempotency-key"))
        if key is None:
            route.continue_()
        else:
            spent = {"code": "budget-spent", "budget": "replies"}
            route.fulfill(status=429, json=spent, content_type="application/problem+json")

    status, body = served.request("POST", "/v1/devices", json.dumps({"table": "Table 4", "log": False}))
    assert status == 201
    page.evaluate("async (code) => (await import('/app/api.js')).pairDevice(code)", json.loads(body)["code"])
    tables.expected.append("429")
    page.route("**/v1/judge", refuse_keys)
    window.begin(("Ann", "Bob"), "scrabble-i-classic")
    window.put("8H", "ACTION")
    window.expect_told("Ann: 8H ACTION, ACTION: 48 points.")
    assert [key is None for key in keys] == [False, True]


def test_a_record_is_opened_and_stepped_through_on_the_device(tables):
    """A record (GCG) of any game must be shown step by step, and nothing of it be sent; another file is refused."""
    window = open_keep(tables)
    page = window.page
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    chosen = page.get_by_label("Open a record (GCG)")
    chosen.set_input_files({"name": "a.gcg", "mimeType": "text/plain", "buffer": b"Dear Ann,"})
    expect(page.get_by_role("alert").filter(has_text="This file is no game record.")).to_be_visible()
    chosen.set_input_files(RECORD)
    told = window.dialog.locator(".told")
    expect(told).to_have_text(LAST_LINE)
    page.keyboard.press("Home")
    expect(told).to_have_text("Before the first move.")
    page.keyboard.press("ArrowRight")
    expect(told).to_have_text(FIRST_LINE)
    expect(window.dialog.locator("img")).to_have_attribute("alt", re.compile("Across: 8H VIOL"))
    assert [url for url in sent if not url.startswith("data:")] == []
