"""The agreement of the curators, and the influence and the consistency of each: signs of capture and of fatigue. Pure.

A unit is what several curators judge independently: a family in one blind round. A curator's judgement is their last
ballot of the round, also if it came after the decision; a doubt counts as missing. Rounds in which votes are taken, or
that a class has ended, are left out everywhere, because a figure must not reveal how an open vote stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

import krippendorff
import numpy as np

from ordws.curation.acts import BallotRetracted, CheckAnswered, CheckRetracted, RecordedAct, Reopened, SecondVote
from ordws.curation.decision import DECIDING_LEAD, Ballot, Vote, decide
from ordws.curation.family import FamilyStanding
from ordws.curation.voting_rounds import FamilyState

RESAMPLES: Final = 1_000
MIN_RELIABLE_ALPHA: Final = 0.667
"""Krippendorff's limit for tentative conclusions: below it the guideline is revised before the panel goes on."""
_SEED: Final = 20_261_121
"""A fixed seed, so that the same votes always show the same interval."""
_MIN_DEFINED_SHARE: Final = 0.9
"""The share of resamples that must have an alpha, or their interval would be that of a selection."""

VoteCounts: TypeAlias = tuple[int, int]
"""The number of votes in and of votes out on a unit."""


class RatedUnit(NamedTuple):
    """The judgements on a family in one blind round."""

    family: str
    month: str
    """The month of the round's last ballot, such as 2026-11."""
    votes: Mapping[str, bool]
    """By curator; True for in."""


class Agreement(NamedTuple):
    """The agreement of the judgements on the same units; figures that are undefined are None."""

    families: int
    """The number of families that two or more curators judged."""
    pairs: int
    """The number of pairs of judgements on the same unit."""
    agreeing: int
    alpha: float | None
    low: float | None
    """The lower end of alpha's 95 % interval, found by resampling families."""
    high: float | None

    @property
    def raw(self) -> float | None:
        """The share of pairs that agree."""
        return self.agreeing / self.pairs if self.pairs else None

    @property
    def undefined_reason(self) -> str:
        """The reason why alpha is undefined; empty if it is defined."""
        if not self.pairs:
            return "no family was judged by two curators"
        return "" if self.alpha is not None else "all votes are alike: nothing varies"


class PairAgreement(NamedTuple):
    """The agreement of two curators on the units that both judged; figures that are undefined are None."""

    units: int
    raw: float | None
    kappa: float | None


class Share(NamedTuple):
    """A part of a total."""

    counted: int
    total: int

    @property
    def ratio(self) -> float | None:
        """The share as a fraction; None of an empty total."""
        return self.counted / self.total if self.total else None


class PatternSummary(NamedTuple):
    """The outcomes of the families of a pattern, and the agreement of the curators on them."""

    decided: int
    ins: int
    outs: int
    contested: int
    """The number of families that were or are contested, also if a second vote decided them."""
    agreeing: Share
    """Of the pairs of judgements."""


def rated_units(
    families: Iterable[FamilyState], earlier: Mapping[str, Sequence[Sequence[Ballot]]]
) -> Iterator[RatedUnit]:
    """Yield the units of all rounds that votes have decided, the `earlier` ones of families that are open again too.

    A round once counted stays counted: if re-opening a family took its units out, the difference would be its ballots.
    """
    for family in families:
        is_decided = family.round.is_decided and not family.decided_by_class
        for ballots in (*earlier.get(family.base, ()), *([family.ballots] if is_decided else [])):
            votes = judgements(ballots)
            if votes:
                yield RatedUnit(family.base, max([ballot.at for ballot in ballots])[:7], votes)


