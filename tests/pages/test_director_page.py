"""Tests of the director's page: the club's key, codes for tables, and devices with their log."""

from __future__ import annotations

import json
import re

import pytest
import segno
from browser_windows import (
    DESKTOP_VIEWPORT,
    NARROW_VIEWPORT,
    PHONE_VIEWPORT,
    TOUCH_PHONE,
    axe_violations,
    overflow_pixels,
)
from judge_page import club_installation, club_service, code_for, expect_screen, judge, open_at_noon, paired
from page_fixtures import Tables
from playwright.sync_api import Page, expect
from small_installation import NOON

__all__ = ["club_installation", "club_service"]

KEPT = """async () => [
  document.documentElement.outerHTML, location.href, JSON.stringify({ ...localStorage }), document.cookie,
  JSON.stringify({ ...sessionStorage }), ...[...document.querySelectorAll("input")].map((field) => field.value),
  ...Object.getOwnPropertyNames(window).map((name) => {
    try { return JSON.stringify(window[name]) ?? ""; } catch { return ""; }
  }),
]"""
MOMENT = """(text) => new Intl.DateTimeFormat(undefined, {
  month: "short", day: "numeric", hour: "numeric", minute: "2-digit",
}).format(Date.parse(text))"""


@pytest.fixture
def director_page(tables: Tables) -> Page:
    """Return the page, opened with the club's key, on a desktop whose clock is paused at noon."""
    page = open_at_noon(tables, viewport=DESKTOP_VIEWPORT)
    page.goto("/director")
    open_desk(page, tables.installation.key)
    return page


def open_desk(page: Page, key: str) -> None:
    """Open the desk with the club's key, and wait for the last that the page asks the service for then."""
    enter_key(page, key)
    expect(page.get_by_role("heading", name="Pair tables")).to_be_focused()
    expect(page.get_by_role("button", name="Make this the director's device")).to_be_visible()


def enter_key(page: Page, key: str) -> None:
    page.get_by_label("The club's key").fill(key)
    page.keyboard.press("Enter")


def make_code(page: Page, table: str, *, log: bool = False) -> str:
    """Make a code for a table; return it as the screen shows it."""
    make_codes(page, table, log=log)
    return page.locator(".code").inner_text()


def make_codes(page: Page, *tables: str, log: bool = False) -> None:
    """Make a code for each of these tables."""
    page.get_by_label("Tables, one on each line").fill("\n".join(tables))
    page.get_by_label("Keep a log").set_checked(log)
    page.get_by_role("button", name="Make codes").click()
    expect(page.get_by_role("heading", name=f"Code for {tables[0]}")).to_be_focused()


