"""Helpers for a member's window at the queue."""

from __future__ import annotations

import re
from typing import Any, Final

from console_browser import ServedConsole
from console_installation import make_family
from playwright.sync_api import Locator, Page, expect

from ordws.curation.decision import Ballot

STRIKES: Final = make_family("BASH", "BASHED", "BASHES", gloss="to strike <script>document.title='struck'</script>")
AGAIN: Final = make_family("REBASH", gloss="to bash again", pattern="RE- + verb", of="BASH")


def open_queue(served: ServedConsole, name: str = "ann", **options: Any) -> Page:
    """Open a member's window with a card in it."""
    page = served.signed_in(name, **options)
    page.goto("/queue")
    expect(head(page)).to_be_visible()
    return page


def head(page: Page) -> Locator:
    return page.locator(".card #head")


def button(page: Page, action: str) -> Locator:
    return page.locator(f"button[data-action={action}]")


def form(page: Page, word: str) -> Locator:
    return page.get_by_role("checkbox", name=re.compile(f"^{word},"))


def press(page: Page, keys: str) -> list[str]:
    """Press a key for each card in turn; return the families of these cards."""
    seen = []
    for key in keys:
        seen.append(head(page).inner_text())
        page.keyboard.press(key)
        expect(head(page)).not_to_have_text(seen[-1])
    return seen


def skip_to(page: Page, family: str) -> None:
    """Skip cards until this family is on top."""
    while head(page).inner_text() != family:
        press(page, "s")


def wait_until_saved(page: Page) -> None:
    """Wait until everything is acknowledged."""
    expect(page.locator(".sent")).to_have_attribute("data-unsent", "0")
    expect(page.locator(".sent")).to_have_text("Saved")


def ballots(served: ServedConsole) -> list[Ballot]:
    with served.installation.state.reading() as ledger:
        return ledger.ballots()


def votes(served: ServedConsole) -> list[tuple[str, str]]:
    return [(ballot.family, ballot.vote) for ballot in ballots(served)]
