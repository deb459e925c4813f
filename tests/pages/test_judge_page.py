"""Tests of the word judge as players and directors use it: on phones and desktops, by touch and by keys alone."""

from __future__ import annotations

import json

import pytest
from browser_windows import NARROW_VIEWPORT, TOUCH_PHONE, axe_violations, overflow_pixels
from judge_page import (
    LONG_SECONDS,
    Device,
    begin_table_mode,
    clear_verdict,
    club_installation,
    club_service,
    confirm,
    enter,
    expect_screen,
    judge,
    paired_device,
    touch_in,
)
from page_fixtures import Tables
from playwright.sync_api import Page, expect

__all__ = ["club_installation", "club_service", "paired_device"]

YES = "YesThe play is acceptable."
NO = "NoThe play is unacceptable."
LOOK_OF_VERDICT = "[getComputedStyle(document.body).backgroundColor, document.querySelector('path').outerHTML]"


@pytest.fixture
def page(tables: Tables, device: Device) -> Page:
    """Return a desktop window at the count."""
    return device.open(tables)


def test_a_challenge_by_touch(tables, device):
    """Count, letters and confirmation have keys on the screen, and no field that would open a system keyboard."""
    page = device.open(tables, **TOUCH_PHONE)
    touch_in(page, "LOVERS", "QUIZ")
    expect(page.get_by_role("alert")).to_have_text(YES)
    page.clock.run_for(500)
    page.locator(".asked").tap()
    expect_screen(page, "count")
    touch_in(page, "ZAAG<<G")
    expect(page.get_by_role("alert")).to_have_text(NO)
    expect(page.locator(".asked")).to_have_text("ZAG")


def test_exactly_so_many_words_by_keys_alone(page):
    """Exactly the chosen number of words can be typed, A to Z alone; only the last Tab submits them."""
    enter(page, "LOVERS", "Q")
    fields = page.locator(".typed li")
    for key in ("Tab", "Enter", " ", "3", "-"):
        page.keyboard.press(key)
    page.locator("body").dispatch_event("keydown", {"key": "é"})
    expect(fields).to_have_text(["LOVERS", "Q"])
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Tab")
    page.keyboard.type("uiz and more than anybody would play")
    expect(fields).to_have_text(["LOVERS", "QUIZANDMORETHANANYBOD"])
    for _ in range(17):
        page.keyboard.press("Backspace")
    expect_screen(page, "entry")
    confirm(page)
    expect_screen(page, "verdict")
    expect(page.get_by_role("alert")).to_have_text(YES)
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_the_count_is_shown_and_the_entry_ends_when_nothing_is_pressed(page):
    """The count shows for 0.75 s; 15 s after the last key the entry ends; Escape clears the entry, then goes back."""
    page.keyboard.press("3")
    page.clock.run_for(740)
    assert page.locator(".chosen").inner_text() == "3"
    page.clock.run_for(10)
    expect_screen(page, "entry")
    page.keyboard.type("glime")
    page.clock.run_for(14_990)
    page.keyboard.type("s")
    page.clock.run_for(14_990)
    expect(page.locator(".typed li").first).to_have_text("GLIMES")
    page.clock.run_for(10)
    expect_screen(page, "count")
    enter(page, "GLIME")
    page.keyboard.press("Escape")
    expect(page.locator(".typed")).to_have_text("")
    page.keyboard.press("Escape")
    expect_screen(page, "count")


def test_a_director_sets_rules_timings_and_signals(page, tables):
    """Settings are stored on the device, and values out of bounds are rejected."""
    page.get_by_label("Rule set").select_option("classic")
    page.get_by_role("button", name="Settings").click()
    field = page.get_by_label("A verdict clears after")
    field.fill("1000")
    field.blur()
    expect(field).to_have_value("10")
    field.fill("4")
    field.blur()
    page.get_by_label("Sound").uncheck()
    page.get_by_label("Vibration").uncheck()
    page.get_by_role("button", name="Done").click()
    page.reload()
    # The rule set is shown before the device's pairing is known; keys count only from the first screen on.
    expect_screen(page, "count")
    expect(page.locator("#place")).to_contain_text("the regular North American tournament game")
    judge(page, "ZAG")
    assert page.get_by_role("button", name="Check the OSPD").count() == 0
    assert page.evaluate("[heard, felt]") == [[], []]
    page.clock.run_for(4_000)
    expect_screen(page, "count")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Reset all timings").click()
    assert json.loads(page.evaluate("localStorage['ordws.judge']"))["seconds"]["clears"] == 10


