"""Tests of /play in two windows each: from the play link to the next game, and the moves of a game at its table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from page_fixtures import Tables
from play_page import NARROW_PHONE, POLICY, link_of, play_link, players, promise, resign, take_seat
from playwright.sync_api import expect
from practice_player import ForkedProgram
from processes import has_ended
from service_process import ServiceProcess
from small_installation import SmallInstallation
from table_games import THREE_BLANKS, TableGames, run_dealing_service, table_installation
from table_page import KeyTablePage, PhoneTablePage, TablePage, TouchTablePage

__all__ = ["play_link", "players"]

LAID = re.compile(r"\blaid\b")
LETTERS = ".rack button:not(.gone, [aria-label^='Blank'])"
ASK = """async () => {
  const { askChallenge } = await import("/app/play-dialogs.js");
  window.answer = askChallenge(["HEAT", "ET"], "double");
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module")
def shared_installation(folder: Path) -> Iterator[SmallInstallation]:
    with table_installation(folder, POLICY) as installation:
        yield installation


@pytest.fixture(scope="module")
def served(shared_installation: SmallInstallation, folder: Path) -> Iterator[ServiceProcess]:
    service = run_dealing_service(shared_installation, folder, "--bind", "127.0.0.1:0", "--computer", "off")
    yield service
    service.stop()


@pytest.fixture
def program(served: ServiceProcess, shared_installation: SmallInstallation) -> Iterator[None]:
    """Run the program, at the priority of the tests: that which `serve` starts gets only the time nobody else wants."""
    program = ForkedProgram(served, shared_installation.instance)
    while not json.loads(served.request("GET", "/v1/practice")[1])["program"]:
        assert not has_ended(served.process), served.output()
    yield
    program.kill()


@pytest.fixture
def games(tables: Tables, folder: Path) -> TableGames:
    return TableGames(tables, folder / "deal")


def test_from_the_play_link_to_the_next_game(players):
    """A link opens a game, another gives the seat, both promise, play and confirm the result, and play again.

    The game is among those of the browser, to which *Back* leads. Tiles are laid by mouse and by taps, but played by
    the player to move alone; tiles are exchanged, and a move waits for the connection.
    """
    ann = players.open_game()
    expect(ann.locator(".qr")).to_have_count(0)  # no other device could use a code of this address
    ann.go_back()
    expect(ann.locator(".games li")).to_contain_text("waiting for players")
    ann.go_forward()
    ben = players.follow(link_of(ann), **NARROW_PHONE)
    expect(ben.get_by_role("heading", level=1)).to_have_text("Ann invites you to play")
    expect(ann.locator(".players .missing")).to_have_count(1)  # opening the link has taken nothing
    take_seat(ben, "Ben")
    for page in (ann, ben):
        expect(page.get_by_role("heading", level=1)).to_have_text("Before the first tile")
    assert "ordws" not in ann.url + ben.url
    promise(ann)
    expect(ben.locator(".players .there")).to_have_text(re.compile("Ann"))
    expect(ben.locator(".play-table")).to_have_count(0)
    promise(ben)
    table, other = TablePage(ann), TouchTablePage(ben)
    expect(table.whole).to_be_visible()
    ann.context.set_offline(True)
    expect(table.trouble).to_contain_text("No connection")
    table.press_and_confirm("Pass")
    expect(table.preview).to_have_text("Sending your move ...")
    ann.context.set_offline(False)
    expect(ben.locator(".told")).to_contain_text("Your turn. Ann passed.")
    other.press("Exchange")
    for number in (0, 2):
        other.dialog.locator(".tile").nth(number).tap()
    other.press("Exchange")
    expect(ann.locator(".told")).to_contain_text("Ben exchanged 2 tiles.")
    for column in (7, 8, 9):
        ben.locator(LETTERS).first.tap()
        other.cell(7, column).tap()
        expect(other.cell(7, column)).to_have_class(LAID)
    expect(other.button("Play for")).to_have_attribute("aria-disabled", "true")
    other.press("Receipt")
    expect(other.dialog.locator("caption")).to_have_count(0)
    other.press("Close")
    expect(ben.locator("[role=gridcell]:focus")).to_have_count(1)  # keys go on laying tiles
    table.drag(ann.locator(LETTERS).first, table.cell(7, 7))
    expect(table.cell(7, 7)).to_have_class(LAID)
    table.press_and_confirm("Pass")
    expect(other.button("Play for")).to_have_attribute("aria-disabled", "false")
    resign(ben)
    expect(ann.get_by_role("heading", level=1)).to_have_text("You win")
    expect(ann.locator(".final li").filter(has_text="Ben")).to_contain_text("resigned")
    ben.get_by_role("button", name="I confirm this").click()
    expect(ann.get_by_text("Confirmed by Ben.")).to_be_visible()
    ann.get_by_role("button", name="Play again").click()
    ben.get_by_role("button", name="Take my seat").click()
    for page in (ann, ben):
        expect(page.get_by_role("heading", level=1)).to_have_text("Before the first tile")
        expect(page.locator(".players li").first).to_have_text(re.compile("^Ben"))  # who begins now


@pytest.mark.long
def test_blanks_checks_and_a_lost_connection(games):
    """By keys and mouse blanks are swapped, a play comes off and is replayed, and a move waits for the connection."""
    game = games.open("scrabble-o", KeyTablePage, TablePage, order=THREE_BLANKS, clock=600)
    ann, ben = game.tables
    ann.page.keyboard.press("2")
    expect(ann.dialog).to_contain_text("AB AD AG")
    ann.page.keyboard.press("Escape")
    game.make(0, {"move": "8E Heat"})
    ben.swap(7, 6)
    ben.swap(7, 7)
    ben.expect_rack("?DEERS?")
    ben.swap(7, 7)
    ben.expect_rack("?DEERST")
    ben.swap(7, 7)
    ben.lay("8I ED")
    expect(ben.preview).to_have_text("HEATED: 29 points.")
    ben.play()
    expect(ben.preview).to_contain_text("Your play came off: HEATED.")
    expect(ann.told).to_contain_text("Ben: HEATED came off.")
    ben.press("Check the OSPD")
    expect(ben.preview).to_contain_text("The word was found")
    standing = game.make(1, {"move": "8I S", "swaps": ["=F8"]})
    assert standing["position"].split()[0].split("/")[7] == "4HEATS6"
    expect(ann.told).to_contain_text("Swap on F8.")
    games.tables.expected += ["ERR_INTERNET_DISCONNECTED"]
    ann.page.context.set_offline(True)
    expect(ann.trouble).to_contain_text("No connection, and the clock runs on")
    ann.press_and_confirm("Pass")
    expect(ann.preview).to_have_text("Sending your move ...")
    ann.page.context.set_offline(False)
    expect(ben.told).to_contain_text("Ann passed.")
    ann.press("Step through the game")
    expect(ann.dialog.locator(".told")).to_have_text(re.compile("^Ann: passed"))
    ann.page.keyboard.press("Escape")
    ben.resign()
    expect(ann.page.locator(".final")).to_be_visible()


def test_the_words_of_a_challenge_are_chosen(tables):
    """The dialog of a challenge names its price and each new word, and gives the words that stay chosen, or all."""
    page = tables.plain_window()
    page.goto("/play")
    dialog = page.get_by_role("dialog")
    for chosen, words in (("HEAT", ["ET"]), ("", [])):
        page.evaluate(ASK)
        expect(dialog).to_contain_text("you lose your next turn")
        expect(dialog.locator("label")).to_have_text(["HEAT", "ET"])
        if chosen:
            dialog.get_by_label(chosen).uncheck()
        dialog.get_by_role("button", name="Challenge").click()
        assert page.evaluate("window.answer") == words


@pytest.mark.long
@pytest.mark.usefixtures("program")
def test_the_program_is_played_without_a_link(tables):
    """One tap begins a game with the program, which moves; *Play again* opens another, which the other side begins."""
    page = tables.plain_window(**PhoneTablePage.window)
    page.goto("/play")
    page.get_by_role("button", name="Play", exact=True).tap()
    expect(page.locator(".seats")).to_contain_text("Program (club)")
    first = page.url
    page.locator(".seats .own.moving").wait_for()
    table = PhoneTablePage(page)
    table.press_and_confirm("Pass")
    expect(page.locator(".sheet-of-game")).to_contain_text("passed")
    page.locator(".seats .own.moving").wait_for()
    table.press_and_confirm("Resign")
    expect(page.locator(".final")).to_contain_text("Program (club)")
    page.get_by_role("button", name="Play again").tap()
    expect(page.locator(".play-table")).to_be_visible()
    assert page.url != first
