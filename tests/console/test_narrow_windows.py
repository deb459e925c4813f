"""The console on a phone: a menu, records as cards, charts of its own; and the links that keepers copy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from console_browser import ServeConsole, ServedConsole
from console_installation import ConsoleInstallation, families, open_console_installation
from playwright.sync_api import Page, expect

from ordws.curation.decision import Ballot

WIDTHS = (pytest.param(390, marks=pytest.mark.long), 320)
DAY = 86_400
CUT_OFF = """() => [...document.querySelectorAll("main :is(th, td, img, button, input, a)")]
  .filter((each) => each.checkVisibility() && !each.closest("thead"))
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5)
  .map((each) => each.textContent || each.tagName)"""


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConsoleInstallation]:
    """A console with three curators, who have decided forty families in a week and disagree on one."""
    with open_console_installation(tmp_path_factory.mktemp("console") / "instance", families(60)) as installation:
        for name in ("Cleo Archibald-Smythe", "ben", "dora"):
            installation.member(name)
        bases, at = sorted(installation.state.family_states)[:40], installation.state.timestamp()
        ballots = [Ballot(f"{base} {who}", base, who, "in", (), "", at) for base in bases for who in NAMES]
        with installation.state.appending(bases) as ledger:
            ledger.cast({ballot.id: ballot for ballot in ballots}, at, panel=3)
        contest(installation, sorted(installation.state.family_states)[41], at)
        installation.clock.now += 7 * DAY
        yield installation


@pytest.fixture
def served(installation: ConsoleInstallation, serve_console: ServeConsole) -> ServedConsole:
    """An installation that browsers reach; it is closed after its server, of which a page may still ask for files."""
    return serve_console(installation)


NAMES = ("Cleo Archibald-Smythe", "ben")


def contest(installation: ConsoleInstallation, base: str, at: str) -> None:
    with installation.state.appending([base]) as ledger:
        ledger.cast(
            {
                who: Ballot(who, base, who, vote, (), "met in two cookbooks", at)  # type: ignore[arg-type]
                for who, vote in zip((*NAMES, "dora"), ("in", "out", "doubt"), strict=True)
            },
            at,
            panel=3,
        )


def phone(served: ServedConsole, name: str, role: str, width: int) -> Page:
    return served.signed_in(name, role, viewport={"width": width, "height": 740})  # type: ignore[arg-type]


@pytest.mark.parametrize("width", WIDTHS)
def test_pages_are_in_a_menu(served: ServedConsole, width: int) -> None:
    """On a phone the header is one line with a menu, which holds all pages, the account and signing out."""
    page = phone(served, "kay", "keeper", width)
    page.goto("/keeping")
    header = page.locator("header.site").bounding_box()
    assert header is not None
    assert header["height"] < 70
    menu = page.get_by_role("navigation", name="Pages")
    expect(menu).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    for link in ("Discussions", "Progress", "Classes", "Keeping", "Members", "kay"):
        expect(menu.get_by_role("link", name=link, exact=True)).to_be_in_viewport(ratio=1)
    expect(menu.get_by_role("button", name="Sign out")).to_be_in_viewport(ratio=1)
    menu.get_by_role("link", name="Members", exact=True).click()
    expect(page.get_by_role("heading", name="Members")).to_be_visible()


def test_a_desktop_has_all_pages_in_its_header(served: ServedConsole) -> None:
    """At 1280 px the pages stand in the header, in one line, and no menu is shown."""
    page = phone(served, "kay", "keeper", 1280)
    page.goto("/keeping")
    expect(page.get_by_role("button", name="Menu")).to_be_hidden()
    expect(page.get_by_role("navigation", name="Pages").get_by_role("link", name="Members")).to_be_visible()
    header = page.locator("header.site").bounding_box()
    assert header is not None
    assert header["height"] < 60


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_cut_off(served: ServedConsole, width: int) -> None:
    """Every cell, chart and button is within a phone's window, without scrolling sideways."""
    for name, role, paths in (
        ("kay", "keeper", ("/members", "/progress")),
        ("chris", "chair", ("/discussions", "/discussions/BACB")),
    ):
        page = phone(served, name, role, width)
        for path in paths:
            page.goto(path)
            expect(page.locator("main h1")).to_be_visible()
            assert (path, page.evaluate(CUT_OFF)) == (path, [])


def test_records_name_their_cells(served: ServedConsole) -> None:
    """On a phone each member is a card, whose cells carry the titles of their columns; screen readers hear a table."""
    page = phone(served, "kay", "keeper", 390)
    page.goto("/members")
    row = page.get_by_role("table", name="Accounts").get_by_role("row").filter(has_text="Cleo Archibald-Smythe")
    box = row.bounding_box()
    assert box is not None
    assert box["width"] > 330
    role = row.get_by_role("cell").first
    expect(role).to_have_text("curator")
    assert role.evaluate("each => getComputedStyle(each, '::before').content") == '"Role"'
    expect(page.get_by_role("columnheader", name="Role").first).to_be_attached()


@pytest.mark.parametrize(("width", "drawn"), [(390, 380), pytest.param(1280, 720, marks=pytest.mark.long)])
def test_a_phone_gets_charts_of_its_own(served: ServedConsole, width: int, drawn: int) -> None:
    """Charts are drawn for the width of the window, so that their texts can be read."""
    page = phone(served, "kay", "keeper", width)
    page.goto("/progress")
    chart = page.get_by_role("img", name="Open families")
    expect(chart).to_be_visible()
    assert chart.evaluate("each => each.decode().then(() => each.naturalWidth)") == drawn


def test_an_invitation_link_can_be_copied(served: ServedConsole) -> None:
    """A keeper copies a new link with one button; where the browser forbids it, the link is selected."""
    page = phone(served, "kay", "keeper", 1280)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/members")
    page.get_by_label("Name shown on ballots").fill("Ada")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#link").inner_text()
    page.wait_for_load_state()  # the button acts when its script has come
    assert link.startswith(f"{served.url}/invitation/")
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.context.clear_permissions()
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.get_by_role("button", name="Copied").click()
    expect(page.get_by_role("button", name="Selected")).to_be_visible()
    assert page.evaluate("getSelection().toString()") == link


@pytest.mark.long
def test_all_pages_begin_under_the_logo(served: ServedConsole) -> None:
    """On a wide screen every page begins at the left edge of the logo, whatever its width."""
    page = phone(served, "kay", "keeper", 1920)
    starts = {}
    for path in ("/keeping", "/progress", "/classes", "/discussions", "/members", "/account"):
        page.goto(path)
        starts[path] = [round((page.locator(each).bounding_box() or {})["x"]) for each in (".mark", "h1")]
    assert {tuple(each) for each in starts.values()} == {(starts["/account"][0],) * 2}
