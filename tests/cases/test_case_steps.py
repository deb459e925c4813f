"""The course of a case: every step at its time, by its actor, and no other."""

from __future__ import annotations

import pytest
from case_steps import NOON, OTHERS, PANEL, CaseWalk, make_figures
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ordws.cases import commands, facts
from ordws.cases.commands import NotNow
from ordws.cases.days import DAY_SECONDS, date_text, end_of_days, years_after
from ordws.cases.facts import Exhibit
from ordws.cases.figures import figures_exhibit
from ordws.cases.store import CaseFiles
from ordws.errors import BadInput, OrdwsError


@pytest.fixture
def walk(case_files):
    return CaseWalk(case_files)


def test_a_case_goes_from_a_flag_to_the_register(walk):
    seen = [walk.phase]
    walk.take(commands.assign_reviewers, list(PANEL))
    seen.append(walk.phase)
    walk.hear()
    seen.append(walk.phase)
    walk.notify()
    seen.append(walk.phase)
    walk.wait(15)
    seen.append(walk.phase)
    walk.decide()
    seen.append(walk.phase)
    walk.wait(31)
    seen.append(walk.phase)
    walk.take(commands.publish)
    seen.append(walk.phase)
    assert seen == [
        "reviewers-needed",
        "opinions",
        "notice-due",
        "time-to-answer",
        "decision-due",
        "time-to-appeal",
        "publication-due",
        "published",
    ]
    assert [each.actor for each in walk.files.recorded() if isinstance(each.fact, facts.OpinionGiven)] == list(PANEL)
    assert walk.state.holds_prizes


@pytest.mark.parametrize("other", range(3))
def test_one_reviewer_who_is_not_convinced_ends_the_case(walk, other):
    """The three opinions are asked for whatever the first says, and no prize waits any longer after the last."""
    findings = ["established"] * 3
    findings[other] = "not-established"
    walk.hear(*findings)
    assert walk.phase == "closed"
    assert walk.state.ending(walk.now) == "dismissed"
    assert not walk.state.holds_prizes
    with pytest.raises(NotNow, match="the case is closed"):
        walk.notify()


def test_an_answer_is_read_by_the_same_three_before_the_decision(walk):
    walk.hear()
    walk.notify()
    walk.take(commands.answer, "I play much with my aunt, a lexicographer.", by="player")
    assert walk.phase == "opinions"
    assert walk.state.panel == PANEL
    with pytest.raises(NotNow, match="opinions of reviewers are missing"):
        walk.decide()
    walk.hear("established", "established", "not-established")
    with pytest.raises(BadInput, match="do not agree"):
        walk.decide("established")
    walk.decide("not-established")
    assert walk.state.ending(walk.now) == "not-established"
    assert not walk.state.holds_prizes


@pytest.mark.parametrize(("days", "is_in_time"), [(0, True), (14, True), (15, False)])
def test_fourteen_whole_days_to_answer(walk, days, is_in_time):
    walk.hear()
    walk.notify()
    walk.wait(days)
    if is_in_time:
        with pytest.raises(NotNow, match="time to answer"):
            walk.decide()
        walk.take(commands.answer, "No.", by="player")
    else:
        with pytest.raises(NotNow, match="the time to answer ended on"):
            walk.take(commands.answer, "No.", by="player")
        walk.decide()


@pytest.mark.parametrize(("days", "is_in_time"), [(0, True), (30, True), (31, False)])
def test_thirty_whole_days_to_appeal(walk, days, is_in_time):
    walk.until_decided()
    walk.wait(days)
    if is_in_time:
        with pytest.raises(NotNow, match="the time to appeal runs until"):
            walk.take(commands.publish)
        walk.take(commands.appeal, "I ask three others.", by="player")
    else:
        with pytest.raises(NotNow, match="the time to appeal ended on"):
            walk.take(commands.appeal, "I ask three others.", by="player")
        walk.take(commands.publish)


def test_an_appeal_goes_to_three_others(walk):
    walk.until_decided()
    walk.take(commands.appeal, "I ask three others.", by="player")
    for panel in (PANEL, (*OTHERS[:2], PANEL[0]), (*OTHERS[:2], "Kay"), OTHERS[:2], (*OTHERS[:2], OTHERS[0])):
        with pytest.raises(BadInput):
            walk.take(commands.assign_reviewers, list(panel))
    walk.hear(panel=OTHERS)
    walk.decide("established")
    walk.take(commands.publish)
    assert walk.phase == "published"


