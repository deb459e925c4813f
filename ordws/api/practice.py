"""The services of practice, games against the program: public words and no meter, as test keys have their own."""

from __future__ import annotations

from collections.abc import Container
from datetime import UTC, datetime
from typing import Final

from ordws.guard.charge import Admitted
from ordws.guard.gate import Gate
from ordws.guard.question import Identity, Question
from ordws.lexicon.edition import Edition, WordSet
from ordws.lexicon.open_editions import OpenEditions

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
