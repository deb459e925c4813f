"""The course of a case: every step at its time, by its actor, and no other."""

from __future__ import annotations

import pytest
from case_steps import DECIDING, NOON, OTHERS, PANEL, CaseWalk, make_figures
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ordws.cases import commands, facts
from ordws.cases.commands import NotNow
from ordws.cases.exhibits import figures_exhibit
from ordws.cases.facts import Exhibit
from ordws.cases.letters import NoticeParts, write_notice
from ordws.cases.state import date_text, end_of_days, years_after
from ordws.cases.store import CaseFiles
from ordws.errors import BadInput, OrdwsError
from ordws.retention import DAY


@pytest.fixture
def walk(case_files):
    return CaseWalk(case_files)


def test_a_case_goes_from_a_flag_to_the_register(walk):
    seen = [walk.phase]
    walk.assign(*PANEL)
    seen.append(walk.phase)
    walk.hear()
    seen.append(walk.phase)
    walk.notify()
    seen.append(walk.phase)
    walk.wait(15)
    seen.append(walk.phase)
    walk.hear(panel=DECIDING)
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
        "reviewers-needed",
        "decision-due",
        "time-to-appeal",
        "publication-due",
        "published",
    ]
    assert [each.actor for each in walk.files.recorded() if isinstance(each.fact, facts.OpinionGiven)] == [
        *PANEL,
        *DECIDING,
    ]
    assert walk.state.holds_prizes


YES, NO = "case-to-answer", "no-case-to-answer"


@pytest.mark.parametrize("findings", [(YES, NO, NO), (NO, YES, NO), (NO, NO, NO)])
def test_fewer_than_two_who_see_a_case_to_answer_end_it(walk, findings):
    """The three opinions are asked for whatever the first says, and the player is not troubled."""
    walk.hear(*findings)
    assert walk.phase == "closed"
    assert walk.state.ending(walk.now) == "dismissed"
    assert not walk.state.holds_prizes
    with pytest.raises(NotNow, match="the case is closed"):
        walk.notify()


@pytest.mark.parametrize("findings", [(YES, YES, NO), (NO, YES, YES), (YES, YES, YES)])
def test_two_of_three_give_the_player_something_to_answer(walk, findings):
    """Before the player is heard nobody is asked whether the pattern is established."""
    walk.assign(*PANEL)
    with pytest.raises(BadInput, match="does not answer the question"):
        walk.take(commands.give_opinion, PANEL[0], "established", "So it is.", by=PANEL[0])
    walk.hear(*findings)
    assert walk.phase == "notice-due"
    assert not walk.state.holds_prizes


@pytest.mark.parametrize("is_heard", [True, False])
def test_two_who_have_read_the_file_and_one_who_has_not_decide(walk, is_heard):
    """The two are drawn of the three, whatever the keeper would like; all three are needed to establish."""
    walk.hear(NO, YES, YES)
    walk.notify()
    if is_heard:
        walk.take(commands.answer, "I play much with my aunt, a lexicographer.", by="player")
    else:
        walk.wait(15)
    assert commands.panel_gap(walk.state) == (2, PANEL, 1)
    for named, drawn in (
        ((), PANEL[:2]),
        (("Ruth", "Sam"), PANEL[:1]),
        ((PANEL[2],), PANEL[:2]),
        (("Kay",), PANEL[:2]),
    ):
        with pytest.raises(BadInput):
            walk.assign(*named, drawn=drawn)
    with pytest.raises(BadInput, match="have to be drawn"):
        walk.assign("Ruth", drawn=("Sam", "Sue"))
    walk.assign("Ruth", drawn=(PANEL[0], PANEL[2]))
    assert walk.state.panel == (PANEL[0], PANEL[2], "Ruth")
    with pytest.raises(NotNow, match="opinions of reviewers are missing"):
        walk.decide()
    with pytest.raises(BadInput, match="does not answer the question"):
        walk.take(commands.give_opinion, "Ruth", YES, "So it is.", by="Ruth")
    walk.hear("established", "established", "not-established", panel=walk.state.panel)
    with pytest.raises(BadInput, match="do not agree"):
        walk.decide("established")
    walk.decide("not-established")
    assert walk.state.ending(walk.now) == "not-established"
    assert not walk.state.holds_prizes


def test_who_leaves_the_panel_that_decides_does_not_come_back(walk):
    """Another of the first three takes the place while there is one, then somebody who has not read the file."""
    walk.hear()
    walk.notify()
    walk.wait(15)
    walk.assign("Ruth")
    walk.take(commands.leave_panel, "Rita", by="Rita")
    assert commands.panel_gap(walk.state) == (1, ("Rose",), 0)
    walk.assign()
    assert walk.state.panel == ("Rob", "Ruth", "Rose")
    walk.take(commands.leave_panel, "Rob", by="Rob")
    assert commands.panel_gap(walk.state) == (0, (), 1)
    walk.assign("Sam")
    assert walk.state.panel == ("Ruth", "Rose", "Sam")


def test_the_decision_has_a_form(walk):
    """Finding, reasons, what the answer changed and consequence stand in one text, which the player reads."""
    walk.take(hold_at_any_time, "/srv/events/winter.db", 7)
    walk.hear()
    walk.notify()
    walk.take(commands.answer, "My aunt is a lexicographer.", by="player")
    walk.hear(panel=DECIDING)
    with pytest.raises(BadInput, match="what the answer changed"):
        walk.decide(changed=" ")
    walk.decide(changed="It explains two words of forty.")
    text = walk.files.text(walk.state.decision.reasons)
    parts = ["Finding", "Reasons", "What the answer changed", "Consequence"]
    assert [line for line in text.splitlines() if line in parts] == parts
    for sentence in (
        "The pattern is established beyond a reasonable doubt.",
        "All three people hold so, each on their own.",
        "For these reasons.",
        "It explains two words of forty.",
        "It is looked at again every 3 years",
        "of these events: winter.",
        "You can appeal until the end of 2026-10-21 (UTC)",
    ):
        assert sentence in text


