"""An opened edition: its name and number, and word sets that can be tested but not read."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NoReturn

OPEN_REFERENCE_NAME: Final = "the open players' list"


class WordSet:
    """A set of words that offers `in` and nothing else: it cannot be listed, counted, copied or pickled."""

    __slots__ = ("__trie",)

    def __init__(self, trie: Container[bytes]) -> None:
        self.__trie = trie

    def __contains__(self, word: object) -> bool:
        """Return whether the word is in; any object that is not a folded word is not in, of whatever type."""
        # Every look-up of the service ends here, so nothing is checked that the trie finds out by itself: it follows
        # a text of any length only as far as some word goes. Calling `str.encode` on the type rejects every other
        # type with a TypeError, without a test for it.
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
    """A sealed edition of the words, opened."""

    number: int
    name: str
    created: datetime
    words: WordSet
    retired: WordSet
    """Words of earlier editions that are no longer in: asked only inside a sealed game, for a play just rejected
    (docs/rules.md A-22)."""
    core_digest: str
    reference_digest: str
    reference: WordSet = field(default=WordSet(frozenset()), repr=False)
    """The players' public list; empty until the list has been verified against `reference_digest`."""
    open_reference: WordSet = field(default=WordSet(frozenset()), repr=False)
    """The open players' list, also where `reference` is another: prices follow from it."""
    core: frozenset[str] = field(default=frozenset(), repr=False)
    """The public core list; empty until the list has been verified against `core_digest`."""
    dover_forms: WordSet = field(default=WordSet(frozenset()), repr=False)
    """Words that are good under Dover only because the players' reference has them: formatives of words of the set, of
    the kinds that 003 names, and the plurals of its special cases (docs/rules.md 6.7 rules 5 and 6)."""
    dover_retired: WordSet = field(default=WordSet(frozenset()), repr=False)
    """Words that were good under Dover in an earlier edition, neither retired nor good under Dover now: found in sealed
    games by Dover's rules, as `retired` in all (docs/rules.md A-22)."""
    labelled: WordSet = field(default=WordSet(frozenset()), repr=False)
    """Words all of whose senses the sources label offensive or vulgar."""
    dover_charged: frozenset[str] = field(default=frozenset(), repr=False)
    """Public: core words that are charged under Dover, since a base that they could come from is not core."""
    charged_digest: str = field(default="", repr=False)
    """The digest of the public list of `dover_charged`; empty in editions of format 1, which name none."""
    own_digest: str = field(default="", repr=False)
    """The digest of the installation's own players' list; empty without one."""
    has_own_reference: bool = field(default=False, repr=False)
    """True if `reference` is a list that the installation brought, and not the open players' list."""
    reference_name: str = field(default=OPEN_REFERENCE_NAME, repr=False)
    """The name of `reference` as people read it."""