def test_yes_and_no_differ_and_stay_half_a_second(page):
    """Yes and no differ in word, colour, icon, tones and vibration; edition and rule set stand below.

    Keys and touches before 0.5 s do nothing; later a key clears the verdict, and so do 10 s.
    """
    judge(page, "QUIZ")
    yes = page.evaluate(LOOK_OF_VERDICT)
    assert page.evaluate("[heard, felt]") == [[["sine", 660], ["sine", 990]], [[120]]]
    assert page.locator(".faint").inner_text() == "ORDWS 2026 · Scrabble I For Word Lovers"
    page.clock.run_for(490)
    page.keyboard.press("x")
    page.locator(".asked").click()
    expect_screen(page, "verdict")
    page.keyboard.press("Shift")
    clear_verdict(page)
    judge(page, "ZAG")
    no = page.evaluate(LOOK_OF_VERDICT)
    assert page.evaluate("[heard.slice(2), felt.slice(1)]") == [
        [["sawtooth", 220], ["sawtooth", 147]],
        [[300, 120, 300]],
    ]
    assert yes[0] != no[0]
    assert yes[1] != no[1]
    page.clock.run_for(9_990)
    expect_screen(page, "verdict")
    page.clock.run_for(10)
    expect_screen(page, "count")


def test_a_verdict_does_not_reveal_which_word_failed(page):
    """A good and a bad word look the same in either order, and the same as two bad words, but for the letters."""
    looks = []
    for words in (("LOVERS", "ZAGXQZ"), ("ZAGXQZ", "LOVERS"), ("ZAGXQZ", "ZAGXQY")):
        judge(page, *words)
        expect(page.locator(".asked li")).to_have_text(list(words))
        look = page.locator("main").inner_html()
        looks.append(look.replace(words[0], "FIRST").replace(words[1], "SECOND"))
        clear_verdict(page)
    assert looks[0] == looks[1] == looks[2]


