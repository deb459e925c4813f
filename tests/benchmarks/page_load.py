"""First paint and bytes of pages that a phone opens for the first time: `python -m tests.benchmarks.page_load`.

The phone is Chromium with a viewport of 360 by 740, a fourth of the processor, and a slow mobile connection, as
Lighthouse has them. The service worker is blocked, so that the bytes are those of the page alone, as they are sent.
An earlier version is measured from its own folder: `PYTHONPATH=.:tests python .../page_load.py`.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final

from browser_windows import CHROMIUMS, SWITCHES, TOUCH_PHONE
from playwright.sync_api import Browser, sync_playwright
from service_process import ORDWS_COMMAND, ServiceProcess
from small_installation import build_installation

from tests.benchmarks.figure import Figure, format_table, write_json

PAGES: Final = {"/": "the front page", "/judge": "the word judge", "/docs": "the API reference"}
LOADS: Final = 7
SLOWER_PROCESSOR: Final = 4
SLOW_MOBILE: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_638_400 / 8,
    "uploadThroughput": 675_000 / 8,
}
"""Milliseconds, and bytes a second."""
FIRST_PAINT: Final = """() => new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const paint = list.getEntriesByName("first-contentful-paint")[0];
    if (paint) resolve(paint.startTime);
  }).observe({ type: "paint", buffered: true });
})"""


def measure() -> Iterator[Figure]:
    """Yield the median first paint of each page, and the bytes of its replies."""
    with tempfile.TemporaryDirectory() as name, build_installation(Path(name) / "instance") as installation:
        command = [*ORDWS_COMMAND, "--instance", installation.instance.root, "serve", "--bind", "127.0.0.1:0"]
        service = ServiceProcess(Path(name), installation.key, [*command, "--workers", "2", "--metrics", "off"])
        try:
            with sync_playwright() as playwright:
                path = next(found for name in CHROMIUMS if (found := shutil.which(name)))
                browser = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
                for page, title in PAGES.items():
                    loads = [load(browser, f"http://localhost:{service.port}{page}") for _ in range(LOADS)]
                    paints, sizes = zip(*loads, strict=True)
                    yield Figure("pages", f"{title} on a phone: first paint", round(median(paints)), "ms")
                    yield Figure("pages", f"{title} on a phone: transferred", round(median(sizes) / 1000), "kB")
                browser.close()
        finally:
            service.stop()


def load(browser: Browser, url: str) -> tuple[float, int]:
    """Open a page in a new context; return the milliseconds to its first paint, and the bytes of all its replies."""
    context = browser.new_context(service_workers="block", **TOUCH_PHONE)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_MOBILE)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_PROCESSOR})
    received = [0]
    session.on("Network.loadingFinished", lambda event: received.append(int(event["encodedDataLength"])))
    page.goto(url)
    paint: float = page.evaluate(FIRST_PAINT)
    page.wait_for_load_state("networkidle")
    context.close()
    return paint, sum(received)


if __name__ == "__main__":
    figures = [*measure()]
    print(format_table(figures))
    write_json(figures, Path("page_load.json"))
