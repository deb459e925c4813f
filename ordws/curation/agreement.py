"""How well curators agree: raw agreement, Krippendorff's alpha, Cohen's kappa, and what each of them moves. Pure.

A unit is what several curators judge apart from one another: a family in one blind round. Of a curator the last ballot
of a round is his judgement, also one that came after the decision; a doubt is a missing one. Nothing here counts a
family that is being voted on: a figure must not tell how it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

import krippendorff
import numpy as np

from ordws.curation.acts import BallotRetracted, RecordedAct, Reopened, SecondVote
from ordws.curation.ballot import Ballot
from ordws.curation.decision import Tally
from ordws.curation.voting_rounds import FamilyState

RESAMPLES: Final = 1_000
MIN_RELIABLE_ALPHA: Final = 0.667
"""Below this alpha the guideline is written anew before the panel goes on. (EXPERIENCE A3)"""
_SEED: Final = 20_261_121
_MIN_DEFINED_SHARE: Final = 0.9
"""The share of resamples that must have an alpha for them to bound it."""

VoteCounts: TypeAlias = tuple[int, int]
"""Votes in and votes out on a unit."""


class RatedUnit(NamedTuple):
    """A family in one blind round: who judged it in (True) or out, and in which month the last did."""

    family: str
    month: str
    votes: Mapping[str, bool]


class Agreement(NamedTuple):
    """How far judges of the same units agree; what cannot be said is None."""

    families: int
    """Those that two or more have judged."""
    pairs: int
    """Pairs of judgements on the same unit."""
    agreeing: int
    alpha: float | None
    low: float | None
    """The 95 % interval of alpha, by resampling families."""
    high: float | None

    @property
    def raw(self) -> float | None:
        return self.agreeing / self.pairs if self.pairs else None

    @property
    def undefined_reason(self) -> str:
        """Why there is no alpha; empty where there is one."""
        if not self.pairs:
            return "no family was judged by two curators"
        return "" if self.alpha is not None else "all votes are alike: nothing varies"


class PairAgreement(NamedTuple):
    """How far two curators agree, on the units that both have judged."""

    units: int
    raw: float | None
    kappa: float | None


class Share(NamedTuple):
    """So many of so many."""

    counted: int
    total: int

    @property
    def ratio(self) -> float | None:
        return self.counted / self.total if self.total else None


class PatternSummary(NamedTuple):
    """How a class of families came out, and how far its judges agreed."""

    decided: int
    ins: int
    outs: int
    contested: int
    """Those that were or are, whatever a second vote made of them."""
    agreeing: Share


def rated_units(
    families: Iterable[FamilyState], earlier: Mapping[str, Sequence[Sequence[Ballot]]]
) -> Iterator[RatedUnit]:
    """What was judged in the rounds of all families that are not being voted on, in the present round and earlier."""
    for matter in families:
        if matter.is_open:
            continue
        for ballots in (*earlier.get(matter.base, ()), matter.ballots):
            votes = judgements(ballots)
            if votes:
                yield RatedUnit(matter.base, max([ballot.at for ballot in ballots])[:7], votes)


def earlier_rounds(
    families: Iterable[FamilyState], ballots: Iterable[Ballot], acts: Iterable[RecordedAct]
) -> dict[str, list[list[Ballot]]]:
    """The ballots that counted in the rounds before the present one, of families that had several; from all of them."""
    present = {matter.base: {ballot.id for ballot in matter.ballots} for matter in families if matter.round.number > 1}
    back, begun = set[str](), dict[str, list[str]]()
    for done in acts:
        match done.act:
            case BallotRetracted(ballot=id):
                back.add(id)
            case Reopened() | SecondVote():
                begun.setdefault(done.subject, []).append(done.at)
            case _:
                pass
    found = {base: [list[Ballot]() for _ in begun[base]] for base in present}
    for ballot in ballots:
        ids = present.get(ballot.family)
        if ids is not None and ballot.id not in ids and ballot.id not in back:
            before = sum(at < ballot.at for at in begun[ballot.family][:-1])
            found[ballot.family][before].append(ballot)
    return found


def agreement(units: Iterable[RatedUnit], *, resamples: int = RESAMPLES, seed: int = _SEED) -> Agreement:
    """How far the judges of these units agree. Resampling draws kinds of families, so that their number costs nothing.

    Two families whose rounds had the same numbers of votes are of a kind; how often each kind is drawn, where as many
    families are drawn with return as there are, is multinomial.
    """
    by_family: dict[str, list[VoteCounts]] = {}
    for unit in units:
        ins, total = sum(unit.votes.values()), len(unit.votes)
        if total > 1:
            by_family.setdefault(unit.family, []).append((ins, total - ins))
    kinds = sorted(Counter([tuple(sorted(counts)) for counts in by_family.values()]).items())
    counted = [(counts, often) for kind, often in kinds for counts in kind]
    pairs = sum([often * _pair_total(ins + outs) for (ins, outs), often in counted])
    agreeing = sum([often * (_pair_total(ins) + _pair_total(outs)) for (ins, outs), often in counted])
    low, high = _bootstrap_interval(kinds, resamples, seed)
    return Agreement(len(by_family), pairs, agreeing, _krippendorff_alpha(counted), low, high)


def agreement_by_month(units: Iterable[RatedUnit]) -> dict[str, Agreement]:
    """How far they agreed in each month, in order."""
    months: dict[str, list[RatedUnit]] = {}
    for unit in units:
        months.setdefault(unit.month, []).append(unit)
    return {month: agreement(months[month]) for month in sorted(months)}


def in_shares_by_month(units: Iterable[RatedUnit]) -> dict[str, dict[str, Share]]:
    """How often each curator judged a unit in, by month."""
    ins, all = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for unit in units:
        for curator, is_in in unit.votes.items():
            ins[unit.month, curator] += is_in
            all[unit.month, curator] += 1
    found: dict[str, dict[str, Share]] = {}
    for month, curator in sorted(all):
        found.setdefault(month, {})[curator] = Share(ins[month, curator], all[month, curator])
    return found


def pairwise_agreement(units: Sequence[RatedUnit]) -> dict[tuple[str, str], PairAgreement]:
    """Cohen's kappa of every two curators, named in order of the alphabet."""
    seen: Counter[tuple[str, str, bool, bool]] = Counter()
    for unit in units:
        seen.update([(a, b, x, y) for (a, x), (b, y) in combinations(sorted(unit.votes.items()), 2)])
    curators = sorted({curator for unit in units for curator in unit.votes})
    return {
        (a, b): _pair_agreement([seen[a, b, x, y] for x in (True, False) for y in (True, False)])
        for a, b in combinations(curators, 2)
    }


