"""The agreement figures: published and hand-computed values, and the votes that must not count."""

from __future__ import annotations

import random
import time
from itertools import combinations

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from voted_families import ballots, voted

from ordws.curation.acts import BallotRetracted, RecordedAct, Reopened, SecondVote
from ordws.curation.agreement import (
    Agreement,
    PairAgreement,
    PatternSummary,
    RatedUnit,
    Share,
    agreement,
    agreement_by_month,
    decision_margins,
    earlier_rounds,
    in_shares_by_month,
    pairwise_agreement,
    rated_units,
    summarize_by_pattern,
)

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), A: binary data, two observers, no missing data.
TEXTBOOK = {"meg": "0100000010", "owen": "1110010000"}

UNITS = st.lists(
    st.builds(
        RatedUnit,
        family=st.sampled_from("ABCDEF"),
        month=st.sampled_from(["2026-11", "2026-12"]),
        votes=st.dictionaries(st.sampled_from(["ann", "ben", "cleo", "dora", "emil"]), st.booleans(), min_size=1),
    ),
    max_size=12,
)


def judged(**answers: str) -> list[RatedUnit]:
    """Return units from each curator's judgements: 1 for in, 0 for out, a dot for none."""
    (length,) = {len(votes) for votes in answers.values()}
    return [
        RatedUnit(f"F{i}", "2026-11", {name: votes[i] == "1" for name, votes in answers.items() if votes[i] != "."})
        for i in range(length)
    ]


def test_alpha_matches_the_textbook_example() -> None:
    """Krippendorff's example of two observers and ten units has an alpha of 0.095, though they agree on six."""
    found = agreement(judged(**TEXTBOOK))
    assert found.alpha == pytest.approx(0.095, abs=0.0005)
    assert (found.families, found.pairs, found.agreeing, found.raw) == (10, 10, 6, 0.6)


def test_alpha_with_missing_votes() -> None:
    """With four pairable votes in and three out, and two of five pairs in disagreement, alpha is 1 - 6*2/(2*4*3)."""
    found = agreement(judged(ann="1101", ben="110.", cleo=".0.."))
    assert found[:3] == (3, 5, 3)
    assert found.alpha == pytest.approx(0.5)
    assert found.raw == pytest.approx(0.6)


@given(UNITS)
def test_alpha_matches_its_definition(units: list[RatedUnit]) -> None:
    """Alpha is one less the disagreement within units over that of all votes, counted pair by pair."""
    votes = [list(unit.votes.values()) for unit in units if len(unit.votes) > 1]
    pooled = [vote for each in votes for vote in each]
    within = sum(sum(a != b for a, b in combinations(each, 2)) * 2 / (len(each) - 1) for each in votes)
    among = sum(a != b for a, b in combinations(pooled, 2)) * 2
    found = agreement(units, resamples=10).alpha
    if among:
        assert found == pytest.approx(1 - within / len(pooled) / (among / len(pooled) / (len(pooled) - 1)))
    else:
        assert found is None


@each_row(
    ("answers", "why"),
    [
        ({"ann": "111", "ben": "111"}, "all votes are alike: nothing varies"),
        ({"ann": "1.1", "ben": ".0."}, "no family was judged by two curators"),
        ({"ann": "10"}, "no family was judged by two curators"),
        ({"ann": ""}, "no family was judged by two curators"),
    ],
)
def test_alpha_is_undefined_without_variation_or_pairs(answers: dict[str, str], why: str) -> None:
    """Alpha is undefined, with a reason, where nothing varies or nobody can be compared: neither 0 nor 1."""
    found = agreement(judged(**answers))
    assert (found.alpha, found.low, found.high, found.undefined_reason) == (None, None, None, why)


def test_raw_agreement_without_alpha() -> None:
    """Three curators who vote everything in have full raw agreement and no alpha."""
    found = agreement(judged(ann="11", ben="11", cleo="11"))
    assert (found.raw, found.alpha) == (1.0, None)
    assert agreement([]).raw is None


def test_the_interval_is_that_of_resampled_families() -> None:
    """The fast resampling by kinds of families gives the interval of drawing the families themselves."""
    rng = random.Random(5)
    votes = [{name: rng.random() < (i % 4) / 3 for name in "abcde"[: 2 + i % 4]} for i in range(90)]
    units = [RatedUnit(str(i), "2026-11", each) for i, each in enumerate(votes)]
    drawn = [rng.choices(units, k=len(units)) for _ in range(1000)]
    naive = sorted(
        agreement([each._replace(family=str(i)) for i, each in enumerate(some)], resamples=1).alpha or 0.0
        for some in drawn
    )
    found = agreement(units)
    assert found.low == pytest.approx(naive[25], abs=0.03)
    assert found.high == pytest.approx(naive[974], abs=0.03)
    assert agreement(units) == found


