"""Tests of the table while a game is on: laying tiles, swaps, checks, challenges, and what can go wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_windows import axe_violations, overflow_pixels
from page_fixtures import Tables
from playwright.sync_api import expect
from service_process import ServiceProcess
from small_installation import SmallInstallation
from table_games import PLAIN, THREE_BLANKS, TableGames, run_dealing_service, table_installation
from table_page import KeyTablePage, TablePage, TouchTablePage

from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module")
def shared_installation(folder: Path) -> Iterator[SmallInstallation]:
    with table_installation(folder) as installation:
        yield installation


@pytest.fixture(scope="module")
def served(shared_installation: SmallInstallation, folder: Path) -> Iterator[ServiceProcess]:
    service = run_dealing_service(shared_installation, folder)
    yield service
    service.stop()


@pytest.fixture
def games(tables: Tables, folder: Path) -> TableGames:
    return TableGames(tables, folder / "deal")


def check(table: TablePage, state: str, schemes: tuple[str, ...] = ("dark",), *, is_dialog: bool = False) -> None:
    """Assert that a state of a table fits its window and has no violation; what is behind a dialog is not looked at."""
    found = [f"{overflow_pixels(table.page)} px too wide"] if overflow_pixels(table.page) > 0 else []
    behind = ".play-table" if is_dialog else ""
    for scheme in schemes:
        table.page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {violation}" for violation in axe_violations(table.page, without=behind)]
    assert (state, found) == (state, [])


def rack(table: TablePage) -> str:
    """Return the tiles of the rack in their order, a dot for one that lies on the board."""
    labels = table.rack.locator("button:not(.none)").evaluate_all(
        "all => all.map((each) => [each.ariaLabel[0], each.ariaLabel.startsWith('Blank'), each.matches('.gone')])"
    )
    return "".join("." if is_gone else "?" if is_blank else letter for letter, is_blank, is_gone in labels)


def test_blanks_are_swapped_before_a_play_and_before_its_replay(games):
    """Two blanks must be swapped by taps, and one more before the replay after a check of the OSPD."""
    game = games.open("scrabble-o", KeyTablePage, TouchTablePage, order=THREE_BLANKS)
    ann, ben = game.tables
    game.make(0, {"move": "8E Heat"})
    ben.swap(7, 6)
    ben.swap(7, 7)
    ben.expect_rack("?DEERS?")
    ben.swap(7, 7)
    ben.expect_rack("?DEERST")
    ben.swap(7, 7)
    ben.lay("8I ED")
    expect(ben.preview).to_have_text("HEATED: 29 points.")
    check(ben, "play with swaps")
    ben.expect_squares("laid", "I8", "J8")
    ben.play()
    expect(ben.preview).to_contain_text("Your play came off: HEATED.")
    check(ben, "play that came off")
    expect(ann.told).to_contain_text("Ben: HEATED came off.")
    ben.press("Check the OSPD")
    expect(ben.preview).to_contain_text("The word was found")
    ben.expect_rack("?DEERS?")
    standing = game.make(1, {"move": "8I S", "swaps": ["=F8"]})
    assert standing["last"]["words"] == ["HEATS"]
    assert standing["position"].split()[0].split("/")[7] == "4HEATS6"
    assert "?" in standing["rack"]
    expect(ann.told).to_contain_text("Swap on F8.")
    ann.resign()
    expect(ann.page.locator(".final")).to_be_visible()


def test_a_move_is_taken_back_and_nothing_moves(games):
    """Tiles must be laid by drag and tap, moved and taken back, without the board or a button changing its place."""
    game = games.open("scrabble-o", TablePage, TablePage, order=PLAIN)
    ann, ben = game.tables
    places = (
        "() => [...document.querySelectorAll('.frame, .rack, .acts button, .seats li')].map((each) => "
        "Object.values(each.getBoundingClientRect().toJSON()).map(Math.round).join())"
    )
    before = ann.page.evaluate(places)
    ann.expect_rack("AEHISTX")
    ann.lay("8H EH")
    ann.expect_rack("A..ISTX")
    assert ann.page.evaluate(places)[:2] == before[:2]
    ann.drag(ann.cell(7, 7), ann.cell(7, 6))
    ann.drag(ann.cell(7, 8), ann.cell(7, 5))
    ann.expect_squares("laid", "F8", "G8")
    expect(ann.preview).to_have_text("The first play has to cover H8.")
    ann.tile("A").click()
    ann.cell(7, 7).click()
    ann.tile("T").click()
    ann.cell(7, 8).click()
    expect(ann.preview).to_have_text("HEAT: 14 points.")
    ann.button("Receipt").last.click()
    expect(ann.dialog).to_contain_text("HEAT")
    check(ann, "receipt", ("light",), is_dialog=True)
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator("[role=gridcell]:focus")).to_have_count(1)
    ann.cell(7, 8).click()
    ann.expect_rack("...ISTX")
    ann.press("Take back")
    ann.expect_rack("AEHISTX")
    ann.expect_squares("laid")
    ann.drag(ann.tile("X"), ann.tile("A"))
    ann.expect_rack("XAEHIST")
    ann.tile("T").focus()
    ann.page.keyboard.press("Shift+ArrowLeft")
    ann.expect_rack("XAEHITS")
    ann.press("Shuffle")
    assert sorted(rack(ann)) == sorted("AEHISTX")
    ben.lay("8H TILE")  # tiles are laid in the other's turn too, and cannot be played
    expect(ben.button("Play for")).to_have_attribute("aria-disabled", "true")
    focused = "() => document.activeElement.ariaLabel"
    ben.cell(9, 9).click()
    game.make(0, {"move": "8F HEAT"})
    assert ben.page.evaluate(focused).startswith("J10")
    ben.expect_squares("laid", "J8", "K8")  # the rest came back, since its squares are taken
    assert [each[0] for each in zip(before, ann.page.evaluate(places), strict=True)] == before
    assert ann.page.evaluate(places) == before
    expect(ben.told).to_contain_text("Ann: HEAT, ")
    ben.expect_squares("last", "F8", "G8", "H8", "I8", "J8", "K8")


def test_keys_open_everything(games):
    """The two-letter list, the unseen tiles, the receipts and the keys must each be one key away, and accessible."""
    game = games.open("scrabble-i", KeyTablePage, TouchTablePage, order=PLAIN)
    ann, ben = game.tables
    check(ann, "own turn", ("dark", "light"))
    check(ben, "the other's turn", ("light",))
    ben.drag_by_touch(ben.tile("T").locator("b"), ben.cell(10, 10))  # most fingers land on the letter
    expect(ben.cell(10, 10)).to_have_class(re.compile(r"\blaid\b"))
    ben.press("Take back")
    ann.lay("11K HEAT")
    expect(ann.preview).to_have_text("HEAT: 14 points.")
    for key, text in (
        ("2", "AB AD AG"),
        ("3", "tiles not seen"),
        ("5", "HEAT"),
        ("-", "tiles in the bag"),
        ("?", "Keys"),
    ):
        ann.page.keyboard.press(key)
        expect(ann.dialog).to_contain_text(text)
        check(ann, f"after the key {key}", is_dialog=True)
        ann.page.keyboard.press("Escape")
        expect(ann.dialog).to_have_count(0)
    ann.page.keyboard.press("Escape")
    ann.expect_squares("laid")
    ann.page.keyboard.press("z")
    expect(ann.preview).to_have_text("Your rack has no Z and no blank left.")
    ben.press("Zoom")
    expect(ben.preview).to_contain_text("Large squares")
    check(ben, "large squares", ("light",))
    ben.button("Pass").tap(force=True)  # it is not Ben's turn: nothing is asked
    expect(ben.dialog).to_have_count(0)


def test_a_named_word_is_challenged(games):
    """A player must choose the words of a challenge; where a pass only lets the play stand, the button says so."""
    game = games.open("classic", KeyTablePage, TouchTablePage, order=PLAIN)
    ann, ben = game.tables
    game.make(0, {"move": "8F HEAT"})
    game.make(1, {"move": "7I E"})
    ann.press("Challenge")
    expect(ann.dialog.locator("label")).to_have_text(["ET"])
    check(ann, "challenge", is_dialog=True)
    ann.page.keyboard.press("Escape")
    standing = game.make(0, {"move": "challenge"})
    assert standing["last"]["outcome"] == "failed"
    expect(ben.told).to_contain_text("Ann challenged, and the play stands.")


def test_a_lost_connection_loses_no_tile(games):
    """Without a connection the page must say that time runs on, keep the tiles, and send the move when it is back."""
    game = games.open("scrabble-o", TablePage, TablePage, order=PLAIN, clock=600)
    ann, ben = game.tables
    games.tables.expected += ["ERR_INTERNET_DISCONNECTED"]
    ann.page.context.set_offline(True)
    expect(ann.trouble).to_contain_text("No connection, and the clock runs on")
    check(ann, "without a connection")
    ann.lay("8F HEAT")
    ann.press("Play for")
    expect(ann.preview).to_have_text("Sending your move ...")
    ann.expect_squares("laid", "F8", "G8", "H8", "I8")
    ann.page.context.set_offline(False)
    expect(ben.told).to_contain_text("HEAT")
    expect(ann.trouble.locator(":visible")).to_have_count(0)
    expect(ann.told).to_contain_text("Ben is to move.")


def test_a_second_window_of_a_seat_takes_nothing_away(games):
    """A move for a turn that was taken in another window must say so, and leave the tiles of that window."""
    game = games.open("scrabble-o", TablePage, TablePage, order=PLAIN)
    ann, ben = game.tables
    games.tables.expected += ["409"]
    ann.lay("8F SIX")
    ann.page.reload()  # the draft survives
    expect(ann.preview).to_contain_text("SIX: ")
    other = TablePage(ann.page.context.new_page())
    other.page.goto(ann.page.url)
    other.expect_turn(game.standing(0)["turn"])
    ann.page.route(re.compile(r"/v1/games/[0-9a-f]+$"), lambda route: route.abort())  # this window hears of nothing
    expect(ann.trouble).to_contain_text("open in another window")
    other.lay("8F HEAT")
    other.play()
    expect(ben.told).to_contain_text("HEAT")
    ann.press("Play for")
    expect(ann.trouble).to_contain_text("That move came too late")
    expect(ann.rack.locator(".gone")).to_have_count(3)
    games.tables.expected += ["ERR_FAILED"]


def test_time_that_runs_out_without_a_connection_ends_the_game(games):
    """A flag that falls while a player is offline must count, and the player must see the end on coming back."""
    game = games.open("scrabble-o", TablePage, TablePage, order=PLAIN, clock=600)
    ann, ben = game.tables
    ben.page.clock.install()
    ben.page.reload()
    ben.expect_turn(game.standing(0)["turn"])
    games.tables.expected += ["ERR_INTERNET_DISCONNECTED"]
    ann.page.context.set_offline(True)
    expect(ann.trouble).to_contain_text("the clock runs on")
    ann.lay("8F HEAT")
    for shown in (ben.told.filter(has_text="Ann is out of time."), ben.page.locator(".final")):
        games.pass_time(605)
        ben.page.clock.fast_forward(605_000)  # by which a time is up on this page's clock too, and it asks
        expect(shown).to_be_visible()
    ann.page.context.set_offline(False)
    expect(ann.page.locator(".final")).to_be_visible()
    assert game.fetch(0)["seats"][0]["left"] == "time-up"


def test_four_sit_at_one_table(games):
    """Four seats must fit the narrowest phone and see whose turn it is; an exchange is told by its number alone."""
    game = games.open("scrabble-i-classic", TablePage, TouchTablePage, TablePage, TablePage, exchange_min="1")
    seats = [table.page.locator(".seats li") for table in game.tables]
    expect(seats[1].locator(".name")).to_have_text(["Ann", "Ben", "Cleo", "Dan"])
    check(game.tables[1], "four seats", ("light",))
    standing = game.standing(0)
    game.make(0, {"move": f"-{standing['rack'][:2]}"})
    for seat in seats:
        expect(seat.nth(1)).to_have_attribute("aria-current", "true")
    expect(game.tables[3].told).to_contain_text("Ben is to move. Ann exchanged 2 tiles.")


def test_both_propose_with_the_tiles_that_the_other_could_not_play(games):
    """After the end each player must see the other's tiles, and both proposals must be opened together."""
    order = {"order": "AEHLTVZCEILOQU", "unplayed_tiles_round": "on"}
    game = games.open("scrabble-o", KeyTablePage, TouchTablePage, **order)
    ann, ben = game.tables
    game.make(0, {"move": "8E HEAT"})
    for seat in (1, 0, 1):
        game.make(seat, {"move": "-"})
    assert (sorted(rack(ann)), sorted(rack(ben))) == (sorted("CEILOQU"), sorted("LVZ"))
    expect(ben.told).to_contain_text("Ann was stuck: propose one play with these tiles.")
    expect(ben.page.locator(".seats li .clock").first).to_have_text(re.compile(r"^0:\d\d"))
    ann.lay("H8 .OE")
    check(ann, "a proposal")
    ann.press("Propose this play")
    expect(ann.told).to_contain_text("Ann has proposed; it is opened when all have.")
    expect(ben.told).to_contain_text("Ann has proposed")
    assert game.fetch(1)["unplayed_round"]["proposals"] == []
    check(ben, "the other proposal")
    ben.press_and_confirm("Propose nothing")
    expect(ben.page.locator(".final")).to_be_visible()
    expect(ann.page.locator(".sheet-of-game")).to_contain_text(re.compile(r"Ann\s*proposal: H8 TOE"))
    assert audit_record(read_gcg(game.record().encode())).is_exact


