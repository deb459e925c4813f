"""The case files and accounts behind the pages, and the parts of a case that they show, with its texts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import Any, Final

from flask import current_app

from ordws.cases.commands import PHASE_TEXTS, findings_of
from ordws.cases.exhibits import (
    BAND_MEANINGS,
    BAND_TEXTS,
    CATEGORY_TEXTS,
    INNOCENT_EXPLANATIONS,
    Figures,
    board_after,
    read_figures,
    read_record,
    record_in_words,
)
from ordws.cases.letters import OFFENCE_TEXTS
from ordws.cases.state import CaseState, Opinion, date_text, due_day
from ordws.cases.store import CaseFiles, open_case_files
from ordws.console.accounts import Accounts, make_accounts
from ordws.errors import Missing
from ordws.frame.application import SECURITY_HEADERS
from ordws.instance import Instance
from ordws.pictures.palette import style_sheet
from ordws.pictures.svg import draw_board

STAGE_TEXTS: Final = {
    "first": "the evidence",
    "decision": "the evidence and the player's answer",
    "answer": "the evidence and the player's answer",
    "appeal": "the file, on appeal",
}
FINDING_TEXTS: Final = {
    "case-to-answer": "there is a case to answer",
    "no-case-to-answer": "no case to answer",
    "established": "established beyond a reasonable doubt",
    "not-established": "not established",
}
_STYLE: Final = style_sheet().removeprefix("<style>").removesuffix("</style>")
BOARD_POLICY: Final = SECURITY_HEADERS["Content-Security-Policy"].replace(
    "style-src 'self'", f"style-src 'self' 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'"
)
"""The policy of a page with a board, which brings its colours along."""


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
    """Return the evidence of a case for a template: figures in bands, and records without names; all but erased ones.

    Reviewers and the player see the same.
    """
    figures: list[Figures] = []
    with suppress(Missing):
        figures = [read_figures(files.exhibit(each.digest)) for each in state.exhibits if each.kind == "figures"]
    records = [record_in_words(read_record(content)) for content in _records(files, state)]
    categories = [name for name in CATEGORY_TEXTS if any(name in each.bands for each in figures)]
    return {
        "figures": figures,
        "records": records,
        "categories": {name: CATEGORY_TEXTS[name] for name in categories},
        "explanations": {name: INNOCENT_EXPLANATIONS[name] for name in categories},
        "bands": BAND_TEXTS,
        "meanings": BAND_MEANINGS,
    }


def game_step(files: CaseFiles, state: CaseState, game: str, line: str) -> dict[str, Any]:
    """Return the board of a record after one of its lines, for a template; raise Missing where there is no such game.

    Both numbers are given as they were sent: records count from 1, and line 0 is the empty board.
    """
    records = _records(files, state)
    number = int(game) if game.isdecimal() and len(game) < 3 else 0
    if not 0 < number <= len(records):
        raise Missing(f"case {state.case} has no game of this number")
    content = records[number - 1]
    moves = read_record(content)
    at = min(int(line), len(moves)) if line.isdecimal() and len(line) < 5 else 0
    shown = board_after(content, at)
    title = f"Game {number}, line {at} of {len(moves)}"
    # Other tiles than A to Z have no picture.
    is_drawn = shown.board.across.isascii()
    board = draw_board(shown.layout, shown.board, title=title, last=shown.last) if is_drawn else ""
    return {"number": number, "moves": moves, "at": at, "board": board, "play": shown.play}


def _records(files: CaseFiles, state: CaseState) -> list[bytes]:
    try:
        return [files.exhibit(each.digest) for each in state.exhibits if each.kind == "record"]
    except Missing:  # a case that led to nothing, whose exhibits were erased
        return []


def reading(state: CaseState) -> dict[str, Any]:
    """Return the present reading for a template: its name, and its findings with their texts."""
    is_heard = state.stage != "decision" or state.answered_at is not None
    return {
        "stage": STAGE_TEXTS[state.stage] if is_heard else "the evidence, which the player has not answered",
        "is_first": state.stage == "first",
        "findings": {name: FINDING_TEXTS[name] for name in findings_of(state.stage)},
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


class ReviewState:
    """The case files and accounts of one installation, and the clock, in seconds since 1970."""

    def __init__(self, files: CaseFiles, accounts: Accounts, clock: Callable[[], int]) -> None:
        self.files, self.accounts, self.clock = files, accounts, clock

    def close(self) -> None:
        self.files.close()
        self.accounts.close()


def open_review_state(instance: Instance, clock: Callable[[], int]) -> ReviewState:
    """Open the case files and the reviewers' accounts; make them and their keys where there are none."""
    files = open_case_files(instance)
    return ReviewState(files, make_accounts(instance.reviewers, instance.reviewers_key), clock)


def review_state() -> ReviewState:
    """Return the state of the application that answers this request."""
    state: ReviewState = current_app.config["STATE"]
    return state
