"""Formatives and their bases: ordws.homeplay.formatives."""

from __future__ import annotations

import pytest
from each_row import each_row
from homeplay_vectors import rows, words
from hypothesis import given
from hypothesis import strategies as st

from ordws.homeplay.affixes import EXTENDED, matching_affixes, possible_bases, read_affix_table, read_affixes
from ordws.homeplay.book import DictionaryEntry, WordBook
from ordws.homeplay.formatives import WordDerivation, derivations_from, find_candidate_bases, find_derivations

BASES = words("bases.txt")
NAMED = {
    "REVOTE": "VOTE",
    "UNTRIM": "TRIM",
    "FLINGER": "FLING",
    "JOWLED": "JOWL",
    "LINTIER": "LINT",
    "BASHINGS": "BASH",
    "ANTITAX": "TAX",
    "MISFEED": "FEED",
    "OUTEAT": "EAT",
    "OVERMIX": "MIX",
    "TOELESS": "TOE",
}
SMALL_BOOK = frozenset(NAMED.values())


@each_row("row", rows("derivations.tsv"))
def test_the_likeliest_chain(row):
    """The likeliest derivation of a word is that of the table, or none."""
    word, chain, affix, *_ = row
    derivations = find_derivations(word, BASES)
    if chain == "-":
        assert derivations == ()
    else:
        assert (" ".join(derivations[0].words), derivations[0].affix) == (chain, affix)


@pytest.mark.parametrize("affixes", [read_affixes("strict"), EXTENDED], ids=["strict", "extended"])
def test_words_that_the_rule_books_name(affixes):
    """The affixes that the rule books name suffice for all the words that they name."""
    assert {word: [made.base for made in find_derivations(word, SMALL_BOOK, affixes)] for word in NAMED} == {
        word: [base] for word, base in NAMED.items()
    }


def test_the_strict_set_holds_no_more():
    """The strict set has no affix that the rule books do not name, and -Y only beneath -ER and -EST."""
    assert find_derivations("TOEHOOD", SMALL_BOOK, EXTENDED) != ()
    strict = read_affixes("strict")
    assert find_derivations("TOEHOOD", SMALL_BOOK, strict) == ()
    assert find_derivations("LINTY", SMALL_BOOK, strict) == ()
    assert [made.words for made in find_derivations("LINTIEST", SMALL_BOOK, strict)] == [("LINT", "LINTY", "LINTIEST")]


def test_several_derivations_are_ranked():
    """Of several derivations the likeliest comes first, and no base comes twice."""
    derivations = find_derivations("MISFEED", {"FEED", "FEE", "MISFEE"})
    assert [(made.base, made.cost) for made in derivations] == [("MISFEE", 0), ("FEED", 1)]


def test_parts_of_speech_decide_where_they_are_known():
    """A base has to have a part of speech that fits the affix: a noun that is no adjective takes no -ITY."""
    book = WordBook(
        {"TILE": (DictionaryEntry("noun"),), "ORAL": (DictionaryEntry("adjective"),), "OVAL": (DictionaryEntry(),)}
    )
    assert find_derivations("TILITY", book) == ()
    assert [made.base for made in find_derivations("ORALITY", book)] == ["ORAL"]
    assert [made.base for made in find_derivations("OVALITY", book)] == ["OVAL"]


def test_a_base_that_a_player_names():
    """A base that a player names is held against the word alone, whatever a dictionary has."""
    assert [made.words for made in derivations_from("BASHINGS", "BASH")] == [("BASH", "BASHING", "BASHINGS")]
    assert derivations_from("BASHINGS", "BISH") == ()


@each_row(
    ("word", "first"),
    [
        ("BASHINGS", "BASH"),
        ("REVOTE", "VOTE"),
        ("FLINGER", "FLING"),
        ("JOWLED", "JOWL"),
        ("OUTEAT", "EAT"),
        ("TOELESS", "TOE"),
        ("BLADINGS", "BLADE"),
        ("DOPINGS", "DOPE"),
        ("RETARGETED", "TARGET"),
        ("PEACES", "PEACE"),
        ("MICE", "MOUSE"),
        ("HAPPIEST", "HAPPY"),
        ("STOPPED", "STOP"),
        ("QUIZZES", "QUIZ"),
        ("FISHERMEN", "FISHERMAN"),
        ("UNHAPPIER", "HAPPY"),
        ("UNITS", "UNIT"),
    ],
)
def test_without_a_dictionary_candidates_are_ranked_by_looks(word, first):
    """Without a dictionary the base that a person would look up comes first, judged by its looks alone."""
    assert find_candidate_bases(word)[0].base == first


