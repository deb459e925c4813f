"""Tests of *Keep a game* with clocks, with Dover's lists, with racks written down, and with an empty bag."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from browser_windows import DESKTOP_VIEWPORT, TOUCH_PHONE
from game_cases import events_of
from keep_page import KeepPage, open_keep
from playwright.sync_api import Page, expect

from ordws.movegen.graph import Graph
from ordws.movegen.moves import words_for
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg
from ordws.rules.ruleset import RULE_SETS
from tests.mining.simulation import honest_strategy, play_out

COMMON = (Path(__file__).parent.parent / "vectors" / "mining" / "common.txt").read_text("ascii").split()
KEEP = """async (events) => {
    const { put } = await import("/app/indexed-db.js");
    await put("game:old", {
        id: "old", label: "old", rules: "scrabble-o", options: {}, players: ["Ann", "Bob"], racks: false, begun: 0,
        events, undone: [],
    });
    location.hash = "old";
}"""
SEEN = """async (id) => {
    const { get } = await import("/app/indexed-db.js");
    return await get(`alive:${id}`) === Date.now();
}"""
"""Whether the device has kept that the game is on the screen now; what was begun before is kept by then."""
RECORD_CLOCKS = """
    window.recorded = [];
    new MutationObserver(() => {
        const times = [...document.querySelectorAll(".scores .clock")].map((clock) => clock.textContent).join(" ");
        if (times && times !== recorded.at(-1)) recorded.push(times);
    }).observe(document, { childList: true, subtree: true, characterData: true });
"""
"""A script that records all times that the clocks of a page ever show."""
EVENING = datetime(2026, 11, 21, 19, tzinfo=UTC)


@pytest.mark.long
def test_clocks_outlive_a_reload_and_a_flat_battery(tables):
    """A clock runs in its player's turn only and survives a reload; absence may be left out; time up means out."""
    window = open_keep(tables, begin=at_seven, **TOUCH_PHONE)
    window.begin(("Ann", "Bob"), "scrabble-o", Clock="10")
    window.start_clocks()
    window.wait(minutes=3)
    window.expect_clocks("7:00", "10:00")
    window.reload()
    window.wait(minutes=1)
    window.put("8H", "FISH")
    window.answer("Yes, all are good")
    window.expect_told("FISH: 20 points.")
    window.wait(minutes=2)
    window.expect_clocks("6:00", "8:00")
    assert window.page.evaluate(SEEN, window.page.url.partition("#")[2])
    window.page.close()
    window = KeepPage(window.page.context.new_page())
    window.page.context.clock.fast_forward("03:00:00")
    window.page.add_init_script(RECORD_CLOCKS)
    window.page.goto("/keep")
    window.page.locator(".games a").click()
    expect(window.dialog).to_contain_text("for about 180 minutes")
    window.expect_clocks("6:00", "8:00")
    window.answer("Leave it out")
    window.expect_told("The clocks are stopped.")
    window.expect_clocks("6:00", "8:00")
    assert window.page.evaluate("recorded") == ["6:00 8:00"]
    window.start_clocks()
    window.wait(minutes=1)
    window.do("Director", "Stop the clocks")
    window.expect_told("The clocks are stopped.")
    window.wait(minutes=5)
    window.expect_clocks("6:00", "7:00")
    window.start_clocks()
    window.wait(minutes=7)
    expect(window.panel.get_by_role("heading")).to_have_text("Ann wins with 20 points")
    assert audit_record(read_gcg(window.record())).is_exact


def at_seven(page: Page) -> None:
    """Set the clock of a window to the evening and pause it."""
    page.context.clock.install(time=EVENING - timedelta(hours=1))  # time goes on until it is paused
    page.context.clock.pause_at(EVENING)


