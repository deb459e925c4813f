"""A page object for the page *Score a play*."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from page_fixtures import Tables
from playwright.sync_api import Locator, Page

FOLLOW = """(position) => new Promise((followed) => {
  if (location.hash === `#${position}`) return followed();
  // After the listener of the page, which is older.
  addEventListener("hashchange", () => followed(), { once: true });
  location.hash = position;
})"""


def open_score(tables: Tables, position: str = "", **options: Any) -> ScorePage:
    """Open the page in a window without a service worker, on a position if one is given."""
    page = tables.plain_window(**options)
    page.goto(f"/score#{position}")
    return ScorePage(page)


class ScorePage:
    """The actions of a player on the page, and the texts that the page shows."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.square_with_cursor.wait_for()

    @property
    def square_with_cursor(self) -> Locator:
        return self.page.locator("#board [role=gridcell][tabindex='0']")

    def square(self, name: str) -> Locator:
        """Return a square by its accessible name."""
        return self.page.locator(f"#board [role=gridcell][aria-label^='{name}:']")

    def label(self, name: str) -> str | None:
        return self.square(name).get_attribute("aria-label")

    def lay(self, start: str, letters: str) -> None:
        """Lay letters from a square on, by keys; lower case letters are blanks. `8D` is across, `D8` down."""
        name = start if start[0].isalpha() else f"{start[-1]}{start[:-1]}"
        self.square(name).click()
        if (self.arrow == "down") is not start[0].isalpha():
            self.page.keyboard.press(" ")
        for letter in letters:
            self.page.keyboard.press(f"Shift+{letter.upper()}" if letter.islower() else letter.lower())

    @property
    def arrow(self) -> str:
        return "down" if "down" in (self.square_with_cursor.get_attribute("class") or "") else "across"

    def show(self, position: str) -> None:
        """Follow a link to a position without a play."""
        self.page.get_by_role("button", name="Take the play off").click()
        self.follow(position)

    def follow(self, position: str) -> None:
        """Follow a link to a position, and wait until the page has taken it over."""
        self.page.evaluate(FOLLOW, position)

    def choose(self, rules: str) -> None:
        """Choose a rule set."""
        self.page.get_by_role("combobox", name="Rule set").select_option(rules)

    @property
    def rules(self) -> str:
        return self.page.get_by_role("combobox", name="Rule set").input_value()

    def play(self) -> None:
        """Choose that the next letters are the play."""
        self.page.get_by_label("my play", exact=True).check()

    @property
    def status(self) -> str:
        return self.page.locator("#told").inner_text()

    def receipt(self) -> list[str]:
        """The lines of the receipt, a single space between cells."""
        return rows(self.page.locator("#receipt tr"))

    def scores(self) -> dict[str, str]:
        """The last line of the comparison, by rule set."""
        heads = self.page.locator("#comparison thead th").evaluate_all("all => all.map(({ dataset }) => dataset.rules)")
        return dict(zip(heads, self.page.locator("#comparison tfoot td").all_inner_texts(), strict=True))


def rows(found: Locator) -> list[str]:
    texts: Sequence[str] = found.all_inner_texts()
    return [" ".join(text.split()) for text in texts]
