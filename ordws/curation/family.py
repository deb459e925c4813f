"""The unit of a vote: a base word with its forms that are at stake, and the evidence for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Provenance: TypeAlias = Literal["headword", "run-on", "stated", "table", "attested", "rule", "listed"]
NAME_LABEL: Final = "rather a name"
"""The label of a form that SCOWL lists with a capital at a smaller size than as a word, or with a capital alone."""
ALSO_NAME_LABEL: Final = "also a name"
"""The label of a rare word that SCOWL lists with a capital at a larger size still, or that is defined as fictional."""
ALSO_ABBREVIATION_LABEL: Final = "also an abbreviation"
"""The label of a form that SCOWL lists as an abbreviation: its frequency is that of both."""
_TITLES: Final = {"wordnet": "WordNet", "gcide": "GCIDE", "wikdict": "WikDict", "scowl": "SCOWL"}
FamilyStanding: TypeAlias = Literal["borderline", "flagged"]
"""Borderline families are in a source but below the quorum: out unless voted in. Flagged families meet the quorum but
have labels that a curator should see: in unless voted out.
"""


@dataclass(frozen=True)
class Witness:
    """The evidence of one source for one form."""

    source: str
    provenance: Provenance
    slot: str
    """The place of the form in the inflection: `base`, `plural`, `third`, `past` ..."""
    pos: str
    labels: tuple[str, ...] = ()
    gloss: str = ""

    @property
    def title(self) -> str:
        """The name of the source as people know it: of one that a keeper named, that name."""
        return _TITLES.get(self.source, self.source)


@dataclass(frozen=True)
class Derivation:
    """A way in which a headword may be derived from another: REVOTE as `RE- + verb` from VOTE."""

    pattern: str
    base: str
    is_settled: bool
    """True if the base meets the quorum; else it is at stake too."""


@dataclass(frozen=True)
class Candidate:
    """A form at stake, folded, with its evidence."""

    word: str
    witnesses: tuple[Witness, ...]
    zipf: float | None = None
    """The frequency of the form on wordfreq's Zipf scale; None if it was not measured."""
    band: int | None = None
    """SCOWL's size band, 10 (commonest) to 95; None if SCOWL does not have the form."""
    derivations: tuple[Derivation, ...] = ()
    """The derivations of a headword, the likeliest first."""
    related: tuple[str, ...] = ()
    """Forms of the same headword that meet the quorum, and so are not at stake."""


@dataclass(frozen=True)
class Family:
    """A base word, its name, and the forms on which one vote is taken."""

    base: str
    standing: FamilyStanding
    candidates: tuple[Candidate, ...]
