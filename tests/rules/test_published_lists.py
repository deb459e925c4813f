"""The word lists that the rule books publish (docs/rules.md 6.6, 6.7)."""

from __future__ import annotations

from each_row import each_row

from ordws.rules.options import with_options
from ordws.rules.published_lists import (
    DISALLOWED_THREES,
    DISALLOWED_TWOS,
    DOVER_DISQUALIFIED,
    REJECTS_29,
    SPECIAL_PLURALS,
    TWOS_70,
    TWOS_72,
    TWOS_101,
    is_acceptable,
)
from ordws.rules.ruleset import RULE_SETS, published_word_lists


@each_row(
    ("words", "count"),
    [
        (TWOS_72, 72),
        (TWOS_70, 70),
        (TWOS_101, 101),
        (REJECTS_29, 29),
        (DISALLOWED_TWOS, 31),
        (DISALLOWED_THREES, 229),
        (DOVER_DISQUALIFIED, 26),
        (SPECIAL_PLURALS, 12),
    ],
)
def test_the_lists_have_the_published_lengths(words, count):
    """The lists have 72, 70, 101, 29, 31, 229 and 26 words (V-12 to V-15)."""
    assert len(words) == count


def test_the_lists_hold_words_of_their_length():
    """The lists of two-letter and three-letter words hold words of that length in capitals."""
    assert {len(word) for word in TWOS_101} == {2}
    assert {len(word) for word in DISALLOWED_THREES} == {3}
    assert all(word.isascii() and word.isalpha() and word.isupper() for word in TWOS_101 | DISALLOWED_THREES)


def test_the_two_lists_differ_in_si_and_wo():
    """SI and WO are valid with the list of 72 and invalid with the list of 70 (docs/rules.md A-39)."""
    assert sorted(TWOS_72 - TWOS_70) == ["SI", "WO"]


def test_ho_is_among_the_72():
    """HO is on the list of 72, although one source omits it (docs/rules.md E-01)."""
    assert "HO" in TWOS_72


def test_six_familiar_rejects_make_the_72_of_the_78():
    """The 78 are the 72 with AA, AE, JO, PE, QI and ZA (V-12)."""
    assert {"AA", "AE", "JO", "PE", "QI", "ZA"} <= REJECTS_29


def test_three_letter_disqualified_words_are_among_the_disallowed():
    """The disqualified words of three letters are among Dover's disallowed words."""
    assert {word for word in DOVER_DISQUALIFIED if len(word) == 3} <= DISALLOWED_THREES
    assert {word for word in DOVER_DISQUALIFIED if len(word) == 2} <= DISALLOWED_TWOS


@each_row(
    ("rules", "word", "found", "acceptable"),
    [
        ("classic", "QI", False, True),
        ("scrabble-i", "QI", True, False),
        ("scrabble-i", "SI", False, True),
        ("scrabble-i-classic", "WO", False, True),
        ("scrabble-o", "ZA", True, False),
        ("dover", "SI", True, False),
        ("scrabble-i", "QAT", True, True),
        ("dover", "QAT", True, False),
        ("dover", "QOPH", True, False),
        ("dover", "IOTAS", False, True),
        ("scrabble-i", "IOTAS", False, False),
        ("dover", "CAT", True, True),
        ("dover", "CAT", False, False),
    ],
)
def test_the_list_in_force_decides_before_the_edition(rules, word, found, acceptable):
    """The lists decide before the edition: two-letter words alone, Dover's struck and granted words first."""
    assert is_acceptable(published_word_lists(RULE_SETS[rules]), word, found) is acceptable


@each_row(
    ("rules", "options", "word", "decided"),
    [
        ("dover", {"allow": "ZIG,ZAG"}, "ZIG", True),
        ("dover", {"allow": "ZIG,ZAG"}, "AZO", False),
        ("dover", {"strike": "IOTAS"}, "IOTAS", False),
        ("scrabble-i", {"allow": "ZIG"}, "ZIG", True),
        ("scrabble-i", {"allow": "ZIG"}, "ZAG", None),
        ("scrabble-i", {"allow": "ZA"}, "ZA", True),
        ("scrabble-i", {"allow": "ZA"}, "AT", True),
        ("scrabble-i", {"strike": "AT"}, "AT", False),
        ("classic", {"strike": "CAT"}, "CAT", False),
        ("classic", {"strike": "CAT"}, "CATS", None),
        ("classic", {"twos": "QI,ZA"}, "QI", True),
        ("classic", {"twos": "QI,ZA"}, "AT", False),
        ("dover", {"twos": "QI,ZA"}, "QI", True),
        ("dover", {"twos": "QI,ZA", "strike": "QI"}, "QI", False),
        ("classic", {"twos": "QI,ZA", "allow": "AT", "strike": "QI"}, "AT", True),
        ("classic", {"twos": "QI,ZA", "allow": "AT", "strike": "QI"}, "QI", False),
    ],
)
def test_words_of_a_club_come_before_the_lists(rules, options, word, decided):
    """Words that a club allows or strikes, and its own two-letter words, come before all lists (docs/rules.md 6.10)."""
    assert published_word_lists(with_options(RULE_SETS[rules], options)).decide(word) is decided


def test_a_struck_word_is_a_bad_play_and_no_disallowed_word():
    """With a word of the option `strike` a play can be made, unlike with a published disallowed word."""
    lists = published_word_lists(with_options(RULE_SETS["dover"], {"strike": "CAT", "allow": "ZIG"}))
    assert "CAT" in lists.rejected
    assert not {"CAT", "ZIG"} & lists.struck
    assert "ZAG" in lists.struck
