"""Rulings at home on the words that the rule books name: ordws.homeplay.decide."""

from __future__ import annotations

import pytest
from each_row import each_row
from homeplay_vectors import VECTORS, lines, rows, words

from ordws.homeplay.book import PlayerAnswers, WordBook, read_book
from ordws.homeplay.decide import decide_word
from ordws.homeplay.word_check import LookupRequest, WordRuling, read_sentences
from ordws.rules.options import with_options
from ordws.rules.published_lists import TWO_LETTER_LISTS
from ordws.rules.ruleset import CLASSIC, DOVER, RULE_SETS, SCRABBLE_I, HomeRules

OSPD = words("ospd.txt")


@pytest.fixture(scope="module")
def dictionary():
    return read_book(VECTORS / "dictionary.tsv")


@each_row("row", rows("rulings.tsv"))
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
    """Every sentence belongs to a ruling of the table, but those of players' own bases and lists, and of no word."""
    ruled = {row[4] for row in rows("rulings.tsv")}
    others = {"not-made-of", "dover-not-made-of", "own-list-good", "own-list-out", "not-playable"}
    assert set(read_sentences()["rules"]) - ruled == others


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


@each_row("rules", RULE_SETS)
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
    dictionary, reference, asked = PlayerAnswers({}), PlayerAnswers({}), []
    while isinstance(ruling := decide_word(word, RULE_SETS[rules], dictionary, reference, edition), LookupRequest):
        asked.append(ruling.question)
        answer = (ruling.about, ruling.words[0], ruling.question in yes)
        if ruling.about == "reference":
            reference = reference.with_answer(*answer)
        else:
            dictionary = dictionary.with_answer(*answer)
    return asked, ruling


def labelled(word):
    """Return the question about the label of a word."""
    return f"Does your dictionary label {word} offensive or vulgar in every sense?"


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
    assert asked == [questions[0], labelled("OZONE"), *questions[1:]]
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


def test_labels_are_asked_where_they_bar_words():
    """Under Dover the player says whether the dictionary labels the word, or the base that it is made of."""
    asked, ruling = conversation("HAG", "dover", {"Is HAG in your dictionary?", labelled("HAG")})
    assert asked == ["Is HAG in your dictionary?", labelled("HAG")]
    assert (ruling.acceptable, ruling.rule) == (False, "dover-2-label")
    asked, ruling = conversation("HAG", "dover", {"Is HAG in your dictionary?"})
    assert (ruling.acceptable, ruling.labels_checked) == (True, True)
    asked, ruling = conversation("BASHINGS", "dover", {"Is BASH in your dictionary?", labelled("BASH")})
    assert asked == ["Is BASH in your dictionary?", labelled("BASH")]
    assert (ruling.acceptable, ruling.rule, ruling.base) == (False, "dover-2-label-base", "BASH")
    assert conversation("HAG", "scrabble-i", {"Is HAG in your dictionary?"})[0] == ["Is HAG in your dictionary?"]
    # A two-letter base stands on its list, which alone decides.
    assert conversation("GOING", "dover", {"Is GO in your dictionary?", "Is GOING in the OSPD?"})[1].acceptable


def test_labels_bar_words_in_every_game_that_says_so(tmp_path):
    """With `offensive=disallowed` the labels decide in the Scrabble I family too, of the word and of its base."""
    rules = with_options(SCRABBLE_I, {"offensive": "disallowed"})
    book = tmp_path / "book.txt"
    book.write_text("hag\tn.\tmain\tvulgar\nbash\tv.\tmain\tinformal\n")
    dictionary, reference = read_book(book), frozenset({"HAGS", "BASHES"})
    rulings = {word: decide_word(word, rules, dictionary, reference) for word in ("HAG", "HAGS", "BASH", "BASHES")}
    assert {word: (ruling.acceptable, ruling.rule) for word, ruling in rulings.items()} == {
        "HAG": (False, "dover-2-label"),
        "HAGS": (False, "dover-2-label-base"),
        "BASH": (True, "in-dictionary"),
        "BASHES": (True, "formative"),
    }
    assert decide_word("HAG", SCRABBLE_I, dictionary, reference).acceptable


