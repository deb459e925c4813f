"""The page on which a player reads the notice and the decision, answers, and appeals, by the code of the notice.

It needs no account. A code has 60 bits; wrong ones count against their address, apart from wrong passwords.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, render_template, request

from ordws.cases import commands
from ordws.cases.pages import case_view
from ordws.cases.pages.case_view import review_state
from ordws.cases.state import CaseState, due_day, last_day
from ordws.errors import BadInput, Missing
from ordws.frame import application
from ordws.frame.application import allow
from ordws.typed_codes import read_code

pages: Final = Blueprint("player", "ordws.cases.pages", template_folder="templates", static_folder=None)
MAX_LETTER_BYTES: Final = 192 * 1024
"""A letter of the most characters that are taken, as a form writes any script."""
PLAYER: Final = "player"
"""The actor of what a player does with the code."""


@pages.get("/answer")
@allow()
def enter() -> str:
    return render_template("code.html", is_wrong=False)


@pages.post("/answer")
@allow()
def show() -> str | tuple[str, int]:
    state = _find()
    return _page(state) if state else _refuse()


@pages.post("/answer/game")
@allow()
def show_game() -> Response | str | tuple[str, int]:
    """Show the player the board of a record after one of its lines, as reviewers see it."""
    state = _find()
    if state is None:
        return _refuse()
    try:
        step = case_view.game_step(
            review_state().files, state, request.form.get("game", ""), request.form.get("line", "0")
        )
    except Missing:
        return _page(state)
    page = render_template("game.html", state=state, code=read_code(request.form["code"][:40]), **step)
    return Response(page, headers={"Content-Security-Policy": case_view.BOARD_POLICY})


@pages.post("/answer/send")
@allow()
@application.takes_body(MAX_LETTER_BYTES)
def send() -> str | tuple[str, int]:
    """Take the player's answer, or appeal, as the form says; too late, the text stays and the page says so."""
    state = _find()
    if state is None:
        return _refuse()
    text, now = request.form.get("text", ""), review_state().clock()
    step = commands.answer if request.form.get("kind") == "answer" else commands.appeal
    try:
        state = review_state().files.take(state.case, lambda current: step(current, text, now), PLAYER, now)
    except commands.NotNow:
        # Why not may be told by what goes on in the panel, which the player does not read.
        return _page(state, fault="This cannot be sent now: the page says what can.", text=text), 422
    except BadInput as error:
        return _page(state, fault=f"{error}.", text=text), 422
    return _page(state)


def _find() -> CaseState | None:
    """Return the case of the code that the form has, None where it is the code of none.

    A right code is never refused for the wrong ones of others: it has 60 random bits, and its check costs little.
    """
    code = read_code(request.form.get("code", "")[:40])
    found = None if code is None else review_state().files.find_by_code(code)
    if found is None:
        application.count_attempt("case code")
    return found


def _refuse() -> tuple[str, int]:
    return render_template("code.html", is_wrong=True), 403


def _page(state: CaseState, *, fault: str = "", text: str = "") -> str:
    files, now = review_state().files, review_state().clock()
    phase, deadline = state.phase(now), state.appeal_deadline
    return render_template(
        "answer.html",
        state=state,
        phase=phase,
        ending=state.ending(now),
        due=due_day(state, now),
        appeal_until="" if deadline is None else last_day(deadline),
        texts=case_view.player_texts(files, state),
        **case_view.evidence(files, state),
        code=read_code(request.form.get("code", "")[:40]),
        fault=fault,
        text=text,
    )
