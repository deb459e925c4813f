"""Precision and recall on random words that a person judged without seeing any answer of the program."""

from __future__ import annotations

import hashlib

import pytest
from homeplay_vectors import rows, words

from ordws.homeplay.formatives import find_derivations

JUDGED, CHECK = rows("judged.tsv"), rows("judged_check.tsv")
DICTIONARY = words("judged_dictionary.txt")
DRAWN = {
    "b285b9be08b4344a029a69533ab72a16d85c9b3b98bf58e0d1719e8193c047c4": (400, JUDGED),
    "b6c4b414fa12afe0fa9334dcad71f307d8b7e844a2b1d56fc615225f845b1d0f": (100, CHECK),
}


@pytest.mark.parametrize("digest", DRAWN)
def test_the_samples_are_unchanged(digest):
    """No word was added to a sample or removed since it was drawn: its digest is unchanged."""
    count, judged = DRAWN[digest]
    assert len(judged) == count
    assert hashlib.sha256("".join(f"{row[0]}\n" for row in judged).encode()).hexdigest() == digest
    assert {base for _, base, *_ in judged} - {"-"} <= DICTIONARY
    assert DICTIONARY.isdisjoint(row[0] for row in judged)


@pytest.mark.parametrize(
    ("judged", "precision", "recall"), [(JUDGED, 0.93, 0.955), (CHECK, 0.85, 0.95)], ids=["judged", "check"]
)
def test_precision_and_recall(judged, precision, recall):
    """Most words that are found are formatives, and most formatives are found, also among words never looked at."""
    found = {word for word, *_ in judged if find_derivations(word, DICTIONARY)}
    formatives = {word for word, base, *_ in judged if base != "-"}
    assert len(found & formatives) / len(found) >= precision
    assert len(found & formatives) / len(formatives) >= recall


def test_the_named_base_is_found():
    """The base that the person named is among the bases found for at least 95 % of the words."""
    named = {word: base for word, base, *_ in JUDGED + CHECK if base != "-"}
    bases = {word: [made.base for made in made] for word in named if (made := find_derivations(word, DICTIONARY))}
    assert sum(named[word] in found for word, found in bases.items()) / len(bases) >= 0.95
