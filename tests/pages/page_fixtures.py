"""The service, in a thread of the test or as an operator starts it, and browser windows on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from browser_windows import DESKTOP_VIEWPORT, BrowserWindows, Chromium
from playwright.sync_api import Error, Page
from service_process import ORDWS_COMMAND, HttpServiceClient, ServiceProcess
from small_installation import SmallInstallation, build_installation
from threaded_server import served_in_thread

from ordws.web.application import system_clock
from ordws.web.serving import create_app

WAIT_FOR_SERVICE_WORKER = """navigator.serviceWorker.ready.then(() => new Promise((resolve) => {
  if (navigator.serviceWorker.controller) resolve();
  else navigator.serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true });
}))"""

EMPTY_PAGE = "/app/base.css"
"""Where a window is in which nothing is open, for stores and clock belong to the address of the service."""
EMPTY_STORES = """async () => {
  const done = (request) => new Promise((then) =>
    Object.assign(request, { onsuccess: then, onerror: then, onblocked: then }));
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases()) await done(indexedDB.deleteDatabase(name));
}"""


@dataclass
class PageService(HttpServiceClient):
    """The service in a thread of the test, as a client of it sees it."""

    port: int
    key: str


@dataclass
class Tables(BrowserWindows):
    """A running service, its installation, and the devices at its tables."""

    installation: SmallInstallation = field(kw_only=True)
    service: PageService | ServiceProcess = field(kw_only=True)
    free: dict[str, list[Page]] = field(default_factory=dict)
    """The windows that earlier tests of the module have left, by their options."""
    taken: list[tuple[str, Page]] = field(default_factory=list)

    def open(self, path: str, **options: Any) -> Page:
        """Open the page in a window of a new browser, and wait until the service worker controls it."""
        page = self.window(**options)
        page.goto(path)
        installed(page)
        return page

    def plain_window(self, begin: Callable[[Page], None] | None = None, **options: Any) -> Page:
        """Return an empty window without a service worker, in which no script or route may be left behind.

        An earlier test of the module may have used it: a page in a new context, whose process has to start and which
        has no file yet, takes four times as long. `begin` is done once to a window that is new.
        """
        self.expected.append("Service Worker registration blocked")
        look = {name: options.pop(name, value) for name, value in LOOK.items()}
        kind = repr((begin, sorted(options.items())))
        left = self.free.setdefault(kind, [])
        page = left.pop() if left else self.new_context(service_workers="block", **options).new_page()
        self.listen(page.context)
        self.taken.append((kind, page))
        if page.url == "about:blank":
            page.goto(EMPTY_PAGE)
            if begin is not None:
                begin(page)
        page.set_viewport_size(look["viewport"])
        page.emulate_media(color_scheme=look["color_scheme"])
        return page

    def close(self) -> None:
        """Close new windows, and empty the others for the next test."""
        for kind, page in self.taken:
            self.stop_listening(page.context)
            try:
                empty(page)
            except Error:
                page.context.close()
            else:
                self.free[kind].append(page)
        super().close()


LOOK: dict[str, Any] = {"viewport": DESKTOP_VIEWPORT, "color_scheme": "light"}
"""What another test may change of a window, with what a window has unless a test asks for something else."""


def empty(page: Page) -> None:
    """Leave the page of a window, and remove what it has stored."""
    for other in page.context.pages:
        if other != page:
            other.close()
    page.unroute_all()
    page.context.unroute_all()
    page.context.set_offline(False)
    page.emulate_media(media="null")
    page.goto(EMPTY_PAGE)
    page.evaluate(EMPTY_STORES)
    page.context.clear_cookies()


def pause(page: Page) -> None:
    """Pause the clock of a page again, which an earlier test may have let run."""
    page.clock.pause_at(page.evaluate("Date.now() + 5000") / 1000)  # later than now, whenever it is carried out


def store(page: Page, **kept: str) -> None:
    """Store what the pages of a browser have kept before."""
    if not page.url.endswith(EMPTY_PAGE):
        page.goto(EMPTY_PAGE)
    page.evaluate("(kept) => Object.assign(localStorage, kept)", {f"ordws.{name}": text for name, text in kept.items()})


def installed(page: Page) -> None:
    """Wait until the service worker has cached the pages in this browser."""
    page.evaluate(WAIT_FOR_SERVICE_WORKER)


@contextmanager
def serve_pages(installation: SmallInstallation) -> Iterator[PageService]:
    """Serve an installation in a thread: pages whose games need no stream need no processes, which take seconds."""
    services = installation.services()

    def ticking_clock() -> int:
        """Do what is due beside requests, which a worker does in a thread, and return the time."""
        services.housekeeping.run(now := system_clock())
        return now

    with served_in_thread(kept_by_browsers(create_app(services, clock=ticking_clock, log=lambda _: None))) as port:
        yield PageService(port, installation.key)


def kept_by_browsers(app: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """Let the browser of a test keep the files of pages, where that of a user asks for each whether it has changed."""

    def answers(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            kept = [(name, "max-age=3600" if name == "Cache-Control" else value) for name, value in headers]
            return start_response(status, kept if environ["PATH_INFO"].startswith("/app/") else headers, *more)

        return app(environ, start)

    return answers


def run_service(installation: SmallInstallation, folder: Path, *options: str) -> Iterator[ServiceProcess]:
    """Run `ordws serve` over an installation; its log goes to the folder."""
    command = [*ORDWS_COMMAND, "--instance", installation.instance.root, "serve", "--bind", "127.0.0.1:0"]
    running = ServiceProcess(folder, installation.key, [*command, "--workers", "2", "--metrics", "off", *options])
    yield running
    running.stop()


@pytest.fixture(scope="session")
def pages_installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallInstallation]:
    """Build the installation of all modules that need no club."""
    with build_installation(tmp_path_factory.mktemp("pages") / "instance") as installation:
        yield installation


@pytest.fixture(scope="session")
def pages_service(pages_installation: SmallInstallation) -> Iterator[PageService]:
    """Serve all modules that need no club."""
    with serve_pages(pages_installation) as service:
        yield service


@pytest.fixture(scope="module")
def shared_installation(pages_installation: SmallInstallation) -> SmallInstallation:
    """Return the installation of the module; a module with a club imports one of the same name instead."""
    return pages_installation


@pytest.fixture(scope="module")
def served(pages_service: PageService) -> PageService:
    """Return the service over the installation of the module."""
    return pages_service


@pytest.fixture(scope="module")
def free_windows(served: PageService | ServiceProcess, chromium: Chromium) -> Iterator[dict[str, list[Page]]]:
    """Yield the windows that the tests of a module use one after the other."""
    free: dict[str, list[Page]] = {}
    yield free
    for page in [page for left in free.values() for page in left]:
        page.context.close()


@pytest.fixture
def tables(
    served: PageService | ServiceProcess,
    shared_installation: SmallInstallation,
    chromium: Chromium,
    free_windows: dict[str, list[Page]],
) -> Iterator[Tables]:
    """Yield browser windows on the service; an unexpected complaint in a console fails the test at its end."""
    url = f"http://localhost:{served.port}"
    tables = Tables(url, chromium, installation=shared_installation, service=served, free=free_windows)
    yield tables
    tables.close()
    tables.check()