def test_a_file_without_labels_says_so(tmp_path):
    """A ruling by a file that labels no word says that labels were not checked, where they matter."""
    for text, checked in (("bash\nvote\n", False), ("bash\tv.\tmain\n", False), ("bash\nvote\tv\t\trare\n", True)):
        book = tmp_path / "book.txt"
        book.write_text(text)
        dictionary = read_book(book)
        assert decide_word("BASH", DOVER, dictionary, OSPD).labels_checked is checked
        assert decide_word("BASHINGS", DOVER, dictionary, OSPD).labels_checked is checked
        assert decide_word("BASH", SCRABBLE_I, dictionary, OSPD).labels_checked
        # Lists and refusals need no label.
        assert decide_word("AIS", DOVER, dictionary, OSPD).labels_checked
        assert decide_word("KOLO", DOVER, dictionary, OSPD).labels_checked


def test_words_of_a_club_come_first():
    """Words that a game allows or strikes out by its options are decided before every other list and book."""
    rules = with_options(DOVER, {"allow": "ZIG,ZA", "strike": "BASH,AB"})
    rulings = {
        word: decide_word(word, rules, WordBook.from_words(["BASH"]), OSPD) for word in ("ZIG", "ZA", "BASH", "AB")
    }
    assert {word: (ruling.acceptable, ruling.rule) for word, ruling in rulings.items()} == {
        "ZIG": (True, "own-list-good"),
        "ZA": (True, "own-list-good"),
        "BASH": (False, "own-list-out"),
        "AB": (False, "own-list-out"),
    }
    own = decide_word("QI", with_options(DOVER, {"twos": "QI"}))
    assert own.because == "QI is on this game's own list of two-letter words, which alone decides."


@each_row(
    ("rules", "name"),
    [
        ("classic", "the list of 101 two-letter words in the OSPD, 4th edition, 2006"),
        ("scrabble-o", "Scrabble I's list of 72 two-letter words"),
        ("dover", "the Dover club's list of 70 two-letter words"),
    ],
)
def test_a_ruling_names_its_two_letter_list(rules, name):
    """A two-letter word is ruled on with the name of the list that decided it."""
    assert decide_word("AB", RULE_SETS[rules]).because == f"AB is on {name}, which alone decides."
    assert decide_word("QB", RULE_SETS[rules]).because == f"QB is not on {name}, which alone decides."


def test_the_list_that_answered_is_named():
    """The reason names the players' list that answered, also at the beginning of a sentence."""
    book = WordBook.from_words(["BASH"])
    ruling = decide_word("BASHINGS", SCRABBLE_I, book, {"BASHINGS"}, reference_name="the open players' list")
    assert "the open players' list has BASHINGS" in ruling.because
    ruling = decide_word("KOLO", CLASSIC, book, {"KOLO"}, reference_name="the open players' list")
    assert ruling.because == "The open players' list has KOLO, and in the regular game that alone decides."


@each_row(("word", "base"), [("GLUIER", "GLUEY"), ("DOPIER", "DOPEY"), ("HORSIER", "HORSEY"), ("OWLETS", "OWL")])
@each_row("rules", ["scrabble-i", "dover"])
def test_a_base_that_a_player_knows(word, base, rules):
    """A base that the player names is taken, and the way from it to the word is found."""
    dictionary = PlayerAnswers({word: False, base: True}, {base: False}, {base: False})
    ruling = decide_word(word, RULE_SETS[rules], dictionary, {word})
    assert (ruling.acceptable, ruling.base, ruling.steps[0], ruling.steps[-1]) == (True, base, base, word)


def test_lists_precede_books():
    """A word that a list decides needs no look-up in a book."""
    assert conversation("QI", "scrabble-i", set())[0] == conversation("SUQ", "dover", set())[0] == []


@pytest.mark.parametrize(("rules", "rule"), [("scrabble-i", "not-made-of"), ("dover", "dover-not-made-of")])
def test_a_base_that_does_not_fit(rules, rule):
    """A named base from which the word cannot be made gives a ruling that yes so, and no further question."""
    ruling = decide_word("BASHINGS", RULE_SETS[rules], PlayerAnswers({"BISH": True, "BASHINGS": False}), {"BASHINGS"})
    assert (ruling.acceptable, ruling.rule) == (False, rule)
    assert "BASHINGS is not known to be made from BISH with a prefix or an ending" in ruling.because


def test_the_reason_of_a_ruling_is_a_sentence():
    """The reason of a ruling is a whole sentence that names the books and the words."""
    ruling = decide_word("BASHINGS", SCRABBLE_I, WordBook.from_words(["BASH"]), {"BASHINGS"})
    assert ruling.because == "BASH is in your dictionary, and the OSPD has BASHINGS, which is BASH with -INGS."
    assert ruling.source == "Scrabble I, rule 10.1"
