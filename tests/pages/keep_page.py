"""A page object for the page *Keep a game*."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from browser_windows import axe_violations, overflow_pixels
from page_fixtures import Tables
from playwright.sync_api import Error, Locator, Page, expect

FOCUSED = """() => {
    const { ariaLabel, labels, textContent } = document.activeElement;
    return ariaLabel ?? labels?.[0]?.textContent ?? textContent;
}"""
UNSETTLED = "dialog:not([open]), body:not(:has(dialog[open])) .panel[inert]"
"""What a page has while an answer is about to be acted upon, or an event is being judged or kept."""


def open_keep(tables: Tables, **options: Any) -> KeepPage:
    """Open the page in a window without a service worker, whose installation takes time."""
    page = tables.plain_window(**options)
    page.goto("/keep")
    page.get_by_role("button", name="New game").wait_for()
    return KeepPage(page)


def open_installed(tables: Tables, **options: Any) -> KeepPage:
    """Open the page in a window and wait until the service worker has cached its files."""
    page = tables.window(**options)
    page.goto("/keep")
    page.evaluate("""async () => {
        const taken = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
        if (!navigator.serviceWorker.controller) await taken;
    }""")
    return KeepPage(page)


class KeepPage:
    """The actions of players on the page by touch or mouse, and what the page shows.

    An action is over when what it did is kept and shown, or when the page asks something.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.keys = page.locator(".board .keys")
        self.dialog = page.locator("dialog[open]")
        self.panel = page.locator(".panel")
        self.status = page.locator(".seen .told")

    def begin(self, players: Sequence[str], rules: str, **labelled: str) -> None:
        """Set a game up; `labelled` are further fields by their labels, `_` for a space."""
        self.page.get_by_role("button", name="New game").click()
        self.fill_in(players, rules, **labelled)

    def fill_in(self, players: Sequence[str], rules: str, **labelled: str) -> None:
        """Fill in the set-up that is open."""
        self.page.get_by_label("Rule set").select_option(rules)
        for number, name in enumerate(players, start=1):
            self.page.get_by_label(f"Player {number}").fill(name)
        if labelled:
            self.open_options()
        for label, value in labelled.items():
            field = self.page.get_by_label(label.replace("_", " ")).and_(self.page.locator("input, select"))
            field.select_option(value) if field.evaluate("each => each.matches('select')") else field.fill(value)
            field.blur()
        self.page.get_by_role("button", name="Begin").click()
        expect(self.page.locator(".scores li")).to_have_count(len(players))

    def open_options(self) -> None:
        """Open all groups of options, once the view that holds them is there."""
        groups = self.page.locator("details.group")
        groups.first.wait_for()
        groups.evaluate_all("groups => groups.forEach((group) => { group.open = true; })")

    def square(self, row: int, column: int) -> Locator:
        return self.page.locator(f"[role=gridcell][data-row='{row}'][data-column='{column}']")

    def lay(self, row: int, column: int, letters: str, *, down: bool = False) -> None:
        """Tap a square, turn the direction if needed, and tap the letters of new tiles; lower case ones are blanks."""
        self.square(row, column).tap()
        expect(self.square(row, column)).to_be_focused()  # unlike a click, a tap is over before the page hears of it
        turn, blank, laid = self.key("turn"), self.key("blank"), self.page.locator("[role=gridcell].laid")
        if turn.inner_text().startswith("Down") is not down:
            turn.tap()
            expect(turn).to_have_text(re.compile("^Down" if down else "^Across"))
        for count, letter in enumerate(letters, start=1):
            if letter.islower():
                blank.tap()
                expect(blank).to_have_attribute("aria-pressed", "true")
            self.key(letter.upper()).tap()
            expect(laid).to_have_count(count)

    def key(self, value: str) -> Locator:
        return self.keys.locator(f"button[value={value}]")

    def put(self, start: str, letters: str, *, play: bool = True) -> None:
        """Lay letters by keys, `8D` across, `D8` down, and put the play down."""
        down = start[0].isalpha()
        row, column = (int(start[1:]), start[0]) if down else (int(start[:-1]), start[-1])
        square = self.square(row - 1, ord(column) - ord("A"))
        square.click()
        if ("down" in (square.get_attribute("class") or "")) is not down:
            self.page.keyboard.press(" ")
        for letter in letters:
            self.page.keyboard.press(f"Shift+{letter}" if letter.islower() else letter.lower())
        if play:
            self.press("Play for", self.panel)

    def press(self, name: str, within: Locator | None = None) -> None:
        """Press the button whose name begins with this text."""
        buttons = (within or self.page.locator("#keep")).locator("button")
        buttons.filter(has_text=re.compile(f"^{re.escape(name)}")).click()
        self.settle()

    def settle(self) -> None:
        """Wait until what was done is kept and shown, or until the page asks something."""
        expect(self.page.locator(UNSETTLED)).to_have_count(0)

    def answer(self, name: str) -> None:
        """Press a button of the open dialog, which must be the last one that is asked."""
        self.press(name, self.dialog)
        expect(self.dialog).to_have_count(0)

    def do(self, name: str, *answers: str) -> None:
        """Press a button, and a button of each dialog that opens after it."""
        self.press(name)
        for answer in answers[:-1]:
            self.press(answer, self.dialog)
        self.answer(answers[-1])

    def play(self, verdict: str | None = None) -> None:
        """Put the placed play down, and give the answer of the books."""
        self.press("Play for", self.panel)
        if verdict is not None:
            self.answer(verdict)

    def expect_told(self, text: str) -> None:
        """Wait until the page says this."""
        expect(self.status).to_contain_text(text)

    def expect_scores(self, *scores: int) -> None:
        expect(self.page.locator(".scores b")).to_have_text([str(score) for score in scores])

    def expect_mover(self, name: str) -> None:
        expect(self.page.locator(".scores .moving .name")).to_have_text(name)

    def expect_clocks(self, *times: str) -> None:
        expect(self.page.locator(".scores .clock")).to_have_text(times)

    def expect_tiles(self, count: int) -> None:
        expect(self.page.locator("[role=gridcell].g-tile")).to_have_count(count)

    @property
    def tiles(self) -> list[str]:
        """The accessible names of the tiles on the board, which says where they lie."""
        tiles = self.page.locator("[role=gridcell].g-tile")
        names: list[str] = tiles.evaluate_all("all => all.map(each => each.ariaLabel)")
        return names

    def type(self, *keys: str) -> None:
        """Press keys in sequence."""
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def reach(self, name: str) -> None:
        """Press Tab until the control with this name has the focus."""
        for _ in range(60):
            if str(self.page.evaluate(FOCUSED)).startswith(name):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"nothing called {name!r} can be reached")

    def record(self) -> bytes:
        """The record of the game, saved as a file."""
        with self.page.expect_download() as saved:
            self.press("Save the record", self.page.locator("body"))
        return saved.value.path().read_bytes()

    @property
    def sheet(self) -> list[list[str]]:
        """The lines of the score sheet, their receipts closed."""
        self.press("Score sheet")
        rows: list[list[str]] = self.dialog.locator(".score-sheet > tbody > tr").evaluate_all(
            "rows => rows.map(({ cells }) => [...cells].map(cell => cell.innerText.trim()))"
        )
        self.answer("Close")
        return rows

    def saved(self) -> bytes:
        """The record that the score sheet of an unfinished game gives."""
        self.press("Score sheet")
        record = self.record()
        self.answer("Close")
        return record

    def start_clocks(self) -> None:
        self.press("Start the clocks")
        self.expect_told("The clocks are running.")

    def wait(self, *, minutes: int = 0, seconds: int = 0) -> None:
        """Advance the paused clock; all timers of the page run in the last ten seconds, and once before them."""
        clock, all_seconds = self.page.context.clock, 60 * minutes + seconds
        clock.fast_forward(1000 * max(all_seconds - 10, 0))
        clock.run_for(1000 * min(all_seconds, 10))

    def expect_accessible(self, *, without_board: bool = False) -> None:
        """Look at the view in light, and at its colours in dark; `without_board` where that is as it was before."""
        without = ".board .frame" if without_board else ""
        for scheme, rules in (("light", ()), ("dark", ("color-contrast",))):
            self.page.emulate_media(color_scheme=scheme)
            assert axe_violations(self.page, *rules, without=without) == []
        assert overflow_pixels(self.page) <= 0

    def reload(self) -> None:
        self.page.reload()
        expect(self.page.locator(".scores li")).not_to_have_count(0)

    def kill(self) -> KeepPage:
        """Close the window as if the battery had died, and open another window of the same device with the game."""
        context, address = self.page.context, self.page.url
        page = context.new_page()
        with self.page.expect_event("crash"), pytest.raises(Error, match=r"ERR_ABORTED|crashed"):
            self.page.goto("chrome://crash")
        self.page.close()
        page.goto("/keep")
        page.locator(f".games a[href='#{address.partition('#')[2]}']").click()
        window = KeepPage(page)
        expect(page.locator(".scores li")).not_to_have_count(0)
        return window
