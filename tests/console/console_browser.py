"""A console served over HTTP to Chromium windows of its members: fixtures for tests that act as a curator does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import pytest
from browser_windows import BrowserWindows
from console_installation import ConsoleInstallation
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page
from threaded_server import OneAddress, kept_by_browsers

from ordws.console.access import Role
from ordws.console.app import CONSOLE


@pytest.fixture(scope="session")
def console_address() -> Iterator[OneAddress]:
    """Yield the address of the consoles of all tests."""
    with OneAddress.opened() as address:
        yield address


@pytest.fixture
def serve_console(
    chromium: Chromium, console_address: OneAddress, free_windows: dict[str, list[Page]]
) -> Iterator[ServeConsole]:
    """Serve installations to browsers; a complaint of their windows fails the test at its end."""
    with closing_all() as consoles:

        def serve_console(installation: ConsoleInstallation) -> ServedConsole:
            server = ExitStack()
            app = kept_by_browsers(installation.app)
            url = f"http://localhost:{server.enter_context(console_address.serving(app))}"
            installation.app.config["ORIGIN"] = url
            consoles.append(
                ServedConsole(url, chromium, free=free_windows, installation=installation, stop=server.close)
            )
            return consoles[-1]

        yield serve_console


@contextmanager
def closing_all() -> Iterator[list[ServedConsole]]:
    consoles: list[ServedConsole] = []
    try:
        yield consoles
    finally:
        for served in consoles:
            served.close()
    for served in consoles:
        served.check()


@dataclass
class ServedConsole(BrowserWindows):
    """An installation that browsers can reach."""

    installation: ConsoleInstallation = field(kw_only=True)
    stop: Callable[[], None] = field(kw_only=True)

    def signed_in(self, name: str, role: Role = "curator", *, is_new: bool = False, **options: Any) -> Page:
        """Open a window of a member, who is made where there is none of that name, in a browser of its own.

        A test that sets the clock of the window, or adds a device to it, needs a new one.
        """
        if name not in {member.name for member in self.installation.state.accounts.active_members()}:
            self.installation.member(name, role)
        page = self.window(**options) if is_new else self.plain_window(**options)
        self.sign_in(page, name)
        return page

    def sign_in(self, page: Page, name: str) -> None:
        """Give the browser of a window a new session."""
        cookie, _ = self.installation.state.accounts.begin_session(name, self.installation.clock.now)
        page.context.add_cookies([{"name": CONSOLE.cookie, "value": cookie, "url": self.url, "httpOnly": True}])

    def close(self) -> None:
        super().close()
        self.stop()


ServeConsole: TypeAlias = Callable[[ConsoleInstallation], ServedConsole]
