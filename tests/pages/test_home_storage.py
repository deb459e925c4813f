"""Tests of what the home check stores: books as files, choices and the page itself, but no words and no answers."""

from __future__ import annotations

import json

import pytest
from browser_windows import TOUCH_PHONE, axe_violations
from home_page import DICTIONARY, REFERENCE, TURN_LOST, install_home, open_home

KEPT = """async () => {
  const text = (value) => JSON.stringify(value, (name, each) =>
    each instanceof Uint8Array ? new TextDecoder().decode(each) : each);
  const { names, get } = await import("/app/indexed-db.js");
  const kept = await Promise.all((await names()).map(get));
  const cached = await Promise.all((await caches.keys()).map(async (name) =>
    (await (await caches.open(name)).keys()).map(({ url }) => url)));
  const others = [{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state];
  return text([kept, cached, others]);
}"""


@pytest.mark.long
def test_revote_by_files_that_stay_until_removed(tables):
    """Files answer and are named as the source; they survive a reload until the player removes them."""
    home = open_home(tables, **TOUCH_PHONE)
    home.load("dictionary", DICTIONARY, "college.tsv")
    home.load("reference", REFERENCE, "ospd.txt")
    home.reload()
    home.ask("REVOTE")
    assert (home.ruling, home.chain) == ("Acceptable", ["VOTE", "REVOTE"])
    assert home.page.locator("#talk .sum").inner_text() == "RE- + VOTE"
    assert home.looked_up == [
        "Is REVOTE in your dictionary? No, by your file college.tsv",
        "Is VOTE in your dictionary? Yes, by your file college.tsv",
        "Is REVOTE in the OSPD? Yes, by your file ospd.txt",
    ]
    home.press("Next word")
    home.ask("KNEESOCK")
    assert home.because.startswith("KNEESOCK is not in your dictionary; it joins two words, KNEE and SOCK,")
    home.open_settings()
    has = home.book("dictionary").locator(".has span").inner_text()
    assert has.startswith("college.tsv: words 5, size 1 kB, kept since ")
    home.book("dictionary").get_by_role("button", name="Remove").click()
    assert home.question == "Is KNEESOCK in your dictionary?"
    home.reload()
    assert json.loads(home.page.evaluate(KEPT))[0][0]["name"] == "ospd.txt"


@pytest.mark.long
def test_a_broken_file_changes_nothing(tables):
    """The message names the line and what was expected there, and the previous book stays in use."""
    home = open_home(tables)
    home.load("dictionary", DICTIONARY, "college.tsv")
    for text, fault in (
        ("cat\nv0te\n", 'new.txt, line 2: expected a word of letters, found "v0te". Nothing was changed.'),
        ("vote\tnoum\n", 'new.txt, line 1: expected a part of speech such as noun, found "noum". Nothing was changed.'),
        (
            b"cat\nvot\xe9\n",
            "new.txt, line 2: this is not text in UTF-8. Save the file as UTF-8, and load it"
            " again. Nothing was changed.",
        ),
        ("\n\n", "new.txt: expected a word a line, found none. Nothing was changed."),
    ):
        home.load("dictionary", text, "new.txt")
        assert home.book("dictionary").locator("[data-fault]").inner_text() == fault
        assert "college.tsv" in home.book("dictionary").locator(".has span").inner_text()
    assert axe_violations(home.page) == []
    home.ask("VOTE")
    assert (home.ruling, home.because) == ("Acceptable", "VOTE is in your dictionary.")
    home.load("dictionary", "ZEBRA\n", "zoo.txt")
    assert home.book("dictionary").locator("[data-fault]").inner_text() == ""
    assert "VOTE" in home.because
    assert home.ruling == "Not acceptable"


@pytest.mark.long
def test_the_page_works_without_a_connection(tables):
    """After the first visit the page opens, asks, rules and keeps books without a connection."""
    home = install_home(tables, **TOUCH_PHONE)
    home.page.context.set_offline(True)
    home.reload()
    assert home.rule_on("BASHINGS", "nyy")[0] == "Acceptable"
    home.load("dictionary", DICTIONARY)
    home.reload()
    home.ask("REVOTE")
    assert home.question == "Is REVOTE in the OSPD?"
    home.say("n")
    assert (home.ruling, home.follows) == ("Not acceptable", TURN_LOST)


@pytest.mark.parametrize("open_page", [open_home, pytest.param(install_home, marks=pytest.mark.long)])
def test_no_word_is_stored(open_page, tables):
    """No word is in storage, caches, URL or history, nor in the page after going back to it."""
    home = open_page(tables)
    steps = home.page.evaluate("history.length")
    assert home.rule_on("GLIMEST", "nn")[0] == "Not acceptable"
    home.ask("GLIMER")
    home.say("n")
    assert home.page.evaluate("history.length") == steps
    home.page.goto("/lists")
    assert "GLIME" not in home.page.evaluate(KEPT)
    home.page.go_back()
    home.ready()
    assert "GLIME" not in home.page.content()
    assert home.page.locator("#word").input_value() == ""
    home.ask("GLIMEST")
    assert home.question == "Is GLIMEST in your dictionary?"
    for name, value in (("autocomplete", "off"), ("autocorrect", "off"), ("spellcheck", "false"), ("name", None)):
        assert home.page.locator("#word").get_attribute(name) == value
    assert home.page.locator("form").count() == 0
