"""Tests of what the word judge leaves behind, of table mode, and of requests without a verdict."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest
from browser_windows import PHONE_VIEWPORT
from judge_page import (
    Device,
    begin_table_mode,
    clear_verdict,
    club_installation,
    club_service,
    confirm,
    enter,
    expect_screen,
    judge,
    paired,
    paired_device,
)
from page_fixtures import Tables
from playwright.sync_api import Page, Route, expect

__all__ = ["club_installation", "club_service", "paired_device"]

IN_HAND = """new Promise((done) => {
  if (navigator.serviceWorker.controller) done();
  else navigator.serviceWorker.addEventListener("controllerchange", () => done());
})"""
"""The condition that the service worker has cached the pages."""
EVERYTHING_KEPT = """async () => {
  const kept = [document.documentElement.outerHTML, document.title, document.cookie, location.href];
  kept.push(JSON.stringify(history.state), JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }));
  for (const { name } of await indexedDB.databases()) kept.push(name);
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) kept.push(request.url, await (await cache.match(request)).text());
  }
  for (const name of Object.getOwnPropertyNames(window)) {
    try { kept.push(JSON.stringify(window[name]) ?? ""); } catch { kept.push(""); }
  }
  for (const field of document.querySelectorAll("input, textarea")) kept.push(field.value);
  return kept;
}"""
LOOKING_AWAY = (
    "window.dispatchEvent(new Event('blur'))",
    "Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });"
    " document.dispatchEvent(new Event('visibilitychange')); delete document.hidden",
    "window.dispatchEvent(new PageTransitionEvent('pagehide'))",
)
SCREENS = ("entry", "verdict", "asking")


@pytest.fixture
def page(tables: Tables, device: Device) -> Page:
    """Return a phone at the count."""
    return device.open(tables, viewport=PHONE_VIEWPORT)


@pytest.mark.parametrize("is_installed", [False, pytest.param(True, marks=pytest.mark.long)])
def test_no_word_of_a_challenge_is_stored(is_installed, tables, device):
    """Once cleared, no word is in the page, its stores, history, addresses, or anything that a script can read."""
    page = device.open(tables, **({"service_workers": "allow"} if is_installed else {}))
    if is_installed:
        page.evaluate(IN_HAND)
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    before = page.evaluate("[history.length, location.href]")
    judge(page, "GLUMQX", "ZAGXQZ")
    assert any("ZAGXQZ" in kept for kept in page.evaluate(EVERYTHING_KEPT))
    page.get_by_role("button", name="Check the OSPD").click()
    expect_screen(page, "deduction")
    page.keyboard.press("Escape")
    enter(page, "GLUMQX", "ZAGXQZ")
    page.keyboard.press("Enter")
    page.clock.run_for(15_000)
    expect_screen(page, "count")
    kept = [*page.evaluate(EVERYTHING_KEPT), *urls]
    assert [each for each in kept if re.search("GLUMQX|ZAGXQZ", each, re.IGNORECASE)] == []
    assert page.evaluate("[history.length, location.href]") == before


@pytest.mark.parametrize(
    "cases",
    [
        [*zip(LOOKING_AWAY, SCREENS, strict=True)],
        pytest.param([*product(LOOKING_AWAY, SCREENS)], marks=pytest.mark.long),
    ],
    ids=len,
)
def test_words_are_cleared_when_the_window_loses_focus(cases, page):
    """Words, verdicts and pending requests are gone when the window loses the focus, is hidden or left."""
    for how, screen in cases:
        if screen == "asking":
            page.route("**/v1/judge", lambda route: None)
        enter(page, "GLIME")
        if screen != "entry":
            confirm(page)
        expect_screen(page, screen)
        page.evaluate(how)
        expect_screen(page, "count")
        page.unroute("**/v1/judge")
        assert "GLIME" not in page.content()


def test_table_mode_ends_by_its_pass_phrase_alone(page):
    """Table mode hides the site, survives a reload, stores a salted hash, and limits tries and time."""
    page.get_by_role("button", name="Table mode").click()
    page.get_by_label("Pass-phrase").fill("horse")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("alert")).to_have_text("The two pass-phrases differ.")
    page.get_by_label("The same again").fill("horse")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("button", name="Leave table mode")).to_be_visible()
    kept = json.loads(page.evaluate("localStorage['ordws.judge.table']"))
    assert (len(kept.pop("salt")), len(kept.pop("hash")), kept) == (24, 44, {"rounds": 600_000, "page": "/judge"})
    page.goto("/lists")
    page.wait_for_url("**/judge")
    page.reload()
    expect_screen(page, "count")
    expect(page.locator("header.site")).to_be_hidden()
    expect(page.get_by_role("button", name="Settings")).to_have_count(0)
    menu = "document.body.dispatchEvent(new Event('contextmenu', { bubbles: true, cancelable: true }))"
    assert page.evaluate(menu) is False
    page.keyboard.press("Escape")
    expect_screen(page, "leave")
    page.clock.run_for(10_000)
    expect_screen(page, "count")
    page.get_by_role("button", name="Leave table mode").click()
    expect(page.locator("html:fullscreen")).to_have_count(1)  # which comes late, and would be left before it came
    page.keyboard.type("house")
    page.keyboard.press("Enter")
    expect(page.locator(".fault")).to_have_text("That is not the pass-phrase.")
    expect(page.get_by_label("Pass-phrase")).to_be_disabled()
    page.clock.run_for(1_500)
    page.get_by_label("Pass-phrase").fill("horse")
    page.get_by_role("button", name="Leave", exact=True).click()
    expect(page.get_by_role("button", name="Settings")).to_be_visible()
    assert page.evaluate("[localStorage['ordws.judge.table'], document.fullscreenElement]") == [None, None]


@pytest.mark.long
def test_table_mode_fills_the_screen_again(page):
    """Leaving full screen asks for the pass-phrase; the next touch restores full screen, after a reload too."""
    filled = expect(page.locator("html:fullscreen"))
    # An exit before the event of the entry would fire two at once: the second Escape would close the screen again.
    page.evaluate(
        "document.addEventListener('fullscreenchange', () => { document.body.dataset.entered = ''; }, { once: true })"
    )
    begin_table_mode(page, "horse")
    filled.to_have_count(1)
    expect(page.locator("body[data-entered]")).to_have_count(1)
    page.evaluate("document.exitFullscreen()")
    expect_screen(page, "leave")
    page.get_by_role("button", name="Back").click()
    filled.to_have_count(1)
    page.reload()
    expect_screen(page, "count")
    page.locator("h1").click()
    filled.to_have_count(1)
    judge(page, "QUIZ")


@pytest.mark.long
def test_the_screen_stays_awake(tables, device):
    """The page requests a wake lock, and again when it becomes visible again."""
    page = tables.window()
    page.add_init_script("window.woken = 0; WakeLock.prototype.request = async () => { window.woken += 1; };")
    page.goto("/judge")
    expect(page.get_by_role("heading", name="Pair this device")).to_be_visible()
    assert page.evaluate("woken") == 1
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("woken") == 2


def test_words_stay_for_a_retry_without_an_answer(tables, page):
    """The words stay for one more try until the idle time ends, and the count says that there is no connection.

    After a 503 nothing was judged, and the same question may be repeated too.
    """
    tables.expected.extend(["ERR_INTERNET_DISCONNECTED", "503"])
    page.context.set_offline(True)
    expect(page.get_by_text("There is no connection, so nothing")).to_be_visible()
    enter(page, "QUIZ")
    confirm(page)
    expect(page.get_by_role("alert")).to_contain_text("No connection")
    page.keyboard.press("Enter")
    expect(page.locator(".asked")).to_have_text("QUIZ")
    expect_screen(page, "trouble")
    page.clock.run_for(15_000)
    expect_screen(page, "count")
    enter(page, "QUIZ")
    confirm(page)
    expect_screen(page, "trouble")
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    expect_screen(page, "verdict")
    clear_verdict(page)
    busy = {"status": 503, "json": {"code": "too-busy"}, "content_type": "application/problem+json"}
    page.route("**/v1/judge", lambda route: route.fulfill(**busy))
    enter(page, "QUIZ")
    confirm(page)
    expect(page.get_by_role("alert")).to_contain_text("Nothing was judged")
    page.unroute("**/v1/judge")
    page.get_by_role("button", name="Try again").click()
    expect_screen(page, "verdict")


def test_an_answer_that_is_lost_is_charged_once(tables, device):
    """A repeated question has the same Idempotency-Key, and counts as one play."""
    tables.expected.append("ERR_FAILED")
    page = device.open(tables, game="lost")
    sent: list[tuple[str, Any]] = []

    def lose(route: Route) -> None:
        sent.append((route.request.headers["idempotency-key"], route.request.post_data_json))
        if len(sent) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/v1/judge", lose)
    enter(page, "JOWLED")
    confirm(page)
    expect_screen(page, "trouble")
    page.keyboard.press("Enter")
    expect_screen(page, "verdict")
    assert sent[0] == sent[1]
    status, quota = device.request("GET", "/v1/quota?game=lost")
    plays = next(budget for budget in quota["budgets"] if budget["budget"] == "plays")
    assert (status, plays["limit"] - plays["left"]) == (200, 1)


@pytest.mark.long
def test_a_spent_game_is_followed_by_another(tables, served):
    """When the plays of a game are spent the next game begins; when the day's games are, the page says until when."""
    tables.expected.append("429")
    device = paired(served, "Table 12")
    for _ in range(60):
        assert device.request("POST", "/v1/judge", {"words": ["ZAG"], "game": "first"})[0] == 200
    page = device.open(tables, game="first")
    judge(page, "ZAG")
    assert page.evaluate("localStorage['ordws.game']") != "first"
    clear_verdict(page)
    for number in range(11):
        device.request("POST", "/v1/judge", {"words": ["CAT"], "game": f"game {number}"})
    other = device.open(tables, game="one more")
    enter(other, "CAT")
    confirm(other)
    expect_screen(other, "trouble")
    expect(other.get_by_role("alert")).to_contain_text("This table has used up its questions.")
    expect(other.get_by_role("alert")).to_contain_text(re.compile(r"It answers again from \w+day \d\d:\d\d\."))
    expect(other.get_by_role("button", name="Try again")).to_have_count(0)