def test_the_desk_from_its_key_to_its_log(director_page, tables):
    """A code is shown in large type with its address, a QR code and the time left, pairs one device, and expires.

    The log has time, table and number of words, and a search for exactly the words of a question finds it. A device is
    revoked at once after a confirmation alone. The key and the words are in no field, store, address or variable.
    """
    tables.expected.append("403")
    code = make_code(director_page, "Table 5", log=True)
    assert re.fullmatch("[2-9A-Z]{5}-[2-9A-Z]{5}", code)
    box = director_page.locator(".code").bounding_box()
    assert box is not None
    assert box["height"] > 40
    expect(director_page.locator(".invitation")).to_contain_text(f"open {tables.url}/judge and type it")
    link = f"{tables.url}/judge#pair={code.replace('-', '')}"
    picture = director_page.get_by_role("img", name="QR code that pairs a device for Table 5")
    assert picture.get_attribute("src") == segno.make_qr(link).svg_data_uri(scale=4, border=4, light="#fff")
    assert picture.evaluate("async (image) => (await image.decode(), image.naturalWidth)") > 100

    table, urls = open_at_noon(tables, viewport=PHONE_VIEWPORT), []
    table.on("request", lambda request: urls.append(table.url) if request.url.endswith("/v1/pair") else None)
    table.goto(director_page.locator(".invitation a").get_attribute("href") or "")
    expect_screen(table, "count")
    assert (urls, table.url) == ([f"{tables.url}/judge"], f"{tables.url}/judge")  # without the code
    other = open_at_noon(tables)
    other.goto(link)
    expect(other.locator(".fault")).to_contain_text("was used")
    assert other.url == f"{tables.url}/judge"
    director_page.clock.run_for(6_000)
    expect(director_page.locator(".invitation")).to_have_text("Table 5 is paired.")

    judge(table, "QUIZ", "CAT")
    director_page.get_by_role("button", name="Show all").click()
    rows = director_page.locator("#entries tbody tr")
    expect(rows).to_have_count(1)
    expect(rows.locator("td")).to_have_text([re.compile(r"^\d+ \w+ \d{4}, \d\d:\d\d:\d\d$"), "Table 5", "2"])
    for words, answer in (
        ("cat quiz", "Exactly these words were asked. Times: 1."),
        ("cat", "Exactly these words were not asked together at a table with a log."),
    ):
        director_page.get_by_label("Were these words asked?").fill(words)
        director_page.keyboard.press("Enter")
        expect(director_page.locator("#entries-told")).to_have_text(answer)
    key = director_page.get_by_label("The club's key", exact=True)
    assert (key.get_attribute("type"), key.get_attribute("autocomplete")) == ("password", "off")
    secret = re.compile(f"quiz|{tables.installation.key}", re.IGNORECASE)
    assert [each for each in director_page.evaluate(KEPT) if secret.search(each)] == []
    director_page.get_by_label("Were these words asked?").fill("cat 5")
    director_page.keyboard.press("Enter")
    expect(director_page.locator("#fault")).to_contain_text("1 to 8 words")

    def paired_tables() -> list[str]:
        return [each["table"] for each in json.loads(tables.service.request("GET", "/v1/devices")[1])["devices"]]

    director_page.get_by_role("button", name="Revoke Table 5").click()
    director_page.get_by_role("button", name="Cancel").click()
    expect(director_page.get_by_role("dialog")).to_have_count(0)
    assert "Table 5" in paired_tables()
    director_page.get_by_role("button", name="Revoke Table 5").click()
    director_page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(director_page.locator("#told")).to_have_text("Table 5 is revoked.")
    expect(director_page.get_by_role("button", name="Revoke Table 5")).to_have_count(0)
    assert "Table 5" not in paired_tables()

    director_page.evaluate("Date.parse = () => Date.now() + 62_000")
    code = make_code(director_page, "Table 6")
    expect(director_page.locator(".left")).to_have_text("1:02 left")
    director_page.clock.run_for(2_000)
    expect(director_page.locator(".left")).to_have_text("1:00 left")
    director_page.clock.run_for(60_000)
    expect(director_page.locator(".invitation")).to_have_text("This code has expired. Make a new one.")
    assert code not in director_page.content()
    director_page.get_by_role("button", name="Close the desk").click()
    expect(director_page.get_by_role("button", name="Make codes")).to_be_hidden()
    director_page.reload()
    expect(director_page.get_by_role("button", name="Open the desk")).to_be_visible()


