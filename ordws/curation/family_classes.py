"""The classes of families whose headwords were derived in the same way, decided together after an audit. Pure.

A class is named after its pattern: `re-verb` has all borderline families whose headword most likely is RE- before a
settled verb. A class is proposed with a verdict and a random sample, the curators judge the sample blindly, and a
keeper adopts the class if the audit shows that few of its families would be decided wrongly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from ordws.curation.acts import (
    ClassAdopted,
    ClassHeld,
    ClassProposed,
    ClassReleased,
    ClassReverted,
    ClassVerdict,
    RecordedAct,
)
from ordws.curation.decision import Decision
from ordws.curation.family import Derivation
from ordws.curation.voting_rounds import FamilyState

SAMPLE_SIZE: Final = 300
"""The families in an audit: if none is an error, less than 1.0 % of the class is wrong, with 95 % confidence."""
MIN_OPEN_FAMILIES: Final = 100
"""The open families that make a class worth auditing: with fewer than 99 no audit can keep the bound below, even
without an error."""
MAX_ERROR_RATE: Final = 0.03
"""The highest upper bound of the error rate of a class that is adopted: three errors in 300 pass (2.6 %), four (3.03 %)
do not. Voting word by word is less exact: in a simulation it agreed with an endless panel in 93 % of the words."""
CONFIDENCE: Final = 0.95

Derivations: TypeAlias = Mapping[str, tuple[Derivation, ...]]
"""The derivations of each family's headword, the likeliest first."""
_FamilyStates: TypeAlias = Mapping[str, FamilyState]
ProposalState: TypeAlias = Literal["audited", "adopted", "reverted"]


@lru_cache(maxsize=1_024)
def class_name(pattern: str) -> str:
    """Return the name of a class in the ledger and in URLs: `re-verb` for the pattern `RE- + verb`."""
    return "-".join(re.findall("[a-z]+", pattern.lower()))


def class_pattern(derivations: tuple[Derivation, ...]) -> str | None:
    """Return the pattern of a family's class: its likeliest one, if that derives from a settled word; else None."""
    return derivations[0].pattern if derivations and derivations[0].is_settled else None


@dataclass(frozen=True)
class ClassPreview:
    """The present state of a class, which does not depend on votes on its open families."""

    pattern: str
    open: tuple[FamilyState, ...]
    """The undecided families, in their first round."""
    decided: tuple[Decision, ...]
    """The decisions of the panel on the others."""

    @property
    def name(self) -> str:
        """The name of the class in the ledger."""
        return class_name(self.pattern)

    @property
    def forms(self) -> int:
        """The number of forms at stake in the open families."""
        return sum([len(family.forms) for family in self.open])

    def agreeing(self, verdict: ClassVerdict) -> int:
        """Return how many of the decided families have this verdict for all their forms."""
        return sum([decides_all_forms(decision, verdict) for decision in self.decided])


def preview_class(pattern: str, families: Iterable[FamilyState]) -> ClassPreview:
    """Return the present state of the class of a pattern, whose families are given."""
    known = list(families)
    return ClassPreview(
        pattern,
        open=tuple([family for family in known if family.is_open and family.round.number == 1]),
        decided=tuple([each.decision for each in known if each.decision is not None and not each.decided_by_class]),
    )


def class_members(derivations: Derivations, families: _FamilyStates) -> dict[str, list[FamilyState]]:
    """Return the families of every class by its pattern. Flagged families are in no class: each is voted on."""
    members: dict[str, list[FamilyState]] = {}
    for base, ways in derivations.items():
        pattern, family = class_pattern(ways), families.get(base)
        if pattern is not None and family is not None and family.standing == "borderline":
            members.setdefault(pattern, []).append(family)
    return members


def classes_worth_auditing(members_by_pattern: Mapping[str, Iterable[FamilyState]]) -> list[ClassPreview]:
    """Return the classes with enough open families for an audit, that with the most first."""
    previews = [preview_class(pattern, families) for pattern, families in members_by_pattern.items()]
    useful = [preview for preview in previews if len(preview.open) >= MIN_OPEN_FAMILIES]
    return sorted(useful, key=lambda preview: (-len(preview.open), preview.pattern))


def draw_sample(preview: ClassPreview, rng: Random) -> tuple[str, ...]:
    """Draw the families of a class to audit: 300 of the open ones, or all if there are fewer."""
    bases = sorted(family.base for family in preview.open)
    return tuple(sorted(rng.sample(bases, min(SAMPLE_SIZE, len(bases)))))


@dataclass(frozen=True)
class ClassProposal:
    """A proposal to decide a class, with its present state."""

    name: str
    pattern: str
    verdict: ClassVerdict
    sample: frozenset[str]
    state: ProposalState = "audited"
    objections: tuple[RecordedAct, ...] = ()
    """The objections that nobody has released."""