def test_case_files_of_the_procedure_before_go_on(case_files):
    """Three who were asked at once whether the pattern is established, and read the file again after an answer."""
    walk = CaseWalk(case_files)
    walk.assign(*PANEL)
    old = [facts.OpinionGiven(stage="first", reviewer=name, finding="established", reasons="") for name in PANEL]
    for fact in old:
        walk.take(lambda state, now, fact=fact: commands.CaseStep((fact,)))
    assert walk.phase == "notice-due"
    letter = write_notice(walk.state, NoticeParts("Finch", make_figures(), [], "", "", ""), "", walk.now)
    assert "All three answered whether the pattern is established, as the rules were then" in letter
    assert "nobody has been asked yet" not in letter
    walk.notify()
    walk.take(commands.answer, "No.", by="player")
    assert walk.state.stage == "decision"
    for name in PANEL[:2]:
        fact = facts.OpinionGiven(stage="answer", reviewer=name, finding="established", reasons="")
        walk.take(lambda state, now, fact=fact: commands.CaseStep((fact,)))
    assert (walk.phase, walk.state.panel) == ("opinions", PANEL)
    walk.take(commands.give_opinion, PANEL[2], "established", "So it is.", by=PANEL[2])
    walk.decide()
    assert walk.state.is_established
    assert case_files.verify() == 12


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
        walk.establish()


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
            walk.assign(*panel)
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
    walk.establish()
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
    walk.hear(NO, YES, NO)
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


def hold_at_any_time(state, event, entrant, now):
    return commands.hold_prize(state, event, entrant)


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
    walk.assign(*PANEL)
    with pytest.raises(BadInput, match="not on the panel"):
        walk.take(commands.give_opinion, "Sam", YES, "So it is.")
    walk.take(commands.leave_panel, "Rob", by="Rob")
    assert walk.phase == "reviewers-needed"
    with pytest.raises(BadInput, match="has sat on"):
        walk.assign("Rob")
    walk.assign("Sam")
    walk.take(commands.give_opinion, "Sam", YES, "So it is.")
    with pytest.raises(NotNow, match="which stands"):
        walk.take(commands.give_opinion, "Sam", NO, "Or not.")
    with pytest.raises(NotNow):
        walk.take(commands.leave_panel, "Sam")


def test_a_reviewer_writes_no_decision(walk):
    walk.hear()
    walk.notify()
    walk.wait(15)
    walk.hear(panel=DECIDING)
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
    walk.assign(*PANEL)
    walk.take(commands.give_opinion, "Rita", YES, "So it is.", by="Rita")
    with pytest.raises(NotNow, match="same evidence"):
        walk.take(commands.add_exhibit, figures_exhibit(make_figures(turns=480)))


@pytest.mark.parametrize("text", ["", "  \n ", "x" * (commands.MAX_TEXT_CHARACTERS + 1)])
def test_texts_are_neither_empty_nor_endless(walk, text):
    with pytest.raises(BadInput, match="the reasons"):
        walk.take(commands.drop, text)


def test_deadlines_count_whole_days():
    late, early = NOON + 43_199, NOON - 43_200
    assert end_of_days(late, 14) == end_of_days(early, 14) == NOON + 43_200 + 14 * DAY
    assert date_text(years_after(1_709_164_800, 3)) == "2027-03-01"  # of 29 February 2024


STEPS = ("assign", "yes", "no", "leave", "notice", "answer", "decide", "refuse", "appeal", "late", "publish", "minor")


@settings(max_examples=settings.default.max_examples // 2, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(st.sampled_from((*STEPS, "wait", "wait", "yes", "yes")), min_size=10, max_size=45),
    is_minor=st.booleans(),
    is_calibrated=st.booleans(),
)
def test_no_order_of_steps_cuts_the_process_short(tmp_path_factory, steps, is_minor, is_calibrated):
    """Whatever is tried, what is published was unanimous, calibrated, answerable and appealable.

    Of those who decide one at least has not read the file before the answer.
    """
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
        assert [each.finding for each in state.opinions_of("first").values()].count(YES) >= 2
    if state.decision is not None:
        assert state.noticed_at is not None
        decided = state.opinions_of("decision")
        assert len(decided) == 3
        assert len(set(decided) & set(state.opinions_of("first"))) <= 2
        if state.decision.is_established:
            assert {each.finding for each in decided.values()} == {"established"}
        assert state.answered_at is not None or state.decision.at >= end_of_days(state.noticed_at, 14)
    assert not (state.is_minor and files.register(walk.now).entries)
    if state.published_at is not None:
        assert not is_minor
        assert state.decision is not None
        assert state.decision.is_established
        assert state.published_at >= end_of_days(state.decision.at, 30) or state.appealed_at is not None
    before = [*state.opinions_of("first"), *state.opinions_of("decision")]
    assert not set(state.panels.get("appeal", ())) & set(before)
    files.close()


def _try_step(walk, step):
    stage = walk.state.stage
    free = [name for name in (*PANEL, "Ruth", *OTHERS, "Tim", "Tia") if name not in walk.state.ever_assigned]
    waiting = [name for name in walk.state.panel if name not in walk.state.opinions_of(stage)] or ["Zoe"]
    match step:
        case "assign":
            walk.assign(*free[: commands.panel_gap(walk.state).named])
        case "yes" | "no":
            finding = commands.findings_of(stage)[step == "yes"]
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
