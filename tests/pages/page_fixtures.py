"""The service as an operator starts it, and browser windows on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from browser_windows import BrowserWindows, Chromium
from playwright.sync_api import Page
from service_process import ORDWS_COMMAND, ServiceProcess
from small_installation import SmallInstallation, build_installation

WAIT_FOR_SERVICE_WORKER = """navigator.serviceWorker.ready.then(() => new Promise((resolve) => {
  if (navigator.serviceWorker.controller) resolve();
  else navigator.serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true });
}))"""


@dataclass
class Tables(BrowserWindows):
    """A running service, its installation, and the devices at its tables."""

    installation: SmallInstallation = field(kw_only=True)
    service: ServiceProcess = field(kw_only=True)

    def open(self, path: str, **options: Any) -> Page:
        """Open the page in a window of a new browser, and wait until the service worker controls it."""
        page = self.window(**options)
        page.goto(path)
        installed(page)
        return page

    def plain_window(self, **options: Any) -> Page:
        """Open a window without a service worker, which is quicker where nothing is done offline."""
        self.expected.append("Service Worker registration blocked")
        return self.window(service_workers="block", **options)


def installed(page: Page) -> None:
    """Wait until the service worker has cached the pages in this browser."""
    page.evaluate(WAIT_FOR_SERVICE_WORKER)


def run_service(installation: SmallInstallation, folder: Path, *options: str) -> Iterator[ServiceProcess]:
    """Run `ordws serve` over an installation; its log goes to the folder."""
    command = [*ORDWS_COMMAND, "--instance", installation.instance.root, "serve", "--bind", "127.0.0.1:0"]
    running = ServiceProcess(folder, installation.key, [*command, "--workers", "2", "--metrics", "off", *options])
    yield running
    running.stop()


@pytest.fixture(scope="session")
def pages_installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallInstallation]:
    """Build the installation of all modules that need no club, since starting a service takes seconds."""
    with build_installation(tmp_path_factory.mktemp("pages") / "instance") as installation:
        yield installation


@pytest.fixture(scope="session")
def pages_service(
    pages_installation: SmallInstallation, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    """Run the service of all modules that need no club."""
    yield from run_service(pages_installation, tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="module")
def shared_installation(pages_installation: SmallInstallation) -> SmallInstallation:
    """Return the installation of the module; a module with a club imports one of the same name instead."""
    return pages_installation


@pytest.fixture(scope="module")
def served(pages_service: ServiceProcess) -> ServiceProcess:
    """Return the service over the installation of the module."""
    return pages_service


@pytest.fixture
def tables(served: ServiceProcess, shared_installation: SmallInstallation, chromium: Chromium) -> Iterator[Tables]:
    """Yield browser windows on the service; an unexpected complaint in a console fails the test at its end."""
    tables = Tables(f"http://localhost:{served.port}", chromium, installation=shared_installation, service=served)
    yield tables
    tables.close()
    tables.check()
