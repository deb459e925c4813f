"""Tests of the graph of plain words."""

from itertools import product

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from ordws.movegen.graph import CHILD, Graph

SHORT = ["".join(letters) for n in range(6) for letters in product("ABZ", repeat=n)]


@given(st.sets(st.sampled_from([word for word in SHORT if len(word) > 1]), max_size=40))
def test_a_graph_contains_exactly_its_words(words):
    """A graph contains exactly the words it was built from."""
    graph = Graph.from_words(words)
    assert {word for word in SHORT if word in graph} == words


def test_equal_endings_are_stored_once():
    """Equal endings are stored once: of these four words the edges C, H, A, T and S."""
    graph = Graph.from_words(["CATS", "HATS", "CAT", "HAT"])
    assert len(graph.edges) == 1 + 5
    assert graph.edge(graph.root, 3) >> CHILD == graph.edge(graph.root, 8) >> CHILD


def test_the_order_of_the_words_does_not_matter():
    """The same words give the same graph, in any order and however often."""
    one, other = (Graph.from_words(words) for words in (["TO", "AT", "TOO", "AT"], iter(["TOO", "TO", "AT"])))
    assert (list(one.edges), list(one.letters), one.root) == (list(other.edges), list(other.letters), other.root)


def test_a_text_that_is_no_word_is_not_in_the_graph():
    """A text that is no word of capitals is not in the graph."""
    graph = Graph.from_words(["AT"])
    assert [text for text in ("AT", "at", "A", "", "AÉ", "A?", b"AT", None) if text in graph] == ["AT"]


@each_row("word", ["", "A", "cat", "CAÉ", "CAT\n", "D'OH"])
def test_an_invalid_word_is_refused(word):
    """A graph is built of words of two capitals or more, and any other is named in the error."""
    with pytest.raises(ValueError, match="is not a word of two letters or more from A to Z") as raised:
        Graph.from_words(["DOG", word])
    assert str(raised.value).startswith(f'"{word}"')


def test_no_words_make_an_empty_graph():
    """A graph of no words contains nothing."""
    assert "AT" not in Graph.from_words([])
