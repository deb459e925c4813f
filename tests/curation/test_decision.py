"""The decision on a family's ballots: a lead of two votes."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from ledger_samples import AT, VECTORS

from ordws.curation.decision import Ballot, Decision, Outcome, Vote, decide, max_votes
from ordws.curation.family import FamilyStanding

CASES = sorted((VECTORS / "decisions").glob("*.txt"))
FORMS = ("BASH", "BASHED", "BASHINGS")
LATER = "BASHER"
VOTES: dict[str, Vote] = {vote: vote for vote in get_args(Vote)}


@each_row("case", CASES)
def test_each_case_leads_to_its_decision(case: Path) -> None:
    """The ballots of each case in tests/vectors/ballots/decisions lead to the decision written there."""
    _, question, cast, expected = case.read_text("utf-8").strip().split("\n\n")
    about, forms = [line.split()[1:] for line in question.splitlines()]
    ballots = [read_line(number, line) for number, line in enumerate(cast.splitlines()) if line != "no ballots"]
    standing: FamilyStanding = "flagged" if about[1] == "flagged," else "borderline"
    decision = decide(about[0], standing, forms, ballots, panel=int(about[-1]))
    assert draw(decision, forms) == [line.split() for line in expected.splitlines()]


def read_line(number: int, line: str) -> Ballot:
    curator, vote, *forms = line.split()
    return Ballot(str(number), "BASH", curator, VOTES[vote], tuple(forms), "", AT)


def draw(decision: Decision, forms: list[str]) -> list[list[str]]:
    tallies = {**decision.forms, "later": decision.rest}
    lines = [[name, each.outcome, f"{each.ins}-{each.outs}"] for name, each in tallies.items()]
    admitted = [form for form in forms if decision.includes(form)] + ["later"] * decision.includes(LATER)
    return [["outcome", decision.outcome], *lines, ["admitted", *admitted]]


@each_row(("panel", "most"), [(3, 3), (4, 3), (5, 5), (6, 5), (7, 5)])
def test_small_panels_take_three_votes(panel: int, most: int) -> None:
    """A form takes three votes at most in a panel of three or four, else five."""
    assert max_votes(panel) == most


def test_a_panel_has_at_least_two_curators() -> None:
    """A panel has at least two curators."""
    with pytest.raises(ValueError, match="a panel has at least 2 voters, not 1"):
        max_votes(1)


CAST = st.lists(
    st.builds(
        Ballot,
        id=st.uuids().map(str),
        family=st.just("BASH"),
        curator=st.sampled_from(["ann", "ben", "cleo", "dora", "emil", "finn", "gina"]),
        vote=st.sampled_from(["in", "out", "in", "out", "doubt"]),
        forms=st.lists(st.sampled_from(FORMS), unique=True, max_size=3).map(lambda forms: tuple(sorted(forms))),
        reason=st.just(""),
        at=st.just(AT),
    ),
    max_size=14,
)
Side = Literal["+", "-", "0"]


def side_of(ballot: Ballot, form: str) -> Side:
    """The naive oracle's reading of a ballot as a vote on one form: in, out or none."""
    named = set(ballot.forms) or {form}
    if form == LATER:
        return {"in": "+", "out": "-", "doubt": "0"}[ballot.vote] if not ballot.forms else "0"  # type: ignore[return-value]
    if ballot.vote == "in":
        return "+" if form in named else "-"
    return "-" if ballot.vote == "out" and form in named else "0"


def oracle(ballots: list[Ballot], form: str, most: int, panel: int) -> tuple[Outcome, int]:
    """The naive oracle's outcome of the votes on one form, and the number of ballots that it took."""
    for n in range(1, len(ballots) + 1):
        sides = {each.curator: side_of(each, form) for each in ballots[:n]}
        votes = "".join(sides.values())
        if votes.count("+") >= votes.count("-") + 2:
            return "in", n
        if votes.count("-") >= votes.count("+") + 2:
            return "out", n
        if len(votes.replace("0", "")) == most or len(votes) == panel:
            return "contested", n
    return "open", len(ballots) + 1


@given(ballots=CAST, panel=st.integers(3, 7))
def test_agrees_with_a_naive_oracle(ballots: list[Ballot], panel: int) -> None:
    """Decisions agree with an oracle that counts every form afresh after every ballot."""
    most = 3 if panel < 5 else 5
    alone = {form: oracle(ballots, form, most, panel) for form in FORMS}
    over = max(n for _, n in alone.values())
    decision = decide("BASH", "borderline", FORMS, ballots, panel=panel)
    assert {form: tally.outcome for form, tally in decision.forms.items()} == {
        form: outcome for form, (outcome, _) in alone.items()
    }
    assert decision.rest.outcome == oracle(ballots[:over], LATER, most, panel)[0]


@given(ballots=CAST, more=CAST, panel=st.integers(3, 7))
def test_a_decision_is_final(ballots: list[Ballot], more: list[Ballot], panel: int) -> None:
    """Ballots cast after the decision do not change it."""
    decision = decide("BASH", "borderline", FORMS, ballots, panel=panel)
    after = decide("BASH", "borderline", FORMS, [*ballots, *more], panel=panel)
    assert decision.outcome == "open" or after == decision


@given(ballots=CAST, panel=st.integers(3, 7))
def test_no_form_takes_more_votes_than_its_maximum(ballots: list[Ballot], panel: int) -> None:
    """No form takes more than three votes in a small panel, or five in a larger one."""
    decision = decide("BASH", "borderline", FORMS, ballots, panel=panel)
    for tally in (*decision.forms.values(), decision.rest):
        assert tally.ins + tally.outs <= (3 if panel < 5 else 5)
