"""Tests of *Keep a game* with clocks, with Dover's lists, with racks written down, and with an empty bag."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from browser_windows import DESKTOP_VIEWPORT, TOUCH_PHONE
from game_cases import events_of
from keep_page import KeepPage, open_keep
from playwright.sync_api import expect

from ordws.mining.dawg import build_dawg
from ordws.mining.move_generator import words_for
from ordws.mining.simulation import honest_strategy, play_out
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg
from ordws.rules.rulesets import RULE_SETS

COMMON = (Path(__file__).parent.parent / "vectors" / "mining" / "common.txt").read_text("ascii").split()
KEEP = """async (events) => {
    const { put } = await import("/app/indexed-db.js");
    await put("game:old", {
        id: "old", label: "old", rules: "scrabble-o", options: {}, players: ["Ann", "Bob"], racks: false, begun: 0,
        events, undone: [],
    });
    location.hash = "old";
}"""
EVENING = datetime(2026, 11, 21, 19, tzinfo=UTC)


def test_clocks_outlive_a_reload_and_a_flat_battery(tables):
    """A clock runs in its player's turn only and survives a reload; absence may be left out; time up means out."""
    window = at_seven(open_keep(tables, **TOUCH_PHONE))
    window.begin(("Ann", "Bob"), "scrabble-o", Clock="10")
    window.press("Start the clocks")
    window.wait(minutes=3)
    assert window.clocks == ["7:00", "10:00"]
    window.reload()
    window.wait(minutes=1)
    window.put("8H", "FISH")
    window.answer("Yes, all are good")
    window.expect_told("FISH: 20 points.")
    window.wait(minutes=2)
    assert window.clocks == ["6:00", "8:00"]
    window.page.close()
    window = KeepPage(window.page.context.new_page())
    window.page.context.clock.run_for(3 * 3_600_000)
    window.page.goto("/keep")
    window.page.locator(".games a").click()
    expect(window.dialog).to_contain_text("for about 180 minutes")
    window.answer("Leave it out")
    assert window.clocks[0] == "6:00"
    assert "8:00" <= window.clocks[1] <= "8:10"
    window.press("Start the clocks")
    window.wait(minutes=1)
    window.do("Director", "Stop the clocks")
    window.wait(minutes=5)
    assert "7:00" <= window.clocks[1] <= "7:10"
    window.press("Start the clocks")
    window.wait(minutes=8)
    expect(window.panel.get_by_role("heading")).to_have_text("Ann wins with 20 points")
    assert audit_record(read_gcg(window.record())).is_exact


def at_seven(window: KeepPage) -> KeepPage:
    """Set the clock of the window to the evening and pause it."""
    window.page.context.clock.install(time=EVENING - timedelta(hours=1))  # time goes on until it is paused
    window.page.context.clock.pause_at(EVENING)
    return window


def test_a_turn_of_dover_has_two_minutes(tables):
    """After two minutes the page says that the time is up, and after ten more seconds the turn is lost."""
    window = at_seven(open_keep(tables, viewport=DESKTOP_VIEWPORT))
    window.begin(("Ann", "Bob"), "dover")
    window.press("Start the clocks")
    window.wait(minutes=2)
    expect(window.page.locator(".clock-told")).to_have_text("The time of Ann is up.")
    assert (window.clocks, window.mover) == (["0:00", ""], "Ann")
    window.wait(seconds=10)
    window.expect_told("The time of Ann is up.")
    assert (window.clocks, window.mover) == (["", "2:00"], "Bob")


