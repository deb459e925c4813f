"""Tests of the DAWG of plain words."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordws.mining.dawg import build_dawg

SHORT = ["".join(letters) for n in range(6) for letters in product("ABZ", repeat=n)]


@given(st.sets(st.sampled_from([word for word in SHORT if len(word) > 1]), max_size=40))
def test_a_dawg_contains_exactly_its_words(words):
    """A DAWG contains exactly the words it was built from."""
    dawg = build_dawg(words)
    assert {word for word in SHORT if word in dawg} == words


def test_equal_endings_are_stored_once():
    """Equal endings are stored once."""
    dawg = build_dawg(["CATS", "HATS", "CAT", "HAT"])
    assert len(dawg.letters) == 5
    assert list(dawg.children[dawg.first_child[dawg.root] :][:2]) == [3, 3]


def test_the_order_of_the_words_does_not_matter():
    """The same words give the same DAWG, in any order and however often."""
    assert build_dawg(["TO", "AT", "TOO", "AT"]) == build_dawg(iter(["TOO", "TO", "AT"]))


def test_a_text_that_is_no_word_is_not_in_the_dawg():
    """A text that is no word of capitals is not in the DAWG."""
    dawg = build_dawg(["AT"])
    assert [text for text in ("AT", "at", "A", "", "AÉ", "A?", b"AT", None) if text in dawg] == ["AT"]


@pytest.mark.parametrize("word", ["", "A", "cat", "CAÉ", "CAT\n", "D'OH"])
def test_an_invalid_word_is_refused(word):
    """A DAWG is built of words of two capitals or more, and any other is named in the error."""
    with pytest.raises(ValueError, match="is not a word of two letters or more from A to Z") as raised:
        build_dawg(["DOG", word])
    assert str(raised.value).startswith(f'"{word}"')


def test_no_words_make_an_empty_dawg():
    """A DAWG of no words contains nothing."""
    assert "AT" not in build_dawg([])
