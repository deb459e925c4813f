"""A desk served over HTTP to Chromium windows of directors and players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest
from browser_windows import BrowserWindows
from desk_events import KEY, TestDesk, TestEvent
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page
from threaded_server import kept_by_browsers, served_in_thread

from ordws.desk import director_pages, player_pages
from ordws.desk.app import create_app

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PACE_MILLISECONDS = 150
"""The pause between two looks of a page: short, for tests wait for what another window did."""


@dataclass
class DeskWindows(BrowserWindows):
    """The windows of one test on a desk."""

    desk: TestDesk = field(kw_only=True)
    empty_page: ClassVar[str] = "/desk-files/desk.css"

    def director(self, event: TestEvent, name: str = "Dora", page: str = "", **options: Any) -> Page:
        """Open a window of a director who is signed in, on a page of the event."""
        window = self.plain_window(**options)
        form = {"name": name, "key": KEY.director_key}
        assert window.request.post("/desk/sign-in", form=form, max_redirects=0).status == 303
        window.goto(f"/desk/{event.id}{page}")
        return window

    def player(self, event: TestEvent, entrant: int, **options: Any) -> Page:
        """Open the window of a player's phone, signed in by the code on their card."""
        window = self.plain_window(**{**PHONE, **options})
        path = f"/tournament/{event.id}"
        form = {"code": event.code(entrant)}
        assert window.request.post(f"{path}/sign-in", form=form, max_redirects=0).status == 303
        window.goto(path)
        return window


@pytest.fixture(scope="session")
def desk_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestDesk, str]]:
    """Serve one desk to all tests; each makes events of its own."""
    desk = TestDesk(tmp_path_factory.mktemp("desk") / "events")
    patch = pytest.MonkeyPatch()
    patch.setattr(director_pages, "PACE_MILLISECONDS", PACE_MILLISECONDS)
    patch.setattr(player_pages, "PACE_MILLISECONDS", PACE_MILLISECONDS)
    with served_in_thread(kept_by_browsers(create_app(desk.desk))) as port:
        yield desk, f"http://localhost:{port}"
    patch.undo()


@pytest.fixture
def windows(
    desk_server: tuple[TestDesk, str], chromium: Chromium, free_windows: dict[str, list[Page]]
) -> Iterator[DeskWindows]:
    """Yield windows on the desk; an unexpected complaint in a console fails the test at its end."""
    desk, url = desk_server
    opened = DeskWindows(url, chromium, free=free_windows, desk=desk)
    yield opened
    opened.close()
    opened.check()
