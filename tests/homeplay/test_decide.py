"""Rulings at home on the words that the rule books name: ordws.homeplay.decide."""

from __future__ import annotations

import pytest
from homeplay_vectors import VECTORS, lines, rows, words

from ordws.homeplay.book import PlayerAnswers, WordBook, read_book
from ordws.homeplay.decide import decide_word
from ordws.homeplay.result import LookupRequest, WordRuling, read_sentences
from ordws.rules.published_lists import TWO_LETTER_LISTS
from ordws.rules.ruleset import HomeRules
from ordws.rules.rulesets import DOVER, RULE_SETS, SCRABBLE_I

OSPD = words("ospd.txt")


@pytest.fixture(scope="module")
def dictionary():
    return read_book(VECTORS / "dictionary.tsv")


@pytest.mark.parametrize("row", rows("rulings.tsv"), ids=lambda row: "-".join(row[:3]))
def test_rulings(row, dictionary):
    """Each word of the table is ruled on by its rule, with its base and its consequence."""
    word, rules, edition, *expected = row
    by_exclusion = edition == "exclusion"
    ruling = decide_word(
        word,
        RULE_SETS[rules],
        dictionary,
        OSPD,
        "print" if by_exclusion else edition,
        by_exclusion=by_exclusion,
    )
    assert isinstance(ruling, WordRuling)
    shown = ["yes" if ruling.acceptable else "no", ruling.rule, ruling.base or "-", ruling.follows or "-"]
    assert shown == expected[:4]
    assert word in ruling.because
    assert "{" not in ruling.because


def test_every_sentence_belongs_to_a_ruling(dictionary):
    """Every sentence belongs to a ruling of the table, except the two for a base that a player names."""
    ruled = {row[4] for row in rows("rulings.tsv")}
    assert set(read_sentences()["rules"]) - ruled == {"not-made-of", "dover-not-made-of"}


@pytest.mark.parametrize("rule", ["disallowed", "disqualified"])
def test_every_word_that_dover_strikes_out(rule):
    """A word that Dover strikes out leads to another play, even if both books have it."""
    struck = [word for line in lines("struck.txt") for word in line.removeprefix(f"{rule}: ").split() if rule in line]
    book = WordBook.from_words(struck)
    rulings = [decide_word(word, DOVER, book, book) for word in struck]
    assert len(rulings) == {"disallowed": 261, "disqualified": 26}[rule]
    assert {(ruling.acceptable, ruling.follows) for ruling in rulings} == {(False, "another-play")}
    assert {ruling.rule for ruling in rulings} <= {"dover-3-disqualified", "dover-7-disallowed"}


