"""The rulings of home play: ordws.homeplay.decide, by the words that the rule books name."""

from __future__ import annotations

import pytest
from homeplay_vectors import VECTORS, lines, rows, words

from ordws.errors import BadInput
from ordws.homeplay.book import PlayerAnswers, WordBook, read_book
from ordws.homeplay.decide import PROCEDURES, decide_word
from ordws.homeplay.result import LookupRequest, WordRuling, read_sentences
from ordws.rules.published_lists import TWO_LETTER_LISTS
from ordws.rules.rulesets import RULE_SETS

OSPD = words("ospd.txt")


@pytest.fixture(scope="module")
def dictionary():
    return read_book(VECTORS / "dictionary.tsv")


@pytest.mark.parametrize("row", rows("rulings.tsv"), ids=lambda row: "-".join(row[:3]))
def test_rulings(row, dictionary):
    """Each word is ruled on by the rule, with the base and the consequence that the table of rulings says."""
    word, rules, edition, *expected = row
    by_exclusion = edition == "exclusion"
    found = decide_word(
        word,
        rules,
        dictionary,
        OSPD,
        "print" if by_exclusion else edition,
        by_exclusion=by_exclusion,
    )
    assert isinstance(found, WordRuling)
    shown = ["yes" if found.acceptable else "no", found.rule, found.base or "-", found.follows or "-"]
    assert shown == expected[:4]
    assert word in found.because
    assert "{" not in found.because


def test_every_rule_of_the_sentences_is_met(dictionary):
    """No sentence is there that no ruling says, but for the two of a base that a player names."""
    said = {row[4] for row in rows("rulings.tsv")}
    assert set(read_sentences()["rules"]) - said == {"not-made-of", "dover-not-made-of"}


@pytest.mark.parametrize("rule", ["disallowed", "disqualified"])
def test_every_word_that_dover_strikes_out(rule):
    """The play is taken back and another made, though both books had the word."""
    struck = [word for line in lines("struck.txt") for word in line.removeprefix(f"{rule}: ").split() if rule in line]
    book = WordBook.from_words(struck)
    found = [decide_word(word, "dover", book, book) for word in struck]
    assert len(found) == {"disallowed": 261, "disqualified": 26}[rule]
    assert {(ruling.acceptable, ruling.follows) for ruling in found} == {(False, "another-play")}
    assert {ruling.rule for ruling in found} <= {"dover-3-disqualified", "dover-7-disallowed"}


