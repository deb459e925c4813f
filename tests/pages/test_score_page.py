"""Tests of *Score a play*: by touch, by keys alone, as a link, and compared with `ordws play`."""

from __future__ import annotations

import json

import pytest
from browser_windows import DESKTOP_VIEWPORT, TOUCH_PHONE
from playwright.sync_api import Page, expect
from score_page import ScorePage, open_score

from ordws.cli import ordws, run

BARE = "/".join(["15"] * 15)
FISH = "/".join(["15"] * 7 + ["7FiSH4"] + ["15"] * 7)
ACTION = "/".join(["15"] * 7 + ["7ACTION2"] + ["15"] * 7)
EVENT = "/".join(["21"] * 10 + ["10EVeNT6"] + ["21"] * 10)
IN_WINGS = "/".join(["EVENTS15"] + ["21"] * 20)


@pytest.fixture
def command(monkeypatch, capsys):
    """Return a function that runs `ordws play --no-words` and returns its lines, single spaces between cells."""

    def command(*arguments):
        monkeypatch.setattr("sys.argv", ["ordws", "play", "--no-words", *arguments])
        run(ordws, "ordws")
        out = capsys.readouterr().out
        return [" ".join(line.split()) for line in out.splitlines() if line.strip(" ─")]

    return command


def test_a_play_is_scored_by_touch(tables):
    """Taps on squares and letters suffice to turn, lay a blank, take a tile back, and get a receipt."""
    window = open_score(tables, **TOUCH_PHONE)
    page = window.page
    key = page.get_by_role("group", name="Letters to lay")
    assert window.status == "Lay the tiles of a play."
    for letter in "HEAT":
        key.get_by_role("button", name=letter, exact=True).tap()
    assert [window.label(name) for name in ("K11", "N11")] == ["K11: H, 4 points", "N11: T, 1 point"]
    page.get_by_label("my play", exact=True).tap()
    window.square("K13").tap()
    window.square("K13").tap()
    assert window.arrow == "down"
    window.square("K12").tap()
    key.get_by_role("button", name="A", exact=True).tap()
    key.get_by_role("button", name="Blank").tap()
    key.get_by_role("button", name="M", exact=True).tap()
    key.get_by_role("button", name="S", exact=True).tap()
    assert window.label("K13") == "K13: a blank for M, 0 points, in the play"
    assert window.status == "HAMS: 6 points."
    key.get_by_role("button", name="Take back").tap()
    assert window.status == "HAM: 5 points."
    assert window.receipt() == [
        "word letters sum times points",
        "HAM (H4) A1 m0 5 5",
        "no bonus 2 tiles 0",
        "score 5",
    ]
    key.get_by_role("button", name="Down").tap()
    assert window.arrow == "across"


def reach(page: Page, selector: str) -> None:
    """Press Tab until the wanted element has the focus."""
    for _ in range(80):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


IN_SIGHT = """(square) => {
  const frame = square.closest("[role=grid]").parentElement.getBoundingClientRect();
  const box = square.getBoundingClientRect();
  return box.left >= frame.left && box.right <= frame.right;
}"""


@pytest.mark.long
def test_a_long_play_stays_in_sight(tables):
    """On a phone the square after the last letter is visible; the first tap there selects it, the next one turns."""
    window = open_score(tables, **TOUCH_PHONE)
    window.choose("scrabble-o")
    window.play()
    window.square("H8").tap()
    for letter in "HEATHENS":
        window.page.get_by_role("group", name="Letters to lay").get_by_role("button", name=letter, exact=True).tap()
    assert window.label("O8") == "O8: S, 1 point, in the play"
    assert window.square("O8").evaluate(IN_SIGHT)
    for arrow in ("across", "down"):
        window.square("O8").tap()
        assert window.arrow == arrow


def test_a_play_is_scored_by_keys_alone(tables):
    """Keys suffice for the rule set, tiles, a play with a blank, and the rack; Enter leads to the receipt."""
    window = open_score(tables, viewport=DESKTOP_VIEWPORT)
    page, keys = window.page, window.page.keyboard
    reach(page, "#rules")
    keys.press("ArrowUp")  # letters would select by their first one again after a second without a key
    assert window.rules == "scrabble-o"
    reach(page, "[name=laying]")
    reach(page, "[role=gridcell]")
    assert window.label("H8") == "H8: double word, start"
    for key in ("ArrowDown", "ArrowLeft", "ArrowLeft", "h", "e", "a", "t", "x", "Backspace"):
        keys.press(key)
    assert window.label("J9") == "J9: empty"
    keys.press("Shift+Tab")
    keys.press("ArrowRight")
    keys.press("Tab")
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight", "r", "Shift+E", "d"):
        keys.press(key)
    assert window.label("E9") == "E9: a blank for E, 0 points, in the play"
    assert window.status == "REHEATD: 50 points."
    keys.press("Backspace")
    keys.press("Enter")
    assert page.evaluate("document.activeElement.id") == "result"
    assert window.receipt()[1:] == [
        "REHEAT R1 e0 (H4) (E1) (A1) (T1) 8 8",
        "stretch HEAT and 2 tiles 20",
        "score 28",
    ]
    assert window.label("F9") == "F9: H, 4 points, stretched"
    reach(page, "#rack")
    keys.type("r")
    assert window.status == "The rack has no blank left for this play."
    keys.type("?")
    assert window.status == "REHEAT: 28 points."
    for _ in range(2):
        keys.press("Backspace")
    assert window.status == "REHEAT: 28 points."


