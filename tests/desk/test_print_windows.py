"""The pages of prints, pictures and prizes in a browser: for everybody, on a phone."""

from __future__ import annotations

import pytest
from browser_windows import axe_violations, overflow_pixels
from desk_windows import PHONE
from playwright.sync_api import expect

from ordws.tournament.facts import EventSettings


@pytest.mark.long
def test_pages_can_be_used_by_everybody(windows):
    """On a phone every page keeps WCAG 2.2 AA by axe and fits, from the desk to a page for paper and its button."""
    event = windows.desk.event(rounds=3, settings=EventSettings(entry_fee=1000, fee_percent=50, currency="EUR"))
    event.play_rounds(2)
    event.publish()
    page = windows.director(event, page="/prizes", **PHONE)
    assert axe_violations(page) == []
    assert overflow_pixels(page) <= 0
    page.goto(f"/desk/{event.id}/print")
    assert axe_violations(page) == []
    page.get_by_role("link", name="Pairings by table on Letter").click()
    expect(page.get_by_role("heading", name="Round 3 by table")).to_be_visible()
    page.wait_for_load_state()  # the button acts when its script has come
    assert axe_violations(page) == []
    assert overflow_pixels(page) <= 0
    page.evaluate("() => { window.print = () => { document.title = 'printed' } }")
    page.get_by_role("button", name="Print").click()
    expect(page).to_have_title("printed")
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()


def test_pictures_are_seen_and_told(windows):
    """A phone gets drawings of its own, which a player finds by the menu, and the words of each."""
    event = windows.desk.event(rounds=3)
    event.play_rounds(2)
    page = windows.player(event, 1)
    page.goto(f"/tournament/{event.id}/pictures")
    for name in ("Everybody's opponents", "Wins and points a turn", "This schedule among random ones"):
        drawn = page.get_by_role("img", name=name)
        expect(drawn).to_be_visible()
        assert drawn.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") == 380
    page.get_by_text("In words").first.click()
    expect(page.get_by_text("The field makes")).to_be_visible()
    assert axe_violations(page) == []
    assert overflow_pixels(page) <= 0