def test_no_interval_if_resamples_lack_alpha() -> None:
    """A single vote out among forty leaves a third of the resamples without alpha, so that there is no interval."""
    found = agreement(judged(ann="0" + 19 * "1", ben=20 * "1"))
    assert found.alpha == pytest.approx(0.0)
    assert (found.low, found.high) == (None, None)


def test_rounds_of_a_family_are_drawn_together() -> None:
    """The rounds of a family are drawn together, since they are not independent."""
    first, second = {"ann": True, "ben": False}, {"ann": True, "ben": True}
    found = agreement([RatedUnit("A", "2026-11", first), RatedUnit("A", "2026-12", second)])
    assert (found.families, found.pairs) == (1, 2)
    assert found.low == found.high == found.alpha


def test_figures_of_a_large_panel_come_quickly() -> None:
    """The agreement of five curators on 5,000 families, with its interval, takes less than two seconds of work."""
    rng = random.Random(1)
    units = [RatedUnit(str(i), "2026-11", {c: rng.random() < 0.6 for c in "abcde"}) for i in range(5_000)]
    start = time.thread_time()
    assert agreement(units).families == 5_000
    assert time.thread_time() - start < 2


def test_kappa_matches_the_textbook_example() -> None:
    """Two readers of fifty proposals who accept 20 together, refuse 15 and divide over 15 have a kappa of 0.4."""
    ann, ben = 20 * "1" + 5 * "1" + 10 * "0" + 15 * "0", 20 * "1" + 5 * "0" + 10 * "1" + 15 * "0"
    found = pairwise_agreement(judged(ann=ann, ben=ben))
    assert found == {("ann", "ben"): PairAgreement(50, 0.7, pytest.approx(0.4))}


def test_kappa_is_undefined_without_common_units_or_variation() -> None:
    """Kappa is undefined for two curators without common units, or whose judgements are all the same."""
    found = pairwise_agreement(judged(ann="11..", ben="11..", cleo="..01", dora="..10"))
    assert found["ann", "ben"] == PairAgreement(2, 1.0, None)
    assert found["ann", "cleo"] == PairAgreement(0, None, None)
    assert found["cleo", "dora"] == PairAgreement(2, 0.0, -1.0)


@given(UNITS, st.permutations("ABCDEF"), st.permutations(["ann", "ben", "cleo", "dora", "emil"]))
def test_figures_do_not_depend_on_names_or_order(
    units: list[RatedUnit], families: list[str], curators: list[str]
) -> None:
    """Other names of families and curators, in another order, give the same figures under the new names."""
    family = dict(zip("ABCDEF", families, strict=True))
    curator = dict(zip(["ann", "ben", "cleo", "dora", "emil"], curators, strict=True))
    renamed = [
        RatedUnit(family[each.family], each.month, {curator[name]: vote for name, vote in each.votes.items()})
        for each in reversed(units)
    ]
    assert agreement(renamed, resamples=50) == agreement(units, resamples=50)
    after = pairwise_agreement(renamed)
    for (a, b), pair in pairwise_agreement(units).items():
        assert after[min(curator[a], curator[b]), max(curator[a], curator[b])] == pair


def test_a_judgement_is_the_last_ballot_of_a_round() -> None:
    """A curator's judgement is their last ballot, also after the decision; a doubt is no judgement."""
    states = [voted("ann+ ben- ben+ cleo- dora?"), voted("ann- ann? ben- cleo-", "ZORIL")]
    units = {unit.family: unit.votes for unit in rated_units(states, {})}
    assert units == {"BASH": {"ann": True, "ben": True, "cleo": False}, "ZORIL": {"ben": False, "cleo": False}}


def test_ballots_of_an_open_round_do_not_count() -> None:
    """The ballots of a round that is open, or that a class has ended, count in no unit, margin or pattern."""
    open_ones = [voted("ann+ ben-"), voted("ann+ ben-", "ZORIL", number=2), voted("ann+", "K", decided_by_class="k")]
    units = list(rated_units(open_ones, {}))
    assert (
        units,
        decision_margins(open_ones),
        summarize_by_pattern(open_ones, units, {"BASH": "-ED", "ZORIL": "-ED"}),
    ) == ([], {}, {})