def earlier_rounds(
    families: Iterable[FamilyState], ballots: Iterable[Ballot], acts: Iterable[RecordedAct]
) -> dict[str, list[list[Ballot]]]:
    """Return the ballots that counted in rounds before the present one, round by round, by family.

    `ballots` and `acts` are all of the ledger, in order; families that had one round only are left out.
    """
    present = {family.base: {ballot.id for ballot in family.ballots} for family in families if family.round.number > 1}
    retracted, begun = set[str](), dict[str, list[str]]()
    for recorded in acts:
        match recorded.act:
            case BallotRetracted(ballot=id):
                retracted.add(id)
            case Reopened() | SecondVote():
                begun.setdefault(recorded.subject, []).append(recorded.at)
            case _:
                pass
    rounds = {base: [list[Ballot]() for _ in begun[base]] for base in present}
    for ballot in ballots:
        ids = present.get(ballot.family)
        if ids is not None and ballot.id not in ids and ballot.id not in retracted:
            # The last beginning is that of the present round, whose ballots were just left out.
            place = sum(at < ballot.at for at in begun[ballot.family][:-1])
            rounds[ballot.family][place].append(ballot)
    return rounds


def agreement(units: Iterable[RatedUnit], *, resamples: int = RESAMPLES, seed: int = _SEED) -> Agreement:
    """Compute the agreement on these units, with a bootstrap interval of alpha of 95 %.

    For two values alpha is 1 - (n - 1) d / (2 i o): i and o are all votes in and out, n is their sum, and d is the sum
    of each unit's own 2 i o / (n - 1).
    """
    by_family: dict[str, list[VoteCounts]] = {}
    for unit in units:
        ins, total = sum(unit.votes.values()), len(unit.votes)
        if total > 1:
            by_family.setdefault(unit.family, []).append((ins, total - ins))
    # Families with the same numbers of votes in their rounds are of one kind. All that follows is computed by kind, so
    # that a large panel costs no more than a small one.
    kinds = sorted(Counter([tuple(sorted(counts)) for counts in by_family.values()]).items())
    counted = [(counts, frequency) for kind, frequency in kinds for counts in kind]
    pairs = sum([frequency * _pair_total(ins + outs) for (ins, outs), frequency in counted])
    agreeing = sum([frequency * (_pair_total(ins) + _pair_total(outs)) for (ins, outs), frequency in counted])
    alpha = None
    # Alpha is undefined where all votes are the same, and the library would divide by zero.
    if any(ins for (ins, _), _ in counted) and any(outs for (_, outs), _ in counted):
        value_counts = [counts for counts, frequency in counted for _ in range(frequency)]
        alpha = float(krippendorff.alpha(value_counts=np.array(value_counts), level_of_measurement="nominal"))
    low = high = None
    if kinds:
        # Families are drawn with replacement, as many as there are: how often each kind is drawn is multinomial.
        units_by_kind = [[(ins, outs, 2 * ins * outs / (ins + outs - 1)) for ins, outs in kind] for kind, _ in kinds]
        sums = np.array([np.sum(each, axis=0) for each in units_by_kind])
        frequencies = np.array([frequency for _, frequency in kinds])
        total = frequencies.sum()
        drawn = np.random.default_rng(seed).multinomial(total, frequencies / total, size=resamples)
        ins, outs, disagreement = (drawn @ sums).T
        varies = (ins > 0) & (outs > 0)
        if varies.mean() >= _MIN_DEFINED_SHARE:
            ins, outs, disagreement = ins[varies], outs[varies], disagreement[varies]
            alphas = 1 - (ins + outs - 1) * disagreement / (2 * ins * outs)
            low, high = map(float, np.percentile(alphas, [2.5, 97.5]))
    return Agreement(len(by_family), pairs, agreeing, alpha, low, high)


def agreement_by_month(units: Iterable[RatedUnit]) -> dict[str, Agreement]:
    """Compute the agreement of each month, in order."""
    months: dict[str, list[RatedUnit]] = {}
    for unit in units:
        months.setdefault(unit.month, []).append(unit)
    return {month: agreement(months[month]) for month in sorted(months)}


