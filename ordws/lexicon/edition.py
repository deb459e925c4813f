"""What an opened edition offers: its name, its number, and whether a word is in."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from datetime import datetime
from typing import NoReturn


class WordSet:
    """Words that can be asked for and not read: it offers `in` and nothing else."""

    __slots__ = ("__trie",)

    def __init__(self, trie: Container[bytes]) -> None:
        self.__trie = trie

    def __contains__(self, word: object) -> bool:
        """Whether the word is in. What is no folded word is not in, whatever it is."""
        # Every question ends here, so nothing is checked that the trie finds out: it follows a text of any length only
        # as far as some word goes.
        try:
            return str.encode(word) in self.__trie  # type: ignore[arg-type]
        except (TypeError, UnicodeEncodeError):
            return False

    def __repr__(self) -> str:
        return "<WordSet>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a word set is neither copied nor pickled")

    def __getstate__(self) -> NoReturn:
        raise TypeError("a word set is neither copied nor pickled")


@dataclass(frozen=True, kw_only=True, eq=False)
class Edition:
    """One sealed state of the words, opened."""

    number: int
    name: str
    created: datetime
    words: WordSet
    retired: WordSet
    """Once in, and no longer: asked only inside a game, for a play just rejected. (RULES A-22)"""
    core_digest: str
    reference_digest: str
    reference: WordSet = field(default=WordSet(frozenset()), repr=False)
    """The players' public list; empty until the list itself has been held against `reference_digest`."""
    core: frozenset[str] = field(default=frozenset(), repr=False)
    """The public core list; empty until the list itself has been held against `core_digest`."""