def test_reopening_a_family_takes_no_unit_away() -> None:
    """The decided round of a family that is open again counts as before, so that the difference is not its ballots."""
    earlier = {"ZORIL": [ballots("ZORIL", "ann+ ben+")]}
    (unit,) = rated_units([voted("ann-", "ZORIL", number=2)], earlier)
    assert unit.votes == {"ann": True, "ben": True}


def test_earlier_rounds_are_counted_separately() -> None:
    """The acts between ballots tell the rounds apart: before a second vote, and before a re-opening."""
    first = ballots("BASH", "ann+ ben- cleo+ dora-", "2026-11-20T08:00:00Z")
    second = ballots("BASH", "ann- ben-", "2026-11-21T08:00:00Z")
    present = voted("ann+ ben+", number=3, at="2026-12-01T08:00:00Z")
    acts = [
        RecordedAct(4, "2026-11-20T07:00:00Z", "BASH", "ann", BallotRetracted(ballot=first[3].id)),
        RecordedAct(5, "2026-11-20T09:00:00Z", "BASH", "kay", SecondVote()),
        RecordedAct(6, "2026-11-30T09:00:00Z", "BASH", "kay", Reopened(reason="a new source")),
    ]
    found = earlier_rounds([present, voted("ann+ ben+", "ZORIL")], [*first, *second, *present.ballots], acts)
    assert found == {"BASH": [list(first[:3]), list(second)]}
    units = list(rated_units([present], found))
    assert [(unit.month, unit.votes) for unit in units] == [
        ("2026-11", {"ann": True, "ben": False, "cleo": True}),
        ("2026-11", {"ann": False, "ben": False}),
        ("2026-12", {"ann": True, "ben": True}),
    ]


def test_drift_is_computed_by_month() -> None:
    """Agreement and each curator's share of votes in are computed for each month, in order."""
    units = [
        RatedUnit("A", "2026-12", {"ann": True, "ben": False}),
        RatedUnit("B", "2026-11", {"ann": True, "ben": True}),
        RatedUnit("C", "2026-11", {"ann": False, "ben": False, "cleo": False}),
    ]
    assert [(month, found.raw, found.alpha) for month, found in agreement_by_month(units).items()] == [
        ("2026-11", 1.0, 1.0),
        ("2026-12", 0.0, 0.0),
    ]
    assert in_shares_by_month(units) == {
        "2026-11": {"ann": Share(1, 2), "ben": Share(1, 2), "cleo": Share(0, 1)},
        "2026-12": {"ann": Share(1, 1), "ben": Share(0, 1)},
    }


def test_margins_are_of_the_closest_form() -> None:
    """Margins are counted on the closest form, from all in to all out, and without decisions by a class."""
    states = [
        voted("ann+ ben+", "A"),
        voted("ann+ ben-:BED cleo+ dora+", "B", forms=("B", "BED")),
        voted("ann+ ben- cleo+ dora- emil+", "C"),
        voted("ann- ben-", "D"),
        voted("", "E", decided_by_class="re-verb"),
        voted("ann- ben- cleo+", "F"),
        voted("ann- ben+ cleo- dora-", "G"),
    ]
    assert list(decision_margins(states).items()) == [((2, 0), 1), ((3, 1), 1), ((3, 2), 1), ((1, 3), 1), ((0, 2), 2)]


def test_classes_are_counted_by_outcome() -> None:
    """A pattern counts families in, out and contested, also if a second vote decided them, and agreeing pairs."""
    states = [
        voted("ann+ ben+", "A"),
        voted("ann- ben-", "B", number=2, is_second=True),
        voted("ann+ ben- cleo+ dora- emil+", "C"),
        voted("ann+ ben+", "D"),
    ]
    patterns = {"A": "RE- + verb", "B": "RE- + verb", "C": "RE- + verb"}
    found = summarize_by_pattern(states, list(rated_units(states, {})), patterns)
    assert found == {"RE- + verb": PatternSummary(3, 1, 1, 2, Share(6, 12))}


def test_a_share_of_an_empty_total_is_undefined() -> None:
    """A share of an empty total is undefined."""
    assert (Share(0, 0).ratio, Share(1, 4).ratio) == (None, 0.25)
    assert Agreement(0, 0, 0, None, None, None).raw is None
