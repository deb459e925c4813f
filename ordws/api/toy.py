"""What test keys ask: a set of words that is published, so that a client's author can try every answer there is."""

from __future__ import annotations

from collections.abc import Container
from datetime import UTC, datetime
from typing import Final

from ordws.errors import StoreDown
from ordws.guard.gate import Gate, Refused, Ticket
from ordws.guard.price import Identity, Question
from ordws.lexicon.edition import Edition, WordSet

CORE: Final = ("CAT", "CATS", "DOG", "DOGS", "GAME", "GAMES", "RED", "TEA", "TEN", "TOE", "TOES", "WORD", "WORDS")
"""In, and free."""

WORDS: Final = ("EASEL", "NOTATE", "OATEN", "RAINIEST", "SATINED", "SENORITA", "STAINER", "STONED", "TOASTED", "ZAX")
"""In, at one unit each."""

REFERENCE: Final = ("AEON", "EOAN", "QUOIT")
"""Out, but in the players' reference: a check of the OSPD finds them."""

BUDGET_SPENT_WORD: Final = "SPENT"
"""A question with this word is refused, as if a budget were spent."""

STORE_DOWN_WORD: Final = "DOWN"
"""A question with this word finds the store down."""


class ToyEditions:
    """The one toy edition, which stays; all other words are out."""

    refusal: str | None = None
    hint: str | None = None

    def __init__(self) -> None:
        words = [word.encode() for word in (*CORE, *WORDS)]
        found = [*words, *[word.encode() for word in REFERENCE]]
        self.current = Edition(
            number=0,
            name="ORDWS TOY",
            created=datetime(2026, 1, 1, tzinfo=UTC),
            words=WordSet(frozenset(words)),
            retired=WordSet(frozenset()),
            reference=WordSet(frozenset(found)),
            core_digest="",
            reference_digest="",
            core=frozenset(CORE),
        )

    def find(self, number: int) -> Edition | None:
        """The toy edition, by its number, which no other edition has."""
        return self.current if number == self.current.number else None

    def refresh(self) -> None:
        """Nothing: it stays."""


class ToyGate(Gate):
    """A gate over meters of its own, which fails where it is asked to."""

    def admit(self, identity: Identity, question: Question, core: Container[str], now: int) -> Ticket | Refused:
        """As of any gate, but for the two words that stand for what cannot be had otherwise."""
        if BUDGET_SPENT_WORD in question.words:
            return Refused("toy/units", 60)
        if STORE_DOWN_WORD in question.words:
            raise StoreDown("a test key asked for it")
        return super().admit(identity, question, core, now)

    def sweep(self, now: int) -> int:
        """What was seen of habits goes too, which of the live gate is told each second."""
        self.update_detectors(now, flush_all=True)
        return super().sweep(now)
