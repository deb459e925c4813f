"""A club with tables, and windows on its paired devices whose clock only tests advance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from http_replies import send
from page_fixtures import PageService, Tables, pause, serve_pages, store
from playwright.sync_api import Page, expect
from small_installation import NOON, WORDS, SmallInstallation, build_installation
from threaded_server import OneAddress

COOKIE = "ordws_device"
NOON_ON_SATURDAY = datetime(2026, 11, 21, 12, tzinfo=UTC)
LONG_SECONDS = {"idle": 120.0, "clears": 120.0, "leave": 60.0}
"""The longest times that a screen may stay, for looks at screens while the clock runs."""
RECORD_SIGNALS = """
    window.heard = [];
    window.felt = [];
    navigator.vibrate = (pattern) => (window.felt.push(pattern), true);
    const Real = window.OscillatorNode;
    window.OscillatorNode = class extends Real {
      constructor(audio, options) { super(audio, options); window.heard.push([options.type, options.frequency]); }
    };
"""
"""A script that records the tones and vibrations of a page; the tones still sound."""


@pytest.fixture(scope="module", name="shared_installation")
def club_installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallInstallation]:
    """Yield an installation with a club, in which TILE is in the OSPD and not acceptable."""
    with build_installation(tmp_path_factory.mktemp("club") / "instance") as installation:
        installation.deliver(*[word for word in WORDS if word != "TILE"], number=2)
        installation.key = installation.register.add("club", "operator", NOON - 40 * 86_400)
        installation.register.verify("club", NOON)
        yield installation


@pytest.fixture(scope="module", name="served")
def club_service(shared_installation: SmallInstallation, pages_address: OneAddress) -> Iterator[PageService]:
    """Serve the club; each module has its own, since tests count devices and spend budgets."""
    with serve_pages(shared_installation, pages_address) as service:
        yield service


@dataclass(frozen=True)
class Device:
    """A device that was paired by HTTP, with its cookie."""

    service: PageService
    token: str

    def request(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Send a request of the device; return status and body."""
        reply = send(self.service.port, method, path, body, Cookie=f"{COOKIE}={self.token}")
        return reply.status, reply.json()

    def window(self, tables: Tables, **options: Any) -> Page:
        """Return a window of the device's browser, in which no page is open yet."""
        page = open_at_noon(tables, **options)
        page.context.add_cookies([{"name": COOKIE, "value": self.token, "url": f"{tables.url}/v1", "httpOnly": True}])
        store(page, paired="yes")
        return page

    def open(
        self,
        tables: Tables,
        *,
        game: str = "evening",
        seconds: dict[str, float] | None = None,
        rules: str = "scrabble-i",
        **options: Any,
    ) -> Page:
        """Open a window of the device's browser at the count, with a paused clock."""
        page = self.window(tables, **options)
        store(page, game=game, judge=json.dumps({"rules": rules, "seconds": seconds or {}}))
        page.goto("/judge")
        expect(page.locator(".counts")).to_be_visible()
        return page


def open_at_noon(tables: Tables, **options: Any) -> Page:
    """Open a window whose clock is paused, near noon; with service workers if `service_workers` is "allow"."""
    options = {"timezone_id": "UTC", "locale": "en-GB", **options}
    if "service_workers" in options:
        begin_at_noon(page := tables.window(**options))
    else:
        page = tables.plain_window(begin_at_noon, **options)
        pause(page)
    return page


def begin_at_noon(page: Page) -> None:
    page.add_init_script(RECORD_SIGNALS)
    # The clock runs from the first of these commands to the second, which cannot take it back.
    page.clock.install(time=NOON_ON_SATURDAY - timedelta(hours=1))
    page.clock.pause_at(NOON_ON_SATURDAY)


def code_for(service: PageService, table: str = "Table 3", *, log: bool = False) -> str:
    """Return a pairing code of the club with whose key the service was started."""
    status, body = service.request("POST", "/v1/devices", json.dumps({"table": table, "log": log}))
    assert status == 201, body
    code: str = json.loads(body)["code"]
    return code


def paired(service: PageService, table: str = "Table 3", *, log: bool = False, code: str = "") -> Device:
    """Return a paired device of the club, by this code or a new one for the table."""
    reply = send(service.port, "POST", "/v1/pair", {"code": code or code_for(service, table, log=log)})
    assert reply.status == 200, reply.body
    return Device(service, reply.headers.get("Set-Cookie", "").partition(";")[0].partition("=")[2])


@pytest.fixture(scope="module", name="device")
def paired_device(served: PageService) -> Device:
    """Return a device of the club's third table."""
    return paired(served)


def enter(page: Page, *words: str) -> None:
    """Choose the number of words, and type them."""
    page.keyboard.press(str(len(words)))
    page.clock.run_for(750)
    expect(page.locator(".typed li")).to_have_count(len(words))
    page.keyboard.type(" ".join(words))


def judge(page: Page, *words: str) -> None:
    """Challenge words, and confirm them as the opponent does."""
    enter(page, *words)
    confirm(page)
    expect_screen(page, "verdict")


def touch_in(page: Page, *words: str) -> None:
    """Challenge words by touch, where there is no field; a `<` in a word takes a letter back."""
    page.locator(".count", has_text=str(len(words))).tap()
    # A touch becomes a click a moment later, and the timers run for what is there by then.
    expect(page.locator(".chosen")).to_be_visible()
    page.clock.run_for(750)
    back = page.get_by_role("button", name="Take a letter back")
    for key in "→".join(words):
        (back if key == "<" else page.locator(".pad").get_by_text(key, exact=True)).tap()
    expect(page.locator("input, textarea, [contenteditable]")).to_have_count(0)
    page.get_by_role("button", name="Over to the opponent").tap()
    expect_screen(page, "check")
    page.clock.run_for(500)
    page.get_by_role("button", name="Judge the play").tap()


def confirm(page: Page) -> None:
    """Hand the typed words over as the challenger does, and have them judged as the opponent does."""
    page.keyboard.press("Tab")
    expect_screen(page, "check")
    page.clock.run_for(500)
    page.keyboard.press("Tab")


def expect_screen(page: Page, name: str) -> None:
    """Wait for the screen with that name."""
    expect(page.locator("html")).to_have_attribute("data-screen", name)


def clear_verdict(page: Page) -> None:
    """Let the shortest time pass, and press a key."""
    page.clock.run_for(500)
    page.keyboard.press("x")
    expect_screen(page, "count")


def begin_table_mode(page: Page, phrase: str) -> None:
    """Begin table mode from the count."""
    page.get_by_role("button", name="Table mode").click()
    page.get_by_label("Pass-phrase").fill(phrase)
    page.get_by_label("The same again").fill(phrase)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Leave table mode")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-mode", "table")
