"""Tests of the home check as a family uses it: by conversation, on a phone and by keys alone, under every rule set."""

from __future__ import annotations

import pytest
from browser_windows import DESKTOP_VIEWPORT, NARROW_VIEWPORT, TOUCH_PHONE, axe_violations, overflow_pixels
from home_page import ANOTHER_PLAY, DICTIONARY, PLAY_STAYS, REFERENCE, TURN_LOST, HomePage, open_home


def test_bashings_by_conversation(tables):
    """The page asks for the base in the dictionary, then for the formative in the OSPD, and shows the chain.

    An answer about a base is remembered and shown as such; one step back withdraws it. The base that a player names is
    taken, and the way from it to the word is shown.
    """
    home = open_home(tables, **TOUCH_PHONE)
    home.choose(source="own")
    home.ask("bashings")
    assert home.question == "Is BASHINGS in your dictionary?"
    home.say("n")
    assert home.question == "Is BASH in your dictionary?"
    home.say("y")
    assert home.question == "Is BASHINGS in the OSPD?"
    home.say("y")
    assert (home.ruling, home.follows) == ("Acceptable", PLAY_STAYS)
    assert home.because == "BASH is in your dictionary, and the OSPD has BASHINGS, which is BASH with -INGS."
    assert home.page.locator("#talk .sum").inner_text() == "BASH + -INGS"
    assert home.chain == ["BASH", "BASHING", "BASHINGS"]
    assert home.looked_up == [
        "Is BASHINGS in your dictionary? No",
        "Is BASH in your dictionary? Yes",
        "Is BASHINGS in the OSPD? Yes",
    ]
    home.press("Next word")
    assert home.page.locator("#word").input_value() == ""
    home.ask("BASHES")
    home.say("n")
    assert home.question == "Is BASHES in the OSPD?"
    home.say("n")
    assert home.ruling == "Not acceptable"
    assert home.looked_up[1] == "Is BASH in your dictionary? Yes, as you said before"
    home.press("Step back")
    home.press("Step back")
    assert home.question == "Is BASH in your dictionary?"
    home.press("Step back")
    home.press("Step back")
    assert home.page.locator("#word").input_value() == "BASHES"
    home.ask("GLUIER")
    home.say("n")
    home.press("I know another base")
    home.page.locator("#own-base").fill("gluey")
    home.press("That is the base")
    assert home.question == "Is GLUIER in the OSPD?"
    home.say("y")
    assert (home.ruling, home.chain[0], home.chain[-1]) == ("Acceptable", "GLUEY", "GLUIER")


def test_by_keys_alone(tables):
    """Tab, letters, Enter, Y, N and Backspace suffice, and the focus is always on the question or the ruling."""
    home = open_home(tables, viewport=DESKTOP_VIEWPORT)
    home.choose(source="own")
    keys, focused = home.page.keyboard, home.page.locator(":focus")
    home.page.locator(".skip").focus()
    while focused.get_attribute("id") != "word":
        keys.press("Tab")
    keys.type("Bashings")
    keys.press("Enter")
    assert focused.inner_text() == "Is BASHINGS in your dictionary?"
    keys.press("y")
    assert focused.inner_text().endswith("Acceptable")
    keys.press("Backspace")
    assert focused.inner_text() == "Is BASHINGS in your dictionary?"
    for key, question in (("n", "Is BASH in your dictionary?"), ("Y", "Is BASHINGS in the OSPD?")):
        keys.press(key)
        assert focused.inner_text() == question
    keys.press("n")
    assert focused.inner_text().endswith("Not acceptable")
    keys.press("Enter")
    assert focused.get_attribute("id") == "word"
    keys.type("any")
    assert home.page.locator("#talk").inner_text() == ""


