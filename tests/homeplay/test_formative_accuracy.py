"""Precision and recall on random words that a person judged without seeing any answer of the program."""

from __future__ import annotations

import hashlib

from homeplay_vectors import rows, words

from ordws.homeplay.formatives import find_derivations

DRAWN = "b285b9be08b4344a029a69533ab72a16d85c9b3b98bf58e0d1719e8193c047c4"
JUDGED = rows("judged.tsv")
DICTIONARY = words("judged_dictionary.txt")


def test_the_sample_is_unchanged():
    """No word was added to the sample or removed since it was drawn: its digest is unchanged."""
    drawn = "".join(f"{row[0]}\n" for row in JUDGED)
    assert len(JUDGED) == 400
    assert hashlib.sha256(drawn.encode()).hexdigest() == DRAWN
    assert {base for _, base, *_ in JUDGED} - {"-"} <= DICTIONARY
    assert DICTIONARY.isdisjoint(row[0] for row in JUDGED)


def test_precision_and_recall():
    """At least 90 % of the words that are found are formatives, and at least 92 % of the formatives are found."""
    found = {word for word, *_ in JUDGED if find_derivations(word, DICTIONARY)}
    formatives = {word for word, base, *_ in JUDGED if base != "-"}
    assert len(found & formatives) / len(found) >= 0.90
    assert len(found & formatives) / len(formatives) >= 0.92


def test_the_named_base_is_found():
    """The base that the person named is among the bases found for at least 95 % of the words."""
    named = {word: base for word, base, *_ in JUDGED if base != "-"}
    bases = {word: [made.base for made in made] for word in named if (made := find_derivations(word, DICTIONARY))}
    assert sum(named[word] in found for word, found in bases.items()) / len(bases) >= 0.95