def test_keys_that_open_no_desk(tables):
    """A wrong key, no key, and a lost connection give different messages and open nothing.

    A home key must be told what it is for: three devices of a household, without log, boards and director.
    """
    tables.expected.extend(["401", "409", "ERR_INTERNET_DISCONNECTED"])
    page = open_at_noon(tables, viewport=PHONE_VIEWPORT)
    page.goto("/director")
    page.get_by_role("button", name="Open the desk").click()
    expect(page.get_by_role("alert")).to_have_text("Enter the key first.")
    enter_key(page, f"ordws_live_{'A' * 43}")
    expect(page.get_by_role("alert")).to_contain_text("That key is not accepted")
    page.context.set_offline(True)
    enter_key(page, tables.installation.key)
    expect(page.get_by_role("alert")).to_contain_text("did not answer")
    expect(page.locator("#desk")).to_be_hidden()
    page.context.set_offline(False)
    enter_key(page, tables.installation.register.add("family", "home", NOON))
    expect(page.locator("#household")).to_contain_text("It pairs up to 3 devices of one household, and nothing more.")
    for hidden in (page.get_by_role("heading", name="Log"), page.locator("#boards"), page.get_by_label("Keep a log")):
        expect(hidden).to_be_hidden()
    page.get_by_label("Tables, one on each line").fill("Kitchen\nGarden\nAttic\nCellar")
    page.get_by_role("button", name="Make codes").click()
    expect(page.locator(".invitation")).to_have_count(3)
    expect(page.locator("#fault")).to_contain_text("Three devices or codes are in use")
    page.clock.run_for(6_000)
    expect(page.locator("#left-over")).to_have_text("No code was made for Cellar. The names are still in the field.")
    expect(page.get_by_label("Tables, one on each line")).to_have_value("Cellar")
    assert overflow_pixels(page) <= 0


@pytest.mark.long
def test_the_page_of_a_household_is_accessible(tables):
    """Axe finds no violation, light and dark, when a home key has opened the page and its codes are shown."""
    page = tables.plain_window(viewport=PHONE_VIEWPORT)
    page.goto("/director")
    enter_key(page, tables.installation.register.add("other family", "home", NOON))
    make_codes(page, "Kitchen")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe_violations(page) == []


@pytest.mark.long
def test_several_codes_are_shown_at_once(director_page, tables):
    """A code for each line must be shown at the same time, and each says by itself that its device is paired."""
    make_codes(director_page, "Table 21", "Table 22", "", "Table 23")
    shown = director_page.locator(".invitation")
    expect(shown).to_have_count(3)
    codes = [each.locator(".code").inner_text() for each in shown.all()]
    assert len({*codes}) == 3
    table = open_at_noon(tables, viewport=PHONE_VIEWPORT)
    table.goto(shown.nth(1).get_by_role("link").get_attribute("href") or "")
    expect_screen(table, "count")
    director_page.clock.run_for(6_000)
    expect(shown.nth(1)).to_have_text("Table 22 is paired.")
    assert [shown.nth(at).locator(".code").inner_text() for at in (0, 2)] == [codes[0], codes[2]]
    director_page.evaluate("document.body.dataset.printed = 'codes'")
    director_page.emulate_media(media="print")
    for at in (0, 2):
        expect(shown.nth(at).locator(".qr")).to_be_visible()
    expect(shown.first.locator(".until")).to_have_text(re.compile(r"^This code ends on \w+day,? (at )?\d\d:\d\d\.$"))
    expect(shown.first.locator(".until")).to_be_visible()
    expect(shown.first.locator(".left")).to_be_hidden()
    expect(director_page.get_by_role("heading", name="Log")).to_be_hidden()


@pytest.mark.long
def test_the_devices_say_when_they_were_last_seen(director_page, tables):
    """Each device has the times of its pairing and of its last request."""
    paired(tables.service, "Table 24").request("GET", "/v1/device")
    director_page.get_by_role("button", name="Close the desk").click()
    open_desk(director_page, tables.installation.key)
    devices = json.loads(tables.service.request("GET", "/v1/devices")[1])["devices"]
    (times,) = [(each["paired"], each["seen"]) for each in devices if each["table"] == "Table 24"]
    row = director_page.locator("#devices tr").filter(has_text="Table 24")
    expect(row.locator("td")).to_have_text([*[director_page.evaluate(MOMENT, each) for each in times], "no", "Revoke"])
    assert director_page.locator("#devices th").all_inner_texts()[:4] == ["Table", "Paired since", "Last seen", "Log"]


