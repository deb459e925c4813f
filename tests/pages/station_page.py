"""A page object for the page *Table station*, on a paired device of a club."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from browser_windows import axe_violations
from judge_page import code_for
from keep_page import KeepPage
from page_fixtures import PageService, Tables, installed, pause
from playwright.sync_api import Error, Locator, Page, expect

BEGUN = datetime(2026, 11, 21, 19, tzinfo=UTC)
ENTRIES = """async (id) => (await (await import("/app/station-book.js")).loadStored(id)).entries"""


def open_station(
    tables: Tables, served: PageService, table: str = "Table 1", *, offline: bool = False, **options: Any
) -> StationPage:
    """Pair a new device for a table, and open the station there; with a service worker where it goes offline.

    Its clock is paused.
    """
    if offline:
        begin_in_the_evening(page := tables.window(**options))
    else:
        page = tables.plain_window(begin_in_the_evening, **options)
        pause(page)
    page.goto("/judge#pair=" + code_for(served, table).replace("-", ""))
    expect(page.locator(".counts")).to_be_visible()
    page.goto("/station")
    page.get_by_role("button", name="New game").wait_for()
    if offline:
        installed(page)
    return StationPage(page)


def begin_in_the_evening(page: Page) -> None:
    # The clock runs from the first of these commands to the second, which cannot take it back.
    page.clock.install(time=BEGUN - timedelta(hours=1))
    page.clock.pause_at(BEGUN)


class StationPage(KeepPage):
    """The actions of players at a station."""

    def press(self, name: str, within: Locator | None = None) -> None:
        super().press(name, within or self.page.locator("#station"))

    def begin(self, players: Sequence[str], rules: str, **labelled: str) -> None:
        """Set a game up, take the oath for all players, and start the first clock."""
        self.page.get_by_role("button", name="New game").click()
        for number, name in enumerate(players, start=1):
            self.page.get_by_label(f"Player {number}").fill(name)
        self.page.get_by_label("Rule set").select_option(rules)
        if labelled:
            self.open_options()
        for label, value in labelled.items():
            field = self.page.get_by_label(label.replace("_", " ")).and_(self.page.locator("input, select"))
            if field.evaluate("each => each.matches('[type=checkbox]')"):
                field.check()
            else:
                field.select_option(value) if field.evaluate("each => each.matches('select')") else field.fill(value)
            field.blur()
        self.press("Continue to the oath")
        for name in players:
            self.press(f"{name}: I swear")
            expect(self.panel).to_contain_text(f"{name} has sworn")
        self.press("Start the clock of")
        self.expect_told("is running")

    def attest(self, *players: str) -> None:
        """Attest the result for these players."""
        for name in players:
            self.press(f"{name}: I attest")
            expect(self.panel.get_by_text(f"{name} has attested it")).to_be_visible()

    def kill(self) -> StationPage:
        """Close the window as if the battery had died, and open another window of the same device with the game."""
        page, address = self.page.context.new_page(), self.page.url
        with self.page.expect_event("crash"), pytest.raises(Error, match=r"ERR_ABORTED|crashed"):
            self.page.goto("chrome://crash")
        self.page.close()
        page.goto(address)
        expect(page.locator(".scores li")).not_to_have_count(0)
        return StationPage(page)

    def violations(self) -> list[str]:
        """Return the breaches of WCAG 2.2 AA that axe finds, which needs a clock that runs."""
        self.page.clock.resume()
        found = axe_violations(self.page)
        pause(self.page)
        return found

    @property
    def notices(self) -> Locator:
        return self.page.locator(".notices")

    def entries(self) -> list[dict[str, Any]]:
        """The events that are kept on the device, as they are signed."""
        kept: list[dict[str, str]] = self.page.evaluate(ENTRIES, self.page.url.partition("#")[2])
        return [json.loads(each["text"]) for each in kept]

    def expect_sent(self) -> None:
        """Wait until the director has the game, which the station sends within some seconds."""
        self.page.clock.fast_forward("00:06")
        expect(self.panel).to_contain_text("The director has this game.")