@pytest.mark.long
def test_keys_on_the_board(tables):
    """The cursor stays on the board and skips tiles that lie there; Escape and Delete take placed tiles off."""
    window = open_score(tables, FISH)
    keys = window.page.keyboard
    window.lay("8F", "OILY")
    assert [window.label(name)[4:5] for name in ("F8", "G8", "L8", "M8")] == ["O", "I", "L", "Y"]
    keys.press("Backspace")
    keys.press("Backspace")
    keys.press("Backspace")
    assert window.square_with_cursor.get_attribute("aria-label") == "G8: empty"
    window.square("F8").click()
    keys.press("Delete")
    assert window.status == "Lay the tiles of a play."
    keys.press("End")
    keys.press("ArrowRight")
    assert window.square_with_cursor.get_attribute("aria-label") == "O8: triple word"
    for _ in range(3):
        keys.press("s")
    assert window.label("O8") == "O8: S, 1 point, in the play"
    window.lay("1A", "X")
    assert window.status == "The tiles of a play lie in one row or one column."
    keys.press("Escape")
    assert window.status == "Lay the tiles of a play."


CASES = (
    ("scrabble-o", FISH, "8L", "ING", None, False),
    ("scrabble-o", FISH, "8L", "ERY", "ERYI", True),
    ("classic", ACTION, "7H", "QUIZ", None, False),
    ("dover", EVENT, "11P", "FUL", "FULQQQQQ", False),
    ("scrabble-i", EVENT, "P11", "SEaSONS", None, False),
    ("scrabble-i", EVENT, "N8", "ZIN", "ZIN", False),
)


@pytest.mark.long
def test_the_receipt_is_that_of_the_command(tables, command):
    """The same play, rack and swap give the table that `ordws play` prints, cell by cell."""
    window = open_score(tables)
    for rules, position, start, letters, rack, swapped in CASES:
        window.show(position)
        window.choose(rules)
        window.page.get_by_label("Your rack").fill((rack or "").lower())
        window.lay(start, letters)
        if swapped:
            window.page.get_by_label("I8: lay I, take the blank").check()
        move = f"{'=I8 ' if swapped else ''}{start} {letters}"
        arguments = ["--rules", rules, "--position", position, "--move", move]
        printed = command(*arguments, *(["--rack", rack] if rack else []))
        assert printed[0] == "word letters sum times points"
        assert window.receipt() == printed


@pytest.mark.long
def test_options_are_those_of_the_command(tables, command):
    """The small word point cap, added word premiums, and a board without wings score as by `ordws play`."""
    window = open_score(tables)
    page = window.page
    page.get_by_text("Options").click()
    page.get_by_label("Small word point cap").check()
    page.get_by_label("Several word squares").select_option("multiply")
    page.get_by_label("Board", exact=True).select_option("15")
    window.play()
    window.lay("8H", "ZEST")
    options = [("small_word_cap", "on"), ("premium", "multiply"), ("board", "15")]
    given = [part for name, value in options for part in ("--option", f"{name}={value}")]
    assert window.receipt() == command("--position", BARE, "--move", "8H ZEST", *given)
    assert window.receipt()[1] == "ZEST Z10>4 E1 S1 T1 7 2 14"
    window.choose("classic")
    assert not page.get_by_label("Small word point cap").is_checked()
    assert window.status == "ZEST: 26 points."


@pytest.mark.long
def test_rule_sets_are_compared_as_by_the_command(tables, command):
    """The comparison has the score by each rule set, or why a play does not fit; the receipt names its own."""
    window = open_score(tables)
    for position, start, letters in ((FISH, "8L", "ERY"), (ACTION, "N8", "SO"), (EVENT, "11P", "FUL")):
        window.show(position)
        window.lay(start, letters)
        printed = command("--compare", "--json", "--position", position, "--move", f"{start} {letters}")
        by_rules = {each["rules"]: each for each in map(json.loads, printed)}
        assert window.scores().keys() == by_rules.keys()
        chosen = window.page.get_by_label("Rule set").locator("option:checked").inner_text()
        expect(window.page.locator("#result")).to_have_text(f"Receipt by {chosen}")
        for rules, score in window.scores().items():
            assert score == str(by_rules[rules].get("score", score))
            assert score.isdigit() == ("score" in by_rules[rules])


