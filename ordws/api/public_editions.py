"""Editions of public words, and gates that charge no live meter: for test keys, and for games against the program.

The toy word set of test keys is published, so that the author of a client can try every reply there is.
"""

from __future__ import annotations

from collections.abc import Container
from datetime import UTC, datetime
from typing import Final

from ordws.errors import StoreDown
from ordws.guard.charge import Admitted, Identity, Question, Refused
from ordws.guard.gate import Gate
from ordws.lexicon.edition import Edition, WordSet
from ordws.lexicon.open_editions import OpenEditions

TOY_CORE: Final = (
    "CAT",
    "CATS",
    "DOG",
    "DOGS",
    "GAME",
    "GAMES",
    "RED",
    "TEA",
    "TEN",
    "TOE",
    "TOES",
    "WORD",
    "WORDS",
)
"""The acceptable words that cost nothing."""

TOY_WORDS: Final = (
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

TOY_REFERENCE: Final = ("AEON", "EOAN", "QUOIT")
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
        words = [word.encode() for word in (*TOY_CORE, *TOY_WORDS)]
        reference = [*words, *[word.encode() for word in TOY_REFERENCE]]
        self.current = Edition(
            number=0,
            name="ORDWS TOY",
            created=datetime(2026, 1, 1, tzinfo=UTC),
            words=WordSet(frozenset(words)),
            retired=WordSet(frozenset()),
            reference=WordSet(frozenset(reference)),
            core_digest="",
            reference_digest="",
            core=frozenset(TOY_CORE),
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


PRACTICE_PREFIX: Final = "practice "
"""The beginning of the client of the seat of whoever plays the program; the id of the game follows."""


class PracticeEditions:
    """The one edition by which practice is judged, made of public lists: the word set is not asked."""

    fault: str | None = None
    refusal: str | None = None
    hint: str | None = None

    def __init__(self, live: OpenEditions) -> None:
        self._live, self._lists = live, live.current
        self._practice = _practice_edition(self._lists)

    @property
    def current(self) -> Edition:
        """The edition, of the public lists that came with the newest one."""
        if self._live.current is not self._lists:
            self._lists = self._live.current
            self._practice = _practice_edition(self._lists)
        return self._practice

    def find(self, number: int) -> Edition | None:
        """Return the edition for its number, 0: a game goes on by newer lists."""
        return self.current if number == 0 else None

    def refresh(self) -> None:
        """Do nothing: the lists come with the editions."""


class PracticeGate(Gate):
    """A gate that admits every question and charges nothing: the lists are public, so that no answer tells anything."""

    def admit(self, identity: Identity, question: Question, core: Container[str], now: int) -> Admitted:
        return Admitted()


def _practice_edition(live: Edition) -> Edition:
    return Edition(
        number=0,
        name="PRACTICE, PUBLIC LISTS",
        created=datetime(2026, 1, 1, tzinfo=UTC),
        words=live.open_reference,
        retired=WordSet(frozenset()),
        reference=live.open_reference,
        open_reference=live.open_reference,
        core=live.core,
        core_digest="",
        reference_digest="",
    )
