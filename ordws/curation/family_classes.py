"""Classes: families whose headwords were made alike, decided together once an audit bears that out. Pure.

A class is named after its pattern: `re-verb` is all borderline families whose head is likeliest RE- put to a settled
verb. It is proposed with a verdict and a random sample; its curators judge the sample blindly; a keeper adopts it.
(EXPERIENCE decision 2)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from random import Random
from typing import Final, Literal, NamedTuple, TypeAlias

from ordws.curation.acts import ClassAdopted, ClassHeld, ClassProposed, ClassReleased, ClassReverted, RecordedAct
from ordws.curation.ballot import Ballot
from ordws.curation.decision import Decision
from ordws.curation.family import Derivation
from ordws.curation.ledger_writes import ClassVerdict
from ordws.curation.voting_rounds import FamilyState

SAMPLE_SIZE: Final = 300
"""How many families are audited: without an error among them, less than 1.0 % of a class is wrong. (EXPERIENCE A3)"""
MIN_OPEN_FAMILIES: Final = 100
"""How many open families make a class: of fewer than 99 no audit can bear the bound below out, without any error."""
MAX_ERROR_RATE: Final = 0.03
"""How much of a class may be wrong, at worst: three errors in 300 pass (2.6 %), four (3.03 %) do not. Curators who
vote word by word come to the verdict of an endless panel in 93 % of the cases. (EXPERIENCE A3)"""
CONFIDENCE: Final = 0.95

Derivations: TypeAlias = Mapping[str, tuple[Derivation, ...]]
_FamilyStates: TypeAlias = Mapping[str, FamilyState]
ProposalState: TypeAlias = Literal["audited", "adopted", "reverted"]


@lru_cache(maxsize=1_024)
def class_name(pattern: str) -> str:
    """What a class is called in the ledger and in addresses: `re-verb` for RE- + verb."""
    return "-".join(re.findall("[a-z]+", pattern.lower()))


def class_pattern(derivations: tuple[Derivation, ...]) -> str | None:
    """The pattern that puts a family in a class: the likeliest, where that is from a settled word."""
    return derivations[0].pattern if derivations and derivations[0].is_settled else None


@dataclass(frozen=True)
class ClassPreview:
    """A class as its families stand; what a curator thinks of an open one does not show."""

    pattern: str
    open: tuple[FamilyState, ...]
    """Those that nobody has decided, in their first round."""
    decided: tuple[Decision, ...]
    """What the panel came to on the others."""

    @property
    def name(self) -> str:
        return class_name(self.pattern)

    @property
    def forms(self) -> int:
        """Those at stake in the open families."""
        return sum([len(matter.forms) for matter in self.open])

    def agreeing(self, verdict: ClassVerdict) -> int:
        """How many of the decided families came to a verdict with all their forms."""
        return sum([decides_all_forms(decision, verdict) for decision in self.decided])


def preview_class(pattern: str, families: Iterable[FamilyState]) -> ClassPreview:
    known = list(families)
    return ClassPreview(
        pattern,
        open=tuple([matter for matter in known if matter.is_open and matter.round.number == 1]),
        decided=tuple([each.decision for each in known if each.decision is not None and not each.decided_by_class]),
    )


def class_members(derivations: Derivations, families: _FamilyStates) -> dict[str, list[FamilyState]]:
    """The families of every class, by its pattern. A flagged word is none of a class: each is looked at."""
    found: dict[str, list[FamilyState]] = {}
    for base, ways in derivations.items():
        pattern, matter = class_pattern(ways), families.get(base)
        if pattern is not None and matter is not None and matter.standing == "borderline":
            found.setdefault(pattern, []).append(matter)
    return found


def classes_worth_auditing(members_by_pattern: Mapping[str, Iterable[FamilyState]]) -> list[ClassPreview]:
    """The classes that are worth their audit, of all those members; the one with the most open families first."""
    found = [preview_class(pattern, matters) for pattern, matters in members_by_pattern.items()]
    useful = [each for each in found if len(each.open) >= MIN_OPEN_FAMILIES]
    return sorted(useful, key=lambda each: (-len(each.open), each.pattern))


def draw_sample(preview: ClassPreview, rng: Random) -> tuple[str, ...]:
    """The families of a class to audit: 300 of those that are open, or all."""
    bases = sorted(matter.base for matter in preview.open)
    return tuple(sorted(rng.sample(bases, min(SAMPLE_SIZE, len(bases)))))


@dataclass(frozen=True)
class ClassProposal:
    """A class that was proposed, and what became of it."""

    name: str
    pattern: str
    verdict: ClassVerdict
    sample: frozenset[str]
    state: ProposalState = "audited"
    objections: tuple[RecordedAct, ...] = ()
    """Holds that nobody has released."""


def replay_proposals(acts: Iterable[RecordedAct]) -> dict[str, ClassProposal]:
    """The newest proposal of every class, after all acts in order; those that are on no class are passed over."""
    found: dict[str, ClassProposal] = {}
    for done in acts:
        now = found.get(done.subject)
        match done.act:
            case ClassProposed(pattern=pattern, verdict=verdict, sample=sample):
                if now is None or now.state == "reverted":
                    found[done.subject] = ClassProposal(done.subject, pattern, verdict, frozenset(sample))
            case ClassHeld() | ClassReleased() | ClassAdopted() | ClassReverted() if now is not None:
                found[done.subject] = _apply_act(now, done)
            case _:
                pass
    return found


def _apply_act(proposal: ClassProposal, recorded: RecordedAct) -> ClassProposal:
    match recorded.act:
        case ClassHeld() if proposal.state == "audited":
            return replace(proposal, objections=(*proposal.objections, recorded))
        case ClassReleased():
            return replace(proposal, objections=())
        case ClassAdopted() if proposal.state == "audited":
            return replace(proposal, state="adopted")
        case ClassReverted():
            return replace(proposal, state="reverted", objections=())
        case _:
            return proposal


class ClassAudit(NamedTuple):
    """How far the audit of a class has come, and what it found."""

    size: int
    """The sample, less families that have left the queue since."""
    judged: int
    """By the panel, or by votes that are still blind: not for the eyes of who votes, as his own vote moves it."""
    decided: int
    """By the panel."""
    errors: int
    """Of those, otherwise than the class would decide, if only in one form."""

    @property
    def worst(self) -> float:
        """How much of the class may be wrong, by what was judged so far."""
        return clopper_pearson_upper_bound(self.errors, self.judged)


def audit_class(proposal: ClassProposal, families: _FamilyStates) -> ClassAudit:
    """What the curators have made of a sample.

    A family is judged by one blind vote that agrees with the verdict where nobody voted otherwise, else by the
    panel's decision.
    """
    found = [families[base] for base in proposal.sample if base in families]
    return ClassAudit(
        size=len(found),
        judged=sum([_is_judged(proposal, matter) for matter in found]),
        decided=sum([_is_decided_by_panel(matter) for matter in found]),
        errors=sum([_is_error(proposal, matter) for matter in found]),
    )


def _is_judged(proposal: ClassProposal, family: FamilyState) -> bool:
    if family.decided_by_class or family.round.is_decided:
        return True
    return bool(family.ballots) and all(
        _is_full_agreement(ballot, proposal.verdict, family) for ballot in family.ballots
    )


def _is_decided_by_panel(family: FamilyState) -> bool:
    return family.round.is_decided and not family.decided_by_class


def _is_error(proposal: ClassProposal, family: FamilyState) -> bool:
    return (
        _is_decided_by_panel(family)
        and family.decision is not None
        and not decides_all_forms(family.decision, proposal.verdict)
    )


def decides_all_forms(decision: Decision, verdict: ClassVerdict) -> bool:
    """Whether all forms of a family came to a verdict; a contested one came to none."""
    return all(tally.outcome == verdict for tally in decision.forms.values())


def _is_full_agreement(ballot: Ballot, verdict: ClassVerdict, family: FamilyState) -> bool:
    is_whole = not ballot.forms or set(ballot.forms) >= set(family.forms)
    return ballot.vote == verdict and is_whole


def _dissents(ballot: Ballot, verdict: ClassVerdict, family: FamilyState) -> bool:
    """Whether a vote speaks against a verdict; to name forms in says that the others are out."""
    if ballot.vote == "doubt":
        return False
    return ballot.vote != verdict or (verdict == "in" and not _is_full_agreement(ballot, verdict, family))


def adoption_obstacle(proposal: ClassProposal, audit: ClassAudit) -> str | None:
    """Why a class cannot be adopted now; None where it can."""
    match proposal.state:
        case "adopted" | "reverted":
            return f"the class is {proposal.state} already"
        case "audited":
            pass
    if proposal.objections:
        return f"{_objectors(proposal.objections)} objected, and the objection is not settled"
    if audit.judged < audit.size or not audit.size:
        return f"{audit.judged} of {audit.size} families of the sample are judged"
    if audit.worst > MAX_ERROR_RATE:
        return f"up to {audit.worst:.1%} of the class may be wrong, more than {MAX_ERROR_RATE:.0%}"
    return None


def _objectors(objections: Iterable[RecordedAct]) -> str:
    return ", ".join(sorted(Counter([done.actor for done in objections])))


def families_to_decide(proposal: ClassProposal, preview: ClassPreview) -> list[str]:
    """The open families that a class decides when it is adopted: those of its sample, and those without a vote.

    The others stay with the panel, whatever was voted on them: what is left open must not tell how somebody voted. Of
    the sample nobody has voted against one that is open, or it would not be judged.
    """
    return [matter.base for matter in preview.open if matter.base in proposal.sample or not matter.ballots]


def families_awaiting_audit(proposals: Iterable[ClassProposal], families: _FamilyStates) -> frozenset[str]:
    """The open families that audits wait for, whatever was voted on them: a curator sees what comes to him early."""
    samples = [proposal.sample for proposal in proposals if proposal.state == "audited"]
    return frozenset(base for sample in samples for base in sample if base in families and families[base].is_open)


def clopper_pearson_upper_bound(errors: int, judged: int) -> float:
    """The exact upper bound of a share of errors, at 95 % confidence. (Clopper and Pearson 1934, one-sided)

    The share at which so few errors would be met in 5 % of all samples, by bisection.
    """
    if errors >= judged:
        return 1.0
    low, high = errors / judged, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _binomial_cdf(errors, judged, middle) > 1 - CONFIDENCE else (low, middle)
    return high


def _binomial_cdf(errors: int, judged: int, share: float) -> float:
    """How likely so many errors or fewer are."""
    return sum([comb(judged, k) * share**k * (1 - share) ** (judged - k) for k in range(errors + 1)])
