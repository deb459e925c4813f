"""Every page of the console for every role, by axe: WCAG 2.2 AA in light and dark, at a desk and at 320 px."""

from __future__ import annotations

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
from ordws.curation.ballot import Ballot, Vote

OF_LOOKS: Final = ("color-contrast", "target-size", "link-in-text-block")
"""The rules of axe that colours and sizes decide; what else it finds is the same in every window."""
SETTLED: Final = "new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
"""What is told of its size knows it by then."""
ROLES: Final[tuple[Role | None, ...]] = ("curator", "chair", "keeper", None)


def fill(installation: ConsoleInstallation) -> None:
    """One family is discussed, one decided; a class is proposed, a word nominated."""
    at = installation.state.timestamp()
    says: dict[str, Vote] = {"bob": "in", "cyd": "out", "dan": "in"}
    contested = {f"a-{who}": Ballot(f"a-{who}", "BAAA", who, vote, (), "", at) for who, vote in says.items()}
    decided = {f"b-{who}": Ballot(f"b-{who}", "BAAB", who, "in", (), "in my cookbook", at) for who in ("bob", "cyd")}
    with installation.state.appending(["BAAA", "BAAB"]) as ledger:
        ledger.cast({**contested, **decided}, at, panel=3)
        ledger.open_discussion("BAAA", "dan", at)
        ledger.add_comment("BAAA", "bob", "I have never met it.", at)
        ledger.append_acts([("BAAC", Nominated(id="n", reason="we play it"))], "somebody", at)
        ledger.append_acts(
            [("re-verb", ClassProposed(pattern="RE- + verb", verdict="in", sample=("REBASH",)))], "dan", at
        )


def faults(page: Page) -> list[str]:
    """What is wrong with a page, in the dark and narrow, and in the light at a desk."""
    look(page, "dark", NARROW_VIEWPORT)
    found = [f"dark, narrow: {each}" for each in axe_violations(page)]
    if (width := overflow_pixels(page)) > 0:
        found.append(f"{width} px wider than a window of {NARROW_VIEWPORT['width']}")
    look(page, "light", DESKTOP_VIEWPORT)
    return found + [f"light, wide: {each}" for each in axe_violations(page, *OF_LOOKS)]


def look(page: Page, scheme: Literal["light", "dark"], size: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(size)
    page.evaluate(SETTLED)


def starts(app: Flask) -> list[str]:
    """The pages that need no parameter."""
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and not rule.arguments]
    return sorted(rule.rule for rule in rules if not rule.rule.startswith("/api/"))


def endpoint(app: Flask, path: str) -> str | None:
    try:
        name, _ = app.url_map.bind("localhost").match(path)
    except (NotFound, RequestRedirect):
        return None
    return str(name)


def visit(page: Page, app: Flask) -> dict[str, list[str]]:
    """Each kind of page that a member reaches from those without parameters by links, and what is wrong with it."""
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
        page.wait_for_function("() => !document.querySelector('#queue') || document.querySelector('#head')")
        found[path] = faults(page)
        links = page.locator("main a[href^='/']").evaluate_all("links => links.map((each) => each.pathname)")
        paths += [link for link in links if "sign-out" not in link]
    return found


@pytest.fixture
def full_house(tmp_path: Path) -> Iterator[ConsoleInstallation]:
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


@pytest.mark.parametrize("role", ROLES)
def test_every_page_is_accessible(role: Role | None, full_house: ConsoleInstallation, opened: ServeConsole) -> None:
    """No breach of WCAG 2.2 AA that axe knows, and nothing wider than a window of 320 px."""
    front = opened(full_house)
    page = front.signed_in("ann", role) if role else front.window()
    found = visit(page, full_house.app)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}
    assert "/queue" in found or role not in ("curator", "chair")
    assert len(found) >= (1 if role is None else 4)


def test_the_queue_is_accessible(last_card: ConsoleInstallation, opened: ServeConsole) -> None:
    """A card, its forms, each dialog, the notices, and the page without a card."""
    front = opened(last_card)
    front.expected.append("ERR_INTERNET_DISCONNECTED")
    page = front.signed_in("ann")
    page.goto("/queue")
    expect(page.locator(".card #head")).to_have_text("BASH")
    found = {"card": faults(page)}
    page.keyboard.press("g")
    page.keyboard.press("1")
    found["forms"] = faults(page)
    page.keyboard.press("g")
    for key, name in {"d": "doubt", "n": "note", "r": "recuse", "?": "help"}.items():
        page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_be_visible()
        found[name] = faults(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator("[data-action=keys]").click()
    found["keys"] = faults(page)
    page.keyboard.press("Escape")
    page.context.set_offline(True)
    page.keyboard.press("j")
    expect(page.locator(".sent")).to_contain_text("1 vote waiting")
    found["offline"] = faults(page)
    page.context.set_offline(False)
    expect(page.locator(".empty #head")).to_be_visible()
    found["empty"] = faults(page)
    assert {place: wrong for place, wrong in found.items() if wrong} == {}
