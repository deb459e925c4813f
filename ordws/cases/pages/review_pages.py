"""The pages of reviewers and keepers: the list of cases, a file, an opinion."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from ordws.cases import commands
from ordws.cases.letters import read_rate
from ordws.cases.pages import case_view
from ordws.cases.pages.case_view import review_state
from ordws.cases.pages.player_pages import MAX_LETTER_BYTES
from ordws.cases.state import CaseState, is_opinion_due, may_read, opinions_for_keeper, opinions_for_reviewer
from ordws.console.access import current_member
from ordws.errors import BadInput, Missing
from ordws.frame.application import allow, takes_body

pages: Final = Blueprint("cases", "ordws.cases.pages", template_folder="templates", static_folder=None)


@pages.get("/cases")
@allow("keeper", "reviewer")
def index() -> str:
    """List all cases for a keeper, for a reviewer those on whose panel they are or were."""
    member, now = current_member(), review_state().clock()
    lines = []
    for state in reversed(review_state().files.cases().values()):
        if member.role == "keeper" or may_read(state, member.name):
            line = case_view.case_line(state, now)
            lines.append({**line, "is_due": is_opinion_due(state, member.name, now)})
    return render_template("cases.html", lines=lines)


@pages.get("/cases/<case>")
@allow("keeper", "reviewer")
def show(case: str) -> str:
    return _page(_find(case))


@pages.get("/cases/<case>/games/<game>")
@allow("keeper", "reviewer")
def show_game(case: str, game: str) -> Response:
    """Show the board of a record after one of its lines."""
    state = _find(case)
    try:
        step = case_view.game_step(review_state().files, state, game, request.args.get("line", "0"))
    except Missing:
        abort(404)
    page = render_template("game.html", state=state, code="", **step)
    return Response(page, headers={"Content-Security-Policy": case_view.BOARD_POLICY})


@pages.post("/cases/<case>/opinion")
@allow("reviewer")
@takes_body(MAX_LETTER_BYTES)
def give_opinion(case: str) -> AnyResponse | tuple[str, int]:
    """Record the reviewer's opinion of the present reading."""
    state, reviewer = _find(case), current_member().name
    reasons, known = request.form.get("reasons", ""), {name: name for name in commands.findings_of(state.stage)}
    finding = known.get(request.form.get("finding", ""))  # type: ignore[call-overload]
    if finding is None or not reasons.strip():
        return _page(state, fault="Choose one of the two, and give your reasons.", reasons=reasons), 422
    now = review_state().clock()
    review_state().files.take(
        state.case, lambda current: commands.give_opinion(current, reviewer, finding, reasons, now), reviewer, now
    )
    return redirect(f"/cases/{state.case}", 303)


@pages.post("/cases/<case>/leave")
@allow("reviewer")
def leave(case: str) -> AnyResponse:
    """Take the reviewer off the panel: they know the player, or gain by the decision."""
    state, reviewer, now = _find(case), current_member().name, review_state().clock()
    review_state().files.take(state.case, lambda current: commands.leave_panel(current, reviewer, now), reviewer, now)
    return redirect("/cases", 303)


def _find(case: str) -> CaseState:
    """Return a case that this member may read; to a reviewer every other one is as if it did not exist."""
    try:
        state = review_state().files.find(case)
    except Missing:
        abort(404)
    if current_member().role == "reviewer" and not may_read(state, current_member().name):
        abort(404)
    return state


def _page(state: CaseState, *, fault: str = "", reasons: str = "") -> str:
    member, files, now = current_member(), review_state().files, review_state().clock()
    is_keeper = member.role == "keeper"
    if not state.exhibits:
        raise BadInput(f"case {state.case} has no evidence")
    texts = case_view.player_texts(files, state)
    opinions = opinions_for_keeper(state) if is_keeper else opinions_for_reviewer(state, member.name, now)
    return render_template(
        "case.html",
        state=state,
        line=case_view.case_line(state, now),
        code="",
        opinions=case_view.opinion_lines(files, opinions),
        given=len(state.opinions_of(state.stage)),
        is_due=not is_keeper and is_opinion_due(state, member.name, now),
        has_given=member.name in state.opinions_of(state.stage),
        # Of the letter, which names the player, the rate of false flags alone.
        rate=read_rate(texts["notice"]),
        texts={**texts, "notice": ""},
        fault=fault,
        reasons=reasons,
        **case_view.reading(state),
        **case_view.evidence(files, state),
    )