def test_a_turn_of_dover_has_two_minutes(tables):
    """The clock is red in the last fifth of a turn; after two minutes and ten seconds the turn is lost."""
    window = open_keep(tables, begin=at_seven, viewport=DESKTOP_VIEWPORT)
    window.begin(("Ann", "Bob"), "dover")
    window.start_clocks()
    low = window.page.locator(".scores .clock.low")
    window.wait(seconds=96)
    expect(low).to_have_count(0)
    window.wait(seconds=1)
    expect(low).to_have_text("0:23")
    window.wait(seconds=23)
    expect(window.page.locator(".clock-told")).to_have_text("The time of Ann is up.")
    window.expect_clocks("0:00", "")
    window.expect_mover("Ann")
    window.wait(seconds=10)
    window.expect_told("The time of Ann is up.")
    window.expect_clocks("", "2:00")
    window.expect_mover("Bob")


@pytest.mark.long
def test_a_struck_word_is_not_found_and_an_allowed_one_is(tables):
    """In a check of the OSPD a club's own words are not looked up; other words are (docs/rules.md A-50)."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.begin(("Ann", "Bob"), "dover", Words_you_allow="ZIG,ZIGS", Words_you_strike_out="SOW")
    window.put("11K", "ZIG")
    window.put("N11", "SOW")
    answers = window.panel.locator("[role=group] button")
    expect(answers).to_have_text(["SOW is not: \u22126", "ZIGS is in it"])
    window.do("Undo", "Undo")
    window.put("N11", "SEW")
    window.answer("No")
    expect(answers).to_have_text(["SEW is in it", "SEW is not: \u22126", "ZIGS is in it"])


def test_words_are_looked_up_only_when_somebody_doubts_them(tables):
    """Where players chose so a play stands unseen, and one that is doubted comes off as if it were judged at once.

    Racks that they enter are checked against the plays, and the record has them, or else the tiles played.
    """
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.page.get_by_role("button", name="New game").click()
    choice = window.page.get_by_label("Look words up only when somebody doubts them")
    window.page.get_by_label("Rule set").select_option("classic")
    expect(choice).to_be_hidden()  # who doubts a word challenges it
    window.page.get_by_label("Rule set").select_option("scrabble-o")
    choice.check()
    window.page.get_by_label("Write the racks down too").check()
    window.fill_in(("Ann", "Bob"), "scrabble-o")
    window.put("8H", "FISH", play=False)
    rack = window.panel.get_by_label("Rack")
    rack.fill("fis?")
    expect(window.panel).to_contain_text("The rack has no H left for this.")
    rack.fill("fishawe")
    window.play()
    window.expect_mover("Bob")
    window.do("Doubt the last words", "Yes, all are good")
    window.expect_told("All good: FISH.")
    window.put("8L", "ERX")
    window.do("Doubt the last words", "No")
    window.expect_told("Bob: 8H ....ERX, FISHERX, comes off.")
    window.expect_tiles(4)
    expect(window.page.get_by_role("button", name="Doubt the last words")).to_have_count(0)
    window.do("Undo", "Undo")
    window.expect_mover("Bob")
    window.expect_scores(20, 0)
    window.put("8L", "ERY")
    window.expect_told("FISHERY")
    lines = window.saved().decode().splitlines()
    assert lines[4:] == [">Ann: FISHAWE 8H FISH +20 20", ">Bob: ERY 8H ....ERY +57 57"]


@pytest.mark.long
def test_dover_strikes_words_out_and_finds_bad_plays_late(tables):
    """A disallowed word costs nothing, not even the turn, and the player names the word to check.

    A bad play that is noticed late loses its points, and its tiles unless a later word depends on them.
    """
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.begin(("Ann", "Bob"), "dover")
    window.put("11K", "ZAG")
    window.expect_told("Not allowed here: ZAG.")
    window.expect_mover("Ann")
    window.expect_tiles(0)
    window.put("11K", "ZAP")
    window.answer("Yes, all are good")
    window.put("K12", "OO")
    window.answer("No")
    window.press("ZOO is not: \u221212")
    window.expect_told("Bob did not find ZOO in the OSPD.")
    window.expect_scores(28, -12)
    window.do("Director", "A bad play found late", "Take its points off")
    window.expect_told("A bad play is found: 11K ZAP.")
    window.expect_scores(0, -12)
    window.expect_tiles(0)
    assert window.sheet == [
        ["1", "Ann: 11K ZAP, ZAP: 28 points.", "+28", "28"],
        ["2", "Bob: K11 .OO, ZOO, comes off.", "", "0"],
        ["2", "Bob did not find ZOO in the OSPD.", "-12", "-12"],
        ["3", "A bad play is found: 11K ZAP.", "-28", "0"],
    ]
    assert audit_record(read_gcg(window.saved())).is_exact


@pytest.mark.long
def test_placed_tiles_stay_when_the_clock_is_started(tables):
    """Events that do not concern the play leave the placed tiles on the board."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.begin(("Ann", "Bob"), "classic")
    window.put("8H", "FISH", play=False)
    window.start_clocks()
    window.play()
    window.expect_told("Ann: 8H FISH, FISH: 20 points.")


