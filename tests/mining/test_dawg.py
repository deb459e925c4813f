"""Plain words as a graph."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordws.mining.dawg import build_dawg

SHORT = ["".join(letters) for n in range(6) for letters in product("ABZ", repeat=n)]


@given(st.sets(st.sampled_from([word for word in SHORT if len(word) > 1]), max_size=40))
def test_holds_its_words_and_no_others(words):
    """A word is in the graph if it was among the words given, and no other text is."""
    graph = build_dawg(words)
    assert {word for word in SHORT if word in graph} == words


def test_words_share_their_endings():
    """What may follow is stored once, whatever stands before it."""
    graph = build_dawg(["CATS", "HATS", "CAT", "HAT"])
    assert len(graph.letters) == 5
    assert list(graph.children[graph.first_child[graph.root] :][:2]) == [3, 3]


def test_the_order_of_the_words_does_not_matter():
    """The same words give the same graph, in any order and however often."""
    assert build_dawg(["TO", "AT", "TOO", "AT"]) == build_dawg(iter(["TOO", "TO", "AT"]))


def test_other_signs_are_not_in_it():
    """A text that is no word of capitals is not in the graph, though its letters would be."""
    graph = build_dawg(["AT"])
    assert [text for text in ("AT", "at", "A", "", "AÉ", "A?", b"AT", None) if text in graph] == ["AT"]


@pytest.mark.parametrize("word", ["", "A", "cat", "CAÉ", "CAT\n", "D'OH"])
def test_what_is_no_plain_word_is_refused(word):
    """Words are written in two capitals or more; any other is named."""
    with pytest.raises(ValueError, match="is not a word of two letters or more from A to Z") as raised:
        build_dawg(["DOG", word])
    assert str(raised.value).startswith(f'"{word}"')


def test_no_words_make_an_empty_graph():
    """Of no words at all there is a graph, in which nothing is."""
    assert "AT" not in build_dawg([])