@pytest.mark.long
def test_another_base(tables):
    """The page offers further bases, and the player may name another, but none from which the word does not derive."""
    home = open_home(tables)
    home.choose(source="own")
    home.ask("UNWOVEN")
    home.say("n")
    first = home.question
    home.say("n")
    assert home.question != first
    home.press("I know another base")
    field = home.page.locator("#own-base")
    for text, fault in (
        ("w3ave", "Type one word of 2 to 21 letters, A to Z."),
        ("cat", "UNWOVEN is not known to be made from CAT with a prefix or an ending."),
    ):
        field.fill(text)
        home.press("That is the base")
        assert home.page.locator("#own-base-fault").inner_text() == fault
    field.fill("weave")
    field.press("Enter")
    assert home.question == "Is UNWOVEN in the OSPD?"
    home.say("y")
    assert (home.ruling, home.chain[0], home.chain[-1]) == ("Acceptable", "WEAVE", "UNWOVEN")
    assert "then its irregular form" in home.page.locator("#talk .chain").inner_text()
    home.press("Next word")
    home.ask("OWLETS")
    home.say("n")
    home.press("I know another base")
    field.fill("owl")
    home.press("That is the base")
    home.say("y")
    assert (home.ruling, home.chain[0], home.chain[-1]) == ("Acceptable", "OWL", "OWLETS")


RULED = (
    (
        "scrabble-i",
        "QI",
        "",
        "Not acceptable",
        "QI is not on Scrabble I's list of 72 two-letter words, which alone decides.",
    ),
    (
        "classic",
        "QI",
        "",
        "Acceptable",
        "QI is on the list of 101 two-letter words in the OSPD, 4th edition, 2006, which alone decides.",
    ),
    (
        "scrabble-o",
        "BASHED",
        "nyn",
        "Not acceptable",
        "BASH is in your dictionary, but neither your dictionary nor the OSPD has BASHED.",
    ),
    (
        "scrabble-i-classic",
        "CRWTH",
        "n",
        "Not acceptable",
        "CRWTH is not in your dictionary, and no base word for it was found there. That the OSPD may have it is not"
        " enough, but where you play with Check the OSPD, asking for it then gives another play.",
    ),
    (
        "scrabble-i",
        "FLINGERS",
        "nx",
        "Not acceptable",
        "FLINGERS is not in your dictionary, and no base word for it was found there. That the OSPD may have it is not"
        " enough, but where you play with Check the OSPD, asking for it then gives another play.",
    ),
    (
        "classic",
        "ZAX",
        "n",
        "Not acceptable",
        "The OSPD does not have ZAX, and in the regular game that alone decides.",
    ),
    ("dover", "WO", "", "Play again", "The club's director has struck out WO by hand, whatever the dictionary says."),
    ("dover", "BAL", "", "Play again", "BAL is on the list of disallowed words."),
    (
        "dover",
        "BS",
        "",
        "Not acceptable",
        "BS is the plural of a letter of the alphabet, and those are not acceptable, whatever the dictionary says.",
    ),
    ("dover", "PHIS", "", "Acceptable", "PHIS is one of the handful of good plurals that the dictionary missed."),
    ("dover", "ALEPH", "", "Play again", "ALEPH is a Hebrew letter, and the Dover club plays without these."),
    (
        "dover",
        "FLINGER",
        "nynn",
        "Not acceptable",
        "FLING is in your dictionary, but neither your dictionary nor the OSPD has FLINGER.",
    ),
)


@pytest.mark.long
def test_every_refusal_has_its_reason(tables):
    """Lists decide at once; a refusal names the book that lacks the word or the missing base, and says what follows."""
    home = open_home(tables, **TOUCH_PHONE)
    for rules, word, answers, ruling, because in RULED:
        home.choose(rules=rules, source="own")
        home.ask(word)
        home.say(answers)
        assert (home.ruling, home.because) == (ruling, because)
        assert (
            home.follows == {"Acceptable": PLAY_STAYS, "Play again": ANOTHER_PLAY, "Not acceptable": TURN_LOST}[ruling]
        )
        home.press("Next word")


@pytest.mark.long
def test_dover_by_print_and_by_the_electronic_edition(tables):
    """OZONES is acceptable by the printed edition and the OSPD; by the electronic one the player plays again."""
    home = open_home(tables)
    home.choose(rules="dover", source="own")
    home.ask("OZONES")
    home.say("n")
    home.say_of_base("OZONE")
    assert home.question == "Does your dictionary label OZONE offensive or vulgar in every sense?"
    home.say("ny")
    assert (home.ruling, home.because) == (
        "Acceptable",
        "OZONE is in your printed dictionary, which does not speak of OZONES; so the OSPD decides, and it has OZONES.",
    )
    home.choose(edition="electronic")
    home.say("n")
    home.say_of_base("OZONE")
    home.say("n")
    assert home.question == "Has OZONE a main entry of its own in your dictionary?"
    home.say("yy")
    assert (home.ruling, home.follows) == ("Play again", ANOTHER_PLAY)
    home.reload()
    assert home.page.locator("#in-force").inner_text().endswith("Dover club, electronic dictionary")
    home.load("dictionary", DICTIONARY)
    home.load("reference", REFERENCE)
    assert home.rule_on("DEMOED")[0] == "Acceptable"
    home.ask("OZONES")
    assert home.ruling == "Play again"


