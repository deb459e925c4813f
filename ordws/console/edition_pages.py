"""The next edition: its preview as counts, sealing it, and taking the last one back."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from flask import Blueprint, current_app, redirect, render_template, request
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response

from ordws.console.access import allow, current_member, does_not_extend_session
from ordws.console.builder_process import BuilderProcess, BuildJob, BuildOutcome
from ordws.console.current_edition import find_current_edition, find_rollback
from ordws.console.edition_preview import FORM_STATUSES, preview_edition
from ordws.console.state import console_state
from ordws.curation.acts import EditionSealed
from ordws.curation.ballot import is_reason
from ordws.errors import BadInput
from ordws.instance import Sources

pages: Final = Blueprint("sealing", __name__)


@pages.record_once
def _create_builder(state: BlueprintSetupState) -> None:
    state.app.extensions["builder"] = BuilderProcess()


def current_builder() -> BuilderProcess:
    """The builder of the console that answers this request."""
    found: BuilderProcess = current_app.extensions["builder"]
    return found


@pages.get("/keeping/sealing")
@allow("keeper")
def index() -> str:
    """What would be sealed, what is being done, and the two buttons."""
    here, edition = console_state(), find_current_edition(console_state().instance)
    links = edition.links if edition else 0
    with here.reading() as ledger:
        matters, derivations = dict(here.matters), here.derivations
        overridden, held = ledger.overrides(), ledger.decisions_at(links, matters)
        recorded, taken_back = ledger.override_counts_since(links), find_rollback(ledger, edition)
    found = preview_edition(matters, derivations, overridden, held)
    return render_template(
        "keeping_sealing.html",
        edition=edition,
        taken_back=taken_back,
        work=current_builder().job,
        preview=found,
        stands=FORM_STATUSES,
        recorded=recorded,
        seconds=_seconds_running(current_builder().job),
    )


@pages.post("/keeping/seal")
@allow("keeper")
def seal() -> Response:
    """Start the builder on sources and decisions as they are."""
    here, keeper = console_state(), current_member().name
    sources = Sources.locate(current_app.config.get("SOURCES"))

    def note(outcome: BuildOutcome) -> None:
        if outcome.changed:
            with here.appending([]) as ledger:
                ledger.append_acts([("", EditionSealed(number=outcome.edition))], keeper, here.timestamp())

    command = ["run", "--json", "--instance", str(here.instance.root), "--sources", str(sources.root)]
    current_builder().start(BuildJob("seal", keeper, here.clock()), command, on_success=note)
    return redirect("/keeping/sealing", 303)


@pages.post("/keeping/take-back")
@allow("keeper")
def take_back() -> Response:
    """Start the builder to take the last edition back; it notes that in the ledger itself."""
    here, keeper, reason = console_state(), current_member().name, request.form.get("reason", "").strip()
    if not reason or not is_reason(reason):
        raise BadInput("taking an edition back needs a reason, of at most 4000 characters")
    # The reason goes in by standard input: it may name a word, and command lines are there for all to read.
    command = ["take-back", "--json", "--instance", str(here.instance.root), "--keeper", keeper, "--reason", "-"]
    current_builder().start(
        BuildJob("take-back", keeper, here.clock()), command, stdin_text=reason, on_success=lambda _: None
    )
    return redirect("/keeping/sealing", 303)


@pages.get("/api/sealing")
@allow("keeper")
@does_not_extend_session
def state() -> dict[str, Any]:
    """How far the builder is, for the page that waits."""
    work = current_builder().job
    if work is None:
        return {"state": "idle"}
    shown: dict[str, Any] = msgspec.to_builtins(work)
    return {**shown, "seconds": _seconds_running(work)}


def _seconds_running(job: BuildJob | None) -> int:
    return console_state().clock() - job.since if job is not None else 0
