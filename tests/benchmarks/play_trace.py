"""Tasks of the playing page while tiles are dragged on a phone: `make play-trace`.

The phone is Chromium with a viewport of 360 by 740 and a fourth of the processor. Tiles are dragged by touch from the
rack over the board and back, in a game on a board of 15 and one of 21 squares a side; a trace has every task of the
page meanwhile, also those that lay the tiles down. A task of over 50 ms is one that a finger feels. The times are those
of the page's thread, which spends three fourths of them on being slowed down; other programs do not lengthen them.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from browser_windows import CHROMIUMS, SWITCHES
from page_fixtures import Tables
from playwright.sync_api import Browser, CDPSession, Locator, sync_playwright
from table_games import TableGames, run_dealing_service, table_installation
from table_page import PhoneTablePage, TablePage, middle_of, touch

from tests.benchmarks.figure import Figure, format_table, write_json

BOARDS: Final = {"scrabble-o": 15, "scrabble-i": 21}
SLOWER_PROCESSOR: Final = 4
DRAGS: Final = 8
STEPS: Final = 40
LONGEST_MS: Final = 50
ORDER: Final = "HEATSIXTILEONSNNNNAAAIIIOOOEEERRRDDLLTTSS"


def measure() -> Iterator[Figure]:
    """Yield the longest task while tiles are dragged, for each size of the board."""
    with tempfile.TemporaryDirectory() as name, table_installation(Path(name)) as installation:
        folder = Path(name)
        service = run_dealing_service(installation, folder)
        try:
            with sync_playwright() as playwright:
                path = next(found for each in CHROMIUMS if (found := shutil.which(each)))
                browser = playwright.chromium.launch(executable_path=path, args=list(SWITCHES))
                url = f"http://localhost:{service.port}"
                tables = Tables(url, browser, installation=installation, service=service)
                for rules, side in BOARDS.items():
                    game = TableGames(tables, folder / "deal").open(rules, PhoneTablePage, TablePage, order=ORDER)
                    tasks = trace_drags(browser, game.tables[0])
                    what = f"a tile dragged on a phone, board of {side}x{side}"
                    yield Figure("play", f"{what}: longest task", round(max(tasks), 1), "ms", f"<= {LONGEST_MS}")
                    yield Figure("play", f"{what}: tasks in the trace", len(tasks), "")
                tables.close()
                browser.close()
        finally:
            service.stop()


def trace_drags(browser: Browser, table: TablePage) -> list[float]:
    """Drag tiles from the rack to the board and back, and return the milliseconds of each task of the process."""
    session = table.page.context.new_cdp_session(table.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_PROCESSOR})
    row = column = table.page.locator("[role=row]").count() // 2
    browser.start_tracing(page=table.page, categories=["toplevel", "devtools.timeline"])
    for number in range(DRAGS):
        square = table.cell(row, column + number % 3)
        drag_by_touch(session, table.rack.locator("button").nth(number % 3), square)
        drag_by_touch(session, square, table.rack)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    (renderer,) = {each["pid"] for each in events if each["name"] == "EventDispatch" and is_of_page(each)}
    tasks = [each for each in events if each["name"].endswith("RunTask") and each["pid"] == renderer]
    return [each["tdur"] / 1000 for each in tasks if "tdur" in each]


def is_of_page(event: dict[str, Any]) -> bool:
    """Return whether a trace event is a pointer's that the page was sent."""
    return str(event["args"].get("data", {}).get("type", "")).startswith("pointer")


def drag_by_touch(session: CDPSession, source: Locator, target: Locator) -> None:
    """Drag from the middle of an element to the middle of another with a finger, which covers what lies below it."""
    (x, y), (to_x, to_y) = middle_of(source), middle_of(target)
    touch(session, "touchStart", x, y)
    for step in range(1, STEPS + 1):
        touch(session, "touchMove", x + (to_x - x) * step / STEPS, y + (to_y + 34 - y) * step / STEPS)
    touch(session, "touchEnd")


if __name__ == "__main__":
    figures = [*measure()]
    print(format_table(figures))
    write_json(figures, Path("play_trace.json"))
