"""What curators vote on: a base word with the forms of it that are at stake, and the evidence for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Provenance: TypeAlias = Literal["headword", "run-on", "stated", "table", "attested", "rule"]
FamilyStanding: TypeAlias = Literal["borderline", "flagged"]
"""Borderline: in a source but below the quorum, out unless voted in. Flagged: meets the quorum but bears labels
that a curator should see, in unless voted out."""


@dataclass(frozen=True)
class Witness:
    """What one source says of one form: as what it has it, and how it describes it."""

    source: str
    provenance: Provenance
    slot: str
    """`base`, or the inflection: plural, third, past ..."""
    pos: str
    labels: tuple[str, ...] = ()
    gloss: str = ""


@dataclass(frozen=True)
class Derivation:
    """How a headword may have been made from another: REVOTE as `RE- + verb` from VOTE."""

    pattern: str
    base: str
    is_settled: bool
    """Whether the other meets the quorum; else it is at stake too."""


@dataclass(frozen=True)
class Candidate:
    """One form at stake, folded, with its evidence."""

    word: str
    witnesses: tuple[Witness, ...]
    zipf: float | None = None
    """How often it is met, on the Zipf scale of wordfreq; None where unmeasured."""
    band: int | None = None
    """SCOWL's size band, 10 (commonest) to 95; None where SCOWL does not have it."""
    derivations: tuple[Derivation, ...] = ()
    """Of a headword; the likeliest first."""
    related: tuple[str, ...] = ()
    """Forms of the same headword that meet the quorum, and so are not at stake."""


@dataclass(frozen=True)
class Family:
    """The unit of a vote; `base` is its name."""

    base: str
    standing: FamilyStanding
    candidates: tuple[Candidate, ...]