@pytest.mark.long
def test_both_racks_are_open_when_the_bag_is_empty(tables):
    """Where the rule set exposes racks, two players are told so; a player who plays the last tile goes out."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.begin(("Ann", "Bob"), "scrabble-o", Tiles_in_the_game="14")
    notes = ["Ann to move", "turn 1", "the bag is empty", "show both racks now"]
    expect(window.page.locator(".whose")).to_have_text(" \u00b7 ".join(notes))
    window.put("8E", "FISHERY")
    window.answer("Yes, all are good")
    window.page.get_by_label("On the rack of Bob").fill("ZZ?")
    window.press("Count them")
    expect(window.dialog).to_contain_text("leaves fewer of these tiles: Z.")
    window.answer("Cancel")
    window.page.get_by_label("On the rack of Bob").fill("QU?")
    expect(window.panel).to_contain_text("Ann +22, Bob 0")
    window.press("Count them")
    expect(window.panel.get_by_role("heading")).to_have_text("Ann wins with 104 points")
    assert window.sheet == [
        ["1", "Ann: 8E FISHERY, FISHERY: 82 points.", "+82", "82"],
        ["2", "The tiles left are counted.", "", ""],
        ["", "Ann", "+22", "104"],
    ]


def test_the_last_rack_of_two_is_known(tables):
    """The board determines the last rack of two players; other tiles are counted only after a confirmation."""
    rules = RULE_SETS["scrabble-o"]
    game = play_out(rules, Graph.from_words(words_for(rules, COMMON)), 2, Random(6), honest_strategy)
    *events, (unplayed, state) = events_of(game)
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.page.evaluate(KEEP, [line for line, _ in events])
    known = "".join(unplayed["racks"])
    rack = window.panel.get_by_role("textbox")
    expect(rack).to_have_value(known)
    rack.fill("q")
    window.press("Count them")
    expect(window.dialog).to_contain_text(f"The board leaves these tiles: {known}.")
    window.answer("Cancel")
    rack.fill(known)
    window.press("Count them")
    window.expect_scores(*state.scores)


@pytest.mark.long
def test_a_game_that_does_not_fit_the_rules_stays_listed(tables):
    """A game that does not fit the rules stays on the list, and can be deleted."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.page.evaluate(KEEP, [{"kind": "exchange", "player": 1, "count": 1}])
    expect(window.page.get_by_role("status")).to_contain_text("this game no longer fits them")
    window.do("Delete", "Delete")
    expect(window.page.locator(".games")).to_have_count(0)