def test_an_appeal_that_is_upheld_strikes_the_entry(walk):
    """A late one, admitted for new facts; the entry is not shown while it is heard."""
    walk.until_published()
    with pytest.raises(NotNow, match="the time to appeal ended on"):
        walk.take(commands.appeal, "My brother has played.", by="player")
    walk.take(commands.appeal, "My brother has played.", is_late=True)
    assert walk.phase == "reviewers-needed"
    walk.hear("established", "not-established", "established", panel=OTHERS)
    walk.decide("not-established")
    assert walk.state.ending(walk.now) == "overturned"
    assert walk.state.struck_at == walk.now
    assert not walk.state.holds_prizes


def test_nobody_is_given_notice_by_uncalibrated_figures(case_files):
    walk = CaseWalk(case_files, is_calibrated=False)
    walk.hear()
    with pytest.raises(NotNow, match="never fitted to games in person"):
        walk.notify()
    walk.take(commands.drop, "The honest forms are not calibrated.")
    assert not walk.state.holds_prizes


def test_nobody_under_age_is_published(case_files):
    walk = CaseWalk(case_files, is_minor=True)
    walk.until_decided()
    walk.wait(31)
    with pytest.raises(BadInput, match="under age"):
        walk.take(commands.publish)
    assert walk.state.ending(walk.now) == "under-age"


def test_who_is_found_to_be_under_age_is_not_published(walk):
    """The mark is a step with its actor, at any time before publication; the case goes on to its end."""
    walk.hear()
    walk.notify()
    walk.take(mark_at_any_time, "The club has shown the date of birth.", by="Kim")
    assert [each.actor for each in walk.files.recorded() if isinstance(each.fact, facts.MarkedUnderAge)] == ["Kim"]
    with pytest.raises(BadInput, match="already"):
        walk.take(mark_at_any_time, "Again.")
    walk.wait(15)
    walk.decide()
    assert walk.phase == "time-to-appeal"
    walk.wait(31)
    with pytest.raises(BadInput, match="under age"):
        walk.take(commands.publish)
    assert walk.state.ending(walk.now) == "under-age"
    assert walk.state.holds_prizes


def test_the_entry_of_somebody_under_age_is_withdrawn(walk):
    """The entry goes at once and for good; a late appeal can still clear the player."""
    walk.until_published()
    walk.take(mark_at_any_time, "The club has shown the date of birth.")
    assert (walk.phase, walk.state.ending(walk.now)) == ("closed", "under-age")
    for step, text in ((commands.review_entry, ""), (commands.strike_entry, "Twice.")):
        with pytest.raises(NotNow, match="the case is closed"):
            walk.take(step, text)
    walk.take(commands.appeal, "My brother has played.", is_late=True)
    walk.hear("established", "not-established", "established", panel=OTHERS)
    walk.decide("not-established")
    assert walk.state.ending(walk.now) == "overturned"
    assert not walk.state.holds_prizes


def test_a_case_that_names_nobody_has_no_mark(walk):
    walk.hear("established", "not-established", "established")
    with pytest.raises(NotNow, match="has no entry"):
        walk.take(mark_at_any_time, "The club has shown the date of birth.")


def test_an_appeal_that_fails_brings_no_entry_back(walk):
    """An entry that was withdrawn while a late appeal was heard must not be shown after it."""
    walk.until_published()
    walk.take(commands.appeal, "My brother has played.", is_late=True)
    walk.take(mark_at_any_time, "The appeal has the date of birth.")
    walk.hear(panel=OTHERS)
    walk.decide()
    assert (walk.phase, walk.state.ending(walk.now)) == ("closed", "under-age")
    assert walk.files.register(walk.now).entries == ()


def mark_at_any_time(state, reasons, now):
    """Mark the player as under age, as a step that has no use for the time."""
    return commands.mark_under_age(state, reasons)


def test_entries_are_looked_at_every_three_years(walk):
    walk.until_published()
    walk.now = years_after(walk.now, 3)
    assert walk.phase == "entry-review-due"
    walk.take(commands.review_entry, "Three years without another case.")
    assert walk.phase == "published"
    assert walk.files.text(walk.state.note) == "Three years without another case."
    walk.take(commands.strike_entry, "A fault of the program was found.")
    assert walk.state.ending(walk.now) == "struck"


def test_who_may_give_an_opinion(walk):
    walk.take(commands.assign_reviewers, list(PANEL))
    with pytest.raises(BadInput, match="not on the panel"):
        walk.take(commands.give_opinion, "Sam", "established", "So it is.")
    walk.take(commands.leave_panel, "Rob", by="Rob")
    assert walk.phase == "reviewers-needed"
    with pytest.raises(BadInput, match="has sat on"):
        walk.take(commands.assign_reviewers, ["Rob"])
    walk.take(commands.assign_reviewers, ["Sam"])
    walk.take(commands.give_opinion, "Sam", "established", "So it is.")
    with pytest.raises(NotNow, match="which stands"):
        walk.take(commands.give_opinion, "Sam", "not-established", "Or not.")
    with pytest.raises(NotNow):
        walk.take(commands.leave_panel, "Sam")


