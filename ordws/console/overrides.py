"""The keepers' page of overrides: words that are added or excluded with a reason, whatever sources and votes say."""

from __future__ import annotations

from typing import Final, get_args

from flask import Blueprint, abort, redirect, render_template, request
from werkzeug.wrappers import Response

from ordws.console.access import current_member
from ordws.console.state import console_state
from ordws.curation.override import OverrideAct
from ordws.fold import fold
from ordws.frame.application import allow

pages: Final = Blueprint("overrides", __name__)


@pages.get("/keeping/overrides")
@allow("keeper")
def index() -> str:
    """Show the overrides in force, in alphabetical order."""
    with console_state().reading() as ledger:
        held = sorted(ledger.overrides().values(), key=lambda each: each.word)
    return render_template("keeping_overrides.html", overrides=held)


@pages.post("/keeping/overrides")
@allow("keeper")
def record() -> Response:
    """Append an override, or the lifting of one, which the next edition follows."""
    act = next((each for each in get_args(OverrideAct) if each == request.form.get("act")), None)
    if act is None:
        abort(400)
    word, reason = fold(request.form.get("word", "").strip()), request.form.get("reason", "")
    with console_state().appending([]) as ledger:
        ledger.override(act, word, reason=reason, keeper=current_member().name, at=console_state().timestamp())
    return redirect("/keeping/overrides", 303)