def in_shares_by_month(units: Iterable[RatedUnit]) -> dict[str, dict[str, Share]]:
    """Return the share of each curator's judgements that were in, by month and curator."""
    ins, totals = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for unit in units:
        for curator, is_in in unit.votes.items():
            ins[unit.month, curator] += is_in
            totals[unit.month, curator] += 1
    shares: dict[str, dict[str, Share]] = {}
    for month, curator in sorted(totals):
        shares.setdefault(month, {})[curator] = Share(ins[month, curator], totals[month, curator])
    return shares


def pairwise_agreement(units: Sequence[RatedUnit]) -> dict[tuple[str, str], PairAgreement]:
    """Compute the raw agreement and Cohen's kappa of every two curators, whose names are in alphabetical order."""
    counts: Counter[tuple[str, str, bool, bool]] = Counter()
    for unit in units:
        counts.update([(a, b, x, y) for (a, x), (b, y) in combinations(sorted(unit.votes.items()), 2)])
    agreements = {}
    for a, b in combinations(sorted({curator for unit in units for curator in unit.votes}), 2):
        both_in, a_in, b_in, both_out = [counts[a, b, x, y] for x in (True, False) for y in (True, False)]
        total, alike = both_in + a_in + b_in + both_out, both_in + both_out
        by_chance = (both_in + a_in) * (both_in + b_in) + (both_out + a_in) * (both_out + b_in)
        # Two who judged everything the same way agree by chance alone: kappa says nothing there.
        kappa = (alike * total - by_chance) / (total * total - by_chance) if by_chance < total * total else None
        agreements[a, b] = PairAgreement(total, alike / total if total else None, kappa)
    return agreements


def decision_margins(families: Iterable[FamilyState]) -> dict[VoteCounts, int]:
    """Count the decisions of ballots by their votes in and out, on the form of the family where it was closest.

    The counts are in order from all votes in to all votes out.
    """
    margins: Counter[VoteCounts] = Counter()
    for family in families:
        if family.decision is not None and is_decided_by_ballots(family):
            # Closest is the smallest margin, and of one margin that with the most votes.
            closest = min(
                family.decision.forms.values(),
                key=lambda tally: (abs(tally.ins - tally.outs), -(tally.ins + tally.outs)),
                default=family.decision.rest,
            )
            margins[closest.ins, closest.outs] += 1
    return dict(sorted(margins.items(), key=lambda each: each[0][1] / max(1, sum(each[0]))))


def judgements(ballots: Iterable[Ballot]) -> dict[str, bool]:
    """Return the judgement of each curator in a round, True for in: their last ballot, unless it is a doubt."""
    last = {ballot.curator: ballot for ballot in ballots}
    return {curator: ballot.vote == "in" for curator, ballot in last.items() if ballot.vote != "doubt"}


def is_decided_by_ballots(family: FamilyState) -> bool:
    """Return whether ballots decided a queued family, and no class did."""
    return family.standing is not None and not family.is_open and not family.decided_by_class and bool(family.ballots)


def summarize_by_pattern(
    families: Iterable[FamilyState], units: Iterable[RatedUnit], patterns: Mapping[str, str]
) -> dict[str, PatternSummary]:
    """Summarize the families of each pattern; `patterns` is by family, and families without one are left out."""
    counts: dict[str, Counter[str]] = {}
    for unit in units:
        if unit.family in patterns:
            ins, total = sum(unit.votes.values()), len(unit.votes)
            agreeing = _pair_total(ins) + _pair_total(total - ins)
            pattern_counts = counts.setdefault(patterns[unit.family], Counter())
            pattern_counts.update({"agreeing": agreeing, "pairs": _pair_total(total)})
    for family in families:
        if family.base in patterns and family.decision is not None and is_decided_by_ballots(family):
            was_contested = family.round.is_second or family.decision.outcome == "contested"
            labels = ["decided", family.decision.outcome] + ["was contested"] * was_contested
            counts.setdefault(patterns[family.base], Counter()).update(labels)
    return {
        pattern: PatternSummary(
            each["decided"], each["in"], each["out"], each["was contested"], Share(each["agreeing"], each["pairs"])
        )
        for pattern, each in sorted(counts.items())
    }