def test_no_base_is_asked_for_that_cannot_be_a_word():
    """A plural of a suffix, or a doubled letter before EY, must never be asked for as a base."""
    asked = [made.base for word in ("KINDNESSES", "UNHAPPIER", "BEAUTIFULLY") for made in find_candidate_bases(word)]
    assert {"KIND", "KINDNESS", "HAPPY", "BEAUTY"} <= {*asked}
    assert not {"KINDNES", "HAPPEY", "UNHAPPEY"} & {*asked}


def test_a_word_without_affix_has_no_candidates():
    """A word without an affix has no candidate bases."""
    assert find_candidate_bases("KOLO") == find_candidate_bases("VEXT") == ()


AFFIXES = [*EXTENDED.suffixes, *EXTENDED.prefixes]
MADE = st.builds(
    lambda front, base, *back: (front + base + "".join(back))[:21],
    st.sampled_from(["", "UN", "RE", "NON", *EXTENDED.prefixes]),
    st.sampled_from(sorted(BASES)),
    st.sampled_from(["", *EXTENDED.suffixes]),
    st.sampled_from(["", "S", "ED", *EXTENDED.suffixes]),
)


def is_step(made: WordDerivation, place: int) -> bool:
    """Return whether a word of a chain is a possible base of the next, with the affix of that step."""
    under, step = made.words[place], made.steps[place]
    signs = [affix for affix in matching_affixes(step.word, EXTENDED) if affix.hyphenated == step.affix]
    return any(under in possible_bases(step.word, affix) for affix in signs)


@given(MADE)
def test_chains_spell(word):
    """Each step of a chain follows from the one before, the last is the word, and at most two are derivations."""
    for made in (*find_derivations(word, BASES), *find_candidate_bases(word)):
        assert made.words[-1] == word
        assert 1 <= len(made.steps) <= 3
        assert len(made.base) >= 3
        assert all(is_step(made, place) for place in range(len(made.steps)))
    assert {made.base for made in find_derivations(word, BASES)} <= BASES


@given(st.text("ABCDEINGRSTUY", min_size=1, max_size=21))
def test_any_text_of_letters_has_an_answer(word):
    """Any text of letters can be asked about, however short, long or odd."""
    assert all(made.words[-1] == word for made in (*find_derivations(word, BASES), *find_candidate_bases(word)))


def test_a_larger_book_never_hides_a_nearer_base():
    """The likeliest derivation from a small book is not less likely from a larger one."""
    for word in NAMED:
        assert find_derivations(word, SMALL_BOOK | BASES)[0].cost <= find_derivations(word, SMALL_BOOK)[0].cost


def test_the_table_of_affixes_is_well_formed():
    """In the table affixes are capitals, costs are small, and spellings and kinds are known ones."""
    table = read_affix_table()
    kinds = {kind for row in table["suffixes"] + table["prefixes"] for kind in row["kinds"].replace(">", " ").split()}
    assert kinds == {
        "noun",
        "verb",
        "adjective",
        "adverb",
        "plural",
        "third",
        "past",
        "participle",
        "comparative",
        "superlative",
        "reversal",
    }
    assert {row.get("spelling", "native") for row in table["suffixes"]} == {
        "s",
        "native",
        "learned",
        "plain",
        "ly",
        "turned",
        "combining",
    }
    assert {row.get("spelling", "prefix") for row in table["prefixes"]} == {"prefix", "combining"}
    assert all(letters.isalpha() and letters.isupper() for letters in AFFIXES)
    assert {row["cost"] for row in table["suffixes"] + table["prefixes"]} <= {0, 1, 2, 3, 4, 5}