def test_dover_strikes_words_out_and_finds_bad_plays_late(tables):
    """A disallowed word costs nothing, not even the turn, and the player names the word to check.

    A bad play that is noticed late loses its points, and its tiles unless a later word depends on them.
    """
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.begin(("Ann", "Bob"), "dover")
    window.put("11K", "ZAG")
    window.expect_told("On the lists of words that are not allowed: ZAG.")
    assert (window.mover, window.words) == ("Ann", [])
    window.put("11K", "ZAP")
    window.answer("Yes, all are good")
    window.put("K12", "OO")
    window.answer("No")
    window.press("ZOO is not: \u221212")
    window.expect_told("Bob did not find ZOO in the OSPD.")
    assert window.scores == [28, -12]
    window.do("Director", "A bad play found late", "Take its points off")
    window.expect_told("A bad play is found: 11K ZAP.")
    assert (window.scores, window.words) == ([0, -12], [])
    assert window.sheet == [
        ["1", "Ann: 11K ZAP, ZAP: 28 points.", "+28", "28"],
        ["2", "Bob: K11 .OO, ZOO, comes off.", "", "0"],
        ["2", "Bob did not find ZOO in the OSPD.", "-12", "-12"],
        ["3", "A bad play is found: 11K ZAP.", "-28", "0"],
    ]
    assert audit_record(read_gcg(window.saved())).is_exact


def test_racks_are_recorded_if_the_players_enter_them(tables):
    """A play is checked against the rack that is given, and the record has that rack, or else the tiles played."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.page.goto("/keep#new")
    window.page.get_by_text("Options", exact=True).click()
    window.page.get_by_label("Write the racks down too").check()
    window.fill_in(("Ann", "Bob"), "scrabble-o")
    window.put("8H", "FISH", play=False)
    rack = window.panel.get_by_label("Rack")
    rack.fill("fis?")
    expect(window.panel).to_contain_text("The rack has no H left for this.")
    rack.fill("fishawe")
    window.play("Yes, all are good")
    window.expect_told("FISH: 20 points.")
    window.put("8L", "ERY")
    window.answer("Yes, all are good")
    window.expect_told("FISHERY")
    lines = window.saved().decode().splitlines()
    assert lines[4:] == [">Ann: FISHAWE 8H FISH +20 20", ">Bob: ERY 8H ....ERY +57 57"]


def test_placed_tiles_stay_when_the_clock_is_started(tables):
    """Events that do not concern the play leave the placed tiles on the board."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.begin(("Ann", "Bob"), "classic")
    window.put("8H", "FISH", play=False)
    window.press("Start the clocks")
    window.expect_told("The clocks run.")
    window.play()
    window.expect_told("Ann: 8H FISH, FISH: 20 points.")


def test_both_racks_are_open_when_the_bag_is_empty(tables):
    """Where the rule set exposes racks, two players are told so; a player who plays the last tile goes out."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.begin(("Ann", "Bob"), "scrabble-o", Tiles_in_the_game="14")
    notes = ["Ann to move", "turn 1", "the bag is empty", "both racks are open now"]
    expect(window.page.locator(".whose")).to_have_text(" \u00b7 ".join(notes))
    window.put("8E", "FISHERY")
    window.answer("Yes, all are good")
    window.page.get_by_label("On the rack of Bob").fill("ZZ?")
    window.press("Count them")
    expect(window.dialog).to_contain_text("there are not so many of these left: Z.")
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
    game = play_out(rules, build_dawg(words_for(rules, COMMON)), 2, Random(6), honest_strategy)
    *events, (unplayed, state) = events_of(game)
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.page.evaluate(KEEP, [line for line, _ in events])
    known = "".join(unplayed["racks"])
    rack = window.panel.get_by_role("textbox")
    expect(rack).to_have_value(known)
    rack.fill("q")
    window.press("Count them")
    expect(window.dialog).to_contain_text(f"these tiles should be left: {known}.")
    window.answer("Cancel")
    rack.fill(known)
    window.press("Count them")
    expect(window.page.locator(".scores b")).to_have_text([str(score) for score in state.scores])


def test_a_game_that_does_not_fit_the_rules_stays_listed(tables):
    """A game that does not fit the rules stays on the list, and can be deleted."""
    window = open_keep(tables, viewport=DESKTOP_VIEWPORT)
    window.page.evaluate(KEEP, [{"kind": "exchange", "player": 1, "count": 1}])
    expect(window.page.get_by_role("status")).to_contain_text("this game does not go with them")
    window.do("Delete", "Delete")
    expect(window.page.locator(".games")).to_have_count(0)
