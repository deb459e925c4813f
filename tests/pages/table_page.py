"""A page object for the table while a game is on: moves by mouse, by touch and by keys alone, as players make them."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final

from browser_windows import NARROW_VIEWPORT, PHONE_VIEWPORT
from playwright.sync_api import CDPSession, Locator, Page, expect

Move = dict[str, Any]
START: Final = re.compile(r"(?:(\d+)([A-U])|([A-U])(\d+)) (\S+)")

LIFT_PIXELS: Final = 34
"""How far above a finger a tile is held."""
STEPS_TO: Final = """([selector, text]) => {
  const here = document.activeElement, root = document.querySelector("dialog[open]") ?? document;
  const stops = [...root.querySelectorAll("a[href], button, input, select, summary, [tabindex]")]
    .filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility());
  const from = stops.includes(here) ? stops.indexOf(here) : stops.findLastIndex((each) =>
    here.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_PRECEDING);
  const ways = stops.flatMap((each, to) =>
    each.matches(selector) && each.textContent.startsWith(text) ? [to - from] : []);
  return ways.sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? null;
}"""
"""How often Tab, or where negative Shift+Tab, leads to the nearest element of a kind whose text begins so."""


def read_play(move: str) -> tuple[bool, list[tuple[int, int, str]]]:
    """Return the direction of a play, and row, column and letter of each of its tiles; a lower case one is a blank."""
    found = START.fullmatch(move)
    assert found is not None, move
    down = found[1] is None
    row, column = int(found[1] or found[4]) - 1, ord(found[2] or found[3]) - ord("A")
    squares = [(row + i * down, column + i * (not down)) for i in range(len(found[5]))]
    return down, [(*square, letter) for square, letter in zip(squares, found[5], strict=True) if letter != "."]


def square_of(name: str) -> tuple[int, int]:
    """Return row and column of a square such as H8, from 0."""
    return int(name[1:]) - 1, ord(name[0]) - ord("A")


class TablePage:
    """The table of one seat, with a mouse."""

    window: ClassVar[dict[str, Any]] = {}

    def __init__(self, page: Page) -> None:
        self.page = page
        self.whole, self.rack, self.dialog = page.locator(".play-table"), page.locator(".rack"), page.locator("dialog")
        self.told, self.preview, self.trouble = [page.locator(f".{name}") for name in ("told", "preview", "trouble")]

    def expect_turn(self, turn: int) -> None:
        """Wait until the page shows the game at this turn."""
        expect(self.whole).to_have_attribute("data-turn", str(turn))

    def cell(self, row: int, column: int) -> Locator:
        return self.page.locator(f"[role=gridcell][data-row='{row}'][data-column='{column}']")

    def tile(self, letter: str) -> Locator:
        """Return the first tile of the rack for a letter of a play that does not lie on the board."""
        name = "Blank" if letter.islower() or letter == "?" else letter
        return self.rack.locator(f"button[aria-label^='{name},']:not(.gone)").first

    def make(self, move: Move) -> None:
        """Make a move as `POST /v1/games/{id}/turns` writes it, with the swaps before it."""
        for swap in move.get("swaps", ()):
            self.swap(*square_of(swap[1:]))
        text = move["move"]
        if text == "challenge":
            self.challenge(move.get("words"))
        elif text == "check-ospd":
            self.press(f"Check {move['word']} " if "word" in move else "Check the OSPD")
        elif text == "-" and self.button("Do not check").is_visible():
            self.press("Do not check")
        elif text == "-":
            self.end_turn()
        elif text.startswith("-"):
            self.exchange(text[1:])
        else:
            self.lay(text)
            self.play()

    def take_seat(self, name: str) -> None:
        """Take the seat of the invitation that is open."""
        self.page.get_by_label("Your name").fill(name)
        self.press("Take the seat")

    def promise(self) -> None:
        self.press("I promise")

    def expect_rack(self, tiles: str) -> None:
        """Wait until the rack shows these tiles in their order, a dot for one that lies on the board."""
        places = self.rack.locator("button:not(.none)")
        expect(places).to_have_class([re.compile(r"\bgone\b" if tile == "." else r"^(?!.*\bgone\b)") for tile in tiles])
        expect(places).to_have_text([re.compile(rf"^{tile}\d+$") if tile.isalpha() else "" for tile in tiles])

    def expect_squares(self, kind: str, *names: str) -> None:
        """Wait until exactly these squares are of a kind."""
        cells = self.page.locator(f"[role=gridcell].{kind}")
        expect(cells).to_have_count(len(names))
        if names:
            named = self.page.locator(", ".join(f"[aria-label^='{name}:']" for name in names))
            expect(cells.and_(named)).to_have_count(len(names))

    # What a mouse does; other windows do some of it in another way.

    def button(self, name: str) -> Locator:
        """Return the button of the page, or of the dialog that is open, whose text begins so."""
        buttons = self.page.locator("dialog[open] button, body:not(:has(dialog[open])) main button")
        return buttons.filter(has_text=re.compile(f"^{re.escape(name)}")).filter(visible=True)

    def press(self, name: str) -> None:
        self.button(name).last.click()

    def press_and_confirm(self, name: str) -> None:
        """Press a button and, once it has asked, that of the same name in the dialog."""
        self.press(name)
        expect(self.dialog).to_be_visible()
        self.press(name)

    def lay(self, move: str) -> None:
        """Lay the tiles of a play."""
        for row, column, letter in read_play(move)[1]:
            self.lay_tile(row, column, letter)

    def lay_tile(self, row: int, column: int, letter: str) -> None:
        self.drag(self.tile(letter), self.cell(row, column))
        if letter.islower():
            self.dialog.get_by_role("button", name=letter.upper(), exact=True).click()
        expect(self.cell(row, column)).to_have_class(re.compile(r"\blaid\b"))

    def drag(self, source: Locator, target: Locator) -> None:
        """Drag by mouse from the middle of an element to that of another."""
        places = []
        for each in (source, target):
            each.scroll_into_view_if_needed()
            box = each.bounding_box()
            assert box is not None
            places.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
        self.page.mouse.move(*places[0])
        self.page.mouse.down()
        self.page.mouse.move(*places[1], steps=3)
        self.page.mouse.up()

    def swap(self, row: int, column: int) -> None:
        self.cell(row, column).click()

    def play(self) -> None:
        self.press("Play for")

    def exchange(self, tiles: str) -> None:
        self.press("Exchange")
        expect(self.dialog).to_be_visible()
        for tile in tiles:
            self.choose(tile)
        self.press("Exchange")

    def choose(self, tile: str) -> None:
        """Choose a tile in the dialog of an exchange."""
        self.dialog.locator(f".tile[value='{tile}'][aria-pressed=false]").first.click()

    def end_turn(self) -> None:
        """Pass, or let the last play stand."""
        self.press_and_confirm("Let it stand" if self.button("Let it stand").is_visible() else "Pass")

    def challenge(self, words: list[str] | None) -> None:
        self.press("Challenge")
        expect(self.dialog).to_be_visible()
        if words:
            for box in self.dialog.locator("label").all():
                if box.inner_text() not in words:
                    box.click()
        self.press("Challenge")

    def resign(self) -> None:
        self.press_and_confirm("Resign")


class TouchTablePage(TablePage):
    """The table on the narrowest phone, by tap and tap."""

    window: ClassVar[dict[str, Any]] = {"viewport": NARROW_VIEWPORT, "has_touch": True, "is_mobile": True}

    def press(self, name: str) -> None:
        self.button(name).last.tap()

    def lay_tile(self, row: int, column: int, letter: str) -> None:
        self.tile(letter).tap()
        self.cell(row, column).tap()
        if letter.islower():
            self.dialog.get_by_role("button", name=letter.upper(), exact=True).tap()
        expect(self.cell(row, column)).to_have_class(re.compile(r"\blaid\b"))

    def swap(self, row: int, column: int) -> None:
        self.cell(row, column).tap()

    def choose(self, tile: str) -> None:
        self.dialog.locator(f".tile[value='{tile}'][aria-pressed=false]").first.tap()

    def drag_by_touch(self, source: Locator, target: Locator, steps: int = 3) -> None:
        """Drag with a finger, from the middle of an element until the tile, held above the finger, is over another."""
        (x, y), (to_x, to_y) = (middle_of(each) for each in (source, target))
        session = self.page.context.new_cdp_session(self.page)
        touch(session, "touchStart", x, y)
        for step in range(1, steps + 1):
            touch(session, "touchMove", x + (to_x - x) * step / steps, y + (to_y + LIFT_PIXELS - y) * step / steps)
        touch(session, "touchEnd")


def touch(session: CDPSession, kind: str, *at: float) -> None:
    points = [{"x": at[0], "y": at[1]}] if at else []
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def middle_of(element: Locator) -> tuple[float, float]:
    box = element.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class PhoneTablePage(TouchTablePage):
    """The table on a usual phone."""

    window: ClassVar[dict[str, Any]] = {**TouchTablePage.window, "viewport": PHONE_VIEWPORT}


class KeyTablePage(TablePage):
    """The table by keys alone: nothing is clicked, and the focus goes only where keys take it."""

    def take_seat(self, name: str) -> None:
        expect(self.button("Take the seat")).to_be_visible()
        self.tab_to("input")
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(name)
        self.page.keyboard.press("Enter")

    def press(self, name: str) -> None:
        expect(self.button(name).last).to_be_visible()
        self.tab_to("button", name)
        self.page.keyboard.press("Enter")

    def tab_to(self, selector: str, text: str = "") -> None:
        """Go by Tab or Shift+Tab to the nearest element of a kind whose text begins so."""
        for _ in range(10):  # for what is reached may be another, where the page has changed
            steps = self.page.evaluate(STEPS_TO, [selector, text])
            for _ in range(abs(steps or 0)):
                self.page.keyboard.press("Tab" if steps > 0 else "Shift+Tab")
            if steps == 0:
                return
        raise AssertionError(f"Tab does not reach {selector} {text!r}")

    def go_to(self, row: int, column: int) -> None:
        """Go to a square by arrow keys, from the board or from wherever the focus is."""
        self.tab_to("[role=gridcell]")
        at = self.page.locator("[role=gridcell][tabindex='0']")
        down, right = row - int(at.get_attribute("data-row") or 0), column - int(at.get_attribute("data-column") or 0)
        for key, count in (("ArrowDown", down), ("ArrowUp", -down), ("ArrowRight", right), ("ArrowLeft", -right)):
            for _ in range(count):
                self.page.keyboard.press(key)

    def lay(self, move: str) -> None:
        down, tiles = read_play(move)
        self.go_to(*tiles[0][:2])
        is_down = "down" in (self.page.locator("[role=gridcell][tabindex='0']").get_attribute("class") or "")
        if is_down is not down:
            self.page.keyboard.press(" ")
        for _, _, letter in tiles:
            self.page.keyboard.press(f"Shift+{letter.upper()}" if letter.islower() else letter.lower())

    def play(self) -> None:
        expect(self.button("Play for")).to_have_attribute("aria-disabled", "false")
        self.page.keyboard.press("Enter")

    def swap(self, row: int, column: int) -> None:
        self.go_to(row, column)
        self.page.keyboard.press("=")

    def exchange(self, tiles: str) -> None:
        self.go_to(7, 7)
        self.page.keyboard.press("-")
        expect(self.dialog).to_be_visible()
        for tile in tiles:
            self.page.keyboard.press("?" if tile == "?" else tile.lower())
        self.press("Exchange")

    def challenge(self, words: list[str] | None) -> None:
        self.press("Challenge")
        expect(self.dialog).to_be_visible()
        for box in self.dialog.locator("label").all():
            if words and box.inner_text() not in words:
                box.locator("input").focus()
                self.page.keyboard.press(" ")
        self.press("Challenge")


class NarrowKeyTablePage(KeyTablePage):
    """The table by keys alone, as wide as the narrowest phone."""

    window: ClassVar[dict[str, Any]] = {"viewport": NARROW_VIEWPORT}