def test_a_director_pairs_a_device_by_a_code(tables, served):
    """A code in lower case with spaces is accepted, a wrong code is not; the device stays paired after a reload.

    A link does not take the device out of its club: the page says that it is paired, and waits for a tap.
    """
    tables.expected.append("403")
    page = open_at_noon(tables, **TOUCH_PHONE)
    page.goto("/judge")
    page.get_by_label("The director's code").fill("AAAA-2222")
    page.get_by_role("button", name="Pair").tap()
    expect(page.locator(".fault")).to_contain_text("That code does not work")
    page.get_by_label("The director's code").fill(f" {code_for(served, 'Table 9').replace('-', ' ').lower()} ")
    page.keyboard.press("Enter")
    expect_screen(page, "count")
    expect(page.locator("#place")).to_have_text("Table 9 · ORDWS 2026 · Scrabble I For Word Lovers")
    page.reload()
    expect_screen(page, "count")
    page.evaluate("code => { location.hash = `pair=${code}`; }", code_for(served, "Table 1").replace("-", ""))
    expect(page.get_by_role("status").filter(has_text="This device is paired for Table 9.")).to_be_visible()
    page.get_by_role("button", name="Pair", exact=True).tap()
    expect_screen(page, "count")
    expect(page.locator("#place")).to_contain_text("Table 1 ")


@pytest.mark.long
def test_the_log_is_printed_alone(director_page):
    """A printed page has the log, and neither code nor devices nor buttons."""
    make_code(director_page, "Table 9")
    director_page.emulate_media(media="print")
    expect(director_page.get_by_role("heading", name="Log")).to_be_visible()
    expect(director_page.locator(".code")).to_be_hidden()
    expect(director_page.get_by_role("button")).to_have_count(0)


@pytest.mark.long
def test_the_director_page_is_accessible(director_page, tables):
    """Axe finds no violation in light and dark, and nothing overflows at 320 px, with code, devices and log shown."""
    paired(tables.service, "Table 10", log=True).request("POST", "/v1/judge", {"words": ["CAT"]})
    director_page.clock.resume()
    director_page.set_viewport_size(NARROW_VIEWPORT)
    director_page.get_by_role("button", name="Show all").click()
    expect(director_page.locator("#entries")).to_be_visible()
    make_code(director_page, "Table 11")
    for scheme in ("light", "dark"):
        director_page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert axe_violations(director_page) == []
    assert overflow_pixels(director_page) <= 0
    hidden_pixels = "({ parentElement: region }) => region.scrollWidth - region.clientWidth"
    assert director_page.locator("#devices").evaluate(hidden_pixels) <= 0


@pytest.mark.long
def test_boards_and_log_stand_side_by_side_on_a_desktop(director_page):
    """A wide window has the finished boards beside the log, a narrow one above it."""
    boards, log = director_page.locator("#boards"), director_page.locator("#archive")
    expect(boards).to_be_visible()
    expect(log).to_be_visible()
    assert boards.bounding_box()["y"] == log.bounding_box()["y"]
    director_page.set_viewport_size(PHONE_VIEWPORT)
    expect(director_page.locator("html")).to_have_js_property("clientWidth", PHONE_VIEWPORT["width"])
    assert boards.bounding_box()["y"] < log.bounding_box()["y"]


@pytest.mark.long
def test_without_a_connection_the_desk_is_a_page_of_ours(tables):
    """Where there is no connection the desk's address shows a page that says so, and the desk when it is back."""
    tables.expected.append("ERR_INTERNET_DISCONNECTED")
    page = tables.open("/lists")
    page.context.set_offline(True)
    page.goto("/director")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    for viewport in (DESKTOP_VIEWPORT, PHONE_VIEWPORT, NARROW_VIEWPORT):
        page.set_viewport_size(viewport)
        expect(page.locator("html")).to_have_js_property("clientWidth", viewport["width"])
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert axe_violations(page) == []
        assert overflow_pixels(page) <= 0
    with page.expect_event("load"):
        page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("button", name="Open the desk")).to_be_visible()
