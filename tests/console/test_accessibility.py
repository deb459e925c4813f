"""Every page of the console for every role, by axe: WCAG 2.2 AA in light and dark, at 1280, 390 and 320 px."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from browser_windows import DESKTOP_VIEWPORT, NARROW_VIEWPORT, axe_violations, overflow_pixels
from console_browser import ServeConsole
from console_installation import ConsoleInstallation, families, make_family, open_console_installation
from flask import Flask
from playwright.sync_api import Page, expect
from werkzeug.exceptions import NotFound
from werkzeug.routing import RequestRedirect

from ordws.console.access import Role
from ordws.curation.acts import ClassProposed, Nominated
from ordws.curation.decision import Ballot, Vote

pytestmark = pytest.mark.long

OF_COLOURS: Final = ("color-contrast", "link-in-text-block")
OF_SIZES: Final = ("target-size",)
"""The rules of axe that depend on colours, and on sizes; the findings of all others are the same in every window."""
SETTLED: Final = """() => [...document.querySelectorAll(".scroll")].filter((each) => each.checkVisibility())
  .every((each) => each.hasAttribute("tabindex") === each.scrollWidth > each.clientWidth)"""
"""A function that tells whether the page has followed the size of its window."""
PHONE: Final = {"width": 390, "height": 844}
LOOKS: Final[tuple[tuple[Any, tuple[tuple[Literal["light", "dark"], tuple[str, ...]], ...]], ...]] = (
    (NARROW_VIEWPORT, (("dark", ()), ("light", OF_COLOURS))),
    (PHONE, (("light", OF_SIZES),)),
    (DESKTOP_VIEWPORT, (("light", OF_COLOURS), ("dark", OF_COLOURS + OF_SIZES))),
)
"""The sizes of windows, with the colours in which axe looks, and for which rules where not for all.

The style sheets have the same colours for both phones.
"""
ROLES: Final[tuple[Role | None, ...]] = ("curator", "chair", "keeper", None)


def fill(installation: ConsoleInstallation) -> None:
    """Discuss one family, decide one, propose a class, and nominate a word."""
    at = installation.state.timestamp()
    votes: dict[str, Vote] = {"bob": "in", "cyd": "out", "dan": "in"}
    contested = {f"a-{who}": Ballot(f"a-{who}", "BAAA", who, vote, (), "", at) for who, vote in votes.items()}
    decided = {f"b-{who}": Ballot(f"b-{who}", "BAAB", who, "in", (), "in my cookbook", at) for who in ("bob", "cyd")}
    with installation.state.appending(["BAAA", "BAAB"]) as ledger:
        ledger.cast({**contested, **decided}, at, panel=3)
        ledger.open_discussion("BAAA", "dan", at)
        ledger.add_comment("BAAA", "bob", "I have never met it.", at)
        ledger.append_acts([("BAAC", Nominated(id="n", reason="we play it"))], "somebody", at)
        ledger.append_acts(
            [("re-verb", ClassProposed(pattern="RE- + verb", verdict="in", sample=("REBASH",)))], "dan", at
        )


def check_page(page: Page) -> list[str]:
    """Return the faults of a page in windows of all sizes."""
    found = []
    for size, schemes in LOOKS:
        page.set_viewport_size(size)
        page.wait_for_function(SETTLED, polling=20)
        for scheme, rules in schemes:
            page.emulate_media(color_scheme=scheme)
            found += [f"{scheme}, {size['width']} px: {each}" for each in axe_violations(page, *rules)]
        if (width := overflow_pixels(page)) > 0:
            found.append(f"{width} px wider than a window of {size['width']}")
    return found


def starts(app: Flask) -> list[str]:
    """Return the paths of the pages that need no parameter."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and not rule.arguments]
    return sorted(rule.rule for rule in rules if not rule.rule.startswith("/api/"))


def endpoint(app: Flask, path: str) -> str | None:
    try:
        name, _ = app.url_map.bind("localhost").match(path)
    except (NotFound, RequestRedirect):
        return None
    return str(name)


def visit(page: Page, app: Flask, checked: set[str]) -> dict[str, list[str]]:
    """Return the faults of each kind of page that a member reaches by links from those without parameters.

    A page whose main part another role was shown is not checked once more.
    """
    found: dict[str, list[str]] = {}
    seen: set[str | None] = {None, "static"}
    paths = starts(app)
    while paths:
        path = paths.pop(0)
        kind = endpoint(app, path)
        if kind in seen:
            continue
        answer = page.request.get(path, max_redirects=0)
        if answer.status != 200 or "text/html" not in answer.headers["content-type"]:
            continue
        seen.add(kind)
        page.goto(path)
        expect(page.locator("main h1").first).to_be_attached()  # that of the queue comes by its script
        content = re.sub(r'name="csrf" value="[^"]*"', "", page.locator("main").inner_html())
        found[path] = check_page(page) if content not in checked else []
        checked.add(content)
        links = page.locator("main a[href^='/']").evaluate_all("links => links.map((each) => each.pathname)")
        paths += [link for link in links if "sign-out" not in link]
    return found


@pytest.fixture
def busy_installation(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    """A console in the middle of its work."""
    queued = [*families(12), make_family("REBASH", pattern="RE- + verb", of="BASH")]
    with open_console_installation(tmp_path / "instance", queued) as installation:
        for name in ("bob", "cyd", "dan"):
            installation.member(name)
        fill(installation)
        yield installation


@pytest.fixture
def last_card(tmp_path: Path) -> Iterator[ConsoleInstallation]:
    with open_console_installation(tmp_path / "instance", [make_family("BASH", "BASHED", "BASHINGS")]) as installation:
        yield installation


@pytest.fixture(scope="module")
def checked() -> set[str]:
    """The main parts of the pages that were checked in this module."""
    return set()


@pytest.mark.parametrize("role", ROLES)
def test_every_page_is_accessible(
    role: Role | None, busy_installation: ConsoleInstallation, serve_console: ServeConsole, checked: set[str]
) -> None:
    """No page has a breach of WCAG 2.2 AA that axe finds, and none is wider than a window of 320 px."""
    served = serve_console(busy_installation)
    page = served.signed_in("ann", role) if role else served.window()
    found = visit(page, busy_installation.app, checked)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}
    assert "/queue" in found or role not in ("curator", "chair")
    assert len(found) >= (1 if role is None else 4)


def test_the_queue_is_accessible(last_card: ConsoleInstallation, serve_console: ServeConsole) -> None:
    """The queue's page is accessible with a card, its forms, each dialog, the notices, and no card."""
    served = serve_console(last_card)
    served.expected.append("ERR_INTERNET_DISCONNECTED")
    page = served.signed_in("ann")
    page.goto("/queue")
    expect(page.locator(".card #head")).to_have_text("BASH")
    found = {"card": check_page(page)}
    page.keyboard.press("g")
    page.keyboard.press("1")
    found["forms"] = check_page(page)
    page.keyboard.press("g")
    for key, name in {"d": "doubt", "n": "note", "r": "recuse", "?": "help"}.items():
        page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_be_visible()
        found[name] = check_page(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("[data-action=keys]").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    found["keys"] = check_page(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.context.set_offline(True)
    page.keyboard.press("j")
    expect(page.locator(".sent")).to_contain_text("1 vote waiting")
    found["offline"] = check_page(page)
    page.context.set_offline(False)
    expect(page.locator(".empty #head")).to_be_visible()
    found["empty"] = check_page(page)
    assert {place: wrong for place, wrong in found.items() if wrong} == {}
