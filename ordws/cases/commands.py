"""The steps of a case: each checks that it may be taken now and by this actor, and returns its facts. Pure.

A step returns facts with the exhibits that they name. It raises `BadInput` for what can never be done, and `NotNow` for
what the state or a clock does not allow at this moment; both say what to do instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ordws.cases import facts
from ordws.cases.facts import Exhibit, Finding, ReviewerFinding, Stage
from ordws.cases.letters import write_decision
from ordws.cases.state import CLEARED, MAJORITY, PANEL_SIZE, CasePhase, CaseState, last_day
from ordws.errors import BadInput

MAX_RECORDS: Final = 12
"""The records of games in a case: reviewers learn no more words of the set by one than a player in a day."""
MAX_TEXT_CHARACTERS: Final = 20_000
MAX_DECISION_CHARACTERS: Final = 3 * MAX_TEXT_CHARACTERS
"""A decision: its two texts, and what the program writes around them."""

PHASE_TEXTS: Final[dict[CasePhase, str]] = {
    "reviewers-needed": "reviewers have to be assigned",
    "opinions": "opinions of reviewers are missing",
    "notice-due": "there is a case to answer, and the player has to be given notice",
    "time-to-answer": "the player has time to answer",
    "decision-due": "the decision has to be written",
    "time-to-appeal": "the player has time to appeal",
    "publication-due": "the entry can be published",
    "published": "the entry stands in the register",
    "entry-review-due": "the entry has to be looked at again",
    "closed": "the case is closed",
}


FIRST_FINDINGS: Final[tuple[ReviewerFinding, ...]] = ("no-case-to-answer", "case-to-answer")
LATER_FINDINGS: Final[tuple[ReviewerFinding, ...]] = ("not-established", "established")


class NotNow(BadInput):
    """A step that the state of the case, or a clock, does not allow now."""


class CaseStep(NamedTuple):
    """The facts of a step in order, and the exhibits that they name."""

    facts: tuple[facts.CaseFact, ...]
    exhibits: tuple[Exhibit, ...] = ()


def add_exhibit(state: CaseState, exhibit: Exhibit, now: int) -> CaseStep:
    """Add evidence before the player is given notice: what is added later the player would not have been shown."""
    if exhibit.kind not in ("figures", "record"):
        raise BadInput(f'"{exhibit.kind}" is no kind of evidence', hint="figures or record")
    _require(state, now, "reviewers-needed", "opinions")
    if state.stage != "first" or state.opinions:
        raise NotNow(
            f"case {state.case} has opinions already, which must rest on the same evidence", hint="open another case"
        )
    if exhibit.digest in [each.digest for each in state.exhibits]:
        raise BadInput(f"case {state.case} has this exhibit already")
    if sum(each.kind == exhibit.kind == "record" for each in state.exhibits) >= MAX_RECORDS:
        raise BadInput(f"case {state.case} has {MAX_RECORDS} records, which is the most", hint="choose among them")
    return CaseStep((facts.ExhibitAdded(exhibit=exhibit.kind, digest=exhibit.digest),), (exhibit,))


def hold_prize(state: CaseState, event: str, entrant: int) -> CaseStep:
    """Hold the prizes of an entrant of an event, from the notice on, while the case is open."""
    if state.outcome in CLEARED:
        raise NotNow(f"case {state.case} is closed and holds no prize")
    if (event, entrant) in state.held:
        raise BadInput(f'case {state.case} holds the prizes of entrant {entrant} of "{event}" already')
    return CaseStep((facts.PrizeHeld(event=event, entrant=entrant),))


class PanelGap(NamedTuple):
    """The places to fill in the panel of the present reading: so many drawn from `readers`, the others by name."""

    drawn: int
    readers: tuple[str, ...]
    named: int


def panel_gap(state: CaseState) -> PanelGap:
    """Return who is missing: of those who decide, two have read the file before, and are drawn by lot."""
    missing = PANEL_SIZE - len(state.panel)
    if state.stage != "decision":
        return PanelGap(0, (), missing)
    readers = tuple([name for name in state.first_readers if name not in state.panel])
    sitting = sum([name in state.first_readers for name in state.panel])
    drawn = min(MAJORITY - sitting, len(readers), missing)
    return PanelGap(drawn, readers, missing - drawn)


def assign_reviewers(state: CaseState, named: Sequence[str], drawn: Sequence[str], now: int) -> CaseStep:
    """Fill the panel of the present reading up to three.

    Nobody sits twice, but for the two who decide and have read the file before: they are drawn by lot, so that nobody
    chooses them by their first opinion.
    """
    _require(state, now, "reviewers-needed")
    if not any(each.kind == "figures" for each in state.exhibits):
        raise NotNow(f"case {state.case} has no figures yet", hint="open another case")
    gap = panel_gap(state)
    if len(named) != gap.named or len(set(named)) != gap.named:
        beside = f" beside {gap.drawn} of {', '.join(gap.readers)}, drawn by lot" if gap.drawn else ""
        were = f"{len(named)} were named"
        raise BadInput(f"case {state.case} needs {gap.named} reviewers who have not read it{beside}; {were}")
    for reviewer in named:
        if reviewer in state.ever_assigned:
            raise BadInput(f'"{reviewer}" has sat on case {state.case}', hint="name somebody who has not")
        if reviewer == state.opened_by or (state.decision is not None and reviewer == state.decision.by):
            raise BadInput(f'"{reviewer}" has opened or decided case {state.case}', hint="name somebody else")
    if len(set(drawn)) != gap.drawn or not set(drawn) <= set(gap.readers):
        raise BadInput(f"{gap.drawn} of {', '.join(gap.readers)} have to be drawn", hint="assign again")
    return CaseStep((facts.ReviewersAssigned(stage=state.stage, reviewers=(*drawn, *named)),))


def leave_panel(state: CaseState, reviewer: str, now: int) -> CaseStep:
    """Take a reviewer off the panel before an opinion of theirs; somebody else is assigned."""
    _require_reviewer(state, reviewer, now)
    return CaseStep((facts.ReviewerLeft(stage=state.stage, reviewer=reviewer),))


def findings_of(stage: Stage) -> tuple[ReviewerFinding, ...]:
    """Return the two findings of a reading, the one in favour of the player first."""
    return FIRST_FINDINGS if stage == "first" else LATER_FINDINGS


def give_opinion(state: CaseState, reviewer: str, finding: ReviewerFinding, reasons: str, now: int) -> CaseStep:
    """Give an opinion of the present reading, once; where fewer than two see a case to answer, it is closed."""
    _require_reviewer(state, reviewer, now)
    stage: Stage = state.stage
    if finding not in findings_of(stage):
        hint = " or ".join(findings_of(stage))
        raise BadInput(f'"{finding}" does not answer the question of this reading', hint=hint)
    exhibit = _text("reasons", reasons)
    given: list[facts.CaseFact] = [
        facts.OpinionGiven(stage=stage, reviewer=reviewer, finding=finding, reasons=exhibit.digest)
    ]
    others = state.opinions_of(stage).values()
    against = sum([each.is_against_player for each in others]) + (finding == "case-to-answer")
    if stage == "first" and len(others) + 1 == PANEL_SIZE and against < MAJORITY:
        given.append(facts.Dismissed())
    return CaseStep(tuple(given), (exhibit,))


def give_notice(state: CaseState, notice: str, code_digest: str, now: int) -> CaseStep:
    """Give the player notice with the evidence, from which the days to answer run."""
    _require(state, now, "notice-due")
    if not state.is_calibrated:
        raise NotNow(
            f"the honest forms behind case {state.case} were never fitted to games in person, and accuse nobody",
            hint="ordws fairplay calibrate FILE, and open a case on the figures that follow; or ordws cases drop",
        )
    exhibit = _text("notice", notice)
    return CaseStep((facts.NoticeGiven(notice=exhibit.digest, code=code_digest),), (exhibit,))


def answer(state: CaseState, text: str, now: int) -> CaseStep:
    """Take the player's answer, once, while there is time for it."""
    deadline = state.answer_deadline
    if state.phase(now) != "time-to-answer" and deadline is not None and state.answered_at is None:
        raise NotNow(f"the time to answer ended on {last_day(deadline)}", hint="after the decision there is an appeal")
    _require(state, now, "time-to-answer")
    exhibit = _text("answer", text)
    return CaseStep((facts.AnswerReceived(answer=exhibit.digest),), (exhibit,))


