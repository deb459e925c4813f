"""Precision and recall on words that a person judged, drawn and judged without looking at any answer of ours."""

from __future__ import annotations

import hashlib

from homeplay_vectors import rows, words

from ordws.homeplay.formatives import find_derivations

DRAWN = "b285b9be08b4344a029a69533ab72a16d85c9b3b98bf58e0d1719e8193c047c4"
JUDGED = rows("judged.tsv")
DICTIONARY = words("judged_dictionary.txt")


def test_the_sample_is_as_it_was_drawn():
    """No word was taken out or put in since: the drawing is told in the file, and its digest with it."""
    drawn = "".join(f"{row[0]}\n" for row in JUDGED)
    assert len(JUDGED) == 400
    assert hashlib.sha256(drawn.encode()).hexdigest() == DRAWN
    assert {base for _, base, *_ in JUDGED} - {"-"} <= DICTIONARY
    assert DICTIONARY.isdisjoint(row[0] for row in JUDGED)


def test_precision_and_recall():
    """Nine tenths of what is found is right, and less than a twelfth is missed."""
    found = {word for word, *_ in JUDGED if find_derivations(word, DICTIONARY)}
    formatives = {word for word, base, *_ in JUDGED if base != "-"}
    assert len(found & formatives) / len(found) >= 0.90
    assert len(found & formatives) / len(formatives) >= 0.92


def test_the_base_is_told():
    """Where a person names a base, it stands among those that are found, nineteen times in twenty."""
    named = {word: base for word, base, *_ in JUDGED if base != "-"}
    told = {word: [made.base for made in made] for word in named if (made := find_derivations(word, DICTIONARY))}
    assert sum(named[word] in bases for word, bases in told.items()) / len(told) >= 0.95