@pytest.mark.long
def test_with_nothing_but_an_ospd(tables):
    """By exclusion one question is left; words with a Q and no U are refused without it."""
    home = open_home(tables, **TOUCH_PHONE)
    home.choose(how="exclusion", source="own")
    assert not home.book("dictionary").is_visible()
    assert home.rule_on("QAT") == ("Not acceptable", "QAT has a Q without a U, and such words are taboo.")
    home.ask("QUAY")
    assert home.question == "Is QUAY in the OSPD?"
    home.say("y")
    assert home.ruling == "Acceptable"
    home.choose(rules="dover")
    assert home.because == "The OSPD has QUAY, and it is on none of the club's lists of words that are out."


def test_the_players_list_of_the_service(tables):
    """With a connection the service answers for the OSPD; where it does not answer, the page asks the player."""
    home = open_home(tables)
    home.ask("LETTER")
    home.say("n")
    home.say_of_base("LET")
    assert home.ruling == "Acceptable"
    assert home.looked_up[-1] == "Is LETTER in the OSPD? Yes, by the open players' list"
    assert home.because == "LET is in your dictionary, and the open players' list has LETTER, which is LET with -ER."
    home.press("Next word")
    tables.expected.append("ERR_FAILED")
    home.page.route("**/v1/home", lambda route: route.abort())
    home.ask("BASHES")
    home.say("ny")
    assert home.question == "Is BASHES in the OSPD?"
    assert "does not answer just now" in home.page.locator("#talk .hint").inner_text()


@pytest.mark.long
def test_a_comparative_is_no_agent(tables):
    """LINTIER from LINTY is a comparative, and where LINTY has a main entry the OSPD is not asked."""
    home = open_home(tables, **TOUCH_PHONE)
    home.choose(rules="dover", source="own")
    home.ask("LINTIER")
    home.say("n")
    home.say_of_base("LINTY")
    home.say("n")
    assert home.question == "Has LINTY a main entry of its own in your dictionary?"
    home.say("y")
    assert home.because == (
        "LINTY has a main entry as an adjective, which would show LINTIER if it were good; the OSPD is not asked."
    )
    home.press("Step back")
    home.say("ny")
    assert home.because.startswith("LINTY is in your dictionary, which shows no LINTIER, the comparative of LINTY;")


@pytest.mark.long
def test_labels_are_asked_in_the_conversation(tables):
    """Under Dover the player says whether the dictionary labels the word or its base, and a yes is a refusal."""
    home = open_home(tables, **TOUCH_PHONE)
    home.choose(rules="dover", source="own")
    home.ask("HAG")
    home.say("y")
    assert home.question == "Does your dictionary label HAG offensive or vulgar in every sense?"
    assert "Only a word that is labelled so in every sense is out" in home.page.locator("#talk .hint").inner_text()
    home.say("y")
    assert (home.ruling, home.because) == (
        "Not acceptable",
        "Your dictionary labels HAG offensive or vulgar, so it is out.",
    )
    home.press("Step back")
    home.say("n")
    assert (home.ruling, home.because) == ("Acceptable", "HAG is in your dictionary.")
    home.choose(rules="scrabble-i")
    assert home.ruling == "Acceptable"
    assert home.looked_up == ["Is HAG in your dictionary? Yes", f"{LABEL_OF_HAG} No"]


LABEL_OF_HAG = "Does your dictionary label HAG offensive or vulgar in every sense?"


