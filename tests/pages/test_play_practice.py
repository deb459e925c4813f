"""Tests of practice on /play: a game against the program by touch, from one tap to the result and the next game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from browser_windows import axe_violations, overflow_pixels
from page_fixtures import Tables, run_service
from play_page import PHONE
from playwright.sync_api import Page, expect
from processes import has_ended
from sealed_game import COMMON_WORDS
from service_process import ServiceProcess
from small_installation import SmallInstallation
from table_games import table_installation
from table_page import PhoneTablePage

from ordws.computer.choose import choose
from ordws.computer.process import body_of, read_view
from ordws.computer.words import PublicWords, Strength
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg
from ordws.rules.ruleset import RULE_SETS

pytestmark = pytest.mark.long

WORDS = PublicWords(COMMON_WORDS, COMMON_WORDS)
MOST_TURNS = 60
FETCH = """async ([path, accept]) => {
  const reply = await fetch(path, { cache: "no-store", headers: { Accept: accept } });
  return accept === "text/plain" ? reply.text() : reply.json();
}"""


@pytest.fixture(scope="module")
def shared_installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallInstallation]:
    """Yield an installation whose public lists are common words, and whose program plays two games at once."""
    settings = "[practice]\ngames = 2\ngames_an_address = 5\n"
    with table_installation(tmp_path_factory.mktemp("practice"), settings) as installation:
        yield installation


@pytest.fixture(scope="module")
def served(
    shared_installation: SmallInstallation, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServiceProcess]:
    """Run the service, and wait until its program plays."""
    for service in run_service(shared_installation, tmp_path_factory.mktemp("served"), "--computer", "on"):
        while not json.loads(service.request("GET", "/v1/practice")[1])["program"]:
            assert not has_ended(service.process), service.output()
        yield service


def lobby(tables: Tables, **window: Any) -> Page:
    """Open /play in a browser that has no play link, where the program is offered first."""
    page = tables.plain_window(**{**PHONE, **window})
    page.goto("/play")
    expect(page.get_by_role("button", name="Play the program")).to_have_attribute("aria-pressed", "true")
    return page


def begin(page: Page, **chosen: str) -> PhoneTablePage:
    """Choose strength, rule set or who begins, and tap the button that begins the game."""
    for label, value in chosen.items():
        page.get_by_label(label.replace("_", " ")).select_option(value)
    page.get_by_role("button", name="Play", exact=True).tap()
    expect(page.locator(".play-table")).to_be_visible()
    return PhoneTablePage(page)


def resign(page: Page) -> None:
    table = PhoneTablePage(page)
    table.press_and_confirm("Resign")
    expect(page.locator(".final")).to_be_visible()


def fetch(page: Page, accept: str = "application/json") -> Any:
    game = page.url.rpartition("/")[2]
    return page.evaluate(FETCH, [f"/v1/games/{game}", accept])


def play_out(table: PhoneTablePage) -> dict[str, Any]:
    """Play to the end by taps, choosing as the program would, and return the last standing."""
    page = table.page
    for _ in range(MOST_TURNS):
        page.locator(".seats .own.moving, .final, .question:visible").first.wait_for()
        standing: dict[str, Any] = fetch(page)
        if standing["phase"] == "over":
            return standing
        choice = choose(read_view({"standing": standing, "came_off": []}), WORDS, Strength.EASY, "a person")
        table.make(body_of(choice))
        page.locator(f".final, .play-table:not([data-turn='{standing['turn']}'])").first.wait_for()
    raise AssertionError("the game does not end")


KEPT = {
    "id": "kept",
    "label": "kept",
    "rules": "scrabble-o",
    "options": {},
    "players": ["Ann", "Bob"],
    "racks": True,
    "counts": True,
    "begun": 1,
    "undone": [],
    "events": [
        {"kind": "play", "player": 0, "accepted": True, "rack": "AEFHIST", "at": 1}
        | {"play": {"row": 7, "column": 7, "down": False, "letters": "FISH"}},
        {"kind": "play", "player": 1, "accepted": True, "rack": "AEIORTY", "at": 2}
        | {"play": {"row": 7, "column": 7, "down": False, "letters": "....ERY"}},
        {"kind": "end", "out": None, "counts": True, "at": 3},
        {"kind": "unplayed", "racks": ["AETBCDE", "AIOTLNR"], "at": 4},
    ],
}


def test_a_kept_game_is_reviewed_where_racks_were_written_down(tables):
    """Under a finished game of two that was kept with its racks a tap shows what each play lost, and its turn."""
    page = tables.plain_window(**PHONE)
    page.goto("/keep")
    page.evaluate("async (game) => (await import('/app/keep-store.js')).saveGame(game)", KEPT)
    page.goto("/keep#kept")
    page.get_by_role("button", name="Review the game").tap()
    rows = page.locator(".review tbody tr")
    expect(rows).to_have_count(2, timeout=60_000)
    expect(rows.nth(0)).to_contain_text("8H FISH")
    expect(page.locator(".review")).to_contain_text("Bob lost")
    assert (overflow_pixels(page), axe_violations(page)) == (0, [])
    rows.nth(1).get_by_role("button").tap()
    expect(page.get_by_role("dialog")).to_contain_text("1 of")


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_whole_game_by_touch(rules, tables):
    """On a phone one tap begins a game, and the program moves; its record replays exactly, and a tap reviews it."""
    strength = {"classic": "strong", "scrabble-o": "easy"}.get(rules, "club")
    table = begin(lobby(tables), Rule_set=rules, How_well_it_plays=strength)
    expect(table.page.locator(".seats")).to_contain_text(f"Program ({strength})")
    standing = play_out(table)
    expect(table.page.locator(".final")).to_contain_text(f"Program ({strength})")
    expect(table.page.get_by_text("Practice goes by a public list")).to_be_visible()
    table.press("Review the game")
    rows = table.page.locator(".review tbody tr")
    expect(rows.first).to_be_visible(timeout=60_000)
    assert rows.count() > 5
    assert overflow_pixels(table.page) == 0
    rows.nth(3).get_by_role("button").tap()
    expect(table.page.get_by_role("dialog")).to_be_visible()
    table.page.keyboard.press("Escape")
    audited = audit_record(read_gcg(fetch(table.page, "text/plain").encode()))
    assert audited.is_exact, audited.findings
    assert list(audited.totals.values()) == [seat["score"] for seat in standing["seats"]]


def test_the_next_game_and_a_place_that_is_waited_for(tables):
    """*Play again* opens a game like the last one; while every place is taken, the page waits and says so."""
    tables.expected += ["429"]
    ann = lobby(tables)
    begin(ann, Rule_set="classic", How_well_it_plays="easy")
    first = fetch(ann)
    resign(ann)
    ann.get_by_role("button", name="Play again").tap()
    expect(ann.locator(".play-table")).to_be_visible()
    again = fetch(ann)
    assert (again["rules"], again["you"]) == ("classic", 1 - first["you"])
    assert again["seats"][first["you"]]["program"] == "easy"
    ben, cleo = lobby(tables), lobby(tables)
    begin(ben)
    cleo.get_by_role("button", name="Play", exact=True).tap()
    expect(cleo.get_by_role("status").get_by_text("This page waits for a place")).to_be_visible()
    resign(ben)
    expect(cleo.locator(".play-table")).to_be_visible(timeout=60_000)
    resign(cleo)
    resign(ann)


def test_the_offer_fits_and_a_friend_can_be_played(tables):
    """On a phone and in the dark the offer fits and is legible; the other choice shows what friends need."""
    page = lobby(tables)
    found = axe_violations(page)
    page.emulate_media(color_scheme="dark")
    found += axe_violations(page, "color-contrast")
    assert (overflow_pixels(page), found) == (0, [])
    page.get_by_role("button", name="Play a friend").tap()
    expect(page.get_by_role("heading", name="You need a play link")).to_be_visible()
