"""Every page of the desk and of the players, by axe: WCAG 2.2 AA, dark on a phone and light on a desktop."""

from __future__ import annotations

from typing import Literal

import pytest
from browser_windows import axe_violations, overflow_pixels
from desk_windows import DeskWindows
from playwright.sync_api import Page

from ordws.tournament import facts as f
from ordws.tournament.facts import EventSettings

pytestmark = pytest.mark.long

OF_LOOKS = ("color-contrast", "target-size", "link-in-text-block")
"""The rules of axe that depend on colours and sizes; the findings of all others are the same in every window."""
LOOKS: tuple[tuple[int, Literal["dark", "light"] | None, tuple[str, ...]], ...] = (
    (320, None, ()),
    (390, "dark", ()),
    (1280, "light", OF_LOOKS),
)
"""The widths, with the colours in which axe looks, and for which rules where not for all."""


def faults_of(page: Page, path: str) -> list[str]:
    """Return what axe finds on a page, and by how much it is wider than its window."""
    found = []
    page.goto(path)
    for width, scheme, rules in LOOKS:
        page.set_viewport_size({"width": width, "height": 844})
        if (overflow := overflow_pixels(page)) > 0:
            found.append(f"{path} at {width} px: {overflow} px too wide")
        if scheme is not None:
            page.emulate_media(color_scheme=scheme)
            found += [f"{path} at {width} px, {scheme}: {each}" for each in axe_violations(page, *rules)]
    return found


def busy_event(windows: DeskWindows) -> object:
    """Return an event in its third round, with one of everything."""
    names = [*[f"Player Number{number}" for number in range(12)], "Maximiliana Featherstonehaugh-Cholmondeley"]
    event = windows.desk.event(names, present=12, settings=EventSettings(consent_required=False))
    event.play_rounds(2)
    event.apply(f.Constrained(a=1, b=2, constraint="forbid", reason="family"))
    event.apply(f.CheckedIn(entrant=13))
    event.publish()
    event.play([1, 2, 3])
    event.apply(f.Withdrawn(entrant=12, reason="ill"))
    return event


def test_pages_of_the_desk(windows):
    """At every width nothing overflows, and axe finds no violation on any page of the directors."""
    event = busy_event(windows)
    page = windows.director(event)
    paths = ["", "/players", "/rounds?at=1", "/standings", "/log", "/settings", "/entry-cards"]
    found = [fault for path in paths for fault in faults_of(page, f"/desk/{event.id}{path}")]
    event.play([4, 5, 6])
    found += faults_of(page, f"/desk/{event.id}/draft")
    found += faults_of(page, "/desk")
    page.goto(f"/desk/{event.id}")
    page.get_by_role("button", name="Correct the result of table 1").click()
    found += axe_violations(page)
    assert found == []


def test_pages_of_the_players(windows):
    """At every width nothing overflows, and axe finds no violation on any page of the players."""
    event = busy_event(windows)
    page = windows.player(event, 13, is_mobile=False)
    found = []
    for path in ("", "/standings", "/wall-chart", "/projector"):
        found += faults_of(page, f"/tournament/{event.id}{path}")
    stranger = windows.window()
    for path in (f"/tournament/{event.id}", "/desk/sign-in"):
        found += faults_of(stranger, path)
    assert found == []