def _pair_total(count: int) -> int:
    return count * (count - 1) // 2


MAX_INFLUENCE: Final = 0.02
"""The share of decisions that may hang on one curator: above it the other curators look at that curator's votes."""


class Consistency(NamedTuple):
    """A curator's answers to cards that were shown as a check."""

    repeats: Share
    """Of the silent repeats, those answered as before."""
    known_items: Share
    """Of the known items, those answered as they were decided."""


def influence(families: Iterable[FamilyState], *, panel: int) -> dict[str, Share]:
    """Return, by curator, the share of the ballots' decisions that would include other forms without their vote.

    If the other ballots decide nothing the decision does not differ, since further votes would have been taken.
    """
    differing, decisions, curators = Counter[str](), 0, set[str]()
    for family in families:
        if not is_decided_by_ballots(family):
            continue
        decisions += 1
        curators |= family.voters
        # Two voters decide only by equal votes, and without either of them nothing would be decided.
        if len(family.voters) <= DECIDING_LEAD:
            continue
        # If every vote is on the whole family all its forms have one outcome, and any name stands for them.
        is_whole = not any(ballot.forms for ballot in family.ballots)
        forms = ("",) if is_whole else family.forms
        included = _included_forms(family, forms, family.ballots, panel)
        for curator in family.voters:
            others = [ballot for ballot in family.ballots if ballot.curator != curator]
            differing[curator] += _included_forms(family, forms, others, panel) not in (included, None)
    return {curator: Share(differing[curator], decisions) for curator in sorted(curators)}


def consistency(acts: Iterable[RecordedAct], families: Mapping[str, FamilyState]) -> dict[str, Consistency]:
    """Return how curators answered repeats and known items, by name; doubts and open families are left out."""
    acts = list(acts)
    retracted = {recorded.act.id for recorded in acts if isinstance(recorded.act, CheckRetracted)}
    agreed: dict[str, dict[str, list[bool]]] = {}
    for recorded in acts:
        act, family = recorded.act, families.get(recorded.subject)
        if not isinstance(act, CheckAnswered) or act.id in retracted or family is None or family.is_open:
            continue
        if act.purpose == "repeat":
            expected = judgements(family.ballots).get(recorded.actor)
        else:
            outcome = family.decision.outcome if family.decision else "open"
            expected = outcome == "in" if outcome in ("in", "out") else None
        if expected is not None and act.vote != "doubt":
            by_purpose = agreed.setdefault(recorded.actor, {"repeat": [], "known": []})
            by_purpose[act.purpose].append(expected == (act.vote == "in"))
    return {
        curator: Consistency(*[Share(sum(each), len(each)) for each in by_purpose.values()])
        for curator, by_purpose in sorted(agreed.items())
    }


def _included_forms(
    family: FamilyState, forms: tuple[str, ...], ballots: Iterable[Ballot], panel: int
) -> frozenset[str] | None:
    """Return those of these forms that the ballots let in; None if they leave the family open."""
    # Curators are replaced by numbers, so that families with the same sequence of votes share an entry of the cache.
    numbers: dict[str, int] = {}
    votes = tuple([(numbers.setdefault(each.curator, len(numbers)), each.vote, each.forms) for each in ballots])
    return _cached_included_forms(family.standing or "borderline", forms, votes, panel)


@lru_cache(maxsize=10_000)
def _cached_included_forms(
    standing: FamilyStanding, forms: tuple[str, ...], votes: tuple[tuple[int, Vote, tuple[str, ...]], ...], panel: int
) -> frozenset[str] | None:
    ballots = [Ballot("", "", str(number), vote, named, "", "") for number, vote, named in votes]
    decision = decide("", standing, forms, ballots, panel=panel)
    return None if decision.outcome == "open" else frozenset([form for form in forms if decision.includes(form)])
