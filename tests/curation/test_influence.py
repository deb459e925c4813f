"""The influence of each curator on the decisions, and the consistency of their answers."""

from __future__ import annotations

from voted_families import voted

from ordws.curation.acts import CheckAnswered, CheckRetracted, RecordedAct
from ordws.curation.agreement import Consistency, Share, consistency, influence

AT = "2026-11-21T08:30:00Z"


def checked(place: int, actor: str, subject: str, act: CheckAnswered | CheckRetracted) -> RecordedAct:
    return RecordedAct(place, AT, subject, actor, act)


def test_a_vote_is_decisive_if_the_others_decide_otherwise() -> None:
    """A vote moves a decision if the others would decide otherwise, and not if they would leave it open."""
    states = [voted("ann+ ben- cleo+ dora- emil+"), voted("ann+ ben+", "ZORIL")]
    found = influence(states, panel=5)
    assert {name for name, share in found.items() if share.counted} == {"ben", "dora"}
    assert found["ben"] == Share(1, 2)
    assert found["ann"] == Share(0, 2)


def test_late_ballots_replace_a_left_out_one() -> None:
    """Ballots of the calibration sample that came after the decision count where an earlier one is left out."""
    assert influence([voted("ann+ ben+ cleo- dora- emil-")], panel=5)["ann"] == Share(1, 1)
    assert influence([voted("ann+ ben+ cleo+ dora- emil-")], panel=5)["ann"] == Share(0, 1)


def test_a_vote_on_some_forms_may_be_decisive() -> None:
    """Two votes that let in BASHED alone are each decisive if later votes would have let in BASH as well."""
    found = influence([voted("ann+:BASHED ben+:BASHED cleo+ dora+ emil+", forms=("BASH", "BASHED"))], panel=5)
    assert {name: share.counted for name, share in found.items()} == {
        "ann": 1,
        "ben": 1,
        "cleo": 0,
        "dora": 0,
        "emil": 0,
    }


def test_open_families_and_class_decisions_count_for_no_influence() -> None:
    """Open families and those that a class decided count for no influence."""
    assert influence([voted("ann+ ben-"), voted("ann+", "ZORIL", decided_by_class="re-verb")], panel=5) == {}


def test_steadiness_is_by_own_votes_and_by_decisions() -> None:
    """A repeat is compared with the curator's own vote, a known item with the decision, unless taken back."""
    states = {"BASH": voted("ann+ ben+ cleo-"), "ZORIL": voted("ann- ben-", "ZORIL")}
    acts = [
        checked(1, "ann", "BASH", CheckAnswered(id="1", purpose="repeat", vote="in")),
        checked(2, "ann", "ZORIL", CheckAnswered(id="2", purpose="repeat", vote="in")),
        checked(3, "ann", "BASH", CheckAnswered(id="3", purpose="repeat", vote="out")),
        checked(4, "ann", "BASH", CheckRetracted(id="3")),
        checked(5, "cleo", "BASH", CheckAnswered(id="5", purpose="known", vote="out")),
        checked(6, "cleo", "ZORIL", CheckAnswered(id="6", purpose="known", vote="out")),
        checked(7, "cleo", "ZORIL", CheckAnswered(id="7", purpose="known", vote="doubt")),
    ]
    assert consistency(acts, states) == {
        "ann": Consistency(Share(1, 2), Share(0, 0)),
        "cleo": Consistency(Share(0, 0), Share(1, 2)),
    }


def test_a_check_on_an_open_family_is_left_out() -> None:
    """A check on an open family is left out, because it would reveal the curator's vote on the family."""
    acts = [checked(1, "ann", "BASH", CheckAnswered(id="1", purpose="repeat", vote="in"))]
    assert consistency(acts, {"BASH": voted("ann+")}) == {}
    assert consistency(acts, {}) == {}