@pytest.mark.long
def test_a_play_that_does_not_fit_has_its_reason(tables):
    """Each fault is a sentence that names the square or the tile, and there is no receipt."""
    window = open_score(tables, ACTION)
    window.lay("1A", "DOG")
    assert window.status == "The play touches no tile on the board."
    assert window.receipt() == []
    assert not window.page.get_by_role("button", name="Lay the play down").is_enabled()
    window.page.get_by_role("button", name="Take the play off").click()
    window.lay("9H", "BACTERIA")
    assert window.status == "The play puts 8 tiles down, a rack holds 7."
    window.page.keyboard.press("Escape")
    window.choose("scrabble-o")
    window.lay("N8", "SO")
    assert window.status == "The main word has 2 letters, 3 are needed."
    window.page.keyboard.press("Escape")
    window.choose("classic")
    window.lay("N8", "SO")
    assert window.status == "SO, ACTIONS: 11 points."
    window.page.get_by_label("Your rack").fill("S9")
    assert window.status == "Write the rack in letters, ? for a blank."


@pytest.mark.long
def test_a_play_becomes_part_of_the_board(tables):
    """A play that fits can be laid down, so that the next one is scored; the board can be emptied."""
    window = open_score(tables, FISH)
    page = window.page
    window.choose("scrabble-o")
    window.lay("8L", "ING")
    page.get_by_label("I8: lay I, take the blank").check()
    page.get_by_role("button", name="Lay the play down").click()
    assert [window.label(name) for name in ("I8", "N8")] == ["I8: I, 1 point", "N8: G, 2 points"]
    assert page.locator("#swaps").is_hidden()
    window.lay("O8", "S")
    assert window.status == "FISHINGS: 45 points."
    page.get_by_role("button", name="Empty the board").click()
    assert window.label("H8") == "H8: double word, start"


@pytest.mark.long
def test_published_lists_in_force_are_applied(tables):
    """The page says what the published lists in force say of a play, and nothing about any other word."""
    window = open_score(tables, EVENT)
    notes = window.page.locator("#notes")
    window.lay("O9", "QI")
    assert window.status == "QIT: 12 points."
    assert notes.inner_text() == ""
    window.page.keyboard.press("Escape")
    window.choose("dover")
    window.lay("K10", "ZP")
    assert notes.inner_text() == ("Not allowed under these rules: ZEP. Take the play back and make another.")


@pytest.mark.long
def test_tiles_move_with_their_inner_board(tables):
    """Under other rules the position stays in the middle; with tiles in the wings a smaller board is rejected."""
    window = open_score(tables, FISH)
    window.lay("8L", "ERY")
    assert window.status == "FISHERY: 16 points."
    window.choose("scrabble-i")
    assert window.label("K11") == "K11: F, 4 points, stretched"
    assert window.status == "FISHERY: 56 points."
    window.choose("classic")
    assert window.status == "FISHERY: 16 points."
    window.follow(IN_WINGS)
    window.choose("scrabble-o")
    assert window.status == "Some tiles lie outside the 15 rows of that board: take them off first."
    assert window.rules == "scrabble-i"
    assert window.label("A1") == "A1: E, 1 point"


def test_a_link_carries_the_position_alone(tables):
    """A link has the tiles on the board behind a #, so that no server sees them; opened elsewhere it shows them."""
    window = open_score(tables)
    window.lay("11K", "EVeNT")
    window.play()
    window.lay("11P", "FUL")
    window.page.get_by_label("Your rack").fill("FULAAAA")
    window.page.get_by_role("button", name="Link").click()
    expect(field := window.page.get_by_label("Link to this position")).to_be_focused()
    link = field.input_value()
    assert link == f"{tables.url}/score#{EVENT}"
    requests = []
    other = tables.plain_window()
    other.on("request", lambda request: requests.append(request.url + (request.post_data or "")))
    other.goto(link)
    opened = ScorePage(other)
    other.locator("#board [aria-label='M11: a blank for E, 0 points']").wait_for()
    assert opened.label("P11") == "P11: empty"
    assert opened.rules == "scrabble-i"
    assert requests
    assert [url for url in requests if "EVeNT" in url or "21/21" in url] == []
    other.evaluate("location.hash = '#15/nothing'")
    other.get_by_text("There is no position in this link.").wait_for()
    other.evaluate(f"location.hash = '{FISH}'")
    other.locator("#board [aria-label='I8: a blank for I, 0 points']").wait_for()
