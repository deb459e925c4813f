"""Tests of the word lists: open to players are the two-letter words, and one check at a time of all others."""

from __future__ import annotations

import re

import pytest
from browser_windows import DESKTOP_VIEWPORT, NARROW_VIEWPORT, axe_violations, overflow_pixels
from playwright.sync_api import Page, expect

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def lists(tables) -> Page:
    page = tables.plain_window(viewport=PHONE)
    page.goto("/lists")
    return page


def show_disallowed(lists: Page) -> None:
    """Show the lists of disallowed words, which a director may see."""
    button = lists.get_by_role("button", name="I am a director: show the lists")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")


def check_word(lists: Page, word: str, says: str) -> None:
    """Check one word in advance, and expect this answer."""
    lists.get_by_label("Your word").fill(word)
    lists.keyboard.press("Enter")
    expect(lists.locator(".check [role=status]")).to_contain_text(says)


def test_disallowed_words_are_out_of_players_sight(lists):
    """The disallowed words are no part of the page, until a director taps the button, and again after a second tap."""
    expect(lists.get_by_text("The club keeps these lists out of players' sight")).to_be_visible()
    assert "AZO" not in lists.content()
    button = lists.get_by_role("button", name="I am a director: show the lists")
    button.press("Enter")
    expect(lists.get_by_text("AZO")).to_be_visible()
    expect(lists.get_by_role("heading", name="Three letters")).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "false")
    assert "AZO" not in lists.content()


def test_the_lists_are_as_published(lists):
    """The director sees every disallowed word once, by its length and in the order of the alphabet."""
    show_disallowed(lists)
    shown = [block.split() for block in lists.locator(".disallowed .words").all_inner_texts()]
    assert [{min(len(word), 4) for word in block} for block in shown] == [{2}, {3}, {4}]
    assert all(block == sorted(block) for block in shown)
    published = lists.evaluate("async () => (await (await fetch('/app/rules.json')).json()).rules")
    struck = next(rules["disallowed_words"] for rules in published.values() if rules["disallowed_words"])
    assert sorted(word for block in shown for word in block) == sorted(struck)
    words = lists.locator("section[aria-labelledby=dover] .words")
    expect(words).to_have_text([re.compile(rf"^\s*(\w+\s*\b){{{count}}}$") for count in (70, 31, 229, 27, 12)])


ANSWERS = (
    ("zig", "ZIG is not allowed. If it is played, it comes off the board and the player makes another play."),
    ("zíg", "ZIG is not allowed."),
    ("QI", "QI is not allowed."),
    ("GOS", "GOS is not allowed."),
    ("revote", "REVOTE is not on the lists of this page. The dictionary decides, then the OSPD."),
    ("ox", "OX is one of the two-letter words."),
    ("zz", "ZZ is not one of the two-letter words."),
    ("a", "Type one word of 2 to 21 letters."),
    ("two words", "Type one word of 2 to 21 letters."),
)


def test_one_word_is_checked_in_advance(lists):
    """A player may ask about one word at a time, and gets the answer of Dover's published lists alone."""
    for word, says in ANSWERS:
        check_word(lists, word, says)


def test_rule_sets_are_named(lists):
    """Rule sets have their names, and each name leads to its lists."""
    link = lists.get_by_role("navigation", name="Rule sets").get_by_role("link")
    assert "Scrabble II as played in the Dover club" in link.all_inner_texts()
    assert "scrabble-i-classic" not in lists.locator("main").inner_text()


@pytest.mark.long
def test_rule_sets_stand_side_by_side_on_a_desktop(lists):
    """The rule sets fill two columns of a wide window, and one of a phone."""
    edges = "() => new Set([...document.querySelectorAll('h2')].map((e) => e.offsetLeft)).size"
    assert lists.evaluate(edges) == 1
    lists.set_viewport_size(DESKTOP_VIEWPORT)
    assert lists.evaluate(edges) == 2


@pytest.mark.long
@pytest.mark.parametrize("viewport", [DESKTOP_VIEWPORT, PHONE, NARROW_VIEWPORT])
def test_the_open_lists_are_accessible(lists, viewport):
    """Axe finds no violation with the lists opened and a word checked, light and dark, and nothing overflows."""
    lists.set_viewport_size(viewport)
    show_disallowed(lists)
    check_word(lists, "zig", "ZIG is not allowed.")
    for scheme in ("light", "dark"):
        lists.emulate_media(color_scheme=scheme)
        assert axe_violations(lists) == []
    assert overflow_pixels(lists) <= 0
