"""The unit of a vote: a base word with its forms at stake, the evidence for each, and its place in the queue. Pure.

Families whose words people write most often are decided first. The frequencies count names too (VIRGINIA), so that what
looks like a name comes last, and so do what is in already and what a dictionary labels offensive or vulgar.

Most families have no form that is met often enough to be counted. They follow by the expected cost of a wrong answer:
frequency of play times uncertainty, a plain model of the evidence with weights set by judgement. The order only sorts
cards: curators do not see it, and no decision depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import exp
from typing import Final, Literal, NamedTuple, TypeAlias

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


_WEIGHT_BY_LENGTH: Final = (0.0, 0.0, 1.0, 0.9, 0.7, 0.5, 0.35, 0.35, 0.25)
"""The likelihood of a word to be played, by its length from 0 on; seven and eight letters empty a rack."""
_LONG_WORD_WEIGHT: Final = 0.05
_RARE_LETTERS: Final = frozenset("JQXZ")
_RARE_LETTER_FACTOR: Final = 1.5
"""Players look for short words with a letter that scores high."""
_DEFAULT_ZIPF: Final = 1.5
"""The Zipf figure assumed for a word without a measured frequency: about one in thirty million words."""
_MIDDLE_BAND: Final = 65.0
"""The SCOWL band at which large dictionaries begin to differ; 20 bands below or above nearly all of them agree."""
_RARE_BAND: Final = 70
"""The SCOWL band from which on words are rarely met, so that what is met often in their letters is a name."""
_MAX_LABELS: Final = 3
_LAST: Final = frozenset({NAME_LABEL, ALSO_NAME_LABEL, "offensive", "vulgar"})
"""The labels of forms that are decided last."""


class Priority(NamedTuple):
    """The place of a family in the queue: the greater comes first."""

    is_plain: bool
    """False for a flagged family, which is in unless voted out, and for one that is labelled or looks like a name."""
    everyday_use: float
    """How many of a million words that people write are forms at stake of the family."""
    cost: float = 0.0
    """The expected cost of a wrong answer, in arbitrary units."""


def priority(family: Family) -> Priority:
    """Return the place of a family in the queue."""
    cost = sum([play_likelihood(each) for each in family.candidates]) * uncertainty(family)
    is_plain = family.standing == "borderline" and _LAST.isdisjoint(labels_in_use(family))
    return Priority(is_plain and not is_unknown(family), everyday_use(family.candidates), cost)


def is_unknown(family: Family) -> bool:
    """Tell whether nothing is known of a rare word but that its letters are met, as those of a name would be: WAKANDA.

    No source has it, it is made of no other word, and no other form of it is met.
    """
    first, *others = family.candidates
    return not (others or first.witnesses or first.derivations) and (first.band or _RARE_BAND) >= _RARE_BAND


def labels_in_use(family: Family) -> set[str]:
    """Return the labels of the most used form of a family: the use of a name is not that of a word."""
    most_used = max(family.candidates, key=lambda each: each.zipf or 0.0)
    return {label.removesuffix(" (some senses)") for witness in most_used.witnesses for label in witness.labels}


def by_priority(bases: Iterable[str], priorities: Mapping[str, Priority]) -> list[str]:
    """Return families in the order of the queue, those of the same priority by their name."""
    # Sorting in reverse keeps the order of equals.
    return sorted(sorted(bases), key=priorities.__getitem__, reverse=True)


def everyday_use(candidates: Iterable[Candidate]) -> float:
    """Return how many of a million words that people write are one of these forms."""
    # Zipf's figure is the logarithm of the occurrences in a billion words; 0 stands for a form that was not met.
    return sum([10 ** (each.zipf - 3) for each in candidates if each.zipf])


def play_likelihood(candidate: Candidate) -> float:
    """Return how likely a form is to be played, in arbitrary units; the forms of a family add up."""
    length = len(candidate.word)
    fits = _WEIGHT_BY_LENGTH[length] if length < len(_WEIGHT_BY_LENGTH) else _LONG_WORD_WEIGHT
    sought = _RARE_LETTER_FACTOR if length <= 5 and not _RARE_LETTERS.isdisjoint(candidate.word) else 1.0
    met = 0.25 + max(0.0, _DEFAULT_ZIPF if candidate.zipf is None else candidate.zipf) / 4
    return fits * sought * met


def uncertainty(family: Family) -> float:
    """Return how uncertain the answer on a family is, from 0 to 1: most where the evidence for and against balances."""
    sources = {witness.source for each in family.candidates for witness in each.witnesses}
    labels = {label for each in family.candidates for witness in each.witnesses for label in witness.labels}
    bands = [each.band for each in family.candidates if each.band is not None]
    zipf = max([each.zipf for each in family.candidates if each.zipf is not None], default=_DEFAULT_ZIPF)
    weight = 0.8 * (len(sources) - 2) + 0.6 * (zipf - 2) - 0.7 * min(len(labels), _MAX_LABELS)
    weight += (_MIDDLE_BAND - min(bands)) / 20 if bands else -0.5
    weight += 2.0 if family.standing == "flagged" else 0.0
    likely = 1 / (1 + exp(-weight))
    return 4 * likely * (1 - likely)
