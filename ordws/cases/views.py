"""The parts of a case that each person may see, and the day until which somebody has time. Pure."""

from __future__ import annotations

from typing import Final

from ordws.cases.days import last_day
from ordws.cases.state import PANEL_SIZE, CasePhase, CaseState, Opinion

PHASES_OF_READING: Final[tuple[CasePhase, ...]] = ("reviewers-needed", "opinions")


def is_opinion_due(state: CaseState, reviewer: str, now: int) -> bool:
    """Return whether a reviewer has an opinion to give."""
    is_reading = state.phase(now) in PHASES_OF_READING
    return is_reading and reviewer in state.panel and reviewer not in state.opinions_of(state.stage)


def is_over(state: CaseState, now: int) -> bool:
    """Return whether no opinion is asked for any more, nor can be without an appeal."""
    return state.phase(now) in ("time-to-appeal", "publication-due", "published", "entry-review-due", "closed")


def opinions_for_reviewer(state: CaseState, reviewer: str, now: int) -> tuple[Opinion, ...]:
    """Return a reviewer's own opinions, and those of all once the case is over: nobody is led by another's."""
    if reviewer in state.ever_assigned and is_over(state, now):
        return state.opinions
    return tuple([opinion for opinion in state.opinions if opinion.reviewer == reviewer])


def opinions_for_keeper(state: CaseState) -> tuple[Opinion, ...]:
    """Return the opinions of every reading whose three are in, which a decision has to rest on."""
    return tuple([opinion for opinion in state.opinions if len(state.opinions_of(opinion.stage)) == PANEL_SIZE])


def may_read(state: CaseState, reviewer: str) -> bool:
    """Return whether a reviewer may open a file: on the panel now, or with an opinion given in it."""
    return reviewer in state.panel or reviewer in [opinion.reviewer for opinion in state.opinions]


def due_day(state: CaseState, now: int) -> str:
    """Return the last day of the time that runs now, "" where none does."""
    deadlines = {
        "time-to-answer": state.answer_deadline,
        "time-to-appeal": state.appeal_deadline,
        "published": state.entry_review_due,
    }
    deadline = deadlines.get(state.phase(now))
    return "" if deadline is None else last_day(deadline)
