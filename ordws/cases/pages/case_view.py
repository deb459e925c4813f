"""The parts of a case that the pages show, with the texts of its exhibits."""

from __future__ import annotations

from typing import Any, Final

from ordws.cases.commands import PHASE_TEXTS
from ordws.cases.days import date_text, last_day
from ordws.cases.figures import BAND_TEXTS, CATEGORY_TEXTS, Figures, read_figures
from ordws.cases.notice import OFFENCE_TEXTS
from ordws.cases.records import RecordMove, read_record
from ordws.cases.state import CaseState, Opinion
from ordws.cases.store import CaseFiles

STAGE_TEXTS: Final = {
    "first": "the evidence",
    "answer": "the evidence and the player's answer",
    "appeal": "the file, on appeal",
}
FINDING_TEXTS: Final = {
    "established": "established beyond a reasonable doubt",
    "not-established": "not established",
}


def due_day(state: CaseState, now: int) -> str:
    """Return the last day of the time that runs now, "" where none does."""
    deadlines = {
        "time-to-answer": state.answer_deadline,
        "time-to-appeal": state.appeal_deadline,
        "published": state.entry_review_due,
    }
    deadline = deadlines.get(state.phase(now))
    return "" if deadline is None else last_day(deadline)


def case_line(state: CaseState, now: int) -> dict[str, Any]:
    """Return a case as a line of a list."""
    return {
        "case": state.case,
        "offence": OFFENCE_TEXTS[state.offence],
        "opened": date_text(state.opened_at),
        "status": state.ending(now) or PHASE_TEXTS[state.phase(now)],
        "due": due_day(state, now),
    }


def evidence(files: CaseFiles, state: CaseState) -> dict[str, Any]:
    """Return the evidence of a case for a template: figures in bands, and records without names."""
    figures: list[Figures] = []
    records: list[list[RecordMove]] = []
    for exhibit in state.exhibits:
        if exhibit.kind == "figures":
            figures.append(read_figures(files.exhibit(exhibit.digest)))
        elif exhibit.kind == "record":
            records.append(read_record(files.exhibit(exhibit.digest)))
    return {
        "figures": figures,
        "records": records,
        "categories": {
            name: text for name, text in CATEGORY_TEXTS.items() if any(name in each.bands for each in figures)
        },
        "bands": BAND_TEXTS,
        "exhibits": state.exhibits,
    }


def opinion_lines(files: CaseFiles, opinions: tuple[Opinion, ...]) -> list[dict[str, str]]:
    """Return opinions for a template, without the names of their reviewers."""
    return [
        {
            "stage": STAGE_TEXTS[opinion.stage],
            "finding": FINDING_TEXTS[opinion.finding],
            "reasons": files.text(opinion.reasons),
            "day": date_text(opinion.at),
        }
        for opinion in opinions
    ]


def player_texts(files: CaseFiles, state: CaseState) -> dict[str, str]:
    """Return what was written to and by the player, by the kind of exhibit; "" where there is nothing yet."""
    texts = dict.fromkeys(("notice", "answer", "decision", "appeal", "appeal-decision", "note"), "")
    for each in files.recorded():
        if each.case != state.case:
            continue
        fact = each.fact
        for name, field in (("notice", "notice"), ("answer", "answer"), ("appeal", "appeal"), ("note", "note")):
            if digest := getattr(fact, field, ""):
                texts[name] = files.text(digest)
    if state.decision is not None:
        texts["decision"] = files.text(state.decision.reasons)
    if state.appeal is not None:
        texts["appeal-decision"] = files.text(state.appeal.reasons)
    return texts