def test_letters_in_the_plural():
    """BS to ZS are out but for those that stand on the list in their own right, and two that are disallowed besides."""
    found = {word: decide_word(word, "dover") for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if (word := f"{letter}S")}
    assert {word for word, ruling in found.items() if ruling.acceptable} == {"AS", "IS", "OS", "US"}
    assert {word for word, ruling in found.items() if ruling.follows == "another-play"} == {"ES"}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_list_alone_decides_two_letters(rules):
    """Whatever the books say, the two-letter words are those of the rule set's list."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    twos = [first + second for first in alphabet for second in alphabet]
    everything, nothing = WordBook.from_words(twos), WordBook.from_words(())
    for book in (everything, nothing):
        acceptable = {two for two in twos if decide_word(two, rules, book, book).acceptable}
        assert acceptable == TWO_LETTER_LISTS[RULE_SETS[rules].two_letter_words]


def test_there_is_a_way_for_each_rule_set():
    """The ids are those of the rule sets, and another is refused with those there are."""
    assert set(PROCEDURES) == set(RULE_SETS)
    with pytest.raises(BadInput, match='"chess" is none of classic, scrabble-i-classic'):
        decide_word("WORD", "chess")


def test_a_plain_list_rules_as_well():
    """Where a file does not say what is a secondary entry, what is made of another headword is taken for one."""
    book = WordBook.from_words(["BALE", "BALER", "OZONE", "LUGE", "DEMO", "DOPE", "DOPING"])
    rules = {
        "BALERS": "dover-6-special-1",
        "OZONES": "dover-6-electronic",
        "LUGED": "dover-6-special-1",
        "DEMOED": "dover-6-special-1",
        "DOPINGS": "dover-6-special-2",
    }
    assert {word: decide_word(word, "dover", book, OSPD, "electronic").rule for word in rules} == rules


def conversation(word, rules, says, edition="print"):
    """What is asked, in order, and the ruling in the end; `says` is what the player sees in his books."""
    answers, main, reference, asked = {}, {}, {}, []
    while isinstance(
        found := decide_word(word, rules, PlayerAnswers(answers, main), PlayerAnswers(reference), edition),
        LookupRequest,
    ):
        asked.append(found.question)
        told = {"dictionary": answers, "main-entry": main, "reference": reference}[found.about]
        told[found.words[0]] = found.question in says
    return asked, found


def test_two_questions_of_two_books():
    """A family is asked for the base in its dictionary, and then for the word in the OSPD."""
    asked, ruling = conversation("BASHINGS", "scrabble-i", {"Is BASH in your dictionary?", "Is BASHINGS in the OSPD?"})
    assert asked == ["Is BASH in your dictionary?", "Is BASHINGS in the OSPD?"]
    assert (ruling.acceptable, ruling.steps) == (True, ("BASH", "BASHING", "BASHINGS"))


def test_a_no_leads_to_the_next_question():
    """Where a base is not there the next is asked for, and in the end the word itself."""
    asked, ruling = conversation("FLINGER", "scrabble-i", set())
    assert asked[0] == "Is FLING in your dictionary?"
    assert asked[-1] == "Is FLINGER in your dictionary?"
    assert (ruling.acceptable, ruling.rule) == (False, "no-base")


def test_a_yes_of_the_ospd_alone_is_not_enough():
    """The OSPD is never the first authority: KOLO has no base to look up, and is not in the dictionary."""
    asked, ruling = conversation("KOLO", "scrabble-i", {"Is KOLO in the OSPD?"})
    assert asked == ["Is KOLO in your dictionary?"]
    assert not ruling.acceptable


def test_the_electronic_edition_is_asked_for_main_entries():
    """Its verdict on plurals is respected for main entries; of a secondary entry it knows no plural at all."""
    questions = [
        "Is OZONE in your dictionary?",
        "Has OZONE a main entry of its own in your dictionary?",
        "Is OZONES in the OSPD?",
    ]
    asked, ruling = conversation("OZONES", "dover", questions, "electronic")
    assert asked == questions
    assert (ruling.acceptable, ruling.follows) == (False, "another-play")
    _, ruling = conversation("OZONES", "dover", [questions[0], questions[2]], "electronic")
    assert (ruling.acceptable, ruling.rule) == (True, "dover-6-special-1")


def test_lists_are_asked_before_books():
    """What a list decides needs no look at a book."""
    assert conversation("QI", "scrabble-i", set())[0] == conversation("SUQ", "dover", set())[0] == []


@pytest.mark.parametrize(("rules", "rule"), [("scrabble-i", "not-made-of"), ("dover", "dover-not-made-of")])
def test_a_base_that_does_not_fit(rules, rule):
    """A base that the word is not made of is told so, and nothing else is asked."""
    ruling = decide_word("BASHINGS", rules, PlayerAnswers({"BISH": True, "BASHINGS": False}), {"BASHINGS"})
    assert (ruling.acceptable, ruling.rule) == (False, rule)
    assert "BASHINGS is not seen to be BISH with a prefix or an ending" in ruling.because


def test_what_a_family_reads():
    """The reasons are whole sentences that name the books and the words."""
    ruling = decide_word("BASHINGS", "scrabble-i", WordBook.from_words(["BASH"]), {"BASHINGS"})
    assert ruling.because == "BASH is in your dictionary, and the OSPD has BASHINGS, which is BASH with -INGS."
    assert ruling.source == "Scrabble I, rule 10.1"
