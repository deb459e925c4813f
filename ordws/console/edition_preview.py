"""What the next edition would be, as counts by class, from the ledger alone. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from ordws.curation.decision import Decision
from ordws.curation.family import Derivation
from ordws.curation.voting_rounds import FamilyState

FormStatus: TypeAlias = Literal["in", "out", "contested", "open", "overridden"]
FORM_STATUSES: Final[tuple[FormStatus, ...]] = get_args(FormStatus)
NOT_DERIVED: Final = "not derived"

MattersByBase: TypeAlias = Mapping[str, FamilyState]


class PreviewRow(NamedTuple):
    """How the forms of a class stand."""

    name: str
    counts: list[int]
    """In the order of STANDS."""
    total: int


@dataclass(frozen=True)
class EditionPreview:
    """The forms at stake, and what has changed since the edition that stands."""

    by_standing: list[PreviewRow]
    by_pattern: list[PreviewRow]
    decided: Counter[str]
    """Families decided since, by outcome; `put back` where a class was reverted."""
    coming: int
    """Forms that these decisions bring in."""
    leaving: int
    again: int
    """Families that are voted on again: until that decides, the decision before holds."""


def preview_edition(
    matters: MattersByBase,
    derivations: Mapping[str, tuple[Derivation, ...]],
    overridden: Container[str],
    previous: Mapping[str, Decision | None],
) -> EditionPreview:
    """`held` says, of the families decided since an edition, what held for it."""
    counts: Counter[tuple[str, str, FormStatus]] = Counter()
    for base, matter in matters.items():
        pattern = next((each.pattern for each in derivations.get(base, ())), NOT_DERIVED)
        for word in matter.forms:
            counts[matter.standing or "", pattern, form_status(matter, word, overridden)] += 1
    changes = _changes(matters, overridden, previous)
    return EditionPreview(
        by_standing=_rows(counts, 0),
        by_pattern=_rows(counts, 1),
        decided=Counter([_outcome(matters[base]) for base in previous]),
        coming=changes[True],
        leaving=changes[False],
        again=sum([each.is_open and each.decision is not None for each in matters.values()]),
    )


def form_status(matter: FamilyState, word: str, overridden: Container[str]) -> FormStatus:
    """How a form would go into the next edition; one that is still split after a second vote goes by its standing."""
    if word in overridden:
        return "overridden"
    if matter.decision is None:
        return "open"
    if matter.is_contested and matter.decision.outcome_of(word) == "contested":
        return "contested"
    return "in" if matter.decision.includes(word) else "out"


def _changes(
    matters: MattersByBase, overridden: Container[str], previous: Mapping[str, Decision | None]
) -> Counter[bool]:
    """How many forms come in (True) and leave (False)."""
    return Counter(
        [
            is_in
            for base, before in previous.items()
            for word in matters[base].forms
            if word not in overridden
            and (is_in := _admits(matters[base], matters[base].decision, word)) != _admits(matters[base], before, word)
        ]
    )


def _admits(matter: FamilyState, decision: Decision | None, word: str) -> bool:
    return matter.standing == "flagged" if decision is None else decision.includes(word)


def _outcome(matter: FamilyState) -> str:
    return "put back" if matter.decision is None else matter.decision.outcome


def _rows(counts: Counter[tuple[str, str, FormStatus]], by: Literal[0, 1]) -> list[PreviewRow]:
    """The classes by one of their two names, the largest first."""
    found: dict[str, Counter[FormStatus]] = {}
    for key, count in counts.items():
        found.setdefault(key[by], Counter())[key[2]] += count
    rows = [PreviewRow(name, [each[one] for one in FORM_STATUSES], each.total()) for name, each in found.items()]
    return sorted(rows, key=lambda row: (-row.total, row.name))
