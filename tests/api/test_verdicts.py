"""Verdicts by the sets of an edition and by the words of a club, and what a question of them is charged."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product

import pytest
from each_row import each_row

from ordws.api.verdicts import REGULAR, WordRule, are_acceptable, are_found_in_game, charged_question
from ordws.guard.charge import Question
from ordws.lexicon.edition import Edition, WordSet
from ordws.rules.options import with_options
from ordws.rules.ruleset import RULE_SETS

CORE = ("VOTE", "KEMPTLY", "UNKEMPT", "BARELY", "CAT")
FORMS = ("REVOTE", "BALERS")
LABELLED = ("SLUR", "SLURRED", "CAT")
WORDS = ("VOTE", "BALE", "SLUR", "CAT", "QUIZ")
REFERENCE = (*CORE, *FORMS, *WORDS, "BALER", "KEMPT", "SLURRED", "REVOTES", "OSPDER")


class CountedSet:
    """A word set that remembers the words looked up in it."""

    def __init__(self, *words):
        self._words, self.asked = frozenset(words), []

    def __contains__(self, word):
        self.asked.append(word)
        return word in self._words


def make_edition(**sets):
    open_list = WordSet(frozenset(word.encode() for word in REFERENCE))
    return Edition(
        number=1,
        name="ORDWS 2026",
        created=datetime(2026, 1, 1, tzinfo=UTC),
        core_digest="",
        reference_digest="",
        core=frozenset(CORE),
        dover_charged=frozenset({"UNKEMPT", "BARELY"}),
        **{
            "words": CountedSet(*WORDS),
            "dover_forms": CountedSet(*FORMS, "SLURRED"),
            "labelled": CountedSet(*LABELLED),
            "retired": CountedSet("OLDIE"),
            "dover_retired": CountedSet("UNOLD"),
            "reference": open_list,
            "open_reference": open_list,
            **sets,
        },
    )


def rules_of(name, **options):
    return with_options(RULE_SETS[name], options)


@each_row(
    ("name", "options", "word", "verdict"),
    [
        ("scrabble-i", {}, "VOTE", True),
        ("scrabble-i", {}, "REVOTE", False),
        ("scrabble-i", {}, "SLUR", True),
        ("scrabble-i", {"offensive": "disallowed"}, "SLUR", False),
        ("scrabble-i", {"offensive": "disallowed"}, "QUIZ", True),
        ("classic", {"offensive": "disallowed"}, "REVOTE", False),
        ("dover", {}, "VOTE", True),
        ("dover", {}, "REVOTE", True),
        ("dover", {}, "BALERS", True),
        ("dover", {}, "REVOTES", False),
        ("dover", {}, "SLUR", False),
        ("dover", {}, "SLURRED", False),
        ("dover", {"offensive": "allowed"}, "SLUR", True),
        ("dover", {"offensive": "allowed"}, "SLURRED", True),
        ("dover", {"allow": "SLUR"}, "SLUR", True),
        ("dover", {"strike": "REVOTE"}, "REVOTE", False),
        ("dover", {"allow": "ZIG"}, "ZIG", True),
        ("dover", {}, "ZIG", False),
        ("scrabble-i", {"strike": "VOTE"}, "VOTE", False),
        ("scrabble-i", {"twos": "QI"}, "QI", True),
        ("scrabble-i", {"twos": "QI"}, "AT", False),
    ],
)
def test_a_verdict_follows_the_word_rule(name, options, word, verdict):
    """Dover's forms, the labels and the words of a club decide as docs/rules.md 6.3, 6.9 and 6.10 say."""
    assert are_acceptable(make_edition(), rules_of(name, **options), [word]) is verdict


def test_every_word_is_looked_up_in_all_sets_of_the_rule():
    """Each word is looked up once in each set that the rule asks, whatever the word and the first ones yield."""
    words = ["AAAA", "QUIZ", "AB", "REVOTE", "SLUR"]
    for name, offensive in product(RULE_SETS, ("allowed", "disallowed")):
        edition, rules = make_edition(), rules_of(name, offensive=offensive)
        are_acceptable(edition, rules, words)
        asked = [word for word in words if word != "AB"]
        beside = [] if WordRule.of(rules) is REGULAR else asked
        assert [edition.words.asked, edition.dover_forms.asked, edition.labelled.asked] == [asked, beside, beside]


def are_found(edition, rules, words):
    """Return the result of a check in the players' list that came with an edition."""
    return are_found_in_game(edition, edition.reference, rules, words)


