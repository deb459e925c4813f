"""The queue's page in a real browser: phones, lost connections, ended sessions, ended leases. No vote is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_windows import NARROW_VIEWPORT, PHONE_VIEWPORT, overflow_pixels
from console_browser import ServeConsole, ServedConsole
from console_installation import ConsoleInstallation, families, open_console_installation
from playwright.sync_api import expect
from queue_helpers import AGAIN, STRIKES, ballots, button, head, open_queue, press, votes, wait_until_saved

OFFLINE = "ERR_INTERNET_DISCONNECTED"


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    with open_console_installation(tmp_path / "instance", [STRIKES, AGAIN, *families(12)]) as installation:
        yield installation


@pytest.fixture
def served(installation: ConsoleInstallation, serve_console: ServeConsole) -> ServedConsole:
    return serve_console(installation)


@pytest.fixture
def two_families(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    with open_console_installation(tmp_path / "instance", families(2)) as installation:
        yield installation


def test_votes_wait_while_offline(served: ServedConsole) -> None:
    """Both cards of a page can be voted on offline; the votes are shown as waiting, and sent once.

    Undoing a vote that was never sent sends nothing to the server.
    """
    served.expected.append(OFFLINE)
    page = open_queue(served)
    page.context.set_offline(True)
    (first,) = press(page, "j")
    second = head(page).inner_text()
    page.keyboard.press("f")
    expect(page.locator(".empty")).to_contain_text("What you did is kept on this page")
    expect(page.locator(".sent")).to_have_text("Offline, 2 votes waiting")
    assert page.evaluate("!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    page.keyboard.press("u")
    expect(head(page)).to_have_text(second)
    expect(page.locator(".sent")).to_have_text("Offline, 1 vote waiting")
    page.keyboard.press("j")
    expect(page.locator(".sent")).to_have_text("Offline, 2 votes waiting")
    assert votes(served) == []
    page.context.set_offline(False)
    expect(head(page)).to_be_visible()
    wait_until_saved(page)
    assert votes(served) == [(first, "in"), (second, "in")]
    assert page.evaluate("window.dispatchEvent(new Event('beforeunload', { cancelable: true }))")


def test_a_vote_with_a_lost_reply_is_sent_again(served: ServedConsole) -> None:
    """A vote whose reply was lost is sent again under the same id, and counts once."""
    served.expected.append("ERR_FAILED")
    page = open_queue(served, is_new=True)
    page.clock.install(time=0)
    page.clock.pause_at(3_600)  # so that the vote is not sent again before its wait was seen
    lost: list[str] = []

    def lose(route: Any) -> None:
        lost.append(route.request.post_data_json["ballot"])
        route.fetch() if len(lost) == 1 else None
        route.abort() if len(lost) == 1 else route.continue_()

    page.route("**/api/votes", lose)
    (base,) = press(page, "j")
    expect(page.locator(".sent")).to_have_text("Offline, 1 vote waiting")
    page.clock.run_for(1_000)
    wait_until_saved(page)
    assert len(lost) == 2
    assert lost == [ballot.id for ballot in ballots(served)] * 2
    assert votes(served) == [(base, "in")]


def test_votes_wait_for_another_sign_in(served: ServedConsole) -> None:
    """After the session has ended, votes wait until the same member has signed in again."""
    served.expected.append("401")
    page = open_queue(served)
    page.context.clear_cookies()
    (base,) = press(page, "j")
    dialog = page.get_by_role("dialog", name="You are signed out")
    expect(dialog).to_contain_text("1 vote waits on this page")
    page.get_by_role("button", name="I have signed in").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Not yet")
    served.installation.member("bob")
    served.sign_in(page, "bob")
    page.get_by_role("button", name="I have signed in").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Sign in as ann")
    assert votes(served) == []
    served.sign_in(page, "ann")
    page.get_by_role("button", name="I have signed in").click()
    expect(dialog).to_have_count(0)
    wait_until_saved(page)
    assert [(ballot.family, ballot.curator) for ballot in ballots(served)] == [(base, "ann")]


def test_a_new_session_is_taken_up(served: ServedConsole) -> None:
    """A member who has signed in again on another page goes on without being asked."""
    served.expected.append("403")
    page = open_queue(served)
    served.sign_in(page, "ann")
    (base,) = press(page, "j")
    wait_until_saved(page)
    assert votes(served) == [(base, "in")]
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE_VIEWPORT, NARROW_VIEWPORT], ids=["phone", "narrow"])
def test_buttons_are_large_enough_on_a_phone(served: ServedConsole, size: dict[str, int]) -> None:
    """On a phone In and Out are at the bottom and 48 px at least; nothing overflows, and no target is under 24 px."""
    page = open_queue(served, viewport=size, has_touch=True, is_mobile=True)
    assert overflow_pixels(page) == 0
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("link", name="Queue")).to_have_attribute("aria-current", "page")
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Queue")).to_be_hidden()
    for action in ("in", "out"):
        box = button(page, action).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 48
        assert size["height"] - 80 < box["y"] + box["height"] <= size["height"]
    boxes = [each.bounding_box() for each in page.locator("button:visible, nav a:visible").all()]
    assert [box for box in boxes if box is None or min(box["width"], box["height"]) < 24] == []
    base = head(page).inner_text()
    button(page, "out").tap()
    expect(head(page)).not_to_have_text(base)
    expect(button(page, "recuse")).to_be_hidden()
    button(page, "more").tap()
    button(page, "help").tap()
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()
    wait_until_saved(page)
    assert votes(served) == [(base, "out")]
    assert overflow_pixels(page) == 0


def test_a_double_tap_is_one_vote(served: ServedConsole) -> None:
    """A double tap is one vote."""
    page = open_queue(served)
    base = head(page).inner_text()
    button(page, "in").dblclick()
    expect(head(page)).not_to_have_text(base)
    wait_until_saved(page)
    assert votes(served) == [(base, "in")]


@pytest.mark.long
def test_a_card_that_others_took_is_replaced(served: ServedConsole) -> None:
    """Heartbeats keep a card; one whose lease ended and that others took is replaced by another."""
    page = served.signed_in("ann", is_new=True)
    page.clock.install()
    page.goto("/queue")
    expect(head(page)).to_be_visible()
    base = head(page).inner_text()
    served.installation.clock.now += 599
    with page.expect_response("**/api/heartbeat"):
        page.clock.run_for(121_000)
    wait_until_saved(page)
    served.installation.clock.now += 599
    with page.expect_response("**/api/heartbeat"):
        page.clock.run_for(121_000)
    wait_until_saved(page)
    expect(head(page)).to_have_text(base)
    served.installation.clock.now += 601
    for name in ("bob", "cyd"):
        expect(head(open_queue(served, name))).to_have_text(base)
    page.clock.run_for(121_000)
    expect(head(page)).not_to_have_text(base)
    expect(page.locator(".last")).to_have_text("Your time for that card ran out; here is another.")


def test_a_pause_is_proposed(served: ServedConsole) -> None:
    """A pause is proposed after 25 minutes."""
    page = served.signed_in("ann", is_new=True)
    page.clock.install()
    page.goto("/queue")
    expect(head(page)).to_be_visible()
    page.clock.run_for(24 * 60_000)
    expect(page.locator(".notice")).to_have_count(0)
    page.clock.run_for(60_000)
    expect(page.locator(".notice")).to_contain_text("a good moment for a break")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".notice")).to_have_count(0)


def test_without_a_card_the_page_says_why(two_families: ConsoleInstallation, serve_console: ServeConsole) -> None:
    """Without a card the page says so and why, and undo still works."""
    served = serve_console(two_families)
    page = open_queue(served)
    (first,) = press(page, "j")
    second = head(page).inner_text()
    page.keyboard.press("j")
    expect(page.locator(".empty #head")).to_have_text("Nothing left for you now")
    expect(page.locator(".empty")).to_contain_text("2 families were not decided yet")
    page.keyboard.press("j")
    expect(page.locator(".last")).to_have_text("No card to act on.")
    page.keyboard.press("u")
    expect(head(page)).to_have_text(second)
    wait_until_saved(page)
    assert votes(served) == [(first, "in"), (second, "in")]
    assert two_families.state.family_states[second].ballots == ()
