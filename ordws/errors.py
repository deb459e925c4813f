"""What ORDWS raises on purpose.

    OrdwsError               never raised itself
    ├── BadInput             what somebody gave cannot be used; says where and what was expected
    │   ├── BadWord          a text that does not fold into a word
    │   ├── BadSource        a dictionary file that its reader cannot follow
    │   ├── SourceChanged    a dictionary file that changed while it was read
    │   ├── BadRecipe        a recipe that names what does not exist
    │   └── BadBallot        a ballot that cannot be counted
    ├── Missing              something that has to be there first is not
    ├── Broken               stored bytes that are damaged, foreign, or under another key
    │   ├── SealBroken       an edition that does not open
    │   └── LedgerBroken     a ledger whose chain, key or head does not hold
    ├── EditionRefused       an edition that opens and must not be adopted
    └── StoreDown            a store that did not answer, so nothing may be looked up

Expected refusals are values, not exceptions: see `ordws.guard.gate.Refused`.
"""

from __future__ import annotations


class OrdwsError(Exception):
    """Base of all; `hint` says what to do where that is known."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class BadInput(OrdwsError):
    """What somebody gave cannot be used."""


class BadWord(BadInput):
    """A text does not fold into a word of 2 to 21 letters."""


class BadSource(BadInput):
    """A dictionary file breaks its format: `file`, `place` (a line or an offset) and what was expected."""

    def __init__(self, file: str, place: str, expected: str, *, hint: str | None = None) -> None:
        super().__init__(f"{file}, {place}: {expected}", hint=hint)
        self.file, self.place, self.expected = file, place, expected


class SourceChanged(BadInput):
    """A dictionary file changed while it was read."""


class BadRecipe(BadInput):
    """A recipe names a source, format or setting that does not exist."""


class BadBallot(BadInput):
    """A ballot cannot be counted: unknown family, same id with other content, or a malformed line."""


class Missing(OrdwsError):
    """Something that has to be there first is not: a key, an edition, a package."""


class Broken(OrdwsError):
    """Stored bytes are damaged, foreign, or under another key; which of these is never told apart."""


class SealBroken(Broken):
    """An edition does not open."""


class LedgerBroken(Broken):
    """A ledger's chain, key or signed head does not hold."""


class EditionRefused(OrdwsError):
    """An edition opens and must not be adopted: it is older than one already adopted."""


class StoreDown(OrdwsError):
    """A store did not answer, so nothing may be looked up."""