@pytest.mark.parametrize("function", [are_acceptable, are_found])
def test_words_of_a_club_are_never_looked_up(function):
    """A word that a club allows or strikes is looked up in no set, by a verdict or by a check of the OSPD."""
    sets = {
        name: CountedSet("CAT", "DOG")
        for name in ("words", "dover_forms", "labelled", "retired", "dover_retired", "reference")
    }
    edition, rules = make_edition(**sets), rules_of("dover", allow="ZIG,ZAG", strike="CAT,AT")
    assert function(edition, rules, ["ZIG", "ZAG"]) is True
    assert function(edition, rules, ["ZIG", "CAT"]) is False
    assert function(edition, rules, ["AT"]) is False
    assert {word for each in sets.values() for word in each.asked} == set()


@each_row(
    ("name", "word", "found"),
    [
        ("dover", "OSPDER", True),
        ("dover", "OLDIE", True),
        ("dover", "UNOLD", True),
        ("scrabble-i", "UNOLD", False),
        ("dover", "REVOTE", True),
        ("dover", "ABSENT", False),
        ("dover", "SLUR", True),
        ("scrabble-i", "QUIZ", True),
        ("scrabble-i", "ABSENT", False),
    ],
)
def test_a_check_in_a_game_finds_what_is_or_was_good(name, word, found):
    """A check finds words of the reference, and words that are or were acceptable (docs/rules.md A-22)."""
    assert are_found(make_edition(), rules_of(name), [word]) is found


def charged(name, *words, **options):
    """Return the words, the rule and the bases that a question is charged for, and the words that cost a unit."""
    question, core = charged_question(make_edition(), rules_of(name, **options), Question(words, 1))
    units = [word for word in question.words if word not in core]
    return question.words, question.rule, question.bases, units


def test_the_core_list_is_not_copied_for_a_question():
    """A question is charged without another copy of the core list: it has 64,000 words, and repeats cost no budget."""

    class Whole(frozenset):
        def __sub__(self, others):
            raise AssertionError("the list is copied")

    edition = replace(make_edition(), core=Whole(CORE))
    _, core = charged_question(edition, rules_of("dover"), Question(("BARELY", "CAT"), 1))
    assert [word in core for word in ("BARELY", "CAT", "QUIZ")] == [False, True, False]


@each_row(
    ("name", "options", "words", "expected"),
    [
        ("scrabble-i", {}, ("QUIZ", "VOTE"), (("QUIZ", "VOTE"), "", (), ["QUIZ"])),
        ("scrabble-i", {}, ("UNKEMPT",), (("UNKEMPT",), "", (), [])),
        ("scrabble-i", {"offensive": "disallowed"}, ("VOTE",), (("VOTE",), "inoffensive", (), [])),
        ("dover", {"offensive": "allowed"}, ("VOTE",), (("VOTE",), "dover", (), [])),
        ("dover", {}, ("REVOTE",), (("REVOTE",), "dover-inoffensive", (), ["REVOTE"])),
        ("dover", {}, ("BALERS",), (("BALERS",), "dover-inoffensive", ("BALER", "BALE"), ["BALERS"])),
        ("dover", {}, ("UNKEMPT",), (("UNKEMPT",), "dover-inoffensive", ("KEMPT",), [])),
        ("dover", {}, ("BARELY",), (("BARELY",), "dover-inoffensive", (), ["BARELY"])),
        ("dover", {}, ("KEMPTLY",), (("KEMPTLY",), "dover-inoffensive", (), [])),
        ("dover", {}, ("UNQUIZ",), (("UNQUIZ",), "dover-inoffensive", (), ["UNQUIZ"])),
        (
            "dover",
            {"allow": "BALERS", "strike": "CAT"},
            ("BALERS", "CAT", "AT", "ZIG"),
            ((), "dover-inoffensive", (), []),
        ),
    ],
)
def test_a_question_is_charged_by_its_word_rule(name, options, words, expected):
    """Words that lists decide are not charged; under Dover bases outside the core list are (Decision 2)."""
    assert charged(name, *words, **options) == expected


def test_the_four_word_rules_have_different_names():
    """Each word rule is another question to the guard, and the regular one has the empty name it always had."""
    names = {
        (name, offensive): WordRule.of(rules_of(name, offensive=offensive)).name
        for name, offensive in product(RULE_SETS, ("allowed", "disallowed"))
    }
    assert set(names.values()) == {"", "inoffensive", "dover", "dover-inoffensive"}
    assert names["dover", "disallowed"] == "dover-inoffensive"
    assert {rule for rule, name in names.items() if not name} == {(each, "allowed") for each in RULE_SETS} - {
        ("dover", "allowed")
    }