@pytest.mark.long
def test_every_option_can_be_set(tables):
    """Options of every group can be set, the form says what differs, and a record has exactly these."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    page = window.page
    page.goto("/keep#new")
    page.get_by_label("Rule set").select_option("scrabble-o")
    window.open_options()
    scoring = page.locator("details.group", has_text="Scoring")
    expect(scoring.locator(".changes")).to_have_text("as the rule set has it")
    page.get_by_label("Small word point cap").check()
    page.get_by_label("Stretch bonus, by tiles added: 2", exact=True).fill("25")
    page.get_by_label("Letters that make a word worth stretching").fill("5")
    page.get_by_label("Board", exact=True).select_option("21 by 21 squares")
    page.get_by_label("Set of tiles").select_option("the pool of 300")
    page.get_by_label("Tiles in the game").fill("301")
    page.get_by_label("A, E and O in place of three I").check()
    page.get_by_label("Words you allow").fill("zig, zag")
    page.get_by_label("Words you strike out").fill("zag")
    page.get_by_label("Check the OSPD").select_option("none")
    page.get_by_label("When time is up").select_option("turn")
    page.get_by_label("Clock: seconds for each turn").fill("90")
    page.get_by_label("Most players").fill("2")
    page.get_by_label("Swap for the blank").uncheck()
    for number, name in enumerate(("Ann", "Bob"), start=1):
        page.get_by_label(f"Player {number}").fill(name)
    expect(page.get_by_label("Player 3")).to_have_count(0)
    window.press("Begin")
    expect(page.get_by_role("alert")).to_have_text("Tiles in the game: a whole number from 1 to 300.")
    page.get_by_label("Tiles in the game").fill("100")
    window.press("Begin")
    expect(page.get_by_role("alert")).to_have_text("ZAG is allowed and struck out.")
    page.get_by_label("Words you strike out").fill("zoo")
    page.get_by_label("Words you strike out").blur()
    words = page.locator("details.group", has_text="Words you allow").locator(".changes")
    expect(words).to_contain_text("Words you allow: ZAG, ZIG; Words you strike out: ZOO")
    expect(scoring.locator(".changes")).to_contain_text("Small word point cap: yes")
    scoring.get_by_role("button", name="Back to the rule set").click()
    expect(scoring.locator(".changes")).to_have_text("as the rule set has it")
    page.get_by_label("Several word squares").select_option("multiply")
    window.press("Begin")
    window.put("11K", "ZAG")
    window.expect_told("Ann: 11K ZAG, ZAG: 26 points.")
    window.put("K12", "OO")
    window.expect_told("Bob: K11 .OO, ZOO, comes off.")
    record = window.saved()
    assert record.decode().splitlines()[3].split()[3:] == [
        "tiles=pool-300",
        "three_i_to_aeo=on",
        "swap=off",
        "premium=multiply",
        "check_ospd=none",
        "allow=ZAG,ZIG",
        "strike=ZOO",
        "clock=turn",
        "clock_seconds=90",
        "most_players=2",
        "board=21",
    ]
    found = audit_record(read_gcg(record))
    assert (found.is_exact, found.totals) == (True, {"Ann": 26, "Bob": 0})


@pytest.mark.long
def test_premium_squares_of_ones_own(tables):
    """A board may be drawn, and a drawing that is no square is refused; the record names the rows."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    page = window.page
    page.goto("/keep#new")
    page.get_by_label("Rule set").select_option("classic")
    window.open_options()
    page.get_by_label("Premium squares").fill("...\n...")
    for number, name in enumerate(("Ann", "Bob"), start=1):
        page.get_by_label(f"Player {number}").fill(name)
    window.press("Begin")
    expect(page.get_by_role("alert")).to_contain_text("as many rows as columns")
    page.get_by_label("Premium squares").fill("\n".join([".......", *["......."] * 2, '..."=..', *["......."] * 3]))
    window.press("Begin")
    window.put("4D", "FISH")
    window.expect_told("Ann: 4D FISH, FISH: 54 points.")
    record = window.saved()
    assert 'layout=......./......./......./..."=../' in record.decode()
    assert audit_record(read_gcg(record)).is_exact
