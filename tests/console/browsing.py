"""The console served for real, and Chromium windows of its members: fixtures for tests that do what a curator does."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from console_house import ConsoleHouse
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, sync_playwright
from werkzeug.serving import WSGIRequestHandler, make_server

from ordws.console.access import COOKIE, Role

CHROMIUMS: Final = ("chromium", "chromium-browser", "google-chrome")
SWITCHES: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
)  # fmt: skip
DEVICE: Final = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip
PATIENCE: Final = 5_000
WCAG: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
AXE: Final = Axe().axe_script
DESK: Final = {"width": 1280, "height": 800}
PHONE: Final = {"width": 360, "height": 740}
NARROW: Final = {"width": 320, "height": 568}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """One Chromium for all tests; where there is none they fail, for nothing else shows what they hold."""
    path = next((found for name in CHROMIUMS if (found := shutil.which(name))), None)
    assert path is not None, f"the tests of the console need Chromium: none of {', '.join(CHROMIUMS)} is installed"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Chromium) -> Iterator[Opened]:
    """Serves a house to browsers; what their windows complained of fails the test at its end."""
    with closing_all() as fronts:

        def opened(house: ConsoleHouse) -> Front:
            server = make_server("localhost", 0, house.app, threaded=True, request_handler=_Quiet)
            thread = threading.Thread(target=server.serve_forever, args=(0.05,))
            thread.start()

            def stop() -> None:
                server.shutdown()
                thread.join()
                server.server_close()

            url = f"http://localhost:{server.port}"
            house.app.config["ORIGIN"] = url
            fronts.append(Front(house, url, chromium, stop))
            return fronts[-1]

        yield opened


@contextmanager
def closing_all() -> Iterator[list[Front]]:
    fronts: list[Front] = []
    try:
        yield fronts
    finally:
        for front in fronts:
            front.close()
    for front in fronts:
        front.check()


@dataclass
class Front:
    """A house that browsers reach."""

    house: ConsoleHouse
    url: str
    chromium: Chromium
    stop: Callable[[], None]
    expected: list[str] = field(default_factory=list)
    """Patterns of complaints that a test brings about on purpose."""
    contexts: list[BrowserContext] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)

    def signed_in(self, name: str, role: Role = "curator", **options: Any) -> Page:
        """A window of a member, who is made where there is none of that name, in a browser of its own."""
        if name not in {member.name for member in self.house.room.accounts.members()}:
            self.house.member(name, role)
        page = self.window(**options)
        self.sign_in(page, name)
        return page

    def sign_in(self, page: Page, name: str) -> None:
        """Give the browser of a window a new session."""
        cookie, _ = self.house.room.accounts.begin_session(name, self.house.clock.now)
        page.context.add_cookies([{"name": COOKIE, "value": cookie, "url": self.url, "httpOnly": True}])

    def window(self, **options: Any) -> Page:
        """A window of a browser that nobody has signed in with; nothing moves in it unless a test asks for that."""
        options = {"viewport": DESK, "reduced_motion": "reduce", **options}
        context = self.chromium.new_context(base_url=self.url, **options)
        context.set_default_timeout(PATIENCE)
        context.on("request", lambda request: self.hosts.add(urlsplit(request.url).hostname or request.url))
        context.on("console", self._listen)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        self.contexts.append(context)
        return context.new_page()

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        self.stop()

    def check(self) -> None:
        """Nothing was written to the browsers' consoles that no test expects, and no request left the machine."""
        unexpected = [each for each in self.complaints if not any(re.search(one, each) for one in self.expected)]
        assert unexpected == []
        assert self.hosts <= {"localhost"}

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} {message.location.get('url', '')}")


Opened: TypeAlias = Callable[[ConsoleHouse], Front]


def plug_in(page: Page, **options: Any) -> Callable[..., Any]:
    """Plug a device that holds passkeys into the browser of a window; answers for it."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": {**DEVICE, **options}})

    def ask(command: str, **more: Any) -> Any:
        return session.send(f"WebAuthn.{command}", {"authenticatorId": made["authenticatorId"], **more})

    return ask


class _Quiet(WSGIRequestHandler):
    """Tests are not told of every request."""

    def log(self, type: str, message: str, *args: Any) -> None:
        return None


def violations(page: Page, *rules: str) -> list[str]:
    """What axe finds on a page as it is now: rule and place of each breach of WCAG 2.2 AA, or of these rules alone."""
    only = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": WCAG}
    options = {"runOnly": only, "resultTypes": ["violations"]}
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return [f"{each['id']}: {', '.join(str(node['target'][0]) for node in each['nodes'][:3])}" for each in found]


def overflow(page: Page) -> int:
    """By how many pixels a page is wider than its window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width