def decision_margins(families: Iterable[FamilyState]) -> dict[VoteCounts, int]:
    """How many decisions of ballots came about with so many votes in and out, on the form where it was closest.

    From all in to all out.
    """
    tallies: list[Tally] = []
    for matter in families:
        if matter.decision is not None and is_decided_by_ballots(matter):
            forms = matter.decision.forms.values()
            tallies.append(min(forms, key=_clarity, default=matter.decision.rest))
    found = Counter([(tally.ins, tally.outs) for tally in tallies])
    return dict(sorted(found.items(), key=lambda each: each[0][1] / max(1, sum(each[0]))))


def judgements(ballots: Iterable[Ballot]) -> dict[str, bool]:
    """Who judged in a round, and whether in: by his last ballot, unless that is a doubt."""
    last = {ballot.curator: ballot for ballot in ballots}
    return {curator: ballot.vote == "in" for curator, ballot in last.items() if ballot.vote != "doubt"}


def is_decided_by_ballots(family: FamilyState) -> bool:
    """Whether ballots have decided a family, and no further are asked for."""
    return family.standing is not None and not family.is_open and not family.decided_by_class and bool(family.ballots)


def summarize_by_pattern(
    families: Iterable[FamilyState], units: Iterable[RatedUnit], patterns: Mapping[str, str]
) -> dict[str, PatternSummary]:
    """How the families of each pattern came out, by those patterns; families that have none are left out."""
    counts: dict[str, Counter[str]] = {}
    for unit in units:
        if unit.family in patterns:
            counts.setdefault(patterns[unit.family], Counter()).update(_pair_counts(unit))
    for matter in families:
        if matter.base in patterns and matter.decision is not None and is_decided_by_ballots(matter):
            was_contested = matter.round.is_second or matter.decision.outcome == "contested"
            seen = ["decided", matter.decision.outcome] + ["was contested"] * was_contested
            counts.setdefault(patterns[matter.base], Counter()).update(seen)
    return {
        pattern: PatternSummary(
            each["decided"], each["in"], each["out"], each["was contested"], Share(each["agreeing"], each["pairs"])
        )
        for pattern, each in sorted(counts.items())
    }