def test_many_words_at_once(tables):
    """Words that are pasted together are ruled on one after the other, each bad one named, and an answer holds."""
    home = open_home(tables)
    home.choose(source="own")
    home.ask("bashings\nQI, can't;AX bashes")
    assert home.page.locator(".progress").inner_text() == "Word 1 of 5"
    home.say("nyy")
    assert home.page.locator(".progress").inner_text() == "Word 5 of 5"
    assert home.question == "Is BASHES in your dictionary?"
    home.say("nn")
    assert home.page.locator("#ruled").inner_text() == "3 of 5 words are not acceptable"
    assert home.results == [
        "BASHINGS Acceptable",
        "QI Not acceptable",
        "can't Not acceptable",
        "AX Acceptable",
        "BASHES Not acceptable",
    ]
    reasons = home.page.locator(".rulings li p:nth-child(2)").all_inner_texts()
    assert reasons[1] == "QI is not on Scrabble I's list of 72 two-letter words, which alone decides."
    assert reasons[2].startswith("can't is not one word of 2 to 21 letters, A to Z;")
    home.choose(rules="classic")
    assert home.page.locator("#ruled").inner_text() == "2 of 5 words are not acceptable"
    home.choose(rules="scrabble-i")
    home.press("Next words")
    home.ask("bashings QI can't AX basher")
    assert home.page.locator(".progress").inner_text() == "Word 5 of 5"
    home.press("Step back")
    assert home.page.locator("#word").input_value() == "bashings QI can't AX basher"
    home.choose(rules="classic")
    home.load("reference", "BASHINGS\nBASHES\n")
    home.ask("bashings bashes")
    assert home.page.locator("#ruled").inner_text() == "All 2 words are acceptable"
    home.press("Change the words")
    assert home.page.locator("#word").input_value() == "bashings bashes"
    home.ask("word " * 61)
    assert home.page.locator("#word-fault").inner_text() == "61 words at once are too many: at most 60."


def test_before_the_first_word(tables):
    """The page says which words do not count, and shows an example that can be tried; it fills the window."""
    home = open_home(tables, viewport=DESKTOP_VIEWPORT)
    hint = home.page.locator("#playable").inner_text()
    assert hint.startswith("Names, abbreviations, and words with a hyphen, an apostrophe or a space do not count")
    assert "LONDON" in hint
    example = home.page.locator("#example")
    assert "BASH + -INGS" in example.inner_text()
    settings = home.page.locator("#settings").bounding_box()
    start = home.page.locator("#start").bounding_box()
    assert settings["x"] > start["x"] + start["width"]
    assert settings["x"] + settings["width"] - start["x"] > 0.75 * DESKTOP_VIEWPORT["width"]
    example.get_by_role("button", name="Try BASHINGS").click()
    assert home.page.locator("#word").input_value() == "BASHINGS"
    home.press("Check it")
    assert home.question == "Is BASHINGS in your dictionary?"
    assert not example.is_visible()


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_is_accessible(scheme, tables):
    """Axe finds no violation in any state, and even the longest word fits a window of 320 px."""
    home = open_home(tables, color_scheme=scheme)
    home.choose(rules="dover", source="own", edition="electronic")
    home.load("dictionary", "v0te\n")
    look(home)
    home.load("dictionary", "ozone\n")
    home.page.locator("#begin").click()
    look(home)
    home.ask("OZONES")
    look(home)
    home.say("y")
    assert home.looked_up == [
        "Is OZONES in your dictionary? No, by your file book.txt",
        "Is OZONE in your dictionary? Yes, by your file book.txt",
        "Is OZONES in the OSPD? Yes",
    ]
    look(home)
    home.book("dictionary").get_by_role("button", name="Remove").click()
    home.say("n")
    look(home)
    home.press("I know another base")
    home.press("That is the base")
    look(home)
    home.page.locator("#own-base").fill("ozone")
    home.press("That is the base")
    look(home)
    home.say("nyy")
    assert home.ruling == "Play again"
    look(home)
    home.press("Next word")
    assert home.rule_on("QI")[0] == "Play again"
    home.choose(rules="scrabble-i")
    home.ask("COUNTERREVOLUTIONISED")
    look(home)
    home.say("nn")
    look(home)
    home.choose(rules="dover")
    home.load("dictionary", "ozone\n")
    home.load("reference", "OZONES\n")
    home.press("Next word")
    look(home)
    home.ask("OZONE")
    assert "Your dictionary file states no labels" in home.page.locator(".notice").inner_text()
    look(home)
    home.press("Next word")
    home.ask("ozones, qi counterrevolutionised-and-more can't")
    assert len(home.results) == 4
    look(home)


def look(home: HomePage) -> None:
    """Check the page as it is now, in a large window and in a narrow one."""
    assert axe_violations(home.page) == []
    home.page.set_viewport_size(NARROW_VIEWPORT)
    assert overflow_pixels(home.page) <= 0
    home.page.set_viewport_size(DESKTOP_VIEWPORT)
