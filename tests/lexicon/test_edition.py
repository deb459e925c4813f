"""What an opened edition reveals."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from each_row import each_row

from ordws.lexicon.edition import Edition
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import open_sealed


@pytest.fixture
def edition(keyring: Keyring, sealer: Callable[..., bytes]) -> Edition:
    return open_sealed(sealer("CAT", "QUIZ", "A" * 21, retired=("OX",)), keyring)


def test_a_word_set_offers_membership_alone(edition: Edition) -> None:
    """A word set offers `in` and nothing else that not every object has."""
    assert set(dir(edition.words)) - set(dir(object())) == {"__contains__", "__slots__", "__module__", "_WordSet__trie"}
    assert not hasattr(edition.words, "__dict__")


ATTEMPTS: list[Callable[[Any], object]] = [
    iter,
    list,
    len,
    sorted,
    set,
    reversed,
    dict,
    bytes,
    memoryview,
    json.dumps,
    pickle.dumps,
    copy.copy,
    copy.deepcopy,
    vars,
    "".join,
    lambda words: words[0],
    lambda words: words["CAT"],
    lambda words: [*words],
    lambda words: words | {"A"},
    lambda words: words < {"A"},
    lambda words: words.keys(),
    lambda words: words.__trie,
    lambda words: words.__getstate__(),
    lambda words: words.__reduce__(),
    lambda words: words.__dict__,
]


@each_row("attempt", ATTEMPTS)
def test_a_word_set_cannot_be_iterated_or_copied(edition: Edition, attempt: Callable[[Any], object]) -> None:
    """A word set cannot be iterated, counted, copied, pickled or compared."""
    with pytest.raises((TypeError, AttributeError)):
        attempt(edition.words)


def test_a_word_set_and_its_edition_print_no_word(edition: Edition) -> None:
    """The repr, str and format of an edition show no word, no count and no core list."""
    assert repr(edition.words) == str(edition.words) == f"{edition.words}" == "<WordSet>"
    assert repr(edition) == (
        "Edition(number=1, name='ORDWS 2026', created=datetime.datetime(2026, 11, 20, 8, 15, tzinfo="
        "datetime.timezone.utc), words=<WordSet>, retired=<WordSet>, "
        "core_digest='1558cd3420cc190fddb8f68880818f13c2acb2ce453a8c5fd8cb091a1decb648', "
        "reference_digest='2fae6f8e7624e3c3e4b6520cd49e6618df206595386fda8d13e261a8c094e9af')"
    )


@each_row(
    "question",
    [
        None,
        0,
        1.5,
        True,
        b"CAT",
        bytearray(b"CAT"),
        memoryview(b"CAT"),
        ["CAT"],
        ("CAT",),
        {"CAT"},
        object(),
        str,
        "",
        "C",
        "cat",
        "Cat",
        "CAT ",
        " CAT",
        "CAT\n",
        "CAT\0",
        "\0",
        "CÄT",
        "CAT\u0301",
        "\ud800",
        "CA",
        "CATS",
        "QUIZZ",
        "QUI",
        "A" * 20,
        "A" * 22,
        "A" * 10_000_000,
    ],
)
def test_an_object_that_is_no_word_is_not_in(edition: Edition, question: object) -> None:
    """An object of another type, length or alphabet is not in, without an error."""
    assert question not in edition.words
    assert question not in edition.retired


def test_sealed_words_are_in(edition: Edition) -> None:
    """The words that were sealed are in, up to the longest."""
    found: Iterable[bool] = (word in edition.words for word in ("CAT", "QUIZ", "A" * 21))
    assert list(found) == [True, True, True]
    assert "OX" in edition.retired