def test_letters_in_the_plural():
    """Plurals of letters, BS to ZS, are out except the four on the two-letter list; ES is a disallowed word too."""
    rulings = {word: decide_word(word, DOVER) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if (word := f"{letter}S")}
    assert {word for word, ruling in rulings.items() if ruling.acceptable} == {"AS", "IS", "OS", "US"}
    assert {word for word, ruling in rulings.items() if ruling.follows == "another-play"} == {"ES"}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_list_alone_decides_two_letters(rules):
    """Whatever the books say, the acceptable two-letter words are those of the rule set's list."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    twos = [first + second for first in alphabet for second in alphabet]
    everything, nothing = WordBook.from_words(twos), WordBook.from_words(())
    for book in (everything, nothing):
        acceptable = {two for two in twos if decide_word(two, RULE_SETS[rules], book, book).acceptable}
        assert acceptable == TWO_LETTER_LISTS[RULE_SETS[rules].two_letter_words]


def test_each_rule_set_has_its_home_rules():
    """Each rule set has the home rules that its rule book states (docs/rules.md 11)."""
    assert {id: rules.home_rules for id, rules in RULE_SETS.items()} == {
        "classic": HomeRules.REFERENCE,
        "scrabble-i-classic": HomeRules.TWO_BOOKS,
        "scrabble-o": HomeRules.TWO_BOOKS,
        "scrabble-i": HomeRules.TWO_BOOKS,
        "dover": HomeRules.DOVER,
    }


def test_a_plain_list_rules_as_well():
    """In a book that does not name secondary entries, a headword made of another headword is taken for one."""
    book = WordBook.from_words(["BALE", "BALER", "OZONE", "LUGE", "DEMO", "DOPE", "DOPING"])
    rules = {
        "BALERS": "dover-6-special-1",
        "OZONES": "dover-6-electronic",
        "LUGED": "dover-6-special-1",
        "DEMOED": "dover-6-special-1",
        "DOPINGS": "dover-6-special-2",
    }
    assert {word: decide_word(word, DOVER, book, OSPD, "electronic").rule for word in rules} == rules


def conversation(word, rules, yes, edition="print"):
    """Return the questions in order and the final ruling; the questions in `yes` are answered yes."""
    answers, main, reference, asked = {}, {}, {}, []
    while isinstance(
        ruling := decide_word(word, RULE_SETS[rules], PlayerAnswers(answers, main), PlayerAnswers(reference), edition),
        LookupRequest,
    ):
        asked.append(ruling.question)
        seen = {"dictionary": answers, "main-entry": main, "reference": reference}[ruling.about]
        seen[ruling.words[0]] = ruling.question in yes
    return asked, ruling


def test_two_questions_of_two_books():
    """A player is asked for the base in the dictionary, and then for the word in the OSPD."""
    asked, ruling = conversation("BASHINGS", "scrabble-i", {"Is BASH in your dictionary?", "Is BASHINGS in the OSPD?"})
    assert asked == ["Is BASH in your dictionary?", "Is BASHINGS in the OSPD?"]
    assert (ruling.acceptable, ruling.steps) == (True, ("BASH", "BASHING", "BASHINGS"))


def test_a_no_leads_to_the_next_question():
    """After each base that is not there the next one is asked for, and at last the word itself."""
    asked, ruling = conversation("FLINGER", "scrabble-i", set())
    assert asked[0] == "Is FLING in your dictionary?"
    assert asked[-1] == "Is FLINGER in your dictionary?"
    assert (ruling.acceptable, ruling.rule) == (False, "no-base")


def test_a_yes_of_the_ospd_alone_is_not_enough():
    """A word that only the OSPD has is not acceptable: KOLO has no base, and is not in the dictionary."""
    asked, ruling = conversation("KOLO", "scrabble-i", {"Is KOLO in the OSPD?"})
    assert asked == ["Is KOLO in your dictionary?"]
    assert not ruling.acceptable


def test_the_electronic_edition_decides_plurals_of_main_entries():
    """The electronic edition decides plurals of its main entries; those of secondary entries are left to the OSPD."""
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


def test_the_adjective_decides_whether_the_ospd_is_asked():
    """In Dover, a comparative is no agent noun: the OSPD is asked only if the adjective has no main entry."""
    questions = [
        "Is LINTY in your dictionary?",
        "Has LINTY a main entry of its own in your dictionary?",
        "Is LINTIER in the OSPD?",
    ]
    answers = {questions[0], questions[2]}
    asked, ruling = conversation("LINTIER", "dover", answers)
    assert [question for question in asked if question in questions] == questions
    assert (ruling.acceptable, ruling.rule) == (True, "dover-5-comparative")
    assert "which shows no LINTIER, the comparative of LINTY; so the OSPD decides" in ruling.because
    asked, ruling = conversation("LINTIER", "dover", {*questions})
    assert asked[-1] == questions[1]
    assert (ruling.acceptable, ruling.rule) == (False, "dover-5-main-adjective")


def test_lists_precede_books():
    """A word that a list decides needs no look-up in a book."""
    assert conversation("QI", "scrabble-i", set())[0] == conversation("SUQ", "dover", set())[0] == []


@pytest.mark.parametrize(("rules", "rule"), [("scrabble-i", "not-made-of"), ("dover", "dover-not-made-of")])
def test_a_base_that_does_not_fit(rules, rule):
    """A named base from which the word cannot be made gives a ruling that yes so, and no further question."""
    ruling = decide_word("BASHINGS", RULE_SETS[rules], PlayerAnswers({"BISH": True, "BASHINGS": False}), {"BASHINGS"})
    assert (ruling.acceptable, ruling.rule) == (False, rule)
    assert "BASHINGS is not seen to be BISH with a prefix or an ending" in ruling.because


def test_the_reason_of_a_ruling_is_a_sentence():
    """The reason of a ruling is a whole sentence that names the books and the words."""
    ruling = decide_word("BASHINGS", SCRABBLE_I, WordBook.from_words(["BASH"]), {"BASHINGS"})
    assert ruling.because == "BASH is in your dictionary, and the OSPD has BASHINGS, which is BASH with -INGS."
    assert ruling.source == "Scrabble I, rule 10.1"