def test_a_reviewer_writes_no_decision(walk):
    walk.hear()
    walk.notify()
    walk.wait(15)
    with pytest.raises(BadInput, match="cannot write its decision"):
        walk.take(commands.decide, "Rita", "established", "So.", by="Rita")


def test_evidence_is_closed_with_the_first_opinion(walk):
    """All three judge the same evidence, and the records of a case are limited."""
    for number in range(commands.MAX_RECORDS):
        walk.take(commands.add_exhibit, Exhibit("record", f"game {number}".encode()))
    with pytest.raises(BadInput, match="which is the most"):
        walk.take(commands.add_exhibit, Exhibit("record", b"one more"))
    with pytest.raises(BadInput, match="has this exhibit already"):
        walk.take(commands.add_exhibit, figures_exhibit(make_figures()))
    walk.take(commands.assign_reviewers, list(PANEL))
    walk.take(commands.give_opinion, "Rita", "established", "So it is.", by="Rita")
    with pytest.raises(NotNow, match="same evidence"):
        walk.take(commands.add_exhibit, figures_exhibit(make_figures(turns=480)))


@pytest.mark.parametrize("text", ["", "  \n ", "x" * (commands.MAX_TEXT_CHARACTERS + 1)])
def test_texts_are_neither_empty_nor_endless(walk, text):
    with pytest.raises(BadInput, match="the reasons"):
        walk.take(commands.drop, text)


def test_deadlines_count_whole_days():
    late, early = NOON + 43_199, NOON - 43_200
    assert end_of_days(late, 14) == end_of_days(early, 14) == NOON + 43_200 + 14 * DAY_SECONDS
    assert date_text(years_after(1_709_164_800, 3)) == "2027-03-01"  # of 29 February 2024


STEPS = ("assign", "yes", "no", "leave", "notice", "answer", "decide", "refuse", "appeal", "late", "publish", "minor")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    steps=st.lists(st.sampled_from((*STEPS, "wait", "wait", "yes", "yes")), min_size=10, max_size=45),
    is_minor=st.booleans(),
    is_calibrated=st.booleans(),
)
def test_no_order_of_steps_cuts_the_process_short(tmp_path_factory, steps, is_minor, is_calibrated):
    """Whatever is tried, what is published was unanimous, calibrated, answerable and appealable."""
    files = CaseFiles.create(tmp_path_factory.mktemp("cases") / "cases.db", bytes(32))
    walk = CaseWalk(files, is_minor=is_minor, is_calibrated=is_calibrated)
    for step in steps:
        try:
            _try_step(walk, step)
        except OrdwsError:
            continue
    state = walk.state
    if state.noticed_at is not None:
        assert is_calibrated
        assert [each.finding for each in state.opinions_of("first").values()] == ["established"] * 3
    if state.decision is not None:
        assert state.noticed_at is not None
        assert state.answered_at is not None or state.decision.at >= end_of_days(state.noticed_at, 14)
    assert not (state.is_minor and files.register(walk.now).entries)
    if state.published_at is not None:
        assert not is_minor
        assert state.decision is not None
        assert state.decision.is_established
        assert state.published_at >= end_of_days(state.decision.at, 30) or state.appealed_at is not None
    assert not set(state.panels.get("appeal", ())) & {each.reviewer for each in state.opinions_of("first").values()}
    files.close()


def _try_step(walk, step):
    stage = walk.state.stage
    free = [name for name in (*PANEL, *OTHERS, "Tim", "Tia") if name not in walk.state.ever_assigned]
    waiting = [name for name in walk.state.panel if name not in walk.state.opinions_of(stage)] or ["Zoe"]
    match step:
        case "assign":
            walk.take(commands.assign_reviewers, free[: 3 - len(walk.state.panel)])
        case "yes" | "no":
            finding = "established" if step == "yes" else "not-established"
            walk.take(commands.give_opinion, waiting[0], finding, "So it is.", by=waiting[0])
        case "leave":
            walk.take(commands.leave_panel, waiting[0])
        case "notice":
            walk.notify()
        case "answer":
            walk.take(commands.answer, "No.", by="player")
        case "decide" | "refuse":
            walk.decide("established" if step == "decide" else "not-established")
        case "appeal" | "late":
            walk.take(commands.appeal, "Please look again.", is_late=step == "late")
        case "publish":
            walk.take(commands.publish)
        case "minor":
            walk.take(mark_at_any_time, "So we are told.")
        case "wait":
            walk.wait(16)
