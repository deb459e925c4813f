"""A preview of the next edition as counts, from the families alone; pure."""

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

FamilyStatesByBase: TypeAlias = Mapping[str, FamilyState]


class PreviewRow(NamedTuple):
    """The number of forms in each status, for one standing or pattern."""

    name: str
    counts: list[int]
    """In the order of FORM_STATUSES."""
    total: int


@dataclass(frozen=True)
class EditionPreview:
    """The forms at stake, and the changes since the current edition."""

    by_standing: list[PreviewRow]
    by_pattern: list[PreviewRow]
    decided: Counter[str]
    """Families decided since then, by outcome; `put back` where a class was reverted."""
    coming: int
    """The forms that these decisions bring in."""
    leaving: int
    """The forms that they take out."""
    again: int
    """The families that are voted on again: until that decides, their earlier decision holds."""


def preview_edition(
    family_states: FamilyStatesByBase,
    derivations: Mapping[str, tuple[Derivation, ...]],
    overridden: Container[str],
    previous: Mapping[str, Decision | None],
) -> EditionPreview:
    """Return the preview; `previous` maps each family decided since the current edition to the decision it follows."""
    counts: Counter[tuple[str, str, FormStatus]] = Counter()
    for base, family_state in family_states.items():
        pattern = next((each.pattern for each in derivations.get(base, ())), NOT_DERIVED)
        decision = family_state.decision
        for word in family_state.forms:
            status: FormStatus = "overridden" if word in overridden else "open"
            if status == "open" and decision is not None:
                status = "in" if decision.includes(word) else "out"
                # A form that is split after a second vote too is not contested any more: it follows its standing.
                if family_state.is_contested and decision.outcome_of(word) == "contested":
                    status = "contested"
            counts[family_state.standing or "", pattern, status] += 1
    decided, coming, leaving = Counter[str](), 0, 0
    for base, old_decision in previous.items():
        family_state = family_states[base]
        decision = family_state.decision
        decided["put back" if decision is None else decision.outcome] += 1
        for word in family_state.forms:
            if word not in overridden:
                was_in, is_in = _admits(family_state, old_decision, word), _admits(family_state, decision, word)
                coming += is_in and not was_in
                leaving += was_in and not is_in
    return EditionPreview(
        by_standing=_rows(counts, 0),
        by_pattern=_rows(counts, 1),
        decided=decided,
        coming=coming,
        leaving=leaving,
        again=sum([each.is_open and each.decision is not None for each in family_states.values()]),
    )


def _admits(family_state: FamilyState, decision: Decision | None, word: str) -> bool:
    """Return whether a form is in an edition under this decision; an undecided one follows its standing."""
    return family_state.standing == "flagged" if decision is None else decision.includes(word)


def _rows(counts: Counter[tuple[str, str, FormStatus]], by: Literal[0, 1]) -> list[PreviewRow]:
    """Sum the counts by standing (0) or by pattern (1), the largest first."""
    sums: dict[str, Counter[FormStatus]] = {}
    for key, count in counts.items():
        sums.setdefault(key[by], Counter())[key[2]] += count
    rows = [PreviewRow(name, [each[status] for status in FORM_STATUSES], each.total()) for name, each in sums.items()]
    return sorted(rows, key=lambda row: (-row.total, row.name))
