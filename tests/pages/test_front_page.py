"""Tests of the front page: a word judged at once, by a key or by a paired device, and the doors."""

from __future__ import annotations

import re

import pytest
from judge_page import club_installation, club_service, open_at_noon, paired_device
from page_fixtures import serve_pages
from playwright.sync_api import expect
from small_installation import FakeClock, InProcessService, build_installation

__all__ = ["club_installation", "club_service", "paired_device"]

KEEPS = "JSON.stringify([localStorage, sessionStorage, location.href, document.title, history.length])"
"""What a page may keep beyond its elements."""


@pytest.fixture
def visited(tmp_path):
    """Yield the address of a service that judges for visitors."""
    with build_installation(tmp_path / "instance") as installation:
        installation.instance.settings.write_text("[pages]\nvisitors = true\n")
        with serve_pages(installation) as service:
            yield f"http://localhost:{service.port}"


def ask(page, *words, key=None):
    """Enter the words, and a key where there is a field for it, and have them judged."""
    if key is not None:
        page.get_by_label("Your client key").fill(key)
    page.get_by_label("One word, or all words of a play").fill(" ".join(words))
    page.get_by_role("button", name="Judge").click()


def answer(page):
    """Return the locator of the answer that is shown."""
    return page.get_by_role("status").locator("p:visible")


def test_a_key_judges_at_once_and_is_not_kept(tables, shared_installation):
    """With a key the page answers yes or no for all words together, and keeps neither words nor key."""
    tables.expected.append("422")  # the first question of an operator's key has no player
    page = open_at_noon(tables)
    page.goto("/")
    ask(page, "quiz", "BOARD", key=shared_installation.key)
    expect(answer(page)).to_have_text("Acceptable")
    expect(page.get_by_label("One word, or all words of a play")).to_have_value("")
    ask(page, "quiz", "misfeed")
    expect(answer(page)).to_have_text("Not acceptable")
    kept = page.evaluate(KEEPS) + page.content()
    assert "quiz" not in kept.lower()
    assert shared_installation.key not in kept
    page.clock.run_for(15_000)
    expect(answer(page)).to_have_count(0)


def test_a_paired_device_needs_no_key(tables, device):
    """On a paired device the page names its table, asks for no key, and judges at the device's budgets."""
    page = device.window(tables)
    page.goto("/")
    expect(page.get_by_text("This device is paired: Table 3, club")).to_be_visible()
    expect(page.get_by_label("Your client key")).to_be_hidden()
    ask(page, "QUIZ")
    expect(answer(page)).to_have_text("Acceptable")
    left = {budget["budget"]: budget["left"] for budget in device.request("GET", "/v1/quota")[1]["budgets"]}
    assert left["outside"] == 19


def test_a_visitor_has_one_word_judged(tables, visited):
    """Where the keeper wants it a word is judged without a key; a spent day says when it begins anew."""
    tables.expected.append("429")
    page = open_at_noon(tables)
    page.goto(visited)
    expect(page.get_by_label("Your client key")).to_be_hidden()
    ask(page, "quiz")
    expect(answer(page)).to_have_text("Acceptable")
    ask(page, "misfeed")
    expect(answer(page)).to_have_text("Not acceptable")
    ask(page, "quiz", "board")
    expect(answer(page)).to_contain_text("Enter one word.")
    for _ in range(20):
        page.request.post(f"{visited}/v1/visitors", data={"word": "misfeed"})
    ask(page, "misfeed")
    expect(answer(page)).to_contain_text("They begin anew at")


def test_what_cannot_be_judged_says_why(tables):
    """A text that is no word, a missing key and a wrong key each say what to do, beside the field."""
    tables.expected.append("401")
    page = open_at_noon(tables)
    page.goto("/")
    ask(page, "C4T")
    expect(answer(page)).to_contain_text("Enter one to eight words of 2 to 21 letters")
    ask(page, *"abcdefghi")
    expect(answer(page)).to_contain_text("Enter one to eight words")
    ask(page, "CAT")
    expect(answer(page)).to_contain_text("Enter a client key first, or pair this device.")
    expect(page.get_by_label("Your client key")).to_be_focused()
    ask(page, "CAT", key="ordws_live_x")
    expect(answer(page)).to_contain_text("That key is not accepted.")
    page.context.set_offline(True)
    tables.expected.append("ERR_INTERNET_DISCONNECTED")
    ask(page, "CAT")
    expect(answer(page)).to_contain_text("The service did not answer.")


def test_the_page_has_a_door_for_everybody(shared_installation):
    """The page says what ORDWS is, draws a board, and leads each kind of user to a page that answers."""
    http = InProcessService(shared_installation.services(), shared_installation.key, FakeClock()).http
    page = http.get("/", headers={"Accept": "text/html"}).text
    assert ">A word judge whose list stays secret</h1>" in page
    main = page.partition("<main")[2]
    ((picture, alt),) = re.findall(r'<img[^>]*src="([^"]*)"[^>]*alt="([^"]*)"', main)
    assert "FISH is stretched to FISHING" in alt
    assert http.get(picture).content_type == "image/svg+xml"
    doors = set(re.findall(r'<a\b[^>]*\bhref="(/[^"#]*)"', main))
    assert {"/keep", "/score", "/judge", "/director", "/home", "/lists", "/slips", "/tiles", "/docs"} <= doors
    assert {http.get(door, headers={"Accept": "text/html"}).status_code for door in doors} == {200}
    assert ">Curate</h" in main
