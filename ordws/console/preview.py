"""What the next edition would be, as counts by class, from the ledger alone. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from ordws.curation.decision import Decision
from ordws.curation.family import Derivation
from ordws.curation.rounds import Matter

Stand: TypeAlias = Literal["in", "out", "contested", "open", "overridden"]
STANDS: Final[tuple[Stand, ...]] = get_args(Stand)
UNDERIVED: Final = "not derived"

Matters: TypeAlias = Mapping[str, Matter]


class Row(NamedTuple):
    """How the forms of a class stand."""

    name: str
    counts: list[int]
    """In the order of STANDS."""
    total: int


@dataclass(frozen=True)
class Preview:
    """The forms at stake, and what has changed since the edition that stands."""

    by_standing: list[Row]
    by_pattern: list[Row]
    decided: Counter[str]
    """Families decided since, by outcome; `put back` where a class was reverted."""
    coming: int
    """Forms that these decisions bring in."""
    leaving: int
    again: int
    """Families that are voted on again: until that decides, the decision before holds."""


def preview(
    matters: Matters,
    derivations: Mapping[str, tuple[Derivation, ...]],
    overridden: Container[str],
    held: Mapping[str, Decision | None],
) -> Preview:
    """`held` says, of the families decided since an edition, what held for it."""
    counts: Counter[tuple[str, str, Stand]] = Counter()
    for base, matter in matters.items():
        pattern = next((each.pattern for each in derivations.get(base, ())), UNDERIVED)
        for word in matter.forms:
            counts[matter.standing or "", pattern, stand(matter, word, overridden)] += 1
    changes = _changes(matters, overridden, held)
    return Preview(
        by_standing=_rows(counts, 0),
        by_pattern=_rows(counts, 1),
        decided=Counter([_outcome(matters[base]) for base in held]),
        coming=changes[True],
        leaving=changes[False],
        again=sum([each.is_open and each.decision is not None for each in matters.values()]),
    )


def stand(matter: Matter, word: str, overridden: Container[str]) -> Stand:
    """How a form would go into the next edition; one that is still split after a second vote goes by its standing."""
    if word in overridden:
        return "overridden"
    if matter.decision is None:
        return "open"
    if matter.is_contested and matter.decision.outcome_of(word) == "contested":
        return "contested"
    return "in" if matter.decision.admits(word) else "out"


def _changes(matters: Matters, overridden: Container[str], held: Mapping[str, Decision | None]) -> Counter[bool]:
    """How many forms come in (True) and leave (False)."""
    return Counter(
        [
            is_in
            for base, before in held.items()
            for word in matters[base].forms
            if word not in overridden
            and (is_in := _admits(matters[base], matters[base].decision, word)) != _admits(matters[base], before, word)
        ]
    )


def _admits(matter: Matter, decision: Decision | None, word: str) -> bool:
    return matter.standing == "flagged" if decision is None else decision.admits(word)


def _outcome(matter: Matter) -> str:
    return "put back" if matter.decision is None else matter.decision.outcome


def _rows(counts: Counter[tuple[str, str, Stand]], by: Literal[0, 1]) -> list[Row]:
    """The classes by one of their two names, the largest first."""
    found: dict[str, Counter[Stand]] = {}
    for key, count in counts.items():
        found.setdefault(key[by], Counter())[key[2]] += count
    rows = [Row(name, [each[one] for one in STANDS], each.total()) for name, each in found.items()]
    return sorted(rows, key=lambda row: (-row.total, row.name))