def _clarity(tally: Tally) -> VoteCounts:
    """Which of two decisions is the clearer: by its margin, and of one margin by fewer votes."""
    return abs(tally.ins - tally.outs), -(tally.ins + tally.outs)


def _pair_total(count: int) -> int:
    return count * (count - 1) // 2


def _pair_counts(unit: RatedUnit) -> dict[str, int]:
    ins, total = sum(unit.votes.values()), len(unit.votes)
    return {"agreeing": _pair_total(ins) + _pair_total(total - ins), "pairs": _pair_total(total)}


def _krippendorff_alpha(weighted_counts: Sequence[tuple[VoteCounts, int]]) -> float | None:
    counts = np.array([each for each, _ in weighted_counts], dtype=np.int64).reshape(-1, 2)
    often = np.array([often for _, often in weighted_counts], dtype=np.int64)
    if not (counts * often[:, None]).sum(axis=0).all():
        return None
    return float(krippendorff.alpha(value_counts=counts.repeat(often, axis=0), level_of_measurement="nominal"))


def _bootstrap_interval(
    kinds: Sequence[tuple[tuple[VoteCounts, ...], int]], resamples: int, seed: int
) -> tuple[float, float] | tuple[None, None]:
    """What 95 % of the resamples' alphas lie between; for two values alpha is 1 - (n - 1) d / (2 i o).

    There i and o are all votes in and out, n is their sum, and d is the sum of each unit's own 2 i o / (n - 1).
    """
    if not kinds:
        return None, None
    sums = np.array(
        [np.sum([(ins, outs, 2 * ins * outs / (ins + outs - 1)) for ins, outs in kind], axis=0) for kind, _ in kinds]
    )
    often = np.array([often for _, often in kinds])
    drawn = np.random.default_rng(seed).multinomial(often.sum(), often / often.sum(), size=resamples)
    ins, outs, disagreement = (drawn @ sums).T
    varies = (ins > 0) & (outs > 0)
    if varies.mean() < _MIN_DEFINED_SHARE:
        return None, None
    ins, outs, disagreement = ins[varies], outs[varies], disagreement[varies]
    low, high = np.percentile(1 - (ins + outs - 1) * disagreement / (2 * ins * outs), [2.5, 97.5])
    return float(low), float(high)


def _pair_agreement(counts: Sequence[int]) -> PairAgreement:
    """From the counts of in-in, in-out, out-in and out-out."""
    both_in, first_in, second_in, both_out = counts
    total = sum(counts)
    by_chance = (both_in + first_in) * (both_in + second_in) + (both_out + first_in) * (both_out + second_in)
    if not total:
        return PairAgreement(0, None, None)
    alike = both_in + both_out
    kappa = (alike * total - by_chance) / (total * total - by_chance) if by_chance < total * total else None
    return PairAgreement(total, alike / total, kappa)
