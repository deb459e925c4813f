"""The exceptions that ORDWS raises on purpose.

    OrdwsError               never raised itself
    ├── BadInput             an input cannot be used; the message says where it fails and what was expected
    │   ├── BadWord          a text does not fold into a word
    │   ├── BadSource        a dictionary file breaks its format
    │   ├── SourceChanged    a dictionary file changed while it was read
    │   ├── BadSheet         a file of another tournament program breaks its format
    │   ├── BadRecipe        a recipe names something that does not exist
    │   └── BadBallot        a ballot cannot be counted
    ├── Missing              something that has to exist first does not
    ├── Broken               stored bytes are damaged, foreign, or under another key
    │   ├── SealBroken       an edition does not open
    │   └── LedgerBroken     a ledger's chain, key or signed head does not verify
    ├── EditionRefused       an edition opens and must not be adopted
    └── StoreDown            a store did not answer, so nothing may be looked up

Expected refusals are values, not exceptions: see `ordws.guard.charge.Refused`.
"""

from __future__ import annotations


class OrdwsError(Exception):
    """The base of all exceptions here; `hint` says what to do where that is known."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class BadInput(OrdwsError):
    """An input cannot be used."""


class BadWord(BadInput):
    """A text does not fold into a word of 2 to 21 letters."""


class BadSource(BadInput):
    """A dictionary file breaks its format: `file`, `place` (a line or an offset) and what was `expected` there."""

    def __init__(self, file: str, place: str, expected: str, *, hint: str | None = None) -> None:
        super().__init__(f"{file}, {place}: {expected}", hint=hint)
        self.file, self.place, self.expected = file, place, expected

    def __reduce__(self) -> tuple[object, ...]:
        # A source may be read in a process of its own.
        return BadSource, (self.file, self.place, self.expected), {"hint": self.hint}


class SourceChanged(BadInput):
    """A dictionary file changed while it was read."""


class BadSheet(BadInput):
    """A file of another tournament program breaks its format: `file`, the number of the `line`, and the `problem`."""

    def __init__(self, file: str, line: int, problem: str, *, hint: str | None = None) -> None:
        super().__init__(f"{file}, line {line}: {problem}", hint=hint)
        self.file, self.line, self.problem = file, line, problem


class BadRecipe(BadInput):
    """A recipe names a source, format or setting that does not exist."""


class BadBallot(BadInput):
    """A ballot cannot be counted: its family is unknown, its id came with other content, or its line is malformed."""


class Missing(OrdwsError):
    """Something that has to exist first does not: a key, an edition, a package."""


class Broken(OrdwsError):
    """Stored bytes are damaged, foreign, or under another key; the error never says which."""


class SealBroken(Broken):
    """An edition does not open."""


class LedgerBroken(Broken):
    """A ledger's chain, key or signed head does not verify."""


class EditionRefused(OrdwsError):
    """An edition opens and must not be adopted: it is older than one already adopted."""


class StoreDown(OrdwsError):
    """A store did not answer, so nothing may be looked up."""