def decide(state: CaseState, keeper: str, finding: Finding, reasons: str, now: int, *, changed: str = "") -> CaseStep:
    """Write the decision, or that on an appeal; established only where all three reviewers hold it so.

    `changed` says what the answer, or the appeal, changed; it is missing only where the player has not answered.
    """
    _require(state, now, "decision-due")
    if keeper in state.ever_assigned:
        raise BadInput(f'"{keeper}" has sat on case {state.case}, and cannot write its decision')
    if finding == "established" and not state.is_unanimous:
        raise BadInput(
            f"the reviewers of case {state.case} do not agree that the pattern is established",
            hint="the decision is not-established",
        )
    if not changed.strip() and (state.stage == "appeal" or state.answered_at is not None):
        what = "appeal" if state.stage == "appeal" else "answer"
        raise BadInput(f"the decision has to say what the {what} changed", hint="--changed TEXT")
    # Each of the two is held to the length of a text, and neither may be empty.
    reasons, changed = [
        _text("reasons", part).content.decode() for part in (reasons, changed or "The player has not answered.")
    ]
    exhibit = _text("reasons", write_decision(state, finding, reasons, changed, now), MAX_DECISION_CHARACTERS)
    if state.stage != "appeal":
        return CaseStep((facts.Decided(keeper=keeper, finding=finding, reasons=exhibit.digest),), (exhibit,))
    is_upheld = finding == "not-established"
    decided: list[facts.CaseFact] = [facts.AppealDecided(keeper=keeper, is_upheld=is_upheld, reasons=exhibit.digest)]
    if is_upheld and state.published_at is not None and not state.is_minor:
        decided.append(facts.EntryStruck(reasons=exhibit.digest))
    return CaseStep(tuple(decided), (exhibit,))