def test_a_revoked_device_needs_a_new_code(tables, served):
    """A revoked device says so at the next question, keeps no word, and asks for a code."""
    tables.expected.append("401")
    device = paired(served, "Table 7")
    page = device.open(tables)
    found = json.loads(served.request("GET", "/v1/devices")[1])["devices"]
    number = next(each["id"] for each in found if each["table"] == "Table 7")
    assert served.request("POST", f"/v1/devices/{number}/revoke", "{}")[0] == 200
    enter(page, "GLIME")
    confirm(page)
    expect_screen(page, "pairing")
    expect(page.get_by_role("status")).to_contain_text("not paired any more")
    assert "GLIME" not in page.content()


@pytest.mark.long
def test_a_device_is_unpaired_in_its_settings(tables, served):
    """Unpairing the device leads to the code again, also after a reload, and removes it from the director's list."""
    page = paired(served, "Table 8").open(tables)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Unpair this device").click()
    expect_screen(page, "pairing")
    assert "Table 8" not in served.request("GET", "/v1/devices")[1].decode()


@pytest.mark.long
def test_a_paired_device_opens_without_a_connection(tables, device):
    """A paired device says that the service did not answer, and begins when it does."""
    tables.expected.append("ERR_INTERNET_DISCONNECTED")
    page = device.open(tables, service_workers="allow")
    page.evaluate(IN_HAND)
    page.context.set_offline(True)
    page.reload()
    expect_screen(page, "closed")
    page.context.set_offline(False)
    expect_screen(page, "count")