def test_the_official_check_of_the_ospd(page):
    """The check is offered only after a no; it leads to another play or to the deduction of the play's score."""
    judge(page, "QUIZ")
    assert page.get_by_role("button", name="Check the OSPD").count() == 0
    clear_verdict(page)
    judge(page, "TILE", "CAT")
    expect(page.get_by_text("The check asks the open players' list.")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_screen(page, "checked")
    expect(page.get_by_role("alert")).to_contain_text("It is in the open players' list.")
    expect(page.get_by_role("alert")).to_contain_text("makes another play")
    clear_verdict(page)
    judge(page, "TILE", "LOVERS")
    page.get_by_role("button", name="Check the OSPD (costs the play's full value if it is not there)").click()
    expect_screen(page, "deduction")
    expect(page.locator("h1", has_text="Not in the open players' list")).to_be_visible()
    expect(page.locator(".deduct")).to_have_text("Deduct the full value")
    page.keyboard.type("45")
    page.keyboard.press("Backspace")
    page.locator(".pad").get_by_text("4", exact=True).click()
    expect(page.locator(".deduct")).to_have_text("Deduct 44")
    page.keyboard.press("Enter")
    expect_screen(page, "count")


@pytest.mark.long
def test_the_check_of_the_ospd_in_dover(tables, device):
    """The player names the word and its blanks: not found, its face value is deducted; found, more may be checked."""
    page = device.open(tables, rules="dover")
    judge(page, "TILE", "QUIZZES")
    page.get_by_role("button", name="Check the OSPD (costs a word's face value if it is not there)").click()
    page.get_by_role("button", name="Check TILE").click()
    expect(page.get_by_role("alert")).to_contain_text("Found")
    page.get_by_role("button", name="Check another word").click()
    blanks = page.get_by_role("button", name="Z is a blank")
    expect(blanks).to_have_count(2)
    for blank in blanks.all():
        blank.click()
    page.get_by_role("button", name="Check QUIZZES").click()
    expect(page.get_by_role("alert")).to_contain_text("Deduct 14")
    expect(page.get_by_role("alert")).to_contain_text("It is not in the open players' list.")
    page.clock.run_for(10_000)
    expect_screen(page, "count")


def test_two_letter_words_are_one_touch_away(tables, device):
    """On every screen a touch or a key opens the list of the rule set, even without a connection."""
    page = device.open(tables)
    page.context.set_offline(True)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("72 two-letter words")
    expect(page.locator(".words")).to_contain_text("YE YO")
    page.keyboard.press("Escape")
    page.get_by_label("Rule set").select_option("dover")
    page.locator("h1").focus()
    page.context.set_offline(False)
    enter(page, "ZAGXQZ")
    page.get_by_role("button", name="Two-letter words").click()
    expect(page.get_by_role("dialog")).to_contain_text("70 two-letter words")
    page.keyboard.press("Escape")
    confirm(page)
    expect_screen(page, "verdict")
    page.clock.run_for(500)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("70 two-letter words")


@pytest.mark.long
def test_every_screen_is_accessible(tables, device):
    """Axe finds no violation in light and dark, nothing overflows at 320 px, and the focus is on each heading."""
    tables.expected.append("ERR_FAILED")
    page = device.open(tables, rules="dover", seconds=LONG_SECONDS, viewport=NARROW_VIEWPORT)
    page.clock.resume()
    enter(page, "QUIZZES", "ZEBRA", *["LOVERS"] * 6)
    look(page)
    page.keyboard.press("Tab")
    expect_screen(page, "check")
    look(page)
    page.clock.run_for(500)
    page.keyboard.press("Tab")
    expect_screen(page, "verdict")
    look(page)
    page.get_by_role("button", name="Check the OSPD").click()
    expect_screen(page, "tiles")
    look(page)
    page.get_by_role("button", name="Check ZEBRA").click()
    expect_screen(page, "checked")
    look(page)
    clear_verdict(page)
    judge(page, "CAT")
    look(page)
    clear_verdict(page)
    for name in ("Two-letter words", "Settings", "Table mode"):
        page.get_by_role("button", name=name).click()
        look(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    page.route("**/v1/judge", lambda route: route.abort())
    enter(page, "QUIZ")
    confirm(page)
    expect_screen(page, "trouble")
    look(page)
    page.keyboard.press("Escape")
    begin_table_mode(page, "horse")
    expect_screen(page, "count")
    look(page)
    page.get_by_role("button", name="Leave table mode").click()
    look(page)


def look(page: Page) -> None:
    """Check the accessibility of the current screen."""
    assert overflow_pixels(page) <= 0
    assert page.evaluate("document.activeElement.matches('h1, #leave, dialog *')")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert axe_violations(page) == []


def test_two_persons_are_two_steps(page):
    """The challenger types in step 1 and the opponent checks in step 2, where a press that was held judges nothing."""
    expect(page.locator(".step")).to_have_text("Challenger · step 1 of 2")
    enter(page, "GLIME", "CAT")
    expect(page.locator(".step")).to_have_text("Challenger · step 1 of 2")
    assert page.get_by_role("button", name="Judge the play").count() == 0
    page.get_by_role("button", name="Over to the opponent").click()
    expect_screen(page, "check")
    expect(page.locator(".step")).to_have_text("Opponent · step 2 of 2")
    expect(page.locator(".typed li")).to_have_text(["GLIME", "CAT"])
    expect(page.get_by_role("heading", name="Check the spelling")).to_be_focused()
    low, high = sorted(button.bounding_box()["height"] for button in page.locator(".actions button").all())
    assert high < 1.1 * low, "the text of a button is broken"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_screen(page, "check")
    page.clock.run_for(500)
    page.get_by_role("button", name="Judge the play").click()
    expect_screen(page, "verdict")
    clear_verdict(page)
    enter(page, "GLIME")
    page.keyboard.press("Tab")
    expect_screen(page, "check")
    page.clock.run_for(15_000)
    expect_screen(page, "count")


def test_published_lists_and_a_clubs_own_words_decide_at_once(tables, device):
    """Under Dover a word of the published lists is disallowed: no request is sent, and no turn is lost.

    The words that a director allows or strikes for the device decide at once, and players see them beforehand.
    """
    page = device.open(tables, rules="dover")
    sent = []
    page.on("request", lambda request: sent.append(request.url) if "/v1/judge" in request.url else None)
    judge(page, "ZIG", "CAT")
    verdict = page.get_by_role("alert")
    expect(verdict.get_by_role("heading")).to_have_text("Disallowed")
    expect(verdict).to_contain_text("the player makes another play; no turn is lost")
    assert page.get_by_role("button", name="Check the OSPD").count() == 0
    assert sent == []
    clear_verdict(page)
    page.get_by_role("button", name="Settings").click()
    for label, words in (("Also allowed", "zig, zag"), ("Not allowed", "glime"), ("Two-letter words, if", "ad xq")):
        page.get_by_label(label).fill(words)
        page.get_by_label(label).press("Tab")
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".actions .own")).to_have_text(
        "The club also allows ZAG ZIG. The club does not allow GLIME. The club has 2 two-letter words of its own."
    )
    expect(page.locator("#place")).to_contain_text("with the club's words")
    page.locator("h1").focus()
    for words, heading in ((["ZIG", "XQ"], "Yes"), (["GLIME"], "No"), (["OX"], "No")):
        judge(page, *words)
        expect(page.get_by_role("alert").get_by_role("heading")).to_have_text(heading)
        clear_verdict(page)
    page.reload()
    expect(page.locator(".actions .own")).to_contain_text("ZAG ZIG")
    page.get_by_role("button", name="Two-letter words").click()
    expect(page.get_by_role("dialog")).to_contain_text("2 two-letter words")


@pytest.mark.long
def test_a_club_word_is_checked(tables, device):
    """A list with what is no word, or a word that is on both lists, is named and changes nothing."""
    page = device.open(tables)
    page.get_by_role("button", name="Settings").click()
    for label, words, says in (
        ("Also allowed", "zig z4g", "Type at most 50 words of 2 to 21 letters."),
        ("Two-letter words, if", "qi zig", "Type words of two letters."),
    ):
        page.get_by_label(label).fill(words)
        page.get_by_label(label).press("Tab")
        expect(page.get_by_role("alert").filter(has_text=says)).to_be_visible()
    page.get_by_label("Also allowed").fill("zig")
    page.get_by_label("Also allowed").press("Tab")
    page.get_by_label("Not allowed").fill("zig")
    page.get_by_label("Not allowed").press("Tab")
    expect(page.get_by_text("These words are on both lists: ZIG.")).to_be_visible()
    page.clock.resume()
    assert axe_violations(page) == []
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".actions .own")).to_have_text("The club also allows ZIG.")