def test_a_game_is_stepped_through_with_the_racks_that_a_seat_may_see(games):
    """A seat must see its own tiles at each turn, and after the end all; an address must lead to a turn."""
    game = games.open("scrabble-o", TablePage, TablePage, order=PLAIN)
    ann = game.tables[0]
    game.make(0, {"move": "8F HEAT"})
    game.make(1, {"move": "-"})
    racks = ann.dialog.locator(".tiles-of")
    ann.press("Step through the game")
    expect(ann.dialog.locator(".told")).to_have_text("Ben: passed 0 (0)")
    ann.page.keyboard.press("Home")
    own = game.fetch(0, "/turns")["turns"][0]["before"]["racks"][0]
    expect(racks).to_have_text([" ".join(own), "not known"])
    ann.page.keyboard.press("ArrowRight")
    expect(ann.dialog.locator(".told")).to_have_text(re.compile(r"^Ann: 8F HEAT \+\d+ \(\d+\)$"))
    assert ann.page.url.endswith("#turn=1")
    check(ann, "a step", is_dialog=True)
    ann.page.keyboard.press("Escape")
    ann.resign()
    expect(ann.page.locator(".final")).to_be_visible()
    ann.page.goto(f"{ann.page.url}#turn=0")
    ann.page.reload()
    expect(racks).to_have_text([" ".join(rack) for rack in game.fetch(0, "/turns")["turns"][0]["before"]["racks"]])
