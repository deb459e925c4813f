"""Chromium, and browser windows that collect complaints: for tests that do what a user does in a browser."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Page, WebError, expect, sync_playwright

CHROMIUMS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The shell comes first: it has no tabs or settings of its own, and a page in it takes half the processor time."""
DISABLED_FEATURES: Final = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "SpareRendererForSitePerProcess",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
)
"""Features that are switched off: pages of its own that Chromium opens beside each window, which cost more time than
ours, and those that Playwright disables with the same switch, which this one replaces.
"""
SWITCHES: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
    f"--disable-features={','.join(DISABLED_FEATURES)}",
)
AUTHENTICATOR: Final = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
TIMEOUT_MILLISECONDS: Final = 30_000
"""A timeout for a machine that has much else to do."""
SLOWER: Final = int(os.environ.get("ORDWS_SLOW_BROWSER", "1"))
"""How many times slower a page runs: a test that reads a page too early fails with 20."""
WCAG_TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
AXE_SCRIPT: Final = Axe().axe_script
DESKTOP_VIEWPORT: Final = {"width": 1280, "height": 800}
PHONE_VIEWPORT: Final = {"width": 360, "height": 740}
NARROW_VIEWPORT: Final = {"width": 320, "height": 568}
TOUCH_PHONE: Final[dict[str, Any]] = {"viewport": PHONE_VIEWPORT, "has_touch": True, "is_mobile": True}
"""The options of a window on a phone."""
LOOK: Final[dict[str, Any]] = {"viewport": DESKTOP_VIEWPORT, "color_scheme": "light"}
"""What a test may change of a window, with what a window has unless a test asks for something else."""
EMPTY_STORES: Final = """async () => {
  const done = (request) => new Promise((then) =>
    Object.assign(request, { onsuccess: then, onerror: then, onblocked: then }));
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases()) await done(indexedDB.deleteDatabase(name));
}"""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """Start one Chromium for all tests; they fail without one, since no other test covers what they hold."""
    path = next((found for name in CHROMIUMS if (found := shutil.which(name))), None)
    assert path is not None, f"the tests in a browser need Chromium: none of {', '.join(CHROMIUMS)} is installed"
    expect.set_options(timeout=TIMEOUT_MILLISECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def free_windows(chromium: Chromium) -> dict[str, list[Page]]:
    """Return the windows that the tests of a process use one after the other."""
    return {}


@dataclass
class BrowserWindows:
    """Browser windows on a service, each of another user, and the complaints in their consoles."""

    url: str
    chromium: Chromium
    expected: list[str] = field(default_factory=list)
    """Patterns of complaints that a test causes on purpose."""
    contexts: list[BrowserContext] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    free: dict[str, list[Page]] = field(default_factory=dict)
    """The windows that earlier tests have left, by their addresses and options."""
    taken: list[tuple[str, Page]] = field(default_factory=list)
    empty_page: ClassVar[str] = "/static/theme.css"
    """Where a window is in which nothing is open, for stores and clock belong to the address of the service."""

    def window(self, **options: Any) -> Page:
        """Open a window of a new browser context; animations are off unless a test asks for them."""
        context = self.new_context(**options)
        self.listen(context)
        self.contexts.append(context)
        return context.new_page()

    def plain_window(self, begin: Callable[[Page], None] | None = None, **options: Any) -> Page:
        """Return an empty window without a service worker, in which no script or route may be left behind.

        An earlier test may have used it: a page in a new context, whose process has to start and which has no file
        yet, takes four times as long. `begin` is done once to a window that is new.
        """
        self.expected.append("Service Worker registration blocked")
        look = {name: options.pop(name, value) for name, value in LOOK.items()}
        kind = repr((self.url, begin, sorted(options.items())))
        left = self.free.setdefault(kind, [])
        page = left.pop() if left else self.new_context(service_workers="block", **options).new_page()
        self.listen(page.context)
        self.taken.append((kind, page))
        if page.url == "about:blank":
            page.goto(self.empty_page)
            if begin is not None:
                begin(page)
        page.set_viewport_size(look["viewport"])
        page.emulate_media(color_scheme=look["color_scheme"])
        return page

    def give_back(self) -> None:
        """Empty the windows that were taken, for the next test."""
        while self.taken:
            kind, page = self.taken.pop()
            self.stop_listening(page.context)
            try:
                empty(page, self.empty_page)
            except Error:
                page.context.close()
            else:
                self.free[kind].append(page)

    def new_context(self, **options: Any) -> BrowserContext:
        options = {"viewport": DESKTOP_VIEWPORT, "reduced_motion": "reduce", **options}
        context = self.chromium.new_context(base_url=self.url, **options)
        context.set_default_timeout(TIMEOUT_MILLISECONDS)
        if SLOWER > 1:
            context.on("page", slow_down)
        return context

    def listen(self, context: BrowserContext) -> None:
        """Hear the complaints of a context."""
        context.on("console", self._hear_console)
        context.on("weberror", self._hear_error)

    def stop_listening(self, context: BrowserContext) -> None:
        context.remove_listener("console", self._hear_console)
        context.remove_listener("weberror", self._hear_error)

    def close(self) -> None:
        """Close new windows, and empty the others."""
        self.give_back()
        for context in self.contexts:
            context.close()

    def check(self) -> None:
        """Assert that the consoles hold only expected complaints.

        A request to another host is one that no test expects: the browser finds no name and no address but localhost.
        """
        unexpected = [each for each in self.complaints if not any(re.search(one, each) for one in self.expected)]
        assert unexpected == []

    def _hear_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} {message.location.get('url', '')}")

    def _hear_error(self, error: WebError) -> None:
        self.complaints.append(str(error.error))


def empty(page: Page, empty_page: str) -> None:
    """Leave the page of a window, and remove what it has stored."""
    for other in page.context.pages:
        if other != page:
            other.close()
    page.unroute_all()
    page.context.unroute_all()
    page.context.set_offline(False)
    page.emulate_media(media="null")
    page.goto(empty_page)
    page.evaluate(EMPTY_STORES)
    page.context.clear_cookies()


def slow_down(page: Page) -> None:
    """Let the scripts of a page run as on a machine that is `SLOWER` times slower."""
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def add_authenticator(page: Page, **options: Any) -> Callable[..., Any]:
    """Add a virtual authenticator for passkeys to the browser of a window; returns a function that commands it."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    authenticator = session.send("WebAuthn.addVirtualAuthenticator", {"options": {**AUTHENTICATOR, **options}})

    def ask(command: str, **more: Any) -> Any:
        return session.send(f"WebAuthn.{command}", {"authenticatorId": authenticator["authenticatorId"], **more})

    return ask


def axe_violations(page: Page, *rules: str, without: str = "", contrast: bool = True) -> list[str]:
    """Return rule and place of each breach of WCAG 2.2 AA, or of the given rules alone, that axe finds on a page.

    `without` selects what is left out, as it was looked at before and takes most of the time; so do contrasts.
    """
    only = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": WCAG_TAGS}
    options: dict[str, Any] = {"runOnly": only, "resultTypes": ["violations"]}
    if not contrast:
        options["rules"] = {"color-contrast": {"enabled": False}}
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    run = "async ([exclude, options]) => (await axe.run({ exclude }, options)).violations"
    violations = page.evaluate(run, [[without] if without else [], options])
    return [f"{each['id']}: {', '.join(str(node['target'][0]) for node in each['nodes'][:3])}" for each in violations]


def overflow_pixels(page: Page) -> int:
    """Return by how many pixels a page is wider than its window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width
