"""A page object for /play off the table: opening a game, taking a seat, the promises, the result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final

import pytest
from browser_windows import NARROW_VIEWPORT
from page_fixtures import Tables, run_service
from playwright.sync_api import Page, expect
from service_process import ServiceProcess
from small_installation import NOON, SmallInstallation, build_installation

from ordws.identity.play_links import PlayLinks

PHONE: Final[dict[str, Any]] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NARROW_PHONE: Final[dict[str, Any]] = {**PHONE, "viewport": NARROW_VIEWPORT}
PEPPER: Final = b"p" * 32
GAMES_A_DAY: Final = 12
POLICY: Final = f"[policy]\nguest_units_a_day = {28 * GAMES_A_DAY}\nguest_games_an_address = 40\n"


@pytest.fixture(scope="module", name="shared_installation")
def play_installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallInstallation]:
    """Yield an installation in which guests may open twelve games a day."""
    with build_installation(tmp_path_factory.mktemp("play") / "instance") as installation:
        installation.instance.settings.write_text(POLICY, "utf-8")
        yield installation


@pytest.fixture(scope="module", name="served")
def play_service(
    shared_installation: SmallInstallation, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    """Run the service of the module, which counts games."""
    yield from run_service(shared_installation, tmp_path_factory.mktemp("served"))


@pytest.fixture
def play_link(shared_installation: SmallInstallation) -> str:
    """Return the token of a play link of the installation."""
    with closing(PlayLinks.open(shared_installation.instance.clients, PEPPER)) as links:
        return links.add(NOON)


@pytest.fixture
def players(tables: Tables, play_link: str) -> Players:
    """Return the players of the module's service; some of its answers are refusals, of which Chromium complains."""
    tables.expected += ["40[0-9]", "429", "ERR_INTERNET_DISCONNECTED", "ERR_ABORTED"]
    return Players(tables, play_link)


class Players:
    """The windows of the players of games, each a browser of its own."""

    def __init__(self, tables: Tables, play_link: str) -> None:
        self.tables, self.play_link = tables, play_link

    def lobby(self, **window: Any) -> Page:
        """Open the play link in a new browser, and wait until the page knows how many games are left."""
        page = self.tables.plain_window(**{**PHONE, **window})
        page.goto(f"/play#link={self.play_link}")
        expect(page.locator(".left")).to_contain_text("today")
        return page

    def open_game(self, name: str = "Ann", *, page: Page | None = None, first: str = "I begin", **window: Any) -> Page:
        """Open a game, in whose waiting room the page then is."""
        page = page or self.lobby(**window)
        page.get_by_label("Your name").fill(name)
        page.get_by_text("Players, who begins, other rules").click()
        page.get_by_label("Who begins").select_option(first)
        page.get_by_role("button", name="Open the game").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Waiting for the other player")
        return page

    def follow(self, link: str, **window: Any) -> Page:
        """Open a link in a new browser."""
        page = self.tables.plain_window(**{**PHONE, **window})
        page.goto(link)
        return page

    def join(self, opener: Page, name: str = "Ben", **window: Any) -> Page:
        """Take the first open seat of a game in a new browser."""
        page = self.follow(link_of(opener), **window)
        take_seat(page, name)
        return page

    def begin(self, *, opener: Page | None = None) -> tuple[Page, Page]:
        """Open a game and begin it, with Ann to move; returns the windows of Ann and Ben."""
        ann = opener or self.open_game()
        ben = self.join(ann)
        for page in (ann, ben):
            promise(page)
        for page in (ann, ben):
            expect(page.locator(".play-table")).to_be_visible()
        return ann, ben


def link_of(opener: Page) -> str:
    """Return the link that a waiting room shows."""
    return opener.locator(".to-share .link").first.inner_text()


def take_seat(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Take the seat").click()


def promise(page: Page) -> None:
    page.get_by_role("button", name="I promise").click()


def resign(page: Page) -> None:
    """Resign at the table, and wait for the result."""
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".final")).to_be_visible()
