"""The words of an edition, one by one: for fair play alone, in a process without a listener.

Everywhere else a word set offers `in` and nothing more. `tests/test_arrows.py` lets no other folder import this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ordws.lexicon.edition import Edition, WordSet


def walk_words(edition: Edition, *, dover: bool = False) -> Iterator[str]:
    """Yield the words of an edition, each once, in no order that means anything.

    With `dover` those follow that are good under Dover alone (docs/rules.md 6.7). Labelled words are among both:
    whether a game takes them is a question of its rule set.
    """
    yield from _walk(edition.words)
    if dover:
        yield from _walk(edition.dover_forms)


def _walk(words: WordSet) -> Iterator[str]:
    # The name that Python gives a private attribute of WordSet, which has no way out on purpose.
    trie: Iterable[bytes] = getattr(words, "_WordSet__trie")  # noqa: B009
    for key in trie:
        yield key.decode()
