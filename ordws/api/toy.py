"""The toy word set of test keys, which is published, so that the author of a client can try every reply there is."""

from __future__ import annotations

from collections.abc import Container
from datetime import UTC, datetime
from typing import Final

from ordws.errors import StoreDown
from ordws.guard.charge import Admitted, Refused
from ordws.guard.gate import Gate
from ordws.guard.question import Identity, Question
from ordws.lexicon.edition import Edition, WordSet

CORE: Final = ("CAT", "CATS", "DOG", "DOGS", "GAME", "GAMES", "RED", "TEA", "TEN", "TOE", "TOES", "WORD", "WORDS")
"""The acceptable words that cost nothing."""

WORDS: Final = (
    "EASEL",
    "FISHING",
    "NOTATE",
    "OATEN",
    "QUIZ",
    "RAINIEST",
    "SATINED",
    "SENORITA",
    "STAINER",
    "STONED",
    "TOASTED",
    "ZAX",
)
"""The acceptable words that cost one unit each, those of the reference's examples among them."""

REFERENCE: Final = ("AEON", "EOAN", "QUOIT")
"""Unacceptable words that a check of the OSPD finds in the players' reference."""

BUDGET_SPENT_WORD: Final = "SPENT"
"""The word whose questions are refused as if a budget were spent."""

STORE_DOWN_WORD: Final = "DOWN"
"""The word whose questions are refused as if a store were down."""


class ToyEditions:
    """The toy edition, which never changes; all other words are unacceptable."""

    fault: str | None = None
    refusal: str | None = None
    hint: str | None = None

    def __init__(self) -> None:
        words = [word.encode() for word in (*CORE, *WORDS)]
        reference = [*words, *[word.encode() for word in REFERENCE]]
        self.current = Edition(
            number=0,
            name="ORDWS TOY",
            created=datetime(2026, 1, 1, tzinfo=UTC),
            words=WordSet(frozenset(words)),
            retired=WordSet(frozenset()),
            reference=WordSet(frozenset(reference)),
            core_digest="",
            reference_digest="",
            core=frozenset(CORE),
        )

    def find(self, number: int) -> Edition | None:
        """Return the toy edition for its number, 0, which no other edition has."""
        return self.current if number == self.current.number else None

    def refresh(self) -> None:
        """Do nothing: the toy edition never changes."""


class ToyGate(Gate):
    """A gate with meters of its own, which refuses or fails where a test key asks it to."""

    def admit(self, identity: Identity, question: Question, core: Container[str], now: int) -> Admitted | Refused:
        """Admit a question as any gate does, except one with a word that stands for a refusal or a failure."""
        if BUDGET_SPENT_WORD in question.words:
            return Refused("units", 60)
        if STORE_DOWN_WORD in question.words:
            raise StoreDown("a test key asked for it")
        return super().admit(identity, question, core, now)
