"""An evening of a panel: three curators in three browsers, a chair among them, and a keeper, over a real console."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from browser_windows import DESKTOP_VIEWPORT, add_authenticator
from console_process import ConsoleProcess
from keeper import Keeper
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect

NOTHING_LEFT = "Nothing left for you now"
ChooseKeys = Callable[[str, str], str]
"""A function from a curator and a family to the keys that the curator presses for it."""


@dataclass
class PanelSession:
    """The members of a panel, each in a browser of their own."""

    keeper: Keeper
    console: ConsoleProcess
    chromium: Chromium
    pages: dict[str, Page] = field(default_factory=dict)

    def accept_invitation(self, name: str, link: str) -> Page:
        """Open the link of an invitation and make a passkey; a voter declares their disinterest."""
        context = self.chromium.new_context(
            base_url=self.console.origin, viewport=DESKTOP_VIEWPORT, reduced_motion="reduce"
        )
        page = self.pages[name] = context.new_page()
        add_authenticator(page)
        page.goto(link)
        page.get_by_label("Name of this device").fill("laptop")
        page.get_by_role("button", name="Create a passkey").click()
        expect(page.get_by_role("link", name=name)).to_be_visible()
        if page.url.endswith("/declaration"):
            page.get_by_label("I declare all of this").check()
            page.get_by_role("button", name="Declare").click()
            expect(head(page)).to_be_visible()
        return page

    def enrol_first_keeper(self, name: str) -> Page:
        """Sign the first keeper in by the link that the command prints."""
        output = self.keeper.types(f"ordws accounts add {name} --role keeper --url {self.console.origin}")
        return self.accept_invitation(name, output.splitlines()[-1])

    def invite(self, by: str, name: str, role: str = "curator") -> Page:
        page = self.pages[by]
        page.goto("/members")
        page.get_by_label("Name shown on ballots").fill(name)
        page.get_by_label("Role").select_option(role)
        page.get_by_role("button", name="Make a link").click()
        return self.accept_invitation(name, page.locator(".notice code").inner_text())

    def vote(self, choose_keys: ChooseKeys, *names: str) -> Counter[str]:
        """Let all vote by turns until none of them has a card; return the number of cards that each was shown."""
        for name in names:
            self.pages[name].goto("/queue")
        shown: Counter[str] = Counter()
        while sum(found := [self._answer(name, choose_keys) for name in names]):
            shown.update(dict(zip(names, found, strict=True)))
        return shown

    def _answer(self, name: str, choose_keys: ChooseKeys) -> bool:
        """Press the curator's keys for the card on top; return False where there is none."""
        page = self.pages[name]
        expect(page.locator("#head")).to_be_visible()  # that of a card, or of what says that there is none
        if not head(page).is_visible():
            with page.expect_response("**/api/cards") as answer:
                page.get_by_role("button", name="Look now").click()
            if answer.value.json()["cards"]:
                expect(head(page)).to_be_visible()
            if not head(page).is_visible():
                return False
        family = head(page).inner_text()
        for key in choose_keys(name, family):
            page.keyboard.press(key)
            expect(page.locator(".sent")).to_have_text("Saved")
            expect(page.locator(".sent")).to_have_attribute("data-unsent", "0")
        return True

    def discuss(self, chair: str, family: str, **comments: str) -> None:
        """Open a discussion as the chair, add comments, and open the second vote."""
        page = self.pages[chair]
        page.goto("/discussions")
        page.get_by_role("link", name=family, exact=True).click()
        page.get_by_role("button", name="Open the discussion").click()
        end = page.get_by_role("button", name="End the discussion and vote again")
        expect(end).to_be_visible()
        for name, reason in comments.items():
            theirs = self.pages[name]
            theirs.goto("/discussions")
            theirs.get_by_role("link", name=family, exact=True).click()
            theirs.get_by_label("Your reasons").fill(reason)
            theirs.get_by_role("button", name="Post").click()
            expect(theirs.get_by_text(reason)).to_be_visible()
        page.reload()
        for reason in comments.values():
            expect(page.get_by_text(reason)).to_be_visible()
        end.click()
        expect(end).to_have_count(0)

    def seal(self, name: str, *, within_seconds: int = 60) -> None:
        """Seal the next edition from the keepers' page."""
        page = self.pages[name]
        page.goto("/keeping/sealing")
        page.get_by_role("button", name="Seal the next edition").click()
        sealed = page.get_by_text("is sealed.")
        expect(sealed).to_be_visible(timeout=within_seconds * 1000)


def head(page: Page):  # type: ignore[no-untyped-def]
    return page.locator(".card #head")