def replay_proposals(acts: Iterable[RecordedAct]) -> dict[str, ClassProposal]:
    """Return the newest proposal of every class by name, after all acts in order; other acts are ignored."""
    proposals: dict[str, ClassProposal] = {}
    for recorded in acts:
        name, now = recorded.subject, proposals.get(recorded.subject)
        match recorded.act:
            case ClassProposed(pattern=pattern, verdict=verdict, sample=sample):
                if now is None or now.state == "reverted":
                    proposals[name] = ClassProposal(name, pattern, verdict, frozenset(sample))
            case ClassHeld() if now is not None and now.state == "audited":
                proposals[name] = replace(now, objections=(*now.objections, recorded))
            case ClassReleased() if now is not None:
                proposals[name] = replace(now, objections=())
            case ClassAdopted() if now is not None and now.state == "audited":
                proposals[name] = replace(now, state="adopted")
            case ClassReverted() if now is not None:
                proposals[name] = replace(now, state="reverted", objections=())
            case _:
                pass
    return proposals


class ClassAudit(NamedTuple):
    """The progress and the result of the audit of a class."""

    size: int
    """The families of the sample, without those that have left the queue since."""
    judged: int
    """The families judged by the panel, or by votes that are still blind. Curators who vote must not see it: their own
    vote changes it."""
    decided: int
    """The families judged by the panel."""
    errors: int
    """The families that the panel decided otherwise than the class would, if only in one form."""

    @property
    def worst(self) -> float:
        """The upper bound of the share of the class that would be decided wrongly."""
        return clopper_pearson_upper_bound(self.errors, self.judged)


def audit_class(proposal: ClassProposal, families: _FamilyStates) -> ClassAudit:
    """Audit a class by the votes on its sample.

    A family is judged by a single blind vote if all its votes agree with the verdict in all forms, else by the decision
    of the panel.
    """
    sample = [families[base] for base in proposal.sample if base in families]
    judged = decided = errors = 0
    for family in sample:
        is_agreed = bool(family.ballots) and all(
            ballot.vote == proposal.verdict and (not ballot.forms or set(ballot.forms) >= set(family.forms))
            for ballot in family.ballots
        )
        is_decided_by_panel = family.round.is_decided and not family.decided_by_class
        judged += family.round.is_decided or bool(family.decided_by_class) or is_agreed
        decided += is_decided_by_panel
        if is_decided_by_panel and family.decision is not None:
            errors += not decides_all_forms(family.decision, proposal.verdict)
    return ClassAudit(len(sample), judged, decided, errors)


def decides_all_forms(decision: Decision, verdict: ClassVerdict) -> bool:
    """Return whether all forms of a family have this verdict; contested forms have none."""
    return all(tally.outcome == verdict for tally in decision.forms.values())


def adoption_obstacle(proposal: ClassProposal, audit: ClassAudit) -> str | None:
    """Return the reason why a class cannot be adopted now; None if it can."""
    match proposal.state:
        case "adopted" | "reverted":
            return f"the class is {proposal.state} already"
        case "audited":
            pass
    if proposal.objections:
        objectors = ", ".join(sorted({objection.actor for objection in proposal.objections}))
        return f"{objectors} objected, and the objection is not settled"
    if audit.judged < audit.size or not audit.size:
        # Their number would tell a keeper what each blind vote was.
        return f"not all {audit.size} families of the sample are judged"
    if audit.worst > MAX_ERROR_RATE:
        return f"up to {audit.worst:.1%} of the class may be wrong, more than {MAX_ERROR_RATE:.0%}"
    return None


def families_to_decide(proposal: ClassProposal, preview: ClassPreview) -> list[str]:
    """Return the open families that a class decides when it is adopted: those of its sample, and those without votes.

    All others stay with the panel, whatever was voted on them, because the families left open must not reveal how
    somebody voted. Open families of the sample have no vote against the verdict, or they would not count as judged.
    """
    return [family.base for family in preview.open if family.base in proposal.sample or not family.ballots]


def families_awaiting_audit(proposals: Iterable[ClassProposal], families: _FamilyStates) -> frozenset[str]:
    """Return the open families that audits wait for."""
    # Votes on them are not looked at: the order in which cards come must not reveal any.
    samples = [proposal.sample for proposal in proposals if proposal.state == "audited"]
    return frozenset(base for sample in samples for base in sample if base in families and families[base].is_open)


def clopper_pearson_upper_bound(errors: int, judged: int) -> float:
    """Return the exact upper bound of an error rate, one-sided with 95 % confidence (Clopper and Pearson 1934).

    It is the rate at which 5 % of all samples would have so few errors or fewer, found by bisection.
    """
    if errors >= judged:
        return 1.0
    low, high = errors / judged, 1.0
    for _ in range(50):
        rate = (low + high) / 2
        probability = sum([comb(judged, k) * rate**k * (1 - rate) ** (judged - k) for k in range(errors + 1)])
        low, high = (rate, high) if probability > 1 - CONFIDENCE else (low, rate)
    return high
