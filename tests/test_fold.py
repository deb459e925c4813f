"""Tests of the one normal form of a word."""

from __future__ import annotations

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st

from ordws.errors import BadWord
from ordws.fold import find_fold, fold

FOLDED = """
    quiz          QUIZ
    QUIZ          QUIZ
    éclair        ECLAIR
    Séance        SEANCE
    olé           OLE
    più           PIU
    naïveté       NAIVETE
    façade        FACADE
    mañana        MANANA
    coöperate     COOPERATE
    háček         HACEK
    ﬁn            FIN
    smørrebrød    SMORREBROD
    œuvre         OEUVRE
    straße        STRASSE
    þorn          THORN
    łódź          LODZ
    ａｂ          AB
    counterrevolutionists COUNTERREVOLUTIONISTS
"""
REFUSED = ["", "a", "can't", "co-op", "two words", "C4T", "½", "a\u200db", "日本", "ʼtis", "A" * 22, " cat", "cat\n"]


@each_row("line", FOLDED.strip().splitlines())
def test_accents_and_ligatures_fold_to_plain_letters(line):
    """Accents, ligatures and foreign letters become the letters A to Z of the tiles (docs/dictionaries.md 6)."""
    text, word = line.split()
    assert fold(text) == word


@each_row("text", REFUSED)
def test_texts_that_are_no_words_are_refused(text):
    """Apostrophes, hyphens, spaces, digits, other scripts and wrong lengths are refused (docs/dictionaries.md 6)."""
    assert find_fold(text) is None
    with pytest.raises(BadWord):
        fold(text)


def test_the_error_does_not_repeat_the_text():
    """The error does not quote the text, since somebody typed it."""
    with pytest.raises(BadWord) as caught:
        fold("zebra-crossing")
    assert "zebra" not in str(caught.value)


def test_a_very_long_text_is_refused_unread():
    """A text far longer than any word is refused before it is normalised."""
    assert find_fold("é" * 1_000_000) is None


@given(st.text(max_size=30))
def test_folding_twice_changes_nothing(text):
    """A folded word is its own fold, so that no word is charged under one spelling and answered under another."""
    word = find_fold(text)
    if word is not None:
        assert find_fold(word) == word
        assert find_fold(text.upper()) in (word, None)
