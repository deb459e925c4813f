"""A page object for the page *Home check*."""

from __future__ import annotations

import re
from typing import Any

from page_fixtures import Tables, installed
from playwright.sync_api import Locator, Page, expect

PLAY_STAYS = "The play stays on the board and scores."
TURN_LOST = "The play comes off the board, and the turn is lost."
ANOTHER_PLAY = "The play comes off the board, and the player makes another play."
DICTIONARY = "vote\tv.\tmain\ndemo\tn.\tmain\ndemo\tv.\tsecondary\nozone\tn.\tmain\nknee\nsock\n"
REFERENCE = "REVOTE\nDEMOED\nOZONES\nKNEESOCK\nQUAY\nQAT\n"
DONE = re.compile(r"(from now on|was changed)\.$")


def open_home(tables: Tables, **options: Any) -> HomePage:
    """Open the page in a window without a service worker, whose installation takes time."""
    page = tables.plain_window(**options)
    page.goto("/home")
    return HomePage(page)


def install_home(tables: Tables, **options: Any) -> HomePage:
    """Open the page in a window and wait until the service worker has cached the pages."""
    page = tables.window(**options)
    page.goto("/home")
    installed(page)
    return HomePage(page)


class HomePage:
    """The actions of a player on the page, and the texts that the page shows."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.ready()

    def ready(self) -> None:
        self.page.locator("#begin:enabled").wait_for()

    def reload(self) -> None:
        """Reload the page, once what was chosen is kept: a reading of the database follows all writing before it."""
        self.page.evaluate("async () => (await import('/app/indexed-db.js')).names()")
        self.page.reload()
        self.ready()

    def choose(self, **choices: str) -> None:
        """Choose rules, and by their values edition, how and source."""
        self.open_settings()
        for name, value in choices.items():
            if name == "rules":
                self.page.locator("#rules").select_option(value)
            else:
                self.page.locator(f"input[name={name}][value={value}]").check()

    def open_settings(self) -> None:
        if self.page.locator("#settings").get_attribute("open") is None:
            self.page.locator("#settings > summary").click()

    def load(self, kind: str, text: str | bytes, name: str = "book.txt") -> None:
        """Choose a file for one of the books."""
        self.open_settings()
        raw = text if isinstance(text, bytes) else text.encode()
        book = self.book(kind)
        book.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": raw})
        expect(book.locator("[data-status], [data-fault]").filter(has_text=DONE)).to_have_count(1)

    def book(self, kind: str) -> Locator:
        return self.page.locator(f"#{kind}")

    def ask(self, word: str) -> None:
        self.page.locator("#word").fill(word)
        self.page.locator("#begin").click()

    def say(self, answers: str) -> None:
        """Press Yes or No, once for each letter; an x says no to all bases at once."""
        for answer in answers:
            if answer == "x":
                self.press("No base word for it was found there")
            else:
                self.page.locator(".choice button").nth("yn".index(answer)).click()

    def say_of_base(self, base: str) -> None:
        """Say no to every base but this one."""
        while self.question != f"Is {base} in your dictionary?":
            self.say("n")
        self.say("y")

    @property
    def question(self) -> str:
        """The current question."""
        return self.page.locator("#asked").inner_text()

    @property
    def ruling(self) -> str:
        """The ruling in a word."""
        return self.page.locator("#ruled").inner_text().split("\n")[-1]

    @property
    def because(self) -> str:
        return self.page.locator("#talk .because").inner_text()

    @property
    def follows(self) -> str:
        return self.page.locator("#talk .follows").inner_text()

    @property
    def chain(self) -> list[str | None]:
        """The words of the derivation from the base, by their accessible names."""
        tiles = self.page.locator("#talk .chain .tiles").all()
        return [each.get_attribute("aria-label") for each in tiles]

    @property
    def looked_up(self) -> list[str]:
        """The questions with their answers and the origin of each answer."""
        summary = self.page.locator(".told > summary")
        if summary.count():
            summary.click()
        return [" ".join(each.inner_text().split()) for each in self.page.locator(".answers li").all()]

    @property
    def results(self) -> list[str]:
        """Each word of several with its ruling."""
        return [" ".join(each.inner_text().split()[1:]) for each in self.page.locator(".rulings .ruled").all()]

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def rule_on(self, word: str, answers: str = "") -> tuple[str, str]:
        """Have a whole conversation about a word; return the ruling and its reason."""
        self.ask(word)
        self.say(answers)
        outcome = self.ruling, self.because
        self.press("Next word")
        return outcome
