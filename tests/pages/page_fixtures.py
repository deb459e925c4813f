"""The service as a keeper starts it, and windows of the browsers at its tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from browser_windows import BrowserWindows, Chromium
from playwright.sync_api import Page
from service_process import ORDWS_COMMAND, ServiceProcess
from small_installation import SmallInstallation

WAIT_FOR_SERVICE_WORKER = """navigator.serviceWorker.ready.then(() => new Promise((resolve) => {
  if (navigator.serviceWorker.controller) resolve();
  else navigator.serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true });
}))"""


@dataclass
class Tables(BrowserWindows):
    """A running service, its house, and the devices at its tables."""

    installation: SmallInstallation = field(kw_only=True)
    service: ServiceProcess = field(kw_only=True)

    def open(self, path: str, **options: Any) -> Page:
        """A window of a browser of its own with that page open, once the service worker has it in hand."""
        page = self.window(**options)
        page.goto(path)
        installed(page)
        return page

    def plain_window(self, **options: Any) -> Page:
        """A window that keeps no pages on its device, which is quicker where nothing is done offline."""
        self.expected.append("Service Worker registration blocked")
        return self.window(service_workers="block", **options)


def installed(page: Page) -> None:
    """Wait until the pages are kept on this browser's device."""
    page.evaluate(WAIT_FOR_SERVICE_WORKER)


@pytest.fixture(scope="module")
def served(
    shared_installation: SmallInstallation, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    """`ordws serve` over the house of the module."""
    command = [
        *ORDWS_COMMAND,
        "--instance",
        shared_installation.instance.root,
        "serve",
        "--bind",
        "127.0.0.1:0",
        "--workers",
        "2",
    ]
    running = ServiceProcess(tmp_path_factory.mktemp("served"), shared_installation.key, [*command, "--metrics", "off"])
    yield running
    running.stop()


@pytest.fixture
def tables(served: ServiceProcess, shared_installation: SmallInstallation, chromium: Chromium) -> Iterator[Tables]:
    """Browsers at the tables; what their windows complained of fails the test at its end."""
    tables = Tables(f"http://localhost:{served.port}", chromium, installation=shared_installation, service=served)
    yield tables
    tables.close()
    tables.check()
