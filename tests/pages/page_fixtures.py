"""The service, in a thread of the test or as an operator starts it, and browser windows on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pytest
from browser_windows import BrowserWindows, Chromium
from playwright.sync_api import Page
from service_process import ORDWS_COMMAND, HttpServiceClient, ServiceProcess
from small_installation import SmallInstallation, build_installation
from threaded_server import OneAddress, kept_by_browsers, served_in_thread

from ordws.web.application import system_clock
from ordws.web.serving import create_app

WAIT_FOR_SERVICE_WORKER = """navigator.serviceWorker.ready.then(() => new Promise((resolve) => {
  if (navigator.serviceWorker.controller) resolve();
  else navigator.serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true });
}))"""


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
    empty_page: ClassVar[str] = "/app/base.css"

    def open(self, path: str, **options: Any) -> Page:
        """Open the page in a window of a new browser, and wait until the service worker controls it."""
        page = self.window(**options)
        page.goto(path)
        installed(page)
        return page


def pause(page: Page) -> None:
    """Pause the clock of a page again, which an earlier test may have let run."""
    page.clock.pause_at(page.evaluate("Date.now() + 5000") / 1000)  # later than now, whenever it is carried out


def store(page: Page, **kept: str) -> None:
    """Store what the pages of a browser have kept before."""
    if not page.url.endswith(Tables.empty_page):
        page.goto(Tables.empty_page)
    page.evaluate("(kept) => Object.assign(localStorage, kept)", {f"ordws.{name}": text for name, text in kept.items()})


def installed(page: Page) -> None:
    """Wait until the service worker has cached the pages in this browser."""
    page.evaluate(WAIT_FOR_SERVICE_WORKER)


@contextmanager
def serve_pages(installation: SmallInstallation, address: OneAddress | None = None) -> Iterator[PageService]:
    """Serve an installation in a thread: pages whose games need no stream need no processes, which take seconds.

    `address` is where another installation may have been served before, whose files the browsers have kept.
    """
    services = installation.services()

    def ticking_clock() -> int:
        """Do what is due beside requests, which a worker does in a thread, and return the time."""
        services.housekeeping.run(now := system_clock())
        return now

    app = kept_by_browsers(create_app(services, clock=ticking_clock, log=lambda _: None))
    with address.serving(app) if address else served_in_thread(app) as port:
        yield PageService(port, installation.key)


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
def pages_address() -> Iterator[OneAddress]:
    """Yield the address of the pages of all modules."""
    with OneAddress.opened() as address:
        yield address


@pytest.fixture(scope="session")
def pages_service(pages_installation: SmallInstallation, pages_address: OneAddress) -> Iterator[PageService]:
    """Serve all modules that need no club."""
    with serve_pages(pages_installation, pages_address) as service:
        yield service


@pytest.fixture(scope="module")
def shared_installation(pages_installation: SmallInstallation) -> SmallInstallation:
    """Return the installation of the module; a module with a club imports one of the same name instead."""
    return pages_installation


@pytest.fixture(scope="module")
def served(pages_service: PageService) -> PageService:
    """Return the service over the installation of the module."""
    return pages_service


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