def appeal(state: CaseState, text: str, now: int, *, is_late: bool = False) -> CaseStep:
    """Take an appeal against a decision that the pattern is established, once.

    After 30 days only a keeper admits one (`is_late`), for something that is new; the entry is not shown meanwhile.
    """
    if state.decision is None or state.outcome is not None:
        _require(state, now, "time-to-appeal")
    if state.appealed_at is not None:
        raise NotNow(f"case {state.case} has had its appeal", hint="a keeper can strike the entry: ordws cases strike")
    deadline = state.appeal_deadline
    assert deadline is not None
    if deadline <= now and not is_late:
        raise NotNow(
            f"the time to appeal ended on {last_day(deadline)}",
            hint="a keeper can admit a late one: --late, for new facts",
        )
    exhibit = _text("appeal", text)
    return CaseStep((facts.Appealed(appeal=exhibit.digest, is_late=deadline <= now),), (exhibit,))


def publish(state: CaseState, now: int) -> CaseStep:
    """Enter a final decision in the register; nobody who is under age is entered."""
    if state.is_minor:
        raise BadInput(f"the player of case {state.case} is under age, and is not named in the register")
    deadline = state.appeal_deadline
    if state.phase(now) == "time-to-appeal" and deadline is not None:
        raise NotNow(f"the time to appeal runs until {last_day(deadline)}", hint="publish after that day")
    _require(state, now, "publication-due")
    return CaseStep((facts.EntryPublished(),))


def review_entry(state: CaseState, note: str, now: int) -> CaseStep:
    """Record that somebody looked at an entry again and that it stays, with a note beside it where one is given."""
    _require(state, now, "published", "entry-review-due")
    if not note:
        return CaseStep((facts.EntryReviewed(),))
    exhibit = _text("note", note)
    return CaseStep((facts.EntryReviewed(note=exhibit.digest),), (exhibit,))


def strike_entry(state: CaseState, reasons: str, now: int) -> CaseStep:
    """Take an entry out of the register for good."""
    _require(state, now, "published", "entry-review-due")
    exhibit = _text("reasons", reasons)
    return CaseStep((facts.EntryStruck(reasons=exhibit.digest),), (exhibit,))


def mark_under_age(state: CaseState, reasons: str) -> CaseStep:
    """Record that the player is under age, at any time: nothing is published, and an entry that stands is withdrawn.

    The case goes on otherwise, with its appeal. The mark stays: an entry that is missing harms nobody.
    """
    if state.is_minor:
        raise BadInput(f"the player of case {state.case} is marked as under age already")
    if state.outcome is not None:
        raise NotNow(f"case {state.case} is closed, and has no entry")
    exhibit = _text("reasons", reasons)
    marked = facts.MarkedUnderAge(reasons=exhibit.digest, withdraws_entry=state.published_at is not None)
    return CaseStep((marked,), (exhibit,))


def drop(state: CaseState, reasons: str, now: int) -> CaseStep:
    """Close a case before its decision, as one that should not have been opened."""
    _require(state, now, "reviewers-needed", "opinions", "notice-due", "time-to-answer", "decision-due")
    if state.decision is not None:
        raise NotNow(f"case {state.case} has a decision", hint="its appeal decides whether that stands")
    exhibit = _text("reasons", reasons)
    return CaseStep((facts.Dropped(reasons=exhibit.digest),), (exhibit,))


def _require(state: CaseState, now: int, *phases: CasePhase) -> None:
    phase = state.phase(now)
    if phase not in phases:
        raise NotNow(f"case {state.case}: {PHASE_TEXTS[phase]}", hint=f"this step is for when {PHASE_TEXTS[phases[0]]}")


def _require_reviewer(state: CaseState, reviewer: str, now: int) -> None:
    """Raise where this reviewer has no opinion to give in the present reading."""
    if reviewer not in state.panel:
        raise BadInput(f'"{reviewer}" is not on the panel of case {state.case}')
    if reviewer in state.opinions_of(state.stage):
        raise NotNow(f'"{reviewer}" has given an opinion on case {state.case}, which stands')
    if state.phase(now) not in ("opinions", "reviewers-needed"):
        raise NotNow(f"case {state.case}: {PHASE_TEXTS[state.phase(now)]}")


def _text(kind: facts.ExhibitKind, text: str, most: int = MAX_TEXT_CHARACTERS) -> Exhibit:
    text = text.strip()
    if not text:
        raise BadInput(f"the {kind} must not be empty")
    if len(text) > most:
        raise BadInput(f"the {kind} has {len(text)} characters, {most} are the most")
    return Exhibit(kind, text.encode())
